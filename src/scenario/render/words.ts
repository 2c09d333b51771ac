import type { DrawnMs } from "../../engine/distributions.ts";
import { durationText, show } from "../../engine/instants.ts";
import type { ConditionsArguments, FaultArguments } from "../../network/conditions.ts";
import type { TrafficArguments, UserBehaviourMs } from "../../platform/behaviour/schema.ts";
import type { CommandName } from "../../platform/commands.ts";
import type { PlatformEvent } from "../../platform/events.ts";
import type { ConversationRecord } from "../../records/conversation.ts";

/** What commands, timers and events are in words. */

/** A duration to the millisecond: `45s`, `2m 5s`, `1s 500ms`. */
export function exactDurationText(ms: number): string {
  const rest = ms % 1000;
  if (rest === 0) return durationText(ms);
  return ms < 1000 ? `${rest}ms` : `${durationText(ms)} ${rest}ms`;
}

/** Text on one line and without control characters, which would break or colour what it stands in. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}

/** Commands that begin a call, and messages: `story.ts` says whom they reach. */
export type Reaching =
  | ("inbound" | "outbound" | "internal" | "redirect" | "connectApplication" | "dialLink")
  | ("receiveMessage" | "sendConversationMessage" | "sendMessage" | "sendTeamMessage");

/** What its actor does by a command: `answers on desktop`. */
export function commandText(name: Exclude<CommandName, Reaching>, args: Record<string, unknown>): string {
  const on = onText(args);
  switch (name) {
    case "answer":
      return `answers${on}`;
    case "decline":
      return args.busy === true ? "is busy" : `declines${on}`;
    case "hangup":
      return "hangs up";
    case "move":
      return `moves the call to ${args.to}`;
    case "transfer":
      return `transfers the call to ${args.target}${args.warm === true ? " and stays" : ""}`;
    case "add":
      return `adds ${args.target} to the call`;
    case "readConversation":
      return `reads the conversation with ${args.conversation}`;
    case "closeConversation":
      return `the conversation with ${args.conversation} is closed`;
    case "assignConversationContact":
      return `the contact ${contactName(args.contact)} is assigned to the conversation with ${args.conversation}`;
    case "shareContact":
      return `the contact ${contactName(args.contact)} is shared from the conversation with ${args.conversation}`;
    case "note":
      return `notes ${show(args.text)}`;
    case "assignContact":
      return `assigns the contact ${contactName(args.contact)}`;
    case "removeRecording":
      return `${args.recording} is removed`;
    case "removeTranscript":
      return `${args.transcript} is removed`;
    case "removeAnalysis":
      return `${args.analysis} is removed`;
    case "setTeamMember":
      return `joins ${args.team} with offer priority ${args.priority ?? 1}`;
    case "removeTeamMember":
      return `leaves ${args.team}`;
    case "createAnalysis":
      return `asks for ${args.analyzer}`;
    case "completeAnalysis":
      return `completes ${args.analysis}`;
    case "leaveVoicemail":
      return `has a message of ${exactDurationText(Number(args.duration))}`;
    case "route":
      return `answers ${args.status ?? 200}${args.after ? ` after ${exactDurationText(Number(args.after))}` : ""}`;
    case "fault": {
      const { status, times, for: forMs } = args as FaultArguments;
      const doing = typeof status === "number" ? `answers ${status}` : faultTexts[status];
      const span = forMs === undefined ? "" : `, for ${exactDurationText(forMs)}`;
      return `${doing}${times === undefined ? "" : `, ${times} ${times === 1 ? "time" : "times"}`}${span}`;
    }
    case "conditions":
      return conditionsText(args as ConditionsArguments);
    case "createWebhook":
      return `asks for ${(args.events as string[]).join(", ")}`;
    case "updateWebhook":
      return `changes ${args.webhook}: ${Object.keys(args)
        .filter((key) => key !== "webhook")
        .map((key) => `${key} ${show(args[key])}`)
        .join(", ")}`;
    case "removeWebhook":
      return `deletes ${args.webhook}`;
    case "setAvailability": {
      const why = [args.rule, args.reason].filter((each) => each !== undefined).join(": ");
      return `sets availability to ${args.status}${why === "" ? "" : ` (${why})`}`;
    }
    case "behave": {
      const acts = behaviourText(args.behaviour as UserBehaviourMs);
      return acts === "" ? "no longer acts by themselves" : `will act by themselves: ${acts}`;
    }
    case "traffic": {
      const { to, every, for: forMs } = args as TrafficArguments;
      return `calls to ${to} begin every ${drawnText(every)}, for ${exactDurationText(forMs)}`;
    }
    case "setEndpoint":
      return `${args.registered ? "registers" : "unregisters"} ${args.endpoint}`;
    case "setUserStatus":
      return args.status === "active" ? "becomes active" : `is ${args.status}`;
    default:
      return directoryText(name, args);
  }
}

