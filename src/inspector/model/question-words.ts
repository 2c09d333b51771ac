import type { Recording } from "./recording.ts";
import { inTwoUnits } from "./time-units.ts";
import type { PageRow } from "./types.ts";

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
    const [since, ...others] = new Set(rings.map(({ fromRow }) => rows[fromRow]?.atMs ?? cause.atMs));
    const names = laneNames(recording, cause.targets);
    if (names.length > 0 && since !== undefined && others.length === 0)
      return `${listedWithAnd(names)} ${names.length === 1 ? "has" : "have"} rung for ${timeText(cause.atMs - since)}, and nobody has answered.`;
  }
  const who = doer(recording, cause);
  if (cause.kind === "answer") return answerText(recording, cause, who);
  if (cause.command?.name === "hangup" && record !== undefined)
    return `${who} hangs up ${timeText(cause.atMs - record.fromMs)} after the call began.`;
  const said = cause.kind === "message" && cause.detail !== "" ? `: ${cause.detail.split(";")[0]}` : "";
  const end = /[.?!]”?$/.test(said) ? "" : ".";
  return capital(`${who} ${cause.verb}`.trim() + said + end);
}

/** Who answers, and for how long their phones have rung. Whose call it is, if they rang for another one too. */
function answerText(recording: Recording, cause: PageRow, who: string): string {
  const { rows, summary } = recording;
  const rings = summary.bars.filter(({ kind, lane }) => kind === "ring" && lane === cause.source);
  const ring = rings.find(({ record, toRow }) => record === cause.record && toRow === cause.index);
  if (ring === undefined) return `${who} answers.`;
  const isMeanwhile = ({ fromRow, toRow }: typeof ring) => fromRow < cause.index && toRow > ring.fromRow;
  const isOneOfTwo = rings.some((other) => other.record !== cause.record && isMeanwhile(other));
  const begun = rows[summary.records[cause.record]?.fromRow ?? -1];
  const whose = isOneOfTwo && begun !== undefined ? ` the call of ${doer(recording, begun)}` : "";
  return `${who} answers${whose} after ${timeText(cause.atMs - (rows[ring.fromRow]?.atMs ?? 0))} of ringing.`;
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

/**
 * Why a row follows, as a sentence or two. Each is said only where it is so: `test/learn/teach-reasons.test.ts` tries every
 * one in every lesson.
 */
export function reasonText(recording: Recording, row: PageRow): string {
  const reason =
    row.kind === "ring"
      ? ringReason(recording, row)
      : row.kind === "event"
        ? eventReason(recording, row)
        : "The call has gone to voicemail, which begins with its greeting.";
  const failed = row.deliveries.find(({ outcome }) => ["failed", "lost"].includes(outcome.kind));
  if (failed === undefined) return reason;
  const again = failed.attemptCount > 1 ? " The platform sends it again later." : "";
  return `${reason} A delivery of it fails (${failed.outcome.text}).${again}`;
}

const ordinals = ["first", "second", "third", "fourth", "fifth"];

function ringReason(recording: Recording, row: PageRow): string {
  const names = laneNames(recording, row.targets);
  const isOne = names.length === 1;
  const [, team, tier = "1", again] = /^(.+) tier (\d+)( again)?$/.exec(row.detail) ?? [];
  if (team === undefined) {
    const phones = row.endpoints.map(({ endpoint }) => endpoint);
    return phones.length > 1
      ? `These phones ring at once: ${listedWithAnd(phones)}.`
      : `The call goes to ${listedWithAnd(names)}.`;
  }
  const ordinal = ordinals[Number(tier) - 1] ?? `${tier}th`;
  const choice = `${listedWithAnd(names)} ${isOne ? "is" : "are"} the ${ordinal} ${isOne ? "choice" : "choices"} of ${team}`;
  const before = recording.rows.findLast(
    ({ kind, index, record }) => kind === "ring" && index < row.index && record === row.record,
  );
  if (again !== undefined)
    return `No further choice of ${team} is left, so ${listedWithAnd(names)} ${isOne ? "rings" : "ring"} again.`;
  if (before === undefined) return `${choice}${isOne ? "" : ", and ring together"}.`;
  const [, teamBefore] = /^(.+) tier \d+/.exec(before.detail) ?? [];
  if (teamBefore !== undefined && teamBefore !== team)
    return `The call goes on from ${teamBefore} to ${team}. ${choice}.`;
  return `${earlierRings(recording, row, before)}${choice}.${isSilent(recording, row) ? " No event tells your app so." : ""}`;
}

/** How those who rang before have stopped, if all of them stopped in one way. */
function earlierRings(recording: Recording, row: PageRow, before: PageRow): string {
  const { bars } = recording.summary;
  const rings = bars.filter(
    ({ kind, record, fromRow }) => kind === "ring" && record === row.record && fromRow === before.index,
  );
  const endsMs = new Set(rings.map(({ toRow }) => recording.rows[toRow]?.atMs));
  const names = laneNames(recording, before.targets);
  const isOne = names.length === 1;
  if (rings.length > 0 && rings.every(({ end }) => end === "declined"))
    return `${listedWithAnd(names)} ${isOne ? "has" : "have"} declined. `;
  const isOfTime = rings.every(({ end }) => end !== "declined" && end !== "answered");
  if (!isOfTime || endsMs.size !== 1 || !endsMs.has(row.atMs)) return "";
  return `${listedWithAnd(names)} had ${timeText(row.atMs - before.atMs)} and ${isOne ? "stops" : "stop"} ringing. `;
}

/** Whether no event of a row's call comes at its instant. */
const isSilent = ({ rows }: Recording, { atMs, record }: PageRow): boolean =>
  !rows.some((each) => each.event !== undefined && each.atMs === atMs && each.record === record);

/** What an event tells. */
function eventReason(recording: Recording, row: PageRow): string {
  const [detail = ""] = row.detail.split(";");
  const behind = recording.rows.filter(
    ({ index, atMs, record }) => index > row.index && atMs === row.atMs && record === row.record,
  );
  switch (row.subject) {
    case "call.answered": {
      const stopped = recording.summary.bars.some(
        ({ kind, record, end, toRow }) =>
          kind === "ring" &&
          record === row.record &&
          end === "elsewhere" &&
          recording.rows[toRow]?.atMs === row.atMs,
      );
      return `The call was taken ${detail.replace(/,.*/, "")}.${stopped ? " The other phones stop." : ""}`;
    }
    case "call.not_answered": {
      if (detail.startsWith("abandoned"))
        return "The caller left before anybody answered: the call counts as abandoned, not as missed.";
      if (!detail.startsWith("missed")) return "Nobody took the call.";
      const isMailed = behind.some(({ kind }) => kind === "voicemail");
      return `Nobody took the call, so it is missed.${isMailed ? " Voicemail answers after this event." : ""}`;
    }
    case "call.hungup": {
      const leaves = behind.some(({ subject }) => subject === row.subject);
      return `${detail} leaves the call.${leaves ? " Each party has an event of its own." : ""}`;
    }
    case "user.availability.updated": {
      const [, who = "The user", state = "changed"] = /^(.+?) (available|busy|offline)/.exec(detail) ?? [];
      const hasTeam = recording.rows.some(
        ({ index, atMs, subject }) =>
          index > row.index && atMs === row.atMs && subject === "team.availability.updated",
      );
      return `${who} is ${state} now.${hasTeam ? " The user's event comes before the team's." : ""}`;
    }
    case "team.availability.updated":
      return `Now ${detail.replace(/: /, " has ").replace(/ available$/, "")} available.`;
    default:
      return eventReasons[row.subject] ?? "";
  }
}

/** What an event tells, by its type. */
const eventReasons: Readonly<Record<string, string>> = {
  "call.started": "A call has begun.",
  "call.ended": "Nobody is on the call any more.",
  "call.recording.available": "There is a recording now.",
  "call.transcript.created": "There is a transcript now.",
  "transcript.created": "There is a transcript now.",
  "call.transcription_completed": "All transcripts of the call are there.",
  "content_analysis.completed": "There is an analysis now.",
  "call.tariffed": "The call is over, and its price is known.",
  "contact.shared": "A contact is shared with those who take part.",
  "conversation.message.created": "A message was written.",
  "conversation.inactive": "Nobody has written for a while. The conversation is not over.",
  "conversation.closed": "The conversation is over.",
  "conversation.contact_assigned": "The conversation has a contact now.",
};

/** Who does something. The organisation's people have short names, as their lanes do. */
function doer({ summary }: Recording, { source, subject }: PageRow): string {
  const lane = summary.lanes.find(({ id }) => id === source);
  const isOwn = lane?.kind === "member" || lane?.kind === "other";
  return isOwn && subject === lane.name ? lane.short : subject.replace(/:$/, "");
}

/** The short names of lanes. */
export function laneNames({ summary }: Recording, ids: readonly string[]): string[] {
  const names = ids.flatMap((id) => summary.lanes.find((lane) => lane.id === id) ?? []);
  return [...new Set(names.map(({ short, name }) => (/^\W?\d/.test(short) ? name : short)))];
}

export function listedWithAnd(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? "nobody") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** A time for people to read aloud: `20 seconds`, `1 minute 6 seconds`, `1 day`. */
function timeText(ms: number): string {
  const whole = Math.round(ms / 1000) * 1000;
  return inTwoUnits(whole, (count, unit) => `${count} ${unit}${count === 1 ? "" : "s"}`) || "0 seconds";
}

export const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
