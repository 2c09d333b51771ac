import { show } from "../engine/instants.ts";
import type { CommandName } from "../platform/base.ts";
import { commands } from "../platform/commands.ts";
import type { PlatformEvent } from "../platform/events.ts";
import { messageText, type Names } from "../platform/words.ts";
import type { ConversationRecord } from "../records/conversation.ts";
import type { RequestRecord } from "../records/request.ts";

/** What commands, timers and events are in words. */

/** Text on one line and without control characters, which would break or colour what it stands in. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}

/** What its actor does by a command: `answers on desktop`. */
export function commandText(name: CommandName, args: unknown, names: Names): string {
  const { words }: { words(args: unknown, names: Names): string } = commands[name];
  return words(args, names);
}

/** How a request came out: `answers 200`. */
export function requestText({ answer, failure, isUnrouted }: RequestRecord): string {
  return answer === null
    ? `does not answer (${failure})`
    : `answers ${answer.status}${unroutedText(isUnrouted)}`;
}

/** An attempt of a delivery, and how it came out: `call.ended, attempt 2 - 200`. */
export function attemptText({ answer, failure, subject, duplicateOf, isUnrouted }: RequestRecord): string {
  const again = duplicateOf === null ? "" : ", a second time";
  return `${subject}${again} - ${answer?.status ?? failureText(failure)}${unroutedText(isUnrouted)}`;
}

/** The same where the endpoint is who does it: `answers 200 to call.ended, attempt 2`. */
export function answerText({ answer, failure, subject, duplicateOf, isUnrouted }: RequestRecord): string {
  const again = duplicateOf === null ? "" : ", a second time";
  if (answer === null) return `does not answer ${subject}${again} (${failureText(failure)})`;
  return `answers ${answer.status} to ${subject}${again}${unroutedText(isUnrouted)}`;
}

/** Nobody answered: who misspelt a route would otherwise read of a 200 that his app never gave. */
function unroutedText(isUnrouted: boolean): string {
  return isUnrouted ? " (no route: accepted)" : "";
}

function failureText(failure: string | null): string | null {
  return failure === "answer lost" ? "handled, answer lost" : failure;
}

/** What the network does with a request instead of the usual; undefined where how it came out says so. */
export function deviationText(subject: string, is: string, by: number): string | undefined {
  if (is === "lost") return `${subject} is lost on its way`;
  if (is === "unanswered") return `${subject} is handled, and the answer lost`;
  if (is === "duplicated") return `${subject} arrives twice`;
  if (is === "late") return `${subject} arrives late, after ${by === 1 ? "the next one" : `the next ${by}`}`;
  return undefined;
}

/** A delivery that came to nothing: `call.ended is given up (exhausted)`. */
export function deliveryEndText(type: string, end: "givenUp" | "dropped", reason: string | null): string {
  return `${type} is ${end === "givenUp" ? "given up" : "dropped"} (${reason})`;
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
  "availability: wrapUp": "has wrapped up",
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

/** What a call that nobody answered goes back to. */
export const returnTexts = {
  flow: "the flow",
  taskQueue: "the task queue",
  application: "the application",
} as const;
