import type { DialReason, EventType } from "../../generated/records.ts";
import type { CommandName } from "../base/core-services.ts";
import type { Purpose } from "../base/timers.ts";
import type { TimingMs } from "../declare/settings.ts";
import type { LawName } from "./laws.ts";

/**
 * The score backwards: what can bring each event about, when it happened by its own record, and which laws its record
 * keeps. `ringback/import` reads captures by this table. A type of event or a reason of a dial without an entry does not
 * compile.
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

/** A setting, by its place in the options of a simulator. */
export type Setting =
  | `timing.${keyof TimingMs}`
  | `organisation.${string}`
  | "behaviour"
  | "webhooks.schedule";

/** What an event tells of itself. */
export interface EventCauses extends Causes {
  /**
   * The instant at which the event happened, by its record. Undefined if its record does not have it: then it is the
   * wrapper's.
   */
  readonly instant: InstantField | undefined;
  /** The laws that its record keeps. */
  readonly laws: readonly LawName[];
}

/** A field of the event's data with an instant: the path of its `…Timestamp` without that ending. */
export interface InstantField {
  /** The keys that lead to it, such as `call.answered`. `[]` is the last item of a list. */
  readonly path: string;
  /** False if another event may have set it: then it counts only if the wrapper's time is close. */
  readonly isOwn: boolean;
}

const own = (path: string): InstantField => ({ path, isOwn: true });
const changed = (path: string): InstantField => ({ path, isOwn: false });

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

/** The commands that begin a call. */
const beginnings = [
  "inbound",
  "outbound",
  "internal",
  "redirect",
  "connectApplication",
  "dialLink",
] as const satisfies readonly CommandName[];

/** The commands that change whether a user is free. */
const changesOfUser = [
  "setAvailability",
  "setEndpoint",
  "setUserStatus",
] as const satisfies readonly CommandName[];

