import type { DialReason, EventType } from "../../generated/records.ts";
import type { CommandName } from "../base/core-services.ts";
import type { Purpose } from "../base/timers.ts";
import { commands } from "../catalogue/commands.ts";
import type { AnyCommand } from "../declare/any-command.ts";
import type { TimingMs } from "../declare/settings.ts";
import type { LawName } from "./laws.ts";

/**
 * The reactions in reverse: what can bring each event about, which field of its record has the instant, and which laws
 * the record keeps. `ringback/import` reads captures by this table. An event type or a dial reason without an entry does
 * not compile. Commands declare their own events and dials.
 */

/** What can bring something about. */
export interface Causes {
  /** Commands that can. */
  readonly commands: readonly CommandName[];
  /** Items of the agenda that can. */
  readonly timers: readonly Purpose[];
  /** Settings that decide whether or when it happens. */
  readonly settings: readonly Setting[];
}

/** The causes that are declared here. Commands declare their own. */
interface DeclaredCauses extends Omit<Causes, "commands"> {
  /** The commands to list first. The others follow in the order of `catalogue/commands.ts`. */
  readonly usualCommands?: readonly CommandName[];
}

/** A setting, by its place in the options of a simulator. */
export type Setting =
  | `timing.${keyof TimingMs}`
  | `organisation.${string}`
  | "behaviour"
  | "webhooks.schedule";

/** What can bring an event about, and what its record tells. */
export interface EventCauses extends Causes {
  /**
   * The instant at which the event happened, by its record. Undefined if its record does not have it: then it is the
   * wrapper's.
   */
  readonly instant: InstantField | undefined;
  /** The laws that the event's record keeps. */
  readonly laws: readonly LawName[];
}

/** A field of the event's data with an instant: the path of its `…Timestamp` without that ending. */
export interface InstantField {
  /** The keys that lead to it, such as `call.answered`. `[]` is the last item of a list. */
  readonly path: string;
  /** False if another event may have set it: then it counts only if the wrapper's time is close. */
  readonly isOwn: boolean;
}

/** How the field is written in documents, such as `call.answeredAt`. */
export function fieldOf({ path }: InstantField): string {
  return `${path.replace(".[]", "[]")}At`;
}

const ownField = (path: string): InstantField => ({ path, isOwn: true });
const sharedField = (path: string): InstantField => ({ path, isOwn: false });

/** The laws that the record of every call keeps. */
const callLaws = [
  "ends after it starts",
  "answered before it ends",
  "duration",
  "wait time",
  "connections belong to parties",
  "leaves after joining",
  "dials end after they start",
  "answer joins",
  "closes once",
  "one call at a time",
] as const satisfies readonly LawName[];

const endOfRings = [
  "ring: ringTimeout",
  "teamOffer: nextOffer",
  "teamOffer: teamTimeout",
] as const satisfies readonly Purpose[];

const endOfVoicemail = [
  "voicemail: messageLimit",
  "voicemail: message",
  "voicemail: silence",
] as const satisfies readonly Purpose[];

const workingHours = [
  "availability: working hours begin",
  "availability: working hours end",
] as const satisfies readonly Purpose[];

