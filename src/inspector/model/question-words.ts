import type { Recording } from "./recording.ts";
import { inTwoUnits } from "./time-units.ts";
import { isFailure, type PageRow } from "./types.ts";

/** The sentences of quiz questions: what has happened, said so that it stands alone, and why an answer is right. */

/** What has just happened: who did what, and for how long something has lasted. */
export function situationText(recording: Recording, cause: PageRow): string {
  const { summary, rows } = recording;
  const record = summary.records[cause.record];
  if (isMade(cause)) {
    const ended = rows.findLast(({ index, subject }) => index < cause.index && subject === "call.ended");
    if (ended !== undefined) return `The call ended ${timeText(cause.atMs - ended.atMs)} ago.`;
  }
  if (cause.verb.startsWith("wrote for")) {
    const last = rows.findLast(({ index, record }) => index < cause.index && record === cause.record);
    return `Nobody has written for ${timeText(cause.atMs - (last?.atMs ?? 0))}.`;
  }
  if (revealsNext(cause)) {
    const hold = summary.holds.find(({ toRow, record }) => toRow === cause.index && record === cause.record);
    const team = summary.teams.find(({ id }) => id === hold?.team)?.name;
    if (hold !== undefined && team !== undefined && !cause.subject.endsWith(":"))
      return `Nobody in ${team} has answered for ${timeText(cause.atMs - (rows[hold.fromRow]?.atMs ?? 0))}.`;
    const rings = summary.bars.filter(({ kind, toRow }) => kind === "ring" && toRow === cause.index);
    const since = Math.min(...rings.map(({ fromRow }) => rows[fromRow]?.atMs ?? cause.atMs));
    const names = laneNames(recording, cause.to);
    if (names.length > 0)
      return `${listed(names)} ${names.length === 1 ? "has" : "have"} rung for ${timeText(cause.atMs - since)}, and nobody has answered.`;
  }
  const who = doer(recording, cause);
  const lastedMs = cause.atMs - (record?.fromMs ?? cause.atMs);
  if (cause.kind === "answer") return `${who} answers after ${timeText(lastedMs)}.`;
  if (cause.command?.name === "hangup") {
    const talks = summary.bars.some(
      ({ kind, record, fromRow, toRow }) =>
        kind === "talk" && record === cause.record && fromRow < cause.index && toRow >= cause.index,
    );
    return `${who} hangs up after ${talks ? `a call of ${timeText(lastedMs)}` : `waiting for ${timeText(lastedMs)}`}.`;
  }
  const said = cause.kind === "message" && cause.detail !== "" ? `: ${cause.detail.split(";")[0]}` : "";
  const end = /[.?!]”?$/.test(said) ? "" : ".";
  return capital(`${who} ${cause.verb}`.trim() + said + end);
}

/** Whether a row tells what comes next, such as `The next tier's turn`. */
export function revealsNext(row: PageRow): boolean {
  const { kind, subject } = row;
  return (
    isMade(row) || (kind === "timer" && /^(?:Nobody|The next tier's turn:|The team's time)$/.test(subject))
  );
}

/** Whether something that follows on a call is there, of which its event is the news. */
function isMade({ kind, verb }: PageRow): boolean {
  return kind === "timer" && /^is (?:ready|done|calculated)$/.test(verb);
}

/** Why a row follows, as a sentence or two. */
export function reasonText(recording: Recording, row: PageRow): string {
  const reason =
    row.kind === "ring"
      ? ringReason(recording, row)
      : row.kind === "event"
        ? (eventReasons[row.subject]?.(row.detail.split(";")[0] ?? "", laneNames(recording, row.to)) ?? "")
        : "Nobody takes the call, so the voicemail does: first the greeting, then the tone, then at most one message.";
  const [delivery] = row.deliveries;
  if (!isFailure(row) || delivery === undefined) return reason;
  const again = delivery.attemptCount > 1 ? " The platform sends it again later." : "";
  return `${reason} Its delivery fails (${delivery.outcome.text}).${again}`;
}

const ordinals = ["first", "second", "third", "fourth", "fifth"];

