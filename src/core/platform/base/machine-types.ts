import type { Appended, LoggedEvent } from "../../engine/event-log.ts";
import type {
  CallInsightsRecord,
  ContactRecord,
  Participant,
  TranscriptRecord,
} from "../../generated/records.ts";
import type { RequestOutcome } from "../../network/outcome.ts";
import type { CallRecord, Party, Recording } from "../../records/call.ts";
import type { MessageRecord, StoredConversation } from "../../records/conversation.ts";
import type { TeamRecord } from "../../records/directory.ts";
import type { RequestRecord } from "../../records/request.ts";
import type { Offer } from "../live/live-calls.ts";
import type { StateOfMachine, TypesOfMachine } from "../parts/define-part.ts";
import type { ownMachines } from "../parts/parts.ts";

/** The names of all machines. */
export type MachineName = keyof typeof ownMachines;

/** The types of all machines, by name, as the machines declare them. */
export type MachineTypes = {
  readonly [Name in MachineName]: TypesOfMachine<(typeof ownMachines)[Name]>;
};

/** The states of a machine. */
export type StateOf<Name extends MachineName> = StateOfMachine<(typeof ownMachines)[Name]>;

/** The purposes of machines' timers, as agenda items have them: `ring: ringTimeout`. */
export type MachineTimer = {
  readonly [Name in MachineName]: `${Name}: ${keyof (typeof ownMachines)[Name]["timers"] & string}`;
}[MachineName];

/** What happens outside of machines. `reactions/` lists what follows from each. */
export interface DomainEvents {
  /** A call now has its record and its machine. */
  callBegan: { readonly callId: string };
  /** A user or a device that dialled joins the bridge. */
  callerJoined: { readonly callId: string; readonly party: Party };
  /** A caller in voicemail has begun a message. */
  callerSpoke: { readonly callId: string };
  /** `wasKnown`: the call showed a contact's name before, or would have shown one to this user. */
  callContactAssigned: {
    readonly call: CallRecord;
    readonly contact: ContactRecord;
    readonly participants: readonly Participant[];
    readonly wasKnown: boolean;
  };
  /** The record of a user or a device changed, but whether they are free did not. */
  entryChanged: { readonly entryId: string };
  /** An endpoint of a user is no longer registered. */
  endpointLost: { readonly userId: string; readonly endpointId: string };
  /** A user or a device joined a team, or changed its priority in it. */
  memberSet: { readonly memberId: string };
  memberRemoved: { readonly teamId: string; readonly memberId: string };
  /** The number of a team's members, or of those who are free, changed. */
  teamTotalsChanged: { readonly team: TeamRecord };
  /** A team's member changed, but not the team's totals. */
  teamMemberChanged: { readonly team: TeamRecord };
  /** A call is about to ring the users and devices to which it is offered. */
  offerReady: { readonly offer: Offer };
  /** The target of a transfer or an addition cannot be rung. `why` is `busy`, `out of hours` or the like. */
  targetUnreachable: { readonly callId: string; readonly targetId: string; readonly why: string };
  messageAdded: { readonly conversation: StoredConversation; readonly message: MessageRecord };
  conversationContactAssigned: { readonly conversation: StoredConversation; readonly contact: ContactRecord };
  /** A contact was shared from a conversation. */
  contactShared: { readonly conversation: StoredConversation; readonly contact: ContactRecord };
  /** A webhook accepted an event. */
  delivered: { readonly webhookId: string };
  recordingAvailable: { readonly call: CallRecord; readonly recording: Recording };
  transcriptCreated: { readonly call: CallRecord; readonly transcript: TranscriptRecord };
  /** All transcripts of a call are there. */
  transcriptionCompleted: { readonly call: CallRecord; readonly transcripts: readonly TranscriptRecord[] };
  callTariffed: { readonly call: CallRecord };
  eventPublished: { readonly event: Appended };
  /** Webhooks ask for an event, and the dialect leaves it out: nothing is sent. */
  eventLeftOut: { readonly event: LoggedEvent };
  /** Cards about a call reach a user; `userId` is null if nobody is rung or the call is over. */
  cardsCame: { readonly insights: CallInsightsRecord; readonly userId: string | null };
  /** A request to an endpoint outside is over. */
  requestOver: { readonly request: RequestRecord; readonly outcome: RequestOutcome };
  /** A command or an agenda item has run, and the listeners have not been told yet. */
  stepOver: { readonly nowMs: number };
}