/** What a message says: its text in quotes, and how much is beside it. */
export function messageText(text: string | undefined, mediaCount: number): string {
  const media = mediaCount === 0 ? [] : [`${mediaCount} ${mediaCount === 1 ? "attachment" : "attachments"}`];
  return [...(text ? [show(text)] : []), ...media].join(" and ");
}

/** Commands that change the directory, phonebooks or locations. */
type DirectoryCommand =
  | "createLocation"
  | "addUserToLocation"
  | "removeUserFromLocation"
  | "putPhonebooks"
  | "putContacts"
  | "removeContact"
  | "addTrunkEntry"
  | "updateTrunkEntry"
  | "removeTrunkEntry";

function directoryText(name: DirectoryCommand, args: Record<string, unknown>): string {
  switch (name) {
    case "createLocation":
      return `adds the location ${args.name}`;
    case "addUserToLocation":
      return `moves to the location ${args.location}`;
    case "removeUserFromLocation":
      return `leaves the location ${args.location}`;
    case "putPhonebooks":
      return `takes ${counted(args.phonebooks, "phonebook")}${onlyId(args.phonebooks)}`;
    case "putContacts":
      return `takes ${counted(args.contacts, "contact")} into the phonebook ${args.phonebook}`;
    case "removeContact":
      return `drops the contact ${args.contact} of the phonebook ${args.phonebook}`;
    case "addTrunkEntry":
      return `adds ${args.displayName} (${args.extension}) to the trunk ${args.trunk}`;
    case "updateTrunkEntry":
      return `changes ${args.id} of the trunk ${args.trunk}`;
    case "removeTrunkEntry":
      return `removes ${args.id} from the trunk ${args.trunk}`;
  }
}

function counted(items: unknown, what: string): string {
  const { length } = items as readonly unknown[];
  return `${length} ${length === 1 ? what : `${what}s`}`;
}

/** The id of the only one; many would not fit. */
function onlyId(items: unknown): string {
  const [first, ...more] = items as readonly { readonly id: string }[];
  return first === undefined || more.length > 0 ? "" : ` (${first.id})`;
}

/** An id, or the contact itself. */
function contactName(contact: unknown): unknown {
  if (typeof contact !== "object") return contact;
  const { name, firstName, lastName } = contact as Partial<Record<string, string>>;
  return name ?? [firstName, lastName].filter(Boolean).join(" ");
}

const faultTexts = { refuse: "refuses connections", timeout: "does not answer" } as const;

function conditionsText({ latency, loss = 0, duplicate = 0, reorder = 0 }: ConditionsArguments): string {
  const percent = (chance: number, what: string) =>
    chance > 0 ? `${what} ${Math.round(chance * 100)}%` : "";
  const texts = [
    latency === undefined ? "" : `latency ${drawnText(latency)}`,
    percent(loss, "loss"),
    percent(duplicate, "twice"),
    percent(reorder, "held back"),
  ].filter((text) => text !== "");
  return `is reached with ${texts.join(", ") || "no trouble"}`;
}

function onText({ endpoint }: { readonly endpoint?: unknown }): string {
  return endpoint === undefined ? "" : ` on ${endpoint}`;
}

/** `answers on mobile after 5s, talks for 3m on average`. */
function behaviourText({ answer, decline, talk, wrapUp }: UserBehaviourMs): string {
  const texts = [
    answer === "never" && "never answers",
    answer !== undefined && answer !== "never" && `answers${onText(answer)} after ${drawnText(answer.after)}`,
    decline !== undefined && `declines after ${drawnText(decline.after)}`,
    talk !== undefined && `talks for ${drawnText(talk)}`,
    wrapUp !== undefined && `wraps up for ${drawnText(wrapUp)}`,
  ];
  return texts.filter((text) => text !== false).join(", ");
}

