import { afterCall } from "../after-call/after-call.ts";
import { analysis } from "../analysis/analysis.ts";
import { availabilityService } from "../availability/availability.ts";
import type { CoreServices } from "../base/core-services.ts";
import { callRecords } from "../call-record/call-records.ts";
import { parties } from "../call-record/party-factory.ts";
import { calls } from "../calls/calls.ts";
import { tokens } from "../clients/tokens.ts";
import { conversations } from "../conversations/conversations.ts";
import { dataActions } from "../data-actions/data-actions.ts";
import { directory } from "../directory/directory.ts";
import { flows } from "../flows/flows.ts";
import { refusals } from "../guards/refusals.ts";
import { live } from "../live/live-calls.ts";
import { locations } from "../locations/locations.ts";
import { network } from "../network/network.ts";
import { notifications } from "../notifications/notifications.ts";
import { offering } from "../offering/offering.ts";
import { teamOffers } from "../offering/team-offers.ts";
import { people } from "../people/people.ts";
import { phonebooks } from "../phonebooks/phonebooks.ts";
import { publishing } from "../publishing/publishing.ts";
import { redirectService } from "../redirect/redirect.ts";
import { restTraffic } from "../rest-traffic/rest-traffic.ts";
import { retention } from "../retention/retention.ts";
import { ringing } from "../ringing/ringing.ts";
import { teams } from "../teams/teams.ts";
import { trafficService } from "../traffic/traffic.ts";
import { trunks } from "../trunks/trunks.ts";
import { voicemail } from "../voicemail/voicemail.ts";
import { deliveries } from "../webhooks/deliveries.ts";
import { webhooks } from "../webhooks/webhooks.ts";

/**
 * Every service. Each may call only those above it in this list, which is the order in which they are created, started
 * and forked.
 */
export const services = {
  live,
  publishing,
  directory,
  network,
  phonebooks,
  parties,
  callRecords,
  refusals,
  notifications,
  retention,
  tokens,
  restTraffic,
  people,
  availability: availabilityService,
  teams,
  dataActions,
  ringing,
  teamOffers,
  offering,
  calls,
  voicemail,
  redirect: redirectService,
  flows,
  afterCall,
  analysis,
  conversations,
  webhooks,
  deliveries,
  locations,
  trunks,
  traffic: trafficService,
} as const;

export type ServiceDefinitions = typeof services;
export type ServiceName = keyof ServiceDefinitions;

/** The whole platform: the core services and all services of the list. */
export type Services = CoreServices & {
  readonly [Name in ServiceName]: ReturnType<ServiceDefinitions[Name]["create"]>;
};
