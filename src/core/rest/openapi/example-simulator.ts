import type { DurationInput } from "../../foundation/instants.ts";
import type { Organisation, OrganisationInput } from "../../generated/inputs.ts";
import type { CallsApi } from "../../platform/calls/calls-api.ts";
import type { Services } from "../../platform/catalogue/services.ts";
import type { ConversationsApi } from "../../platform/conversations/conversations-api.ts";
import type { AssumptionsInput } from "../../platform/declare/assumptions.ts";
import type { PlatformEvent } from "../../platform/declare/events.ts";
import type { ExampleSetup } from "../../platform/declare/example-setup.ts";
import type { ProfileName } from "../../platform/declare/profile.ts";
import type { Dialect } from "../../platform/declare/settings.ts";
import type { Urls } from "../../platform/declare/urls.ts";
import type { DirectoryApi } from "../../platform/directory/listing.ts";
import type { RestApi } from "../../platform/rest-traffic/rest-api.ts";

/** The part of a simulator that examples use. It passes itself in: this folder may not import it. */
export interface ExampleSimulator extends ExampleSetup<Services> {
  readonly calls: CallsApi;
  readonly conversations: ConversationsApi;
  readonly directory: DirectoryApi;
  readonly rest: RestApi;
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