function drawnText(drawn: DrawnMs): string {
  if (typeof drawn === "number") return exactDurationText(drawn);
  if ("fixed" in drawn) return exactDurationText(drawn.fixed);
  if ("exponential" in drawn) return `${exactDurationText(drawn.exponential)} on average`;
  return drawn.uniform.map(exactDurationText).join(" to ");
}

/** What the platform does by itself. */
export function purposeText(purpose: string): string {
  return purposes[purpose] ?? purpose;
}

const purposes: Readonly<Record<string, string>> = {
  "ring: ringTimeout": "nobody answered in time",
  "voicemail: greeting": "the greeting is over",
  "voicemail: messageLimit": "the message is as long as it may be",
  "voicemail: message": "the caller has said it all",
  "teamOffer: nextOffer": "the next tier's turn",
  "teamOffer: teamTimeout": "the team's time is over",
  "availability: wrapUp": "the wrap-up is over",
  "delivery: backOff": "time for another attempt",
  "availability: working hours begin": "is in working hours",
  "availability: working hours end": "is out of working hours",
  "analysis: analysis": "the analysis is done",
  "conversation: inactivity": "nobody wrote for a while",
  "conversation: closeTimer": "the close timer ran out",
  "conversation: group created": "the vendor has made the group",
  "call: recording available": "the recording is ready",
  "call: transcript created": "the transcript is ready",
  "call: tariff calculated": "the tariff is calculated",
};

/**
 * The few fields of an event that matter.
 * @param nameOf how an outside number is called
 */
export function noteOf(event: PlatformEvent, nameOf: (number: string) => string): string {
  switch (event.type) {
    case "user.availability.updated": {
      const { displayName, availability } = event.data.user;
      const { status, notAvailableRule, notAvailableReason } = availability;
      return withReason(`${displayName} ${status}`, notAvailableRule ?? notAvailableReason);
    }
    case "team.availability.updated":
      return `${event.data.team.displayName}: ${event.data.team.availability.availabilitySummary}`;
    case "transcript.created":
    case "call.transcript.created":
      return show(event.data.transcript.text);
    case "call.transcription_completed": {
      const count = event.data.transcripts.length;
      return `${count} ${count === 1 ? "transcript" : "transcripts"}`;
    }
    case "call.tariffed":
      return `${event.data.call.tariff?.amount} ${event.data.call.tariff?.currency}`;
    case "conversation.message.created": {
      const { conversation, message } = event.data;
      const words = messageText(message.content, message.media.length);
      const to = message.direction === "inbound" ? "" : ` to ${contactsOf(conversation, nameOf)}`;
      return `${message.author.displayName}${to}: ${words}`;
    }
    case "conversation.inactive":
    case "conversation.closed":
      return `with ${contactsOf(event.data.conversation, nameOf)}`;
    case "conversation.contact_assigned":
      return event.data.contact.name;
    case "call.contact_assigned_with_add":
    case "call.contact_assigned_with_update":
      return event.data.contact.name;
    case "contact.shared":
      return `${event.data.contact.name}, on ${event.data.channel}`;
    case "content_analysis.completed":
      return event.data.contentAnalysis.analyzer;
    case "call.recording.available":
      return `${event.data.recording.fileSize} bytes of ${event.data.recording.mimeType}`;
    case "call.started": {
      const { direction, isInternal, contactNumber, companyNumber } = event.data.call;
      if (isInternal) return `internal, ${companyNumber} to ${contactNumber}`;
      return `${direction} ${direction === "inbound" ? "from" : "to"} ${nameOf(contactNumber)}`;
    }
    case "call.answered": {
      const { parties, waitTimeText } = event.data.call;
      const answerer = parties.find(({ dials }) => dials.some(({ outcome }) => outcome === "answered"));
      return `by ${answerer?.displayName}, waited ${waitTimeText}`;
    }
    case "call.hungup":
      return event.data.party.displayName;
    case "call.not_answered":
    case "call.ended": {
      const { outcome, status, duration, durationText: text } = event.data.call;
      const end = outcome === null ? status : withReason(outcome.status, outcome.reason);
      return duration === null ? end : `${end}, ${text}`;
    }
  }
}

function contactsOf({ contactAddresses }: ConversationRecord, nameOf: (number: string) => string): string {
  return contactAddresses.map(nameOf).join(", ");
}

function withReason(what: string, reason: string | null): string {
  return reason === null ? what : `${what} - ${reason}`;
}
