import type { CallEvent } from "../../../../machines/call.ts";
import type { MachineHost } from "../../engine/machine-host.ts";
import type { CommandErrorCode } from "../../foundation/command-errors.ts";
import type { CallRecord, Connection, Party } from "../../records/call.ts";
import type { MachineTypes } from "../base/machine-types.ts";
import type { LiveCall, VoicemailSession } from "../live/live-calls.ts";
import { findConnection, partyById, ringingEndpoints } from "../live/parties.ts";
import type { Ring } from "../parts/calls.ts";

/** A call, and the machines that decide what it allows. */
export interface CallState {
  readonly machines: MachineHost<MachineTypes>;
  readonly call: CallRecord;
  readonly live: LiveCall;
}

/**
 * Who may give a command on a call. From this follow the command's check, its refusals, and what refusals list after
 * "allowed:".
 */
export interface CallGuard<Grant = unknown> {
  /** The error code for everyone else. */
  readonly code: CommandErrorCode;
  /** The parties to try, in order: if a name fits several, the first that may give the command is used. */
  candidates(state: CallState): readonly Party[];
  /**
   * What the command needs to run, if this party may give it; else undefined.
   * @param endpoint the id of the endpoint that the command is about
   */
  grant(state: CallState, party: Party, endpoint: string | undefined): Grant | undefined;
  /** A second condition, with a refusal of its own: the machine must take the command's event now. */
  readonly timing?: {
    isNow(state: CallState, party: Party): boolean;
    /** The refusal, such as `cannot transfer yet`. */
    refusal(doing: string): string;
  };
}

/** A party that may give a command, with its call and what the guard granted. */
export interface Granted<Grant> {
  readonly call: CallRecord;
  readonly live: LiveCall;
  readonly party: Party;
  readonly grant: Grant;
}

const parties = ({ call }: CallState) => call.parties;

/** A party that is ringing. */
export const ringsNow: CallGuard<Ring> = {
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

/** A party that can hang up. The grant is the machine that takes it: voicemail's for the last caller in voicemail. */
export const hangingUp: CallGuard<"call" | "voicemail"> = {
  code: "not_connected",
  candidates: parties,
  grant: ({ machines, call }, party) => {
    if (machines.can("call", call.id, { type: "HANGUP", party: party.id })) return "call";
    const isCaller = party.type !== "voicemail" && findConnection(call, party.id) !== undefined;
    return isCaller && machines.can("voicemail", call.id, { type: "HANGUP" }) ? "voicemail" : undefined;
  },
};

/** Hangs up, for a party with the grant of `hangingUp`. */
export function hangUp(
  taker: "call" | "voicemail",
  { machines, call }: Pick<CallState, "machines" | "call">,
  party: Party,
): void {
  if (taker === "voicemail") machines.send("voicemail", call.id, { type: "HANGUP" });
  else machines.send("call", call.id, { type: "HANGUP", party: party.id });
}

/** A user on the bridge. */
export const connectedUser: CallGuard<Connection> = {
  code: "not_connected",
  candidates: parties,
  grant: ({ call }, party) => (party.type === "user" ? findConnection(call, party.id) : undefined),
};

/** A user on the bridge, while the call's machine takes this event of theirs. */
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

/** The caller, while in voicemail. */
export const callerInVoicemail: CallGuard<VoicemailSession> = {
  code: "not_in_voicemail",
  candidates: ({ call, live }) => [partyById(call, live.callerPartyId)],
  grant: ({ live }) => live.voicemail ?? undefined,
  timing: {
    isNow: ({ machines, call }) => machines.can("voicemail", call.id, { type: "SPEAK", messageMs: 0 }),
    refusal: () => "already leaves a message",
  },
};
