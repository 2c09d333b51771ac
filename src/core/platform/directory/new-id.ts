import type { Ids } from "../../foundation/ids.ts";

/** The next unused id of a kind. Consumers may have given ids of the same form. */
export function newId(ids: Ids, kind: string, isTaken: (id: string) => boolean): string {
  let id = ids.next(kind);
  while (isTaken(id)) id = ids.next(kind);
  return id;
}
