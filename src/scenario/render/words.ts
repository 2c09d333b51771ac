import { durationText, show } from "../../engine/instants.ts";
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
  const on = args.endpoint === undefined ? "" : ` on ${args.endpoint}`;
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
      return `the contact ${contactText(args.contact)} is assigned to the conversation with ${args.conversation}`;
    case "shareContact":
      return `the contact ${contactText(args.contact)} is shared from the conversation with ${args.conversation}`;
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
    case "setAvailability": {
      const why = [args.rule, args.reason].filter((each) => each !== undefined).join(": ");
      return `sets availability to ${args.status}${why === "" ? "" : ` (${why})`}`;
    }
    case "setEndpoint":
      return `${args.registered ? "registers" : "unregisters"} ${args.endpoint}`;
  }
}

/** What a message says: its text in quotes, and how much is beside it. */
export function messageText(text: string | undefined, mediaCount: number): string {
  const media = mediaCount === 0 ? [] : [`${mediaCount} ${mediaCount === 1 ? "attachment" : "attachments"}`];
  return [...(text ? [show(text)] : []), ...media].join(" and ");
}

function contactText(contact: unknown): string {
  if (typeof contact === "string") return contact;
  const { name, firstName, lastName } = contact as Record<string, string | undefined>;
  return name ?? [firstName, lastName].filter(Boolean).join(" ");
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
      return withReason(`${displayName} ${availability.status}`, availability.notAvailableRule);
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
    case "contact.shared":
      return `${event.data.contact.name}, ${event.data.channel}`;
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
