import type { DurationInput } from "../../foundation/instants.ts";
import type { Organisation, OrganisationInput } from "../../generated/inputs.ts";
import type { TranscriptsApi } from "../../platform/after-call/transcripts-api.ts";
import type { AnalysisApi } from "../../platform/analysis/analysis-api.ts";
import type { CallsApi } from "../../platform/calls/calls-api.ts";
import type { ConversationsApi } from "../../platform/conversations/conversations-api.ts";
import type { AssumptionsInput } from "../../platform/declare/assumptions.ts";
import type { PlatformEvent } from "../../platform/declare/events.ts";
import type { ProfileName } from "../../platform/declare/profile.ts";
import type { Dialect } from "../../platform/declare/settings.ts";
import type { Urls } from "../../platform/declare/urls.ts";
import type { EntriesApi } from "../../platform/directory/devices-api.ts";
import type { DirectoryApi } from "../../platform/directory/listing.ts";
import type { LocationsApi } from "../../platform/locations/locations-api.ts";
import type { TeamHandle } from "../../platform/offering/teams-api.ts";
import type { UsersApi } from "../../platform/people/users-api.ts";
import type { PhonebooksApi } from "../../platform/phonebooks/phonebooks-api.ts";
import type { RestApi } from "../../platform/rest-traffic/rest-api.ts";
import type { WebhooksApi } from "../../platform/webhooks/webhooks-api.ts";

/** The part of a simulator that examples use. It passes itself in: this folder may not import it. */
export interface ExampleSimulator {
  readonly analysis: AnalysisApi;
  readonly calls: CallsApi;
  readonly conversations: ConversationsApi;
  readonly directory: DirectoryApi;
  readonly locations: LocationsApi;
  readonly phonebooks: PhonebooksApi;
  readonly rest: RestApi;
  readonly teams: EntriesApi<TeamHandle>;
  readonly transcripts: TranscriptsApi;
  readonly users: UsersApi;
  readonly webhooks: WebhooksApi;
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  readonly events: Iterable<PlatformEvent>;
  readonly options: { readonly organisation: Pick<Organisation, "id"> };
  readonly urls: Urls;
  advance(duration: DurationInput): void;
  fetch(url: URL | string, init?: RequestInit): Promise<Response>;
  fork(): ExampleSimulator;
  token(): string;
}

/** Creates a simulator for the examples. */
export type MakeSimulator<Sim extends ExampleSimulator = ExampleSimulator> = (options: {
  readonly ids: "counter";
  readonly organisation: OrganisationInput;
  readonly dialect: Dialect;
  readonly urls: Urls;
  readonly profile?: ProfileName;
  readonly assume?: AssumptionsInput;
}) => Sim;
