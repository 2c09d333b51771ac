import type { Connection, Party } from "../../records/call.ts";
import type { Destination } from "../declare/destination.ts";
import type { Directory } from "../directory/directory.ts";
import type { Granted } from "../guards/call-guards.ts";
import type { Refusals } from "../guards/refusals.ts";
import { findConnection } from "../live/parties.ts";

export interface Needs {
  readonly directory: Directory;
  readonly refusals: Refusals;
}

/**
 * Finds the target of a transfer or an addition. A target that is on the call or already rings for it is refused.
 * @param doing what the user does, such as `transfer`
 * @throws {CommandError} `not_allowed`, `not_found`
 */
export function findDestination(
  { directory, refusals }: Needs,
  { target, by }: { readonly target: string; readonly by: string },
  { call, live }: Granted<Connection>,
  doing: string,
): Destination {
  const destination = directory.destination(target);
  const isIn = (each: Party) => [each.entryId, each.phoneNumber].includes(destination.id);
  const inCall = call.parties.find((each) => isIn(each) && findConnection(call, each.id) !== undefined);
  const rung = live.rings.find((ring) => ring.entryId === destination.id);
  if (inCall !== undefined || rung !== undefined)
    throw refusals.refusal(
      "not_allowed",
      `${by} cannot ${doing}: ${target} is on the call or rung for it already`,
      call,
    );
  return destination;
}
