import type { OfferedAct } from "./acts.ts";
import { ringingActs } from "./acts.ts";
import type { Recording } from "./recording.ts";
import { type EndpointNote, type PageRow, showsFailure } from "./types.ts";

/** A question about something that happened in the run, and where its answer is. */
export interface AskedQuestion {
  readonly text: string;
  /** The row to go to. */
  readonly row: number;
  /** *Why not?* with this question, the delivery of the row, or the run in which this is done instead. */
  readonly answer: { readonly why: string } | { readonly tab: "delivery" } | { readonly act: OfferedAct };
}

/** The most rows of a run that is looked at for questions: each is cheap, but a page must answer quickly. */
const MAX_ROWS = 5_000;

/** Of each kind one question, of the first thing that raises it; *What if?* of up to four people. */
export function askedQuestions(recording: Recording): AskedQuestion[] {
  if (recording.rows.length > MAX_ROWS) return deliveryQuestion(recording);
  return [
    ...deliveryQuestion(recording),
    ...stoppedQuestion(recording),
    ...unansweredQuestion(recording),
    ...whatIfQuestions(recording),
  ];
}

/** Why the first delivery that failed was sent more than once, or was lost. */
function deliveryQuestion({ rows, recorder }: Recording): AskedQuestion[] {
  const row = rows.find((each) => each.kind === "event" && showsFailure(each));
  const delivery = row?.deliveries.find(({ outcome }) => outcome.kind !== "delivered");
  if (row === undefined || delivery === undefined) return [];
  const to = recorder.lanes.name(delivery.lane);
  const { attemptCount } = delivery;
  const text =
    attemptCount > 1
      ? `Why was ${row.subject} sent ${timesText(attemptCount)} to ${to}?`
      : `Why did ${row.subject} not arrive at ${to}?`;
  return [{ text, row: row.index, answer: { tab: "delivery" } }];
}

const timesText = (count: number) => (count === 2 ? "twice" : `${count} times`);

/** Why the first phone that stopped without an answer did so. */
function stoppedQuestion({ rows, recorder }: Recording): AskedQuestion[] {
  for (const row of rows) {
    const stopped = row.endpoints.find(({ does }) => !["rings", "answered", "declined"].includes(does));
    const id = recorder.records[row.record]?.id;
    if (stopped === undefined || id === undefined || answeredHere(row, stopped.lane)) continue;
    const text = `Why did ${recorder.lanes.name(stopped.lane)}'s phone stop ringing?`;
    return [{ text, row: row.index, answer: { why: `rings ${id} ${stopped.lane}` } }];
  }
  return [];
}

/** Whether somebody answered on another phone of theirs in a row. */
function answeredHere({ endpoints }: PageRow, lane: string): boolean {
  return endpoints.some((each) => each.lane === lane && each.does === "answered");
}

/** Why the first call that nobody answered was not answered. */
function unansweredQuestion({ recorder, rows }: Recording): AskedQuestion[] {
  const call = recorder.records.find(
    ({ id, kind, spans, outcome }) =>
      kind === "call" &&
      outcome !== "" &&
      spans.every((span) => span.kind !== "talk") &&
      recorder.machines.of(id).some(({ machine }) => machine === "ring" || machine === "teamOffer"),
  );
  if (call === undefined || rows[call.toRow] === undefined) return [];
  const text = `Why did nobody answer call ${call.label}?`;
  return [{ text, row: call.toRow, answer: { why: `answered ${call.id}` } }];
}

/** Of how many people it is asked what if they had answered. */
const MOST_WHAT_IF = 4;

/** What if those who rang without an answer had answered: of each, the first time. */
function whatIfQuestions(recording: Recording): AskedQuestion[] {
  const { rows, recorder } = recording;
  const calls = recorder.records.filter(({ kind }) => kind === "call");
  const found = new Map<string, AskedQuestion>();
  for (const row of rows) {
    const callId = recorder.records[row.record]?.id;
    // to play the run up to a row takes long: only where somebody begins to ring of whom nothing is asked yet
    const isNew = ({ lane, does }: EndpointNote) =>
      does === "rings" && !found.has(lane) && !hasAnswered(recording, callId ?? "", lane);
    if (row.kind !== "ring" || callId === undefined || !row.endpoints.some(isNew)) continue;
    const acts = ringingActs(recording.at(row.step).simulator, recording);
    for (const act of acts) {
      const [call, by] = [String(act.args.call), String(act.args.by)];
      if (act.command !== "answer" || found.has(by) || hasAnswered(recording, call, by)) continue;
      const label = calls.find(({ id }) => id === call)?.label;
      const which = calls.length < 2 || label === undefined ? "" : ` call ${label}`;
      const text = `What if ${recorder.lanes.name(by)} had answered${which}?`;
      found.set(by, { text, row: row.index, answer: { act } });
      if (found.size === MOST_WHAT_IF) return [...found.values()];
    }
  }
  return [...found.values()];
}

function hasAnswered({ simulator }: Recording, callId: string, who: string): boolean {
  const { parties } = simulator.calls.get(callId).record;
  return parties.some(
    ({ entryId, dials }) => entryId === who && dials.some(({ outcome }) => outcome === "answered"),
  );
}
