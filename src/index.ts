/**
 * `ringback`: an in-process, deterministic simulator of a cloud business-phone platform's developer API.
 */

// Errors
export {
  CommandError,
  type CommandErrorCode,
  InputError,
  LimitError,
  RunawayError,
} from "./engine/errors.ts";
// Events and records
export type { LoggedEvent } from "./engine/event-log.ts";
// Time
export type { DurationInput, InstantInput } from "./engine/instants.ts";
export type { LimitOptions, PendingItem } from "./engine/time.ts";
export type { JournalDocument, Retain, SimulatorOptions } from "./options.ts";

// Calls and people
export type { CallHandle, PublicCallRecord } from "./platform/calls/call-handle.ts";
export type { CallsApi } from "./platform/calls/calls-api.ts";
export type { RingingEndpoint } from "./platform/calls/parties.ts";
export type { EntriesApi, EntryHandle, UserHandle, UsersApi } from "./platform/directory/directory-api.ts";
export type { EventStream, StreamMark } from "./platform/event-stream.ts";
export type { EventData, EventType, PlatformEvent } from "./platform/events.ts";
export type { Notification } from "./platform/notifications/notifications.ts";
// The organisation
export { demoOrganisation } from "./platform/organisation/demo.ts";
export type { OrganisationInput } from "./platform/organisation/schema.ts";
export type { Timing } from "./platform/settings.ts";
export type { TranscriptsApi } from "./platform/transcripts/transcripts-api.ts";
export type * from "./records/call.ts";
export type * from "./records/directory.ts";
export type { TranscriptRecord } from "./records/transcript.ts";
// The simulator
export { createSimulator, replay, type Simulator } from "./simulator.ts";
