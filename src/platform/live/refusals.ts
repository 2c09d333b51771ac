import { CommandError } from "../../engine/errors.ts";
import { nearest } from "../../engine/suggestions.ts";
import type { CallRecord, Party } from "../../records/call.ts";
import type { Base } from "../base.ts";
import { capability } from "../capability.ts";
import type { Directory } from "../directory/directory.ts";
import type { LiveCall, LiveCalls } from "./live-calls.ts";
import { connectionOf, describe, isNamed, nameOf, partyById, ringingEndpoints } from "./parties.ts";

export interface Needs extends Base {
  readonly directory: Directory;
  readonly live: LiveCalls;
}

/** What the machines of a call allow now. The statecharts are the one place where that is decided. */
export class Refusals {
  constructor(private readonly world: Needs) {}

  /** The machine that takes the hang-up of a party: the call's, or voicemail's for the last caller in it. */
  takerOfHangup(call: CallRecord, party: Party): "call" | "voicemail" | undefined {
    const { machines } = this.world;
    if (machines.can("call", call.id, { type: "HANGUP", party: party.id })) return "call";
    const isCaller = party.type !== "voicemail" && connectionOf(call, party.id) !== undefined;
    return isCaller && machines.can("voicemail", call.id, { type: "HANGUP" }) ? "voicemail" : undefined;
  }

  /** Whether a party can hand the call on, or have others join it. */
  canTransfer(call: CallRecord, party: Party): boolean {
    return this.world.machines.can("call", call.id, { type: "TRANSFER", party: party.id });
  }

  /**
   * The error of a command that a call's state does not allow, with what it does.
   * @param by who should act; if nobody has this name, the error names the party that was probably meant
   */
  refusal(code: CommandError["code"], problem: string, call: CallRecord, by?: string): CommandError {
    const live = this.world.live.get(call.id);
    if (live === undefined)
      return new CommandError(
        "call_closed",
        `${problem}: ${describe(call, live)}; allowed: none, the call is closed`,
      );
    const state = `${describe(call, live)}; allowed: ${this.allowed(call, live)}`;
    const meant = by === undefined ? undefined : this.meantBy(by, call, live);
    return new CommandError(
      code,
      meant === undefined
        ? `${problem}: ${state}`
        : `${problem}: nobody is known as "${by}"; did you mean "${meant}"? ${state}`,
    );
  }

  private meantBy(by: string, call: CallRecord, live: LiveCall): string | undefined {
    const isKnown =
      this.world.directory.find(by) !== undefined || call.parties.some((each) => isNamed(each, by, live));
    return isKnown ? undefined : nearest(by, ["caller", "callee", ...call.parties.map(nameOf)]);
  }

  /** `answer and decline by bob; hangup by +6421555001`. */
  private allowed(call: CallRecord, live: LiveCall): string {
    const { machines } = this.world;
    const rung = live.rings.flatMap(({ id, partyId }) => {
      const party = partyById(call, partyId);
      const endpoints = ringingEndpoints(party);
      return endpoints.some((endpoint) => machines.can("ring", id, { type: "ANSWER", endpoint }))
        ? [party]
        : [];
    });
    const name = (party: Party) => (party.id === live.callerPartyId ? "caller" : nameOf(party));
    const users = call.parties.filter((each) => each.type === "user");
    const can: readonly (readonly [what: string, who: readonly Party[]])[] = [
      ["answer and decline", rung],
      ["hangup", call.parties.filter((each) => this.takerOfHangup(call, each) !== undefined)],
      ["move", users.filter((each) => connectionOf(call, each.id) !== undefined)],
      ["transfer and add", users.filter((each) => this.canTransfer(call, each))],
    ];
    const said = can.flatMap(([what, who]) =>
      who.length === 0 ? [] : [`${what} by ${[...new Set(who.map(name))].join(", ")}`],
    );
    const speaks = machines.can("voicemail", call.id, { type: "SPEAK", messageMs: 0 })
      ? ["leaveVoicemail"]
      : [];
    return [...speaks, ...said].join("; ") || "nothing, until the call goes on";
  }
}

/** What a call's state allows, and the errors of what it does not. */
export const refusals = capability({ make: (world: Needs) => new Refusals(world) });
