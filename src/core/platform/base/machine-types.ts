import type { EmittedFrom, EventFrom, InputFrom, StateMachine, StateValueFrom } from "xstate";
import type { machines } from "../../../../machines/index.ts";
import type { Appended, LoggedEvent } from "../../engine/event-log.ts";
import type { MachineOwner } from "../../engine/machine-host.ts";
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
import type { Offer, ReturnTo, Ring } from "../live/live-calls.ts";

/** What each instance of a machine belongs to. `recordId` is the id of its record. */
interface Owners {
  call: MachineOwner;
  ring: MachineOwner & { readonly ring: Ring };
  teamOffer: MachineOwner & { readonly offerId: string; readonly teamId: string };
  voicemail: MachineOwner;
  redirectReturn: MachineOwner & { readonly returnTo: ReturnTo };
  availability: MachineOwner;
  conversation: MachineOwner;
  analysis: MachineOwner;
  webhook: MachineOwner;
  delivery: MachineOwner;
}

export type MachineName = keyof Owners;

type MachineOf<R extends MachineName> = (typeof machines)[`${R}Machine`];

/** The types of all machines, by name, as the machines declare them. */
export type MachineTypes = {
  readonly [R in MachineName]: {
    readonly input: InputFrom<MachineOf<R>>;
    readonly event: EventFrom<MachineOf<R>>;
    readonly fact: EmittedFrom<MachineOf<R>>;
    readonly about: Owners[R];
  };
};

/** The states of a machine. */
export type StateOf<R extends MachineName> = Extract<StateValueFrom<MachineOf<R>>, string>;

/** The names of a machine's delays. */
type DelayOf<R extends MachineName> =
  MachineOf<R> extends StateMachine<
    infer _Context,
    infer _Event,
    infer _Children,
    infer _Actor,
    infer _Action,
    infer _Guard,
    infer Delay,
    infer _Value,
    infer _Tag,
    infer _Input,
    infer _Output,
    infer _Emitted,
    infer _Meta,
    infer _Schema
  >
    ? Delay
    : never;
/** Events that a machine raises for itself after a while: unlike those that it is sent, they are not in capitals. */
type RaisedLater<Event extends string> = Event extends Uppercase<Event> ? never : Event;
type TimerOf<R extends MachineName> = `${R}: ${DelayOf<R> | RaisedLater<MachineTypes[R]["event"]["type"]>}`;
/** The purposes of machines' timers, as agenda items have them: `ring: ringTimeout`. */
export type MachineTimer = { readonly [R in MachineName]: TimerOf<R> }[MachineName];

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
  /** A call is about to ring those to whom it is offered. */
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