function ringReason(recording: Recording, row: PageRow): string {
  const names = laneNames(recording, row.to);
  const isOne = names.length === 1;
  const [, team, tier = "1", again] = /^(.+) tier (\d+)( again)?$/.exec(row.detail) ?? [];
  if (team === undefined) {
    const phones = row.endpoints.map(({ endpoint }) => endpoint);
    return phones.length > 1
      ? `The call is for ${listed(names)}, and all phones ring at once: ${listed(phones)}.`
      : `The call is for ${listed(names)}.`;
  }
  const ordinal = ordinals[Number(tier) - 1] ?? `${tier}th`;
  const choice = `${listed(names)} ${isOne ? "is" : "are"} the ${ordinal} ${isOne ? "choice" : "choices"} of ${team}`;
  const before = recording.rows.findLast(
    ({ kind, index, record }) => kind === "ring" && index < row.index && record === row.record,
  );
  if (again !== undefined)
    return `No further choice is left, so ${listed(names)} ${isOne ? "rings" : "ring"} again until the time of ${team} is over.`;
  if (before === undefined) return `${choice}${isOne ? "" : ", and ring together"}.`;
  const [, teamBefore] = /^(.+) tier \d+/.exec(before.detail) ?? [];
  if (teamBefore !== team)
    return `The time of ${teamBefore} is over, and the call goes on to ${team}. ${choice}.`;
  const earlier = laneNames(recording, before.to);
  return `${listed(earlier)} had ${timeText(row.atMs - before.atMs)} and ${earlier.length === 1 ? "stops" : "stop"} ringing. ${choice}. No event tells your app so.`;
}

type Reason = (detail: string, names: readonly string[]) => string;

/** What an event tells, by its type. `detail` is the row's. */
const eventReasons: Readonly<Record<string, Reason>> = {
  "call.started": () => "A call has begun. The event is sent before any phone rings.",
  "call.answered": (detail) =>
    `The call was taken ${detail.replace(/,.*/, "")}. Phones that still rang stop.`,
  "call.not_answered": (detail) =>
    detail.startsWith("abandoned")
      ? "The caller left before anybody answered: the call counts as abandoned, not as missed."
      : detail.startsWith("missed")
        ? "Nobody took the call, so it is missed. If there is a voicemail, it answers after this event."
        : "Nobody took the call.",
  "call.hungup": (detail) =>
    `${detail} leaves the call. Each party has an event of its own, and whoever hangs up comes first.`,
  "call.ended": () => "Everybody has left, and the record of the call is complete.",
  "user.availability.updated": (detail) => {
    const [, who = "The user", state = "changed"] = /^(.+?) (available|busy|offline)/.exec(detail) ?? [];
    return state === "available"
      ? `${who} can be rung again.`
      : `${who} is ${state} now, so the next call does not ring there. The user's event comes before the team's.`;
  },
  "team.availability.updated": (detail) =>
    `In ${detail.replace(/: /, ", ").replace(/ available$/, "")} can be rung now.`,
  "call.recording.available": () => "The recording was being made. Now it can be fetched.",
  "call.transcript.created": () => "The recording has been turned into text.",
  "transcript.created": () => "A transcript has an event of its own, beside the call's.",
  "call.transcription_completed": () => "All transcripts of the call are there.",
  "content_analysis.completed": () => "The call's text has been analysed.",
  "call.tariffed": () => "The call is over, and its price is known.",
  "contact.shared": () => "A contact has been attached to the call.",
  "conversation.message.created": () => "Each message is an event, whoever writes it.",
  "conversation.inactive": () => "Nobody has written for a while. The conversation stays open.",
  "conversation.closed": () => "The conversation is over. The next message begins a new one.",
  "conversation.contact_assigned": () => "The conversation has a contact now.",
};

/** Who does something. The organisation's people have short names, as their lanes do. */
function doer({ summary }: Recording, { from, subject }: PageRow): string {
  const lane = summary.lanes.find(({ id }) => id === from);
  const isOwn = lane?.kind === "member" || lane?.kind === "other";
  return isOwn && subject === lane.name ? lane.short : subject.replace(/:$/, "");
}

/** The short names of lanes. */
export function laneNames({ summary }: Recording, ids: readonly string[]): string[] {
  const names = ids.flatMap((id) => summary.lanes.find((lane) => lane.id === id) ?? []);
  return [...new Set(names.map(({ short, name }) => (/^\W?\d/.test(short) ? name : short)))];
}

export function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? "nobody") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** A time for people to read aloud: `20 seconds`, `1 minute 6 seconds`, `1 day`. */
function timeText(ms: number): string {
  const whole = Math.round(ms / 1000) * 1000;
  return inTwoUnits(whole, (count, unit) => `${count} ${unit}${count === 1 ? "" : "s"}`) || "0 seconds";
}

export const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