/** The inverse of each type of event. */
export const eventCauses: { readonly [Type in EventType]: EventCauses } = {
  "call.started": {
    commands: [...beginnings, "takeBackCall"],
    timers: ["traffic: next call"],
    settings: ["organisation.numbers", "organisation.dataActions.outboundCall"],
    instant: own("call.started"),
    laws: [...callLaws, "starts once"],
  },
  "call.answered": {
    commands: ["answer"],
    timers: [],
    settings: ["behaviour"],
    instant: own("call.answered"),
    laws: [...callLaws, "answered once"],
  },
  "call.not_answered": {
    commands: [...beginnings, ...changesOfUser, "hangup", "answer", "decline"],
    timers: [...endOfRings, "availability: working hours end"],
    settings: [
      "timing.ringTimeout",
      "timing.teamTimeout",
      "organisation.users.voicemail",
      "organisation.teams.unanswered",
    ],
    instant: changed("call.lastModified"),
    laws: [...callLaws, "missed once"],
  },
  "call.hungup": {
    commands: ["hangup", "transfer", "answer", "decline", "internal"],
    timers: [...endOfRings, ...endOfVoicemail],
    settings: ["timing.ringTimeout", "timing.voicemailMaxMessage", "behaviour"],
    instant: changed("call.lastModified"),
    laws: [...callLaws, "hangs up as a party"],
  },
  "call.ended": {
    commands: ["hangup", "answer", "decline", "internal"],
    timers: [...endOfRings, ...endOfVoicemail],
    settings: ["timing.ringTimeout", "timing.voicemailMaxMessage", "organisation.dataActions.outboundCall"],
    instant: own("call.ended"),
    laws: callLaws,
  },
  "call.recording.available": {
    commands: [],
    timers: ["call: recording available"],
    settings: ["organisation.features.recording", "timing.recordingAvailable"],
    instant: changed("call.lastModified"),
    laws: [...callLaws, "after the end", "recording of the call"],
  },
  "call.transcript.created": {
    commands: [],
    timers: ["call: transcript created"],
    settings: ["organisation.features.transcription", "timing.transcriptCreated"],
    instant: own("transcript.created"),
    laws: [...callLaws, "after the end", "transcript of the call"],
  },
  "call.transcription_completed": {
    commands: [],
    timers: ["call: transcript created"],
    settings: ["organisation.features.transcription", "timing.transcriptCreated"],
    instant: own("transcripts.[].created"),
    laws: [...callLaws, "after the end"],
  },
  "call.tariffed": {
    commands: [],
    timers: ["call: tariff calculated"],
    settings: ["organisation.features.tariff", "organisation.tariff", "timing.callTariffed"],
    instant: changed("call.lastModified"),
    laws: [...callLaws, "after the end"],
  },
  "call.contact_assigned_with_add": {
    commands: ["assignContact"],
    timers: [],
    settings: ["organisation.phonebooks"],
    instant: changed("call.lastModified"),
    laws: callLaws,
  },
  "call.contact_assigned_with_update": {
    commands: ["assignContact"],
    timers: [],
    settings: ["organisation.phonebooks"],
    instant: changed("call.lastModified"),
    laws: callLaws,
  },
  "contact.shared": {
    commands: ["assignContact", "shareContact"],
    timers: [],
    settings: [],
    instant: undefined,
    laws: [],
  },
  "conversation.message.created": {
    commands: ["receiveMessage", "sendConversationMessage", "sendMessage", "sendTeamMessage"],
    timers: ["conversation: group created"],
    settings: ["organisation.dataActions.inboundConversations", "timing.groupMessageCreated"],
    instant: changed("conversation.lastModified"),
    laws: ["message of the conversation", "closed stays closed"],
  },
  "conversation.inactive": {
    commands: [],
    timers: ["conversation: inactivity"],
    settings: ["timing.conversationInactive"],
    instant: changed("conversation.lastModified"),
    laws: ["closed stays closed"],
  },
  "conversation.closed": {
    commands: ["closeConversation"],
    timers: ["conversation: closeTimer"],
    settings: [],
    instant: own("conversation.closed"),
    laws: ["closed stays closed"],
  },
  "conversation.contact_assigned": {
    commands: ["assignConversationContact"],
    timers: [],
    settings: ["organisation.phonebooks"],
    instant: changed("conversation.lastModified"),
    laws: ["closed stays closed"],
  },
  "content_analysis.completed": {
    commands: ["createAnalysis", "completeAnalysis"],
    timers: ["analysis: analysis"],
    settings: ["organisation.features.analysis", "timing.contentAnalysisCompleted"],
    instant: own("contentAnalysis.completed"),
    laws: ["completed after it was made"],
  },
  "user.availability.updated": {
    commands: [
      ...changesOfUser,
      ...beginnings,
      "takeBackCall",
      "wrapUp",
      "answer",
      "decline",
      "hangup",
      "transfer",
      "add",
    ],
    timers: ["availability: wrapUp", ...workingHours, ...endOfRings, ...endOfVoicemail],
    settings: ["organisation.users.workingHours", "behaviour"],
    instant: changed("user.availability.status"),
    laws: ["busy on a call names it", "available is not busy"],
  },
  "team.availability.updated": {
    commands: [
      ...changesOfUser,
      ...beginnings,
      "wrapUp",
      "answer",
      "decline",
      "hangup",
      "transfer",
      "setTeamMember",
      "removeTeamMember",
    ],
    timers: ["availability: wrapUp", ...workingHours, ...endOfRings, ...endOfVoicemail],
    settings: ["organisation.teams.members"],
    instant: undefined,
    laws: ["team counts its members"],
  },
  "transcript.created": {
    commands: [],
    timers: ["call: transcript created"],
    settings: ["organisation.features.transcription", "timing.transcriptCreated"],
    instant: own("transcript.created"),
    laws: [],
  },
};

/** What explains each reason for which an endpoint rings. */
export const dialCauses: { readonly [Reason in DialReason]: Causes } = {
  direct: {
    commands: ["inbound", "internal", "connectApplication"],
    timers: [],
    settings: ["organisation.numbers", "timing.ringTimeout"],
  },
  teamOffer: {
    commands: [
      ...beginnings,
      ...changesOfUser,
      "takeBackCall",
      "answer",
      "decline",
      "hangup",
      "transfer",
      "add",
      "setTeamMember",
    ],
    timers: [...endOfRings, ...endOfVoicemail, ...workingHours, "availability: wrapUp"],
    settings: [
      "organisation.teams.members",
      "organisation.teams.nextOfferTimeout",
      "organisation.teams.timeout",
      "organisation.teams.unanswered",
    ],
  },
  redirect: {
    commands: ["redirect", "takeBackCall", "connectApplication"],
    timers: [],
    settings: ["timing.ringTimeout"],
  },
  transfer: { commands: ["transfer"], timers: [], settings: ["timing.ringTimeout"] },
  conference: { commands: ["add"], timers: [], settings: ["timing.ringTimeout"] },
  outbound: {
    commands: ["outbound", "internal", "dialLink"],
    timers: [],
    settings: ["organisation.dataActions.outboundCall", "timing.ringTimeout"],
  },
};
