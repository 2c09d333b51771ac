import { recordingsPart, tariffsPart, transcriptsPart } from "./after-call.ts";
import { analysisPart } from "./analysis.ts";
import { callsPart } from "./calls.ts";
import { conversationsPart } from "./conversations.ts";
import type { PartDefinition } from "./define-part.ts";
import { directoryPart } from "./directory.ts";
import { phonebooksPart } from "./phonebooks.ts";
import { redirectsPart } from "./redirects.ts";
import { restPart } from "./rest.ts";
import { teamsPart } from "./teams.ts";
import { trunksPart } from "./trunks.ts";
import { usersPart } from "./users.ts";
import { voicemailPart } from "./voicemail.ts";
import { webhooksPart } from "./webhooks.ts";

/**
 * Every part of the platform. The types of machines, the tables, the timers with their words and the settings of
 * `timing` follow from this list, and documents list these settings in its order.
 */
export const parts = [
  callsPart,
  usersPart,
  teamsPart,
  directoryPart,
  voicemailPart,
  redirectsPart,
  phonebooksPart,
  trunksPart,
  recordingsPart,
  transcriptsPart,
  analysisPart,
  tariffsPart,
  conversationsPart,
  webhooksPart,
  restPart,
] as const satisfies readonly PartDefinition[];

type Merged<List, Key> = List extends readonly [infer First, ...infer Rest]
  ? (First extends { readonly [Each in Key & string]: infer Declared } ? Declared : unknown) &
      Merged<Rest, Key>
  : unknown;

/** What all parts declare under one key, in one object. */
function declared<Key extends keyof PartDefinition>(key: Key): Merged<typeof parts, Key> {
  const list: readonly PartDefinition[] = parts;
  return Object.assign({}, ...list.map((part) => part[key]));
}

/** Makes each table, by name. */
export const tableMakers = declared("tables");
/** Every machine that the platform runs, by name. */
export const ownMachines = declared("machines");
/** The words of what services schedule for themselves, by purpose. */
export const taskWords = declared("tasks");
/** The default durations of the platform in ms, by name. Their sources: docs/fidelity.md. */
export const defaultTiming = declared("timing");
/** The words of the events that need words of their own, by type. */
export const eventWords = declared("eventWords");
