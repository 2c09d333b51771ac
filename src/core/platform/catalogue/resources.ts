import { recordingEvents, transcriptEvents } from "../after-call/events.ts";
import { recordingOperations } from "../after-call/recording-operations.ts";
import { transcriptOperations } from "../after-call/transcript-operations.ts";
import { analysisEvents } from "../analysis/events.ts";
import { analysisOperations } from "../analysis/operations.ts";
import { availabilityEvents } from "../availability/events.ts";
import type { EventDeclaration } from "../base/define-events.ts";
import { callEvents } from "../calls/events.ts";
import { callOperations } from "../calls/operations.ts";
import { contactEvents } from "../contacts/events.ts";
import { conversationEvents } from "../conversations/events.ts";
import { messageOperations } from "../conversations/operations.ts";
import type { Operation } from "../declare/operation.ts";
import { directoryOperations } from "../directory/operations.ts";
import { locationOperations } from "../locations/operations.ts";
import { phonebookOperations } from "../phonebooks/operations.ts";
import { teamOperations } from "../teams/operations.ts";
import { trunkOperations } from "../trunks/operations.ts";
import { webhookOperations } from "../webhooks/operations.ts";

/** What consumers see of a part of the platform. What it does is its service and its commands. */
interface ResourceDefinition {
  /** The events that are about it. */
  readonly events?: Readonly<Record<string, EventDeclaration>>;
  /** The operations of the REST API. */
  readonly operations?: readonly Operation<never>[];
}

/**
 * Every part of the platform that consumers see: its events, its operations of the REST API. Documents list operations in
 * this order. Events and operations, their types and their pages follow from this list.
 */
export const resources = {
  /** Users, devices and everything else that has an extension. */
  directory: { operations: directoryOperations },
  /** Who can be called. */
  availability: { events: availabilityEvents },
  /** Teams and their members. */
  teams: { operations: teamOperations },
  /** Places where people work. */
  locations: { operations: locationOperations },
  /** Contacts from outside. */
  phonebooks: { operations: phonebookOperations },
  /** Entries of other phone systems. */
  trunks: { operations: trunkOperations },
  /** Calls. */
  calls: { events: callEvents, operations: callOperations },
  /** Recordings of calls, and what else follows on the end of a call. */
  recordings: { events: recordingEvents, operations: recordingOperations },
  /** Contacts of calls and conversations. */
  contacts: { events: contactEvents },
  /** What was said in recordings. */
  transcripts: { events: transcriptEvents, operations: transcriptOperations },
  /** What is found in recordings. */
  analysis: { events: analysisEvents, operations: analysisOperations },
  /** Conversations by text messages. */
  conversations: { events: conversationEvents, operations: messageOperations },
  /** Who is told of which events. */
  webhooks: { operations: webhookOperations },
} as const satisfies Readonly<Record<string, ResourceDefinition>>;

export type Resources = typeof resources;
export type ResourceName = keyof Resources;
