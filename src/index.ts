/**
 * `ringback`: an in-process, deterministic simulator of a cloud business-phone platform's developer API.
 */

// People who act by themselves
export { type DrawnDuration, exponential, fixed, uniform } from "./engine/distributions.ts";
// Errors
export {
  CommandError,
  type CommandErrorCode,
  type ErrorDetail,
  InputError,
  type InputProblem,
  LimitError,
  RunawayError,
} from "./engine/errors.ts";
// Events and records
export type { LoggedEvent } from "./engine/event-log.ts";
// Ids, time and journals
export type { IdStyle } from "./engine/ids.ts";
export type { DurationInput, InstantInput } from "./engine/instants.ts";
export type { JournalEnd, JournalEntry } from "./engine/journal.ts";
export type { CallerBehaviour, OrganisationInput, UserBehaviour } from "./generated/inputs.ts";
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
  TrunkDeviceRecord,
  TrunkQueueRecord,
  TrunkRecord,
  TrunkUserRecord,
  UserRecord,
  UserReference,
  VoicemailMessage,
  WebhookRecord,
} from "./generated/records.ts";
export type { RequestBodies, ResponseBodies } from "./generated/wire.ts";
// The network
export type { AnswerInput, NoAnswerInput } from "./network/answer.ts";
export type { Conditions, Fault } from "./network/conditions.ts";
export type { EndpointRequest } from "./network/endpoint-request.ts";
export type { RequestOrder, Unrouted } from "./network/network.ts";
// Webhooks
export { type SignedRequest, type Verification, verifySignature } from "./network/webhook-signature.ts";
export type {
  CompleteOptions,
  JournalDocument,
  NetworkOptions,
  ReplayOptions,
  RestOptions,
  Retain,
  SimulatorOptions,
} from "./options.ts";
export type { RecordingsApi } from "./platform/after-call/recordings-api.ts";
export type { TranscriptsApi } from "./platform/after-call/transcripts-api.ts";
export type { AnalysisApi } from "./platform/analysis/analysis-api.ts";
export type { AssumptionsInput } from "./platform/assumptions.ts";
// Commands
export type { CommandInput, CommandName, CommandResult } from "./platform/base.ts";
// Calls and people
export { CallHandle } from "./platform/calls/call-handle.ts";
export { CallsApi, type RedirectParameters, type VendorCall } from "./platform/calls/calls-api.ts";
export type { Client, Credentials, Scope } from "./platform/clients/commands.ts";
export type { ConversationsApi } from "./platform/conversations/conversations-api.ts";
export type { DeviceHandle, EntriesApi } from "./platform/directory/devices-api.ts";
export type { DirectoryApi, DirectoryFilter } from "./platform/directory/listing.ts";
export type { RecordHandle } from "./platform/directory/record-handle.ts";
export type { EventStream, StreamMark } from "./platform/event-stream.ts";
export type { PlatformEvent } from "./platform/events.ts";
// REST: the shapes on the wire that are not records
export { type FlowDecision, type FlowRedirect, FlowsApi, ReturnedCall } from "./platform/flows/flows-api.ts";
export type { RingingEndpoint } from "./platform/live/parties.ts";
export { type LocationHandle, LocationsApi } from "./platform/locations/locations-api.ts";
export {
  type EndpointHandler,
  fromFetch,
  type HandlerResult,
  NetworkApi,
  type NetworkRequest,
} from "./platform/network/network-api.ts";
export type {
  CallNotification,
  MessageNotification,
  Notification,
  WebhookNotification,
} from "./platform/notifications/notifications.ts";
export { TeamHandle } from "./platform/offering/teams-api.ts";
// The organisation
export { demoOrganisation } from "./platform/organisation/demo.ts";
export { UserHandle, UsersApi } from "./platform/people/users-api.ts";
export type { PhoneNumberReader } from "./platform/phonebooks/numbers.ts";
export { type PhonebookHandle, PhonebooksApi } from "./platform/phonebooks/phonebooks-api.ts";
export { RestApi } from "./platform/rest-traffic/rest-api.ts";
export type { RestRequest } from "./platform/rest-traffic/rest-traffic.ts";
export type { DialectInput, Timing } from "./platform/settings.ts";
export {
  TrunkEntries,
  type TrunkEntryHandle,
  TrunkHandle,
  TrunksApi,
} from "./platform/trunks/trunks-api.ts";
export type { Urls } from "./platform/urls.ts";
export type { WebhookOptions } from "./platform/webhooks/settings.ts";
export {
  type Delivery,
  type DeliveryAttempt,
  WebhooksApi,
} from "./platform/webhooks/webhooks-api.ts";
export type { ManagerReference } from "./records/directory.ts";
export type { Moment, OptionalMoment } from "./records/moments.ts";
export type { RequestPurpose } from "./records/request.ts";
export type { TrunkEntryRecord, TrunkKind, TrunkRecords } from "./records/trunk.ts";
export type { DeliveryReason, DeliveryState } from "./records/webhook.ts";
export type { RestErrorBody, RestErrorCode } from "./rest/errors.ts";
export type { TokenResponse } from "./rest/oauth.ts";
export type {
  OpenApiBody,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiOptions,
  OpenApiParameter,
} from "./rest/openapi/types.ts";
export type { Mismatch } from "./scenario/compare.ts";
// Scenarios
export { type ParseOptions, parseScenario } from "./scenario/parse.ts";
export { type RefusedStep, type RunOptions, runScenario, type ScenarioRun } from "./scenario/run.ts";
export {
  type ExpectedAttempt,
  type ExpectedEvent,
  type Position,
  type Scenario,
  ScenarioError,
  type ScenarioProblem,
  type Step,
  type StepTrigger,
  type TextRange,
} from "./scenario/scenario.ts";
// The simulator
export {
  type AnyEventHandler,
  createSimulator,
  type EventHandler,
  replay,
  Simulator,
} from "./simulator.ts";
export type { LimitOptions, PendingItem } from "./virtual-time.ts";
