import { recordingsResource, transcriptsResource } from "../after-call/resources.ts";
import { analysisResource } from "../analysis/resource.ts";
import { availabilityResource } from "../availability/resource.ts";
import type { ResourceDefinition } from "../base/define-resource.ts";
import { callsResource } from "../calls/resource.ts";
import { contactsResource } from "../contacts/resource.ts";
import { conversationsResource } from "../conversations/resource.ts";
import { directoryResource } from "../directory/resource.ts";
import { locationsResource } from "../locations/resource.ts";
import { phonebooksResource } from "../phonebooks/resource.ts";
import { teamsResource } from "../teams/resource.ts";
import { trunksResource } from "../trunks/resource.ts";
import { webhooksResource } from "../webhooks/resource.ts";

/**
 * Every part of the platform that consumers see: its events, its operations of the REST API. Documents list operations in
 * this order. Events and operations, their types and their pages follow from this list.
 */
export const resources = {
  directory: directoryResource,
  availability: availabilityResource,
  teams: teamsResource,
  locations: locationsResource,
  phonebooks: phonebooksResource,
  trunks: trunksResource,
  calls: callsResource,
  recordings: recordingsResource,
  contacts: contactsResource,
  transcripts: transcriptsResource,
  analysis: analysisResource,
  conversations: conversationsResource,
  webhooks: webhooksResource,
} as const satisfies Readonly<Record<string, ResourceDefinition>>;

export type Resources = typeof resources;
export type ResourceName = keyof Resources;
