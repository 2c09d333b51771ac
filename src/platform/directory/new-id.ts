import type { Ids } from "../../engine/ids.ts";

/** The next id of a kind that is not taken: consumers may have given one of the same form. */
export function newId(ids: Ids, kind: string, isTaken: (id: string) => boolean): string {
  let id = ids.next(kind);
  while (isTaken(id)) id = ids.next(kind);
  return id;
}
