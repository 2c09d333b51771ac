import type { CallEvent } from "../../../../machines/index.ts";
import type { MachineHost } from "../../engine/machine-host.ts";
import type { CommandErrorCode } from "../../foundation/errors.ts";
import type { CallRecord, Connection, Party } from "../../records/call.ts";
import type { MachineTypes } from "../base/machine-types.ts";
import type { LiveCall, Ring, VoicemailSession } from "../live/live-calls.ts";
import { connectionOf, partyById, ringingEndpoints } from "../live/parties.ts";

/** A call, and the machines that say what it allows. */
export interface CallState {
  readonly machines: MachineHost<MachineTypes>;
  readonly call: CallRecord;
  readonly live: LiveCall;
}

/**
 * Who may give a command on a call. The check of the command, its refusals and what they list after "allowed:" follow from
 * this.
 */
export interface CallGuard<Has = unknown> {
  /** With what others are refused. */
  readonly code: CommandErrorCode;
  /** Those to look at: where a name means several of them, the first who may give the command is meant. */
  candidates(state: CallState): readonly Party[];
  /**
   * What the command needs to go on, if this party may issue it.
   * @param endpoint the id of the endpoint that the command is about
   */
  grant(state: CallState, party: Party, endpoint: string | undefined): Has | undefined;
  /** The event that the party's machine must take too. */
  readonly timing?: {
    isNow(state: CallState, party: Party): boolean;
    /** The refusal if it does not, such as `cannot transfer yet`. */
    refusal(doing: string): string;
  };
}

/** A party with a right, and what it refers to. */
export interface Granted<Has> {
  readonly call: CallRecord;
  readonly live: LiveCall;
  readonly party: Party;
  readonly grant: Has;
}

const parties = ({ call }: CallState) => call.parties;

/** Someone whom the call rings. */
export const ringing: CallGuard<Ring> = {
  code: "not_ringing",
  candidates: ({ call, live }) => live.rings.map(({ partyId }) => partyById(call, partyId)),
  grant: ({ machines, live }, party, endpoint) => {
    const endpoints = endpoint === undefined ? ringingEndpoints(party) : [endpoint];
    return live.rings.find(
      ({ id, partyId }) =>
        partyId === party.id &&
        endpoints.some((each) => machines.can("ring", id, { type: "ANSWER", endpoint: each })),
    );
  },
};

/** Someone who can hang up, with the machine that takes it: the call's, or voicemail's for the last caller in it. */
export const hangingUp: CallGuard<"call" | "voicemail"> = {
  code: "not_connected",
  candidates: parties,
  grant: ({ machines, call }, party) => {
    if (machines.can("call", call.id, { type: "HANGUP", party: party.id })) return "call";
    const isCaller = party.type !== "voicemail" && connectionOf(call, party.id) !== undefined;
    return isCaller && machines.can("voicemail", call.id, { type: "HANGUP" }) ? "voicemail" : undefined;
  },
};

/** A user who is on the bridge. */
export const connectedUser: CallGuard<Connection> = {
  code: "not_connected",
  candidates: parties,
  grant: ({ call }, party) => (party.type === "user" ? connectionOf(call, party.id) : undefined),
};

/** The same right, as long as the call's machine takes this event of the party. */
export function connectedUserWho(
  type: Exclude<Extract<CallEvent, { readonly party: string }>, { readonly endpoint: string }>["type"],
) {
  return {
    ...connectedUser,
    timing: {
      isNow: ({ machines, call }: CallState, { id }: Party) =>
        machines.can("call", call.id, { type, party: id }),
      refusal: (doing: string) => `cannot ${doing} yet`,
    },
  } satisfies CallGuard<Connection>;
}

/** The caller, once voicemail has taken the call. */
export const callerInVoicemail: CallGuard<VoicemailSession> = {
  code: "not_in_voicemail",
  candidates: ({ call, live }) => [partyById(call, live.callerPartyId)],
  grant: ({ live }) => live.voicemail ?? undefined,
  timing: {
    isNow: ({ machines, call }) => machines.can("voicemail", call.id, { type: "SPEAK", messageMs: 0 }),
    refusal: () => "already leaves a message",
  },
};
