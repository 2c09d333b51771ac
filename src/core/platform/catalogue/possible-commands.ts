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

/** The parts of a command that are used here. */
interface CommandToList extends Pick<AnyCommand, "schema" | "guard"> {
  possible?(services: Services): readonly Readonly<Record<string, unknown>>[];
}

/**
 * The commands that are allowed now: what a command's `possible` lists, else one per live call and party that its guard
 * accepts. Commands that need more arguments are left out.
 */
export function possibleCommands(services: Services): PossibleCommand[] {
  return (Object.keys(commands) as CommandName[]).flatMap((name) => {
    const command: CommandToList = commands[name];
    const possible =
      command.possible?.(services) ?? (isOnCall(command) ? argumentsByGuard(services, command) : []);
    return possible.map((args) => ({ name, args }));
  });
}

function argumentsByGuard(
  { callRecords, live, machines }: Services,
  { guard, schema }: CommandToList & { readonly guard: CallGuard },
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