/** The causes of each event type, without the commands. */
const declaredEventCauses: { readonly [Type in EventType]: Omit<EventCauses, "commands"> & DeclaredCauses } =
  {
    "call.started": {
      timers: [],
      settings: ["organisation.numbers", "organisation.dataActions.outboundCall"],
      instant: ownField("call.started"),
      laws: [...callLaws, "starts once"],
    },
    "call.answered": {
      timers: [],
      settings: ["behaviour"],
      instant: ownField("call.answered"),
      laws: [...callLaws, "answered once"],
    },
    "call.not_answered": {
      usualCommands: ["inbound", "outbound", "internal"],
      timers: [...endOfRings, "availability: working hours end"],
      settings: [
        "timing.ringTimeout",
        "timing.teamTimeout",
        "organisation.users.voicemail",
        "organisation.teams.unanswered",
      ],
      instant: sharedField("call.lastModified"),
      laws: [...callLaws, "missed once"],
    },
    "call.hungup": {
      usualCommands: ["hangup", "transfer", "answer"],
      timers: [...endOfRings, ...endOfVoicemail],
      settings: ["timing.ringTimeout", "timing.voicemailMaxMessage", "behaviour"],
      instant: sharedField("call.lastModified"),
      laws: [...callLaws, "hangs up as a party"],
    },
    "call.ended": {
      usualCommands: ["hangup", "answer", "decline"],
      timers: [...endOfRings, ...endOfVoicemail],
      settings: ["timing.ringTimeout", "timing.voicemailMaxMessage", "organisation.dataActions.outboundCall"],
      instant: ownField("call.ended"),
      laws: callLaws,
    },
    "call.recording.available": {
      timers: ["call: recording available"],
      settings: ["organisation.features.recording", "timing.recordingAvailable"],
      instant: sharedField("call.lastModified"),
      laws: [...callLaws, "after the end", "recording of the call"],
    },
    "call.transcript.created": {
      timers: ["call: transcript created"],
      settings: ["organisation.features.transcription", "timing.transcriptCreated"],
      instant: ownField("transcript.created"),
      laws: [...callLaws, "after the end", "transcript of the call"],
    },
    "call.transcription_completed": {
      timers: ["call: transcript created"],
      settings: ["organisation.features.transcription", "timing.transcriptCreated"],
      instant: ownField("transcripts.[].created"),
      laws: [...callLaws, "after the end"],
    },
    "call.tariffed": {
      timers: ["call: tariff calculated"],
      settings: ["organisation.features.tariff", "organisation.tariff", "timing.callTariffed"],
      instant: sharedField("call.lastModified"),
      laws: [...callLaws, "after the end"],
    },
    "call.contact_assigned_with_add": {
      timers: [],
      settings: ["organisation.phonebooks"],
      instant: sharedField("call.lastModified"),
      laws: callLaws,
    },
    "call.contact_assigned_with_update": {
      timers: [],
      settings: ["organisation.phonebooks"],
      instant: sharedField("call.lastModified"),
      laws: callLaws,
    },
    "contact.shared": {
      timers: [],
      settings: [],
      instant: undefined,
      laws: [],
    },
    "conversation.message.created": {
      usualCommands: ["receiveMessage"],
      timers: ["conversation: group created"],
      settings: ["organisation.dataActions.inboundConversations", "timing.groupMessageCreated"],
      instant: sharedField("conversation.lastModified"),
      laws: ["message of the conversation", "closed stays closed"],
    },
    "conversation.inactive": {
      timers: ["conversation: inactivity"],
      settings: ["timing.conversationInactive"],
      instant: sharedField("conversation.lastModified"),
      laws: ["closed stays closed"],
    },
    "conversation.closed": {
      timers: ["conversation: closeTimer"],
      settings: [],
      instant: ownField("conversation.closed"),
      laws: ["closed stays closed"],
    },
    "conversation.contact_assigned": {
      timers: [],
      settings: ["organisation.phonebooks"],
      instant: sharedField("conversation.lastModified"),
      laws: ["closed stays closed"],
    },
    "content_analysis.completed": {
      timers: ["analysis: analysis"],
      settings: ["organisation.features.analysis", "timing.contentAnalysisCompleted"],
      instant: ownField("contentAnalysis.completed"),
      laws: ["completed after it was made"],
    },
    "user.availability.updated": {
      timers: ["availability: wrapUp", ...workingHours, ...endOfRings, ...endOfVoicemail],
      settings: ["organisation.users.workingHours", "behaviour"],
      instant: sharedField("user.availability.status"),
      laws: ["busy on a call names it", "available is not busy"],
    },
    "team.availability.updated": {
      timers: ["availability: wrapUp", ...workingHours, ...endOfRings, ...endOfVoicemail],
      settings: ["organisation.teams.members"],
      instant: undefined,
      laws: ["team counts its members"],
    },
    "transcript.created": {
      timers: ["call: transcript created"],
      settings: ["organisation.features.transcription", "timing.transcriptCreated"],
      instant: ownField("transcript.created"),
      laws: [],
    },
  };

/** The causes of each dial reason, without the commands. */
const declaredDialCauses: { readonly [Reason in DialReason]: DeclaredCauses } = {
  direct: {
    timers: [],
    settings: ["organisation.numbers", "timing.ringTimeout"],
  },
  teamOffer: {
    timers: [...endOfRings, ...endOfVoicemail, ...workingHours, "availability: wrapUp"],
    settings: [
      "organisation.teams.members",
      "organisation.teams.nextOfferTimeout",
      "organisation.teams.timeout",
      "organisation.teams.unanswered",
    ],
  },
  redirect: {
    timers: [],
    settings: ["timing.ringTimeout"],
  },
  transfer: { timers: [], settings: ["timing.ringTimeout"] },
  conference: { timers: [], settings: ["timing.ringTimeout"] },
  outbound: {
    timers: [],
    settings: ["organisation.dataActions.outboundCall", "timing.ringTimeout"],
  },
};

/** Timers that do what a command does. */
const timersOfCommands: Partial<Record<CommandName, Purpose>> = {
  inbound: "traffic: next call",
  takeBackCall: "flow: takes the call back",
};

/** Adds the commands that declare that they can bring something about, and the timers that do the same. */
function addCommands<Cause extends string, Written extends DeclaredCauses>(
  causes: Readonly<Record<Cause, Written>>,
  declaredBy: (command: AnyCommand) => readonly Cause[] | undefined,
): { readonly [Each in Cause]: Written & Causes } {
  const names = Object.keys(commands) as CommandName[];
  const entries = Object.entries<Written>(causes).map(([cause, causesBesideCommands]) => {
    const declared = names.filter((name) => declaredBy(commands[name])?.some((each) => each === cause));
    const timers = declared.flatMap((name) => timersOfCommands[name] ?? []);
    return [
      cause,
      {
        ...causesBesideCommands,
        commands: [...new Set([...(causesBesideCommands.usualCommands ?? []), ...declared])],
        timers: [...causesBesideCommands.timers, ...timers],
      },
    ];
  });
  return Object.fromEntries(entries);
}

/** The causes of each event type. */
export const eventCauses: { readonly [Type in EventType]: EventCauses } = addCommands(
  declaredEventCauses,
  ({ events }) => events,
);

/** The causes of each dial reason: why an endpoint rings. */
export const dialCauses: { readonly [Reason in DialReason]: Causes } = addCommands(
  declaredDialCauses,
  ({ dials }) => dials,
);
