import { exactDurationText } from "../../core/foundation/instants.ts";
import { groupedNumber } from "../../core/foundation/phone-number.ts";
import type { Lifeline, NamedMention } from "../../core/narration/lifelines.ts";
import type { NarrationRow } from "../../core/narration/rows.ts";
import { oneLine, writeNote } from "../../core/narration/words.ts";
import type { PlatformEvent } from "../../core/platform/declare/events.ts";
import { counted } from "../../core/platform/declare/words.ts";
import type { EventNames } from "../../core/platform/parts/define-part.ts";
import type { Lanes } from "./lanes.ts";
import { listed } from "./ring-text.ts";

/** A row's text: what it is about in bold, its verb, and its detail fainter. */
export interface RowText {
  readonly subject: string;
  readonly verb: string;
  readonly detail: string;
}

/** The text of a narration row on the page: numbers and extensions in the detail, more detail than the timeline has room for. */
export function toRowText({ kind, actor, sentence }: NarrationRow, lanes: Lanes): RowText {
  const { subject, verb, mention, detail, said, attachments = 0, why, laterMs, aside } = sentence;
  const about = typeof subject === "object" ? mentionText(subject, lanes) : subject;
  const details = [
    detail,
    mention && (kind === "message" ? undefined : mentionDetail(mention)),
    said === undefined ? undefined : `“${said}”`,
    attachments === 0 ? undefined : counted(attachments, "attachment"),
    why,
    laterMs === undefined || laterMs === 0 ? undefined : `answered ${exactDurationText(laterMs)} later`,
    aside,
  ].filter((each) => each !== undefined && each !== "");
  const does = [
    kind === "message" ? verb?.replace(/\+\d+/, groupedNumber) : verb,
    mention && mentionText(mention, lanes),
  ].filter((each) => each !== undefined && each !== "");
  const isTitle = does.length === 0 && details.length > 0;
  return {
    subject: oneLine(`${about ?? laneName(actor, lanes)}${isTitle ? ":" : ""}`),
    verb: oneLine(does.join(" ")),
    detail: oneLine(details.join(", ")),
  };
}

/** The mention that follows the verb. */
export function mentionText(mentioned: NamedMention, lanes: Lanes): string {
  switch (mentioned.is) {
    case "number":
      return [mentioned.words, mentioned.owner?.name ?? groupedNumber(mentioned.number)]
        .filter(Boolean)
        .join(" ");
    case "entry":
      return mentioned.owner.name;
    case "people":
      return listed(mentioned.people.map((each) => laneName(each, lanes)));
    case "conversation":
      return `the conversation with ${listed(mentioned.people.map((each) => laneName(each, lanes)))}`;
    case "voicemail":
      return `${mentioned.owner}'s voicemail`;
    case "endpoint":
      return "";
    case "named":
    case "unknown":
      return mentioned.text;
  }
}

/** What the detail adds about the mention. */
function mentionDetail(mentioned: NamedMention): string | undefined {
  if (mentioned.is === "endpoint") return `on ${mentioned.id}`;
  if (mentioned.is === "entry") return `ext. ${mentioned.owner.extension}`;
  if (mentioned.is !== "number" || mentioned.owner === undefined) return undefined;
  return `${groupedNumber(mentioned.number)}, ext. ${mentioned.owner.extension}`;
}

/** A lifeline's name as its lane shows it; REST clients keep their own, since they share a lane. */
function laneName(line: Lifeline, lanes: Lanes): string {
  // those without a lane of their own: clients of the REST API, teams
  return line.kind === "platform" ? lanes.name(lanes.of(line)) : lanes.wholeName(line);
}

/** Capitalises a sentence's subject, except names and event types. */
export function capitaliseSubject(subject: string, { sentence, event }: NarrationRow): string {
  const isOwn = typeof sentence.subject === "string" && event === undefined && !/^\S*[._\d-]/.test(subject);
  return isOwn ? `${subject.slice(0, 1).toUpperCase()}${subject.slice(1)}` : subject;
}

/** `caller hung up` of `callerHungUp`. */
export function spaceWords(reason: string): string {
  return reason.replaceAll(/(?<=\w)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The note of an event. `call.started` leaves out the caller, whom the row above names. */
export function shortNote(event: PlatformEvent, names: EventNames): string {
  if (event.type === "call.started")
    return event.data.call.isInternal ? "internal" : event.data.call.direction;
  // `Alice busy, on a call` of `Alice busy - busyOnACall`
  return oneLine(writeNote(event, names)).replace(/(\w*) - (\w*)/, (_, status: string, reason: string) => {
    const words = spaceWords(reason);
    return `${status}, ${words.startsWith(`${status} `) ? words.slice(status.length + 1) : words}`;
  });
}
