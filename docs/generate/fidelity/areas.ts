import { afterCall, notes, voicemail } from "./after-call.ts";
import { callRecord, events, outbound, passthroughParameters, redirect, ringing, teams } from "./calls.ts";
import { conversations } from "./conversations.ts";
import { dataActions, network, webhooks } from "./network.ts";
import { observedProfile } from "./observed.ts";
import { availability, behaviour, directory, locations, phonebooks, trunks } from "./people.ts";
import { limits, overHttp, rest, storedWithoutEffect, versioning } from "./rest.ts";
import type { Subject } from "./row.ts";
import { exploring, simulator } from "./simulator.ts";

/** The pages of `docs/fidelity/`, in order. */
export const subjects: readonly Subject[] = [
  { name: "events", title: "Events", areas: [events] },
  {
    name: "calls",
    title: "Calls",
    areas: [ringing, teams, outbound, redirect, callRecord, passthroughParameters],
  },
  {
    name: "after-the-call",
    title: "After the call, and voicemail",
    areas: [afterCall, notes, voicemail],
  },
  { name: "conversations", title: "Conversations", areas: [conversations] },
  {
    name: "directory",
    title: "People and the directory",
    areas: [availability, behaviour, directory, locations, phonebooks, trunks],
  },
  {
    name: "network",
    title: "Webhooks, data actions and the network",
    areas: [dataActions, network, webhooks],
  },
  { name: "rest", title: "REST", areas: [rest, overHttp, storedWithoutEffect, limits, versioning] },
  { name: "simulator", title: "The simulator", areas: [simulator, exploring, observedProfile] },
];
