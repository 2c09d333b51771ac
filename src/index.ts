/**
 * `ringback`: an in-process, deterministic simulator of a cloud business-phone platform's developer API.
 */

import type { DateTime as LuxonDateTime } from "luxon";

/** An instant with its time zone, as `sim.now` has it: a [Luxon](https://moment.github.io/luxon) `DateTime`, whose version is ours. */
export type DateTime = LuxonDateTime;

export type { LoggedEvent } from "./core/engine/event-log.ts";
export type { CommandErrorCode } from "./core/foundation/command-errors.ts";
export { type DrawnDuration, exponential, fixed, uniform } from "./core/foundation/distributions.ts";
export {
  CommandError,
  InputError,
  LimitError,
  RunawayError,
} from "./core/foundation/errors.ts";
export type { DurationInput, InstantInput } from "./core/foundation/instants.ts";
export type { CallerBehaviour, OrganisationInput, UserBehaviour } from "./core/generated/inputs.ts";
export type {
  AnalysisRecord,
  Availability,
  CallNote,
  CallOutcomeReason,
  CallRecord,
  ContactRecord,
  ConversationParticipant,
  ConversationRecord,
  CreatedWebhook,
  DeviceRecord,
  Dial,
  DirectoryEntry,
  EventData,
  EventType,
  LocationRecord,
  MessageRecord,
  Participant,
  Party,
  PhonebookRecord,
  PublicCallRecord,
  ReceiveResult,
  Recording,
  Records,
  ReturnRecord,
  SendResult,
  TeamMember,
  TeamRecord,
  TranscriptRecord,
  TranscriptSegment,
  TransferResult,
  TrunkRecord,
  UserRecord,
  VoicemailMessage,
  WebhookRecord,
} from "./core/generated/records.ts";
export type { RequestBodies, ResponseBodies } from "./core/generated/wire.ts";
export type { Conditions, Fault } from "./core/network/conditions.ts";
export type { DependencyOptions } from "./core/network/dependencies/dependencies.ts";
export type { DependencyErrors } from "./core/network/dependencies/errors.ts";
export type { EndpointRequest } from "./core/network/endpoint-request.ts";
export { type SignedRequest, type Verification, verifySignature } from "./core/network/webhook-signature.ts";
export type { CommandInput, CommandName, CommandResult } from "./core/platform/base/core-services.ts";
export type { CallHandle } from "./core/platform/calls/call-handle.ts";
export type { AssumptionsInput } from "./core/platform/declare/assumptions.ts";
export type { EventStream, StreamMark } from "./core/platform/declare/event-stream.ts";
export type { PlatformEvent } from "./core/platform/declare/events.ts";
export type { RestErrorBody } from "./core/platform/declare/rest-errors.ts";
export type { DialectInput, Timing } from "./core/platform/declare/settings.ts";
export type { Urls } from "./core/platform/declare/urls.ts";
export type { DeviceHandle } from "./core/platform/directory/devices-api.ts";
export type { FlowDecision, ReturnedCall } from "./core/platform/flows/flows-api.ts";
export type { RingingEndpoint } from "./core/platform/live/parties.ts";
export type { LocationHandle } from "./core/platform/locations/locations-api.ts";
export { fromFetch } from "./core/platform/network/from-fetch.ts";
export type { EndpointHandler, HandlerResult, NetworkRequest } from "./core/platform/network/network-api.ts";
export type { Notification } from "./core/platform/notifications/notifications.ts";
export type { TeamHandle } from "./core/platform/offering/teams-api.ts";
export type { Credentials } from "./core/platform/organisation/clients.ts";
export type { PhoneNumberReader } from "./core/platform/organisation/contact-numbers.ts";
export { demoOrganisation } from "./core/platform/organisation/demo.ts";
export type { UserHandle } from "./core/platform/people/users-api.ts";
export type { PhonebookHandle } from "./core/platform/phonebooks/phonebooks-api.ts";
export type { RestRequest } from "./core/platform/rest-traffic/rest-traffic.ts";
export type { TrunkEntryHandle, TrunkHandle } from "./core/platform/trunks/trunks-api.ts";
export type { Delivery } from "./core/platform/webhooks/webhooks-api.ts";
export type { TokenResponse } from "./core/rest/oauth.ts";
export type { OpenApiDocument } from "./core/rest/openapi/types.ts";
export type { Mismatch } from "./core/scenario/compare.ts";
export { type ParseOptions, parseScenario } from "./core/scenario/parse.ts";
export { type RunOptions, runScenario, type ScenarioRun } from "./core/scenario/run.ts";
export { type Scenario, ScenarioError, type Step } from "./core/scenario/scenario.ts";
export type { EventHandler } from "./core/simulator/event-handlers.ts";
export type { JournalDocument, ReplayOptions, SimulatorOptions } from "./core/simulator/options.ts";
export { createSimulator, replay, type Simulator } from "./core/simulator/simulator.ts";
export type { PendingItem } from "./core/simulator/virtual-time.ts";
export type { Why } from "./core/why/answer.ts";
