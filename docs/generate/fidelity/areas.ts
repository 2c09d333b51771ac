import { afterCall, notes, voicemail } from "./after-call.ts";
import { callRecord, events, outbound, passthroughParameters, redirect, ringing, teams } from "./calls.ts";
import { conversations } from "./conversations.ts";
import { dataActions, network, webhooks } from "./network.ts";
import { availability, behaviour, directory, locations, phonebooks, trunks } from "./people.ts";
import { limits, overHttp, rest, storedWithoutEffect, versioning } from "./rest.ts";
import type { Area } from "./row.ts";
import { exploring, simulator } from "./simulator.ts";

/** Every area of docs/fidelity.md, in order. */
export const areas: readonly Area[] = [
  events,
  ringing,
  teams,
  outbound,
  redirect,
  dataActions,
  network,
  webhooks,
  afterCall,
  notes,
  voicemail,
  conversations,
  callRecord,
  passthroughParameters,
  availability,
  behaviour,
  directory,
  locations,
  phonebooks,
  trunks,
  rest,
  overHttp,
  storedWithoutEffect,
  limits,
  versioning,
  simulator,
  exploring,
];
