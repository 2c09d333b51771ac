/**
 * `ringback`: an in-process, deterministic simulator of a cloud business-phone platform's developer API.
 */

import type { DateTime as LuxonDateTime } from "luxon";

/** An instant with its time zone, as `sim.now` has it: a [Luxon](https://moment.github.io/luxon) `DateTime`, whose version is ours. */
export type DateTime = LuxonDateTime;

// Events and records
export type { LoggedEvent } from "./core/engine/event-log.ts";
export type { JournalEnd, JournalEntry } from "./core/engine/journal.ts";
// People who act by themselves
export { type DrawnDuration, exponential, fixed, uniform } from "./core/foundation/distributions.ts";
// Errors
export {
  CommandError,
  type CommandErrorCode,
  type ErrorDetail,
  InputError,
  type InputProblem,
  LimitError,
  RunawayError,
} from "./core/foundation/errors.ts";
// Ids, time and journals
export type { IdStyle } from "./core/foundation/ids.ts";
export type { DurationInput, InstantInput } from "./core/foundation/instants.ts";
export type { CallerBehaviour, OrganisationInput, UserBehaviour } from "./core/generated/inputs.ts";
export type {
  AggregatedContent,
  AnalysisArtifact,
  AnalysisContent,
  AnalysisRecord,
  AssignedParticipant,
  AssignedUser,
  Availability,
  AvailabilityStatus,
  CallInsightsRecord,
  CallNote,
  CallOutcome,
  CallOutcomeReason,
  CallRecord,
  CallStatus,
  CallSummary,
  CallTariff,
  Channel,
  Connection,
  ContactRecord,
  ConversationParticipant,
  ConversationRecord,
  ConversationStatus,
  CreatedWebhook,
  DeviceRecord,
  Dial,
  DialOutcome,
  DialPad,
  DialReason,
  DirectoryEntry,
  EndpointRecord,
  EntryReference,
  EventData,
  EventType,
  LocationRecord,
  MessageAuthor,
  MessageMedia,
  MessageRecord,
  NotAvailableRule,
  OutcomeStatus,
  Participant,
  Party,
  PartyTariff,
  PhonebookRecord,
  PublicCallRecord,
  ReceiveResult,
  Recording,
  ReturnRecord,
  SendResult,
  TeamDevice,
  TeamMember,
  TeamRecord,
  TeamUser,
  TranscriptRecord,
  TranscriptSegment,
  TransferResult,
  TrunkDeviceRecord,
  TrunkQueueRecord,
  TrunkRecord,
  TrunkUserRecord,
  UserRecord,
  UserReference,
  VoicemailMessage,
  WebhookRecord,
} from "./core/generated/records.ts";
export type { RequestBodies, ResponseBodies } from "./core/generated/wire.ts";
// The network
export type { AnswerInput, NoAnswerInput } from "./core/network/answer.ts";
export type { Conditions, Fault } from "./core/network/conditions.ts";
export type { DependencyOptions } from "./core/network/dependencies/dependencies.ts";
export type { DependencyErrors } from "./core/network/dependencies/errors.ts";
export type { EndpointRequest } from "./core/network/endpoint-request.ts";
export type { RequestOrder, Unrouted } from "./core/network/network.ts";
// Webhooks
export { type SignedRequest, type Verification, verifySignature } from "./core/network/webhook-signature.ts";
export type { RecordingsApi } from "./core/platform/after-call/recordings-api.ts";
export type { TranscriptsApi } from "./core/platform/after-call/transcripts-api.ts";
export type { AnalysisApi } from "./core/platform/analysis/analysis-api.ts";
// Commands
export type { CommandInput, CommandName, CommandResult } from "./core/platform/base/core-services.ts";
// Calls and people
export { CallHandle } from "./core/platform/calls/call-handle.ts";
export { CallsApi, type RedirectParameters, type VendorCall } from "./core/platform/calls/calls-api.ts";
export type { ConversationsApi } from "./core/platform/conversations/conversations-api.ts";
export type { AssumptionsInput } from "./core/platform/declare/assumptions.ts";
export type { EventStream, StreamMark } from "./core/platform/declare/event-stream.ts";
export type { PlatformEvent } from "./core/platform/declare/events.ts";
export type { RestErrorBody, RestErrorCode } from "./core/platform/declare/rest-errors.ts";
export type { DialectInput, Timing } from "./core/platform/declare/settings.ts";
export type { Urls } from "./core/platform/declare/urls.ts";
export type { WebhookOptions } from "./core/platform/declare/webhook-settings.ts";
export type { DeviceHandle, EntriesApi } from "./core/platform/directory/devices-api.ts";
export type { DirectoryApi, DirectoryFilter } from "./core/platform/directory/listing.ts";
export type { RecordHandle } from "./core/platform/directory/record-handle.ts";
// REST: the shapes on the wire that are not records
export {
  type FlowDecision,
  type FlowRedirect,
  FlowsApi,
  ReturnedCall,
} from "./core/platform/flows/flows-api.ts";
export type { RingingEndpoint } from "./core/platform/live/parties.ts";
export { type LocationHandle, LocationsApi } from "./core/platform/locations/locations-api.ts";
export { fromFetch } from "./core/platform/network/from-fetch.ts";
export {
  type EndpointHandler,
  type HandlerResult,
  NetworkApi,
  type NetworkRequest,
} from "./core/platform/network/network-api.ts";
export type {
  CallNotification,
  MessageNotification,
  Notification,
  WebhookNotification,
} from "./core/platform/notifications/notifications.ts";
export { TeamHandle } from "./core/platform/offering/teams-api.ts";
export type { Client, Credentials, Scope } from "./core/platform/organisation/clients.ts";
export type { PhoneNumberReader } from "./core/platform/organisation/contact-numbers.ts";
// The organisation
export { demoOrganisation } from "./core/platform/organisation/demo.ts";
export { UserHandle, UsersApi } from "./core/platform/people/users-api.ts";
export { type PhonebookHandle, PhonebooksApi } from "./core/platform/phonebooks/phonebooks-api.ts";
export { RestApi } from "./core/platform/rest-traffic/rest-api.ts";
export type { RestRequest } from "./core/platform/rest-traffic/rest-traffic.ts";
export {
  TrunkEntries,
  type TrunkEntryHandle,
  TrunkHandle,
  TrunksApi,
} from "./core/platform/trunks/trunks-api.ts";
export {
  type Delivery,
  type DeliveryAttempt,
  WebhooksApi,
} from "./core/platform/webhooks/webhooks-api.ts";
export type { DateFields, OptionalDateFields } from "./core/records/date-fields.ts";
export type { ManagerReference } from "./core/records/directory.ts";
export type { RequestPurpose } from "./core/records/request.ts";
export type { TrunkEntryRecord, TrunkKind, TrunkRecords } from "./core/records/trunk.ts";
export type { DeliveryReason, DeliveryState } from "./core/records/webhook.ts";
export type { TokenResponse } from "./core/rest/oauth.ts";
export type {
  OpenApiBody,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiOptions,
  OpenApiParameter,
} from "./core/rest/openapi/types.ts";
export type { Mismatch } from "./core/scenario/compare.ts";
// Scenarios
export { type ParseOptions, parseScenario } from "./core/scenario/parse.ts";
export { type RefusedStep, type RunOptions, runScenario, type ScenarioRun } from "./core/scenario/run.ts";
export {
  type ExpectedAttempt,
  type ExpectedEvent,
  type Position,
  type QuestionChoice,
  type Scenario,
  ScenarioError,
  type ScenarioProblem,
  type ScenarioQuestion,
  type Step,
  type StepTrigger,
  type TextRange,
} from "./core/scenario/scenario.ts";
// The simulator
export type { WhyQuestion } from "./core/simulator/ask-why.ts";
export type { AnyEventHandler, EventHandler } from "./core/simulator/event-handlers.ts";
export type {
  CompleteOptions,
  JournalDocument,
  NetworkOptions,
  ReplayOptions,
  RestOptions,
  Retain,
  SimulatorOptions,
} from "./core/simulator/options.ts";
export { createSimulator, replay, Simulator } from "./core/simulator/simulator.ts";
export type { LimitOptions, PendingItem } from "./core/simulator/virtual-time.ts";
export type { Why, WhyCause } from "./core/why/answer.ts";
