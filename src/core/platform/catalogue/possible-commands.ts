import * as v from "valibot";
import type { CommandName } from "../base/core-services.ts";
import type { AnyCommand } from "../declare/any-command.ts";
import type { CallGuard } from "../guards/call-guards.ts";
import { isOnCall } from "../guards/refusals.ts";
import { nameOf } from "../live/parties.ts";
import { commands } from "./commands.ts";
import type { Services } from "./services.ts";

/** A command that is allowed now. */
export interface PossibleCommand {
  readonly name: CommandName;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What is asked of any command here. */
interface Asked extends Pick<AnyCommand, "schema" | "guard"> {
  possible?(services: Services): readonly Readonly<Record<string, unknown>>[];
}

/**
 * The commands that are allowed now: as they say themselves, or on each live call by each party that their guard lets give
 * them. Those that need more arguments are left out.
 */
export function possibleCommands(services: Services): PossibleCommand[] {
  return (Object.keys(commands) as CommandName[]).flatMap((name) => {
    const command: Asked = commands[name];
    const possible = command.possible?.(services) ?? (isOnCall(command) ? byGuard(services, command) : []);
    return possible.map((args) => ({ name, args }));
  });
}

function byGuard(
  { callRecords, live, machines }: Services,
  { guard, schema }: Asked & { readonly guard: CallGuard },
) {
  return live.ids().flatMap((id) => {
    const state = { machines, call: callRecords.get(id), live: live.mustGet(id) };
    const parties = guard
      .candidates(state)
      .filter((party) => guard.grant(state, party, undefined) !== undefined)
      .filter((party) => guard.timing?.isNow(state, party) !== false);
    const names = parties.map((party) => (party.id === state.live.callerPartyId ? "caller" : nameOf(party)));
    return [...new Set(names)].map((by) => ({ call: id, by })).filter((args) => v.is(schema, args));
  });
}
