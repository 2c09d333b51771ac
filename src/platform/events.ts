import type { LoggedEvent } from "../engine/event-log.ts";
import { show } from "../engine/instants.ts";
import type { AnalysisRecord } from "../records/analysis.ts";
import type { CallRecord, Party, Recording } from "../records/call.ts";
import type { ConversationRecord, MessageRecord } from "../records/conversation.ts";
import type { TeamRecord, UserRecord } from "../records/directory.ts";
import type { Participant } from "../records/participant.ts";
import type { ContactRecord } from "../records/phonebook.ts";
import type { TranscriptRecord } from "../records/transcript.ts";

/** What each event carries in `data`: records as they were at that instant. */
export interface EventData {
  "call.started": { readonly call: CallRecord };
  "call.answered": { readonly call: CallRecord };
  "call.not_answered": { readonly call: CallRecord };
  "call.hungup": { readonly call: CallRecord; readonly party: Party };
  "call.ended": { readonly call: CallRecord };
  "call.recording.available": { readonly call: CallRecord; readonly recording: Recording };
  "call.transcript.created": { readonly call: CallRecord; readonly transcript: TranscriptRecord };
  "call.transcription_completed": {
    readonly call: CallRecord;
    readonly transcripts: readonly TranscriptRecord[];
  };
  "call.tariffed": { readonly call: CallRecord };
  /** @deprecated `contact.shared` replaces it, which it follows. */
  "call.contact_assigned_with_add": { readonly call: CallRecord; readonly contact: ContactRecord };
  /** @deprecated `contact.shared` replaces it, which it follows. */
  "call.contact_assigned_with_update": { readonly call: CallRecord; readonly contact: ContactRecord };
  "contact.shared": {
    readonly contact: ContactRecord;
    readonly participants: readonly Participant[];
    /** `call`, or the channel of a conversation. */
    readonly channel: string;
  };
  "conversation.message.created": {
    readonly conversation: ConversationRecord;
    readonly message: MessageRecord;
  };
  "conversation.inactive": { readonly conversation: ConversationRecord };
  "conversation.closed": { readonly conversation: ConversationRecord };
  "conversation.contact_assigned": {
    readonly conversation: ConversationRecord;
    readonly contact: ContactRecord;
  };
  "content_analysis.completed": { readonly contentAnalysis: AnalysisRecord };
  "user.availability.updated": { readonly user: UserRecord };
  "team.availability.updated": { readonly team: TeamRecord };
  "transcript.created": { readonly transcript: TranscriptRecord };
}

/** The types of the events that there are. */
export type EventType = keyof EventData;

const all: Record<EventType, true> = {
  "call.started": true,
  "call.answered": true,
  "call.not_answered": true,
  "call.hungup": true,
  "call.ended": true,
  "call.recording.available": true,
  "call.transcript.created": true,
  "call.transcription_completed": true,
  "call.tariffed": true,
  "call.contact_assigned_with_add": true,
  "call.contact_assigned_with_update": true,
  "contact.shared": true,
  "conversation.message.created": true,
  "conversation.inactive": true,
  "conversation.closed": true,
  "conversation.contact_assigned": true,
  "content_analysis.completed": true,
  "user.availability.updated": true,
  "team.availability.updated": true,
  "transcript.created": true,
};

/** Every type of event that is simulated. */
export const eventTypes = Object.keys(all) as readonly EventType[];

/** Keeps a misspelt type from being waited for in vain. @throws {TypeError} with the types that there are */
export function mustBeEventType(type: string, asker: string): void {
  if (!eventTypes.includes(type as EventType))
    throw new TypeError(
      `${asker}: expected one of the event types ${eventTypes.join(", ")}, got ${show(type)}`,
    );
}

/** An event of one type, or of any. */
export type PlatformEvent<Type extends EventType = EventType> = {
  [T in Type]: LoggedEvent<T, EventData[T]>;
}[Type];
