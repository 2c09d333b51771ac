import { CommandError } from "../../foundation/errors.ts";
import { nearest } from "../../foundation/suggestions.ts";
import type { CallRecord, Party } from "../../records/call.ts";
import type { CallRecords } from "../call-record/call-records.ts";
import { type AnyCommand, defineService } from "../declare/module.ts";
import { isOnRecord, type RecordGuard } from "../declare/record-guards.ts";
import type { Directory } from "../directory/directory.ts";
import type { LiveCall, LiveCalls } from "../live/live-calls.ts";
import { callText, isNamed, nameOf } from "../live/parties.ts";
import type { CoreServices } from "../services/services.ts";
import type { CallGuard, CallState, Granted } from "./call-guards.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
  readonly live: LiveCalls;
  readonly callRecords: CallRecords;
}

/** Arguments of commands on calls. */
export interface ArgumentsOnCall {
  readonly call: string;
  /** Who gives it; the caller if it names nobody. */
  readonly by?: string;
  readonly endpoint?: string;
}

/** A command that only some parties of a call may give. */
interface OnCall extends AnyCommand {
  readonly guard: CallGuard;
}

/** Who may do what with a call or another record, by the rights that the commands declare. */
export class Refusals {
  constructor(private readonly world: Needs) {}

  /**
   * The party that issues a command on a call.
   * @throws {CommandError} `not_found`, or the code of the right, if the call's state does not allow it
   */
  actor(name: string, args: ArgumentsOnCall): Granted<unknown> {
    const { callRecords, commands, live: calls, machines } = this.world;
    const command = commands[name];
    if (command === undefined || !isOnCall(command)) throw new Error(`anyone may give ${name}`);
    const { guard, infinitive = name } = command;
    const { by = "the caller", endpoint } = args;
    const call = callRecords.find(args.call);
    const live = calls.get(call.id);
    const found = live && this.found(guard, { machines, call, live }, args);
    if (found === undefined) {
      const on = endpoint === undefined ? "" : ` on ${endpoint}`;
      throw this.refusal(guard.code, `${by} cannot ${infinitive}${on}`, call, args.by);
    }
    const { timing } = guard;
    if (timing?.isNow({ machines, call, live: found.live }, found.party) === false)
      throw this.refusal("not_allowed", `${by} ${timing.refusal(infinitive)}`, call);
    return found;
  }

  /**
   * Makes the error of a command that a call's state does not allow, listing what the state allows.
   * @param by who should act; if nobody has this name, the error names the party that was probably meant
   */
  refusal(code: CommandError["code"], problem: string, call: CallRecord, by?: string): CommandError {
    const live = this.world.live.get(call.id);
    if (live === undefined)
      return new CommandError(
        "call_closed",
        `${problem}: ${callText(call, live)}; allowed: none, the call is closed`,
      );
    const state = `${callText(call, live)}; allowed: ${this.allowed(call, live)}`;
    const meant = by === undefined ? undefined : this.meantBy(by, call, live);
    return new CommandError(
      code,
      meant === undefined
        ? `${problem}: ${state}`
        : `${problem}: nobody is known as "${by}"; did you mean "${meant}"? ${state}`,
    );
  }

  /**
   * @param it the capability of the command
   * @throws {CommandError} `not_found`, or that of the right if the record's state does not allow the command; it lists
   * what the state allows, if anything
   * @returns what the command is about
   */
  mustAllow<It, Args, Of>(right: RecordGuard<It, Args, Of>, it: It, args: Args): Of {
    const of = right.find(it, args);
    const error = right.refusal(of);
    if (error === undefined) return of;
    const allowed = Object.entries(this.world.commands).flatMap(([name, command]) =>
      isOnRecord(command) && command.guard.on === right.on && command.guard.refusal(of) === undefined
        ? [name]
        : [],
    );
    throw allowed.length === 0
      ? error
      : new CommandError(error.code, `${error.message}; allowed: ${allowed.join(" and ")}`);
  }

  private meantBy(by: string, call: CallRecord, live: LiveCall): string | undefined {
    const isKnown =
      this.world.directory.find(by) !== undefined || call.parties.some((each) => isNamed(each, by, live));
    return isKnown ? undefined : nearest(by, ["caller", "callee", ...call.parties.map(nameOf)]);
  }

  private found(right: CallGuard, state: CallState, args: ArgumentsOnCall): Granted<unknown> | undefined {
    const { by = "caller", endpoint } = args;
    for (const party of right.candidates(state)) {
      if (!isNamed(party, by, state.live)) continue;
      const has = right.grant(state, party, endpoint);
      if (has !== undefined) return { call: state.call, live: state.live, party, grant: has };
    }
    return undefined;
  }

  /** Lists the allowed commands, as in `answer and decline by bob; hangup by +6421555001`. */
  private allowed(call: CallRecord, live: LiveCall): string {
    const state = { machines: this.world.machines, call, live };
    const name = (party: Party) => (party.id === live.callerPartyId ? "caller" : nameOf(party));
    const [unnamed, named]: [string[], string[]] = [[], []];
    for (const [right, commands] of this.byRight()) {
      const who = right.candidates(state).filter((party) => isAllowed(right, state, party));
      if (who.length === 0) continue;
      const what = commands.map(([command]) => command).join(" and ");
      if (commands.some(([, command]) => namesActor(command)))
        named.push(`${what} by ${[...new Set(who.map(name))].join(", ")}`);
      else unnamed.push(what);
    }
    return [...unnamed, ...named].join("; ") || "nothing, until the call goes on";
  }

  /** The commands on calls, grouped by right. */
  private byRight(): ReadonlyMap<CallGuard, [string, OnCall][]> {
    const all = new Map<CallGuard, [string, OnCall][]>();
    for (const [name, command] of Object.entries(this.world.commands))
      if (isOnCall(command)) all.set(command.guard, [...(all.get(command.guard) ?? []), [name, command]]);
    return all;
  }
}

export function isOnCall<Command extends Pick<AnyCommand, "guard">>(
  command: Command,
): command is Command & { readonly guard: CallGuard } {
  const { guard } = command;
  return typeof guard === "object" && guard !== null && "candidates" in guard;
}

/** Whether its arguments say who gives it. Otherwise it is the caller. */
export function namesActor({ schema }: AnyCommand): boolean {
  return "entries" in schema && "by" in (schema.entries as object);
}

function isAllowed(right: CallGuard, state: CallState, party: Party): boolean {
  return right.grant(state, party, undefined) !== undefined && right.timing?.isNow(state, party) !== false;
}

/** What a call's state allows, and the errors of other commands. */
export const refusals = defineService({ create: (world: Needs) => new Refusals(world) });
