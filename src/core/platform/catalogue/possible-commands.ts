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
 * @param names the commands to look at; default: all
 */
export function possibleCommands(
  services: Services,
  names: readonly CommandName[] = Object.keys(commands) as CommandName[],
): PossibleCommand[] {
  return names.flatMap((name) => {
    const command: CommandToList = commands[name];
    const possible =
      command.possible?.(services) ?? (isOnCall(command) ? argumentsByGuard(services, command) : []);
    return possible.map((args) => ({ name, args }));
  });
}

/** Who may give a command on which call now, whatever other arguments it needs. */
export function grantedParties(services: Services, name: CommandName): CallAndParty[] {
  const command: CommandToList = commands[name];
  return isOnCall(command) ? partiesByGuard(services, command.guard) : [];
}

type CallAndParty = {
  readonly call: string;
  /** A user's or device's id, an outside number, or `caller`. */
  readonly by: string;
};

function argumentsByGuard(
  services: Services,
  { guard, schema }: CommandToList & { readonly guard: CallGuard },
): PossibleCommand["args"][] {
  return partiesByGuard(services, guard).flatMap(({ call, by }) => {
    // the caller gives a command that names nobody
    const forms = by === "caller" ? [{ call, by }, { call }] : [{ call, by }];
    return forms.find((args) => v.is(schema, args)) ?? [];
  });
}

function partiesByGuard({ callRecords, live, machines }: Services, guard: CallGuard): CallAndParty[] {
  return live.ids().flatMap((id) => {
    const state = { machines, call: callRecords.get(id), live: live.mustGet(id) };
    const parties = guard
      .candidates(state)
      .filter((party) => guard.grant(state, party, undefined) !== undefined)
      .filter((party) => guard.timing?.isNow(state, party) !== false);
    const names = parties.map((party) => (party.id === state.live.callerPartyId ? "caller" : nameOf(party)));
    return [...new Set(names)].map((by) => ({ call: id, by }));
  });
}
