import { clock } from "../../src/core/foundation/clock.ts";
import type { Scenario } from "../../src/index.ts";
import type { PageRow } from "../../src/inspector/model/types.ts";
import { type EventCard, isSameCard, type PlayedCard } from "./cards.ts";
import { type RecordedRun, recordScenario } from "./recorded-run.ts";

/** Runs near a lesson's: one step is gone, is done by someone else or at another time, or has come in addition. */

type Step = Scenario["steps"][number];

/** A change of a scenario, with words that follow "Your guess would be right". */
interface Change {
  readonly steps: readonly Step[];
  /** @param near the run with the change */
  words(near: RecordedRun): string;
}

/** A run with one change. */
export interface NearPlayed {
  readonly words: string;
  readonly run: RecordedRun;
}

/** How many changes of a lesson are played at most. */
const MAX_CHANGES = 24;

/**
 * Plays runs near a lesson's, the nearest first.
 * @param exercise the scenario as the lesson's exercise changes it
 */
export function playNearRuns(scenario: Scenario, base: RecordedRun, exercise?: Scenario): NearPlayed[] {
  const changes = [
    ...(exercise === undefined ? [] : exerciseChange(scenario, base, exercise)),
    ...otherPeople(scenario, base),
    ...addedSteps(scenario, base),
    ...removedSteps(scenario, base),
    ...otherTimes(scenario, base),
    ...otherTargets(scenario, base),
    ...otherAnswers(scenario),
  ];
  return changes.slice(0, MAX_CHANGES).flatMap(({ steps, words }) => {
    const run = recordScenario({ ...scenario, steps, expect: undefined, expectAttempts: undefined });
    return [{ words: words(run), run }];
  });
}

/** The index of the first card that differs; undefined if all are the same. */
export function firstDifference(one: readonly PlayedCard[], other: readonly PlayedCard[]) {
  const longer = Math.max(one.length, other.length);
  for (let at = 0; at < longer; at++) {
    if (!areSame(one[at]?.card, other[at]?.card)) return at;
  }
  return undefined;
}

/** Whether two optional cards say the same. */
export function areSame(one: EventCard | undefined, other: EventCard | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return isSameCard(one, other);
}

/** The exercise, if it changes one step. */
function exerciseChange(scenario: Scenario, base: RecordedRun, exercise: Scenario): Change[] {
  const { steps } = exercise;
  if (steps.length !== scenario.steps.length) return [];
  const changed = steps.flatMap((step, index) => {
    const before = scenario.steps[index];
    const isSame =
      before?.atMs === step.atMs &&
      before?.command === step.command &&
      JSON.stringify(before.args) === JSON.stringify(step.args);
    return isSame ? [] : [{ step, before }];
  });
  const [only] = changed;
  if (only === undefined || changed.length > 1) return [];
  const { step, before } = only;
  if (before !== undefined && before.atMs !== step.atMs)
    return [{ steps, words: () => timeWords(base, before, step.atMs ?? 0) }];
  return [{ steps, words: (near) => insteadWords(near, step) }];
}

/** Someone else hangs up or answers. */
function otherPeople(scenario: Scenario, base: RecordedRun): Change[] {
  const { steps } = scenario;
  const hangups = steps.flatMap((step, index) => {
    if (step.command !== "hangup" || step.atMs === undefined) return [];
    const talking = base.bars.filter(({ kind, lane, fromRow, toRow }) => {
      const [from = 0, to = 0] = [base.rows[fromRow]?.atMs, base.rows[toRow]?.atMs];
      return kind === "talk" && from <= (step.atMs ?? 0) && to >= (step.atMs ?? 0) && isInside(base, lane);
    });
    const others = ["caller", ...talking.map(({ lane }) => lane)].filter((by) => by !== step.args.by);
    return distinct(others).map((by): Change => {
      const changed = { ...step, args: { ...step.args, by } };
      return {
        steps: steps.with(index, changed),
        words: (near) => `if ${subjectOf(near, changed)} hung up at ${timeOf(changed)}`,
      };
    });
  });
  return [...hangups, ...otherAnswerers(scenario, base)];
}

/** Someone else who rings answers first. */
function otherAnswerers({ steps }: Scenario, base: RecordedRun): Change[] {
  return ringing(base).flatMap(({ lane, record, atMs }) => {
    const first = steps.findIndex(
      ({ command, args }) => command === "answer" && isNamed(args.call, record, steps, base),
    );
    const own = steps[first];
    if (own?.args.by === lane || String(own?.args.by).startsWith(`${lane}@`)) return [];
    const call = own?.args.call ?? base.records[record]?.id;
    const answer = makeStep(own ?? steps[0], "answer", { call, by: lane }, atMs);
    const rest = own === undefined ? steps : steps.filter((_, index) => index !== first);
    return [
      {
        steps: inserted(rest, answer),
        words: () => `if ${nameOf(base, lane)} answered at ${clock(atMs)}`,
      },
    ];
  });
}

/** The caller gives up while phones ring, or someone declines. */
function addedSteps({ steps }: Scenario, base: RecordedRun): Change[] {
  const seen = new Set<number>();
  return ringing(base).flatMap(({ lane, record, atMs }) => {
    const call = base.records[record]?.id;
    const decline = makeStep(steps[0], "decline", { call, by: lane }, atMs);
    const hangup = makeStep(steps[0], "hangup", { call, by: "caller" }, atMs);
    const changes: Change[] = [
      { steps: inserted(steps, decline), words: () => `if ${nameOf(base, lane)} declined at ${clock(atMs)}` },
    ];
    if (!seen.has(record))
      changes.unshift({
        steps: inserted(steps, hangup),
        words: (near) => `if ${subjectOf(near, hangup)} hung up at ${clock(atMs)}`,
      });
    seen.add(record);
    return changes;
  });
}

/** How `remove` is said of steps that have a verb of their own. */
const without: Readonly<Record<string, string>> = {
  answer: "did not answer",
  hangup: "did not hang up",
  decline: "did not decline",
  leaveVoicemail: "said nothing",
  transfer: "did not transfer the call",
  move: "did not move the call",
};

/** Without these there would be nothing to predict. */
const beginnings = new Set([
  "inbound",
  "outbound",
  "internal",
  "redirect",
  "createWebhook",
  "behave",
  "traffic",
]);

function removedSteps({ steps }: Scenario, base: RecordedRun): Change[] {
  return steps.flatMap((step, index) => {
    const isUsed = step.as !== undefined && steps.some(({ args }) => Object.values(args).includes(step.as));
    const isNeeded = isUsed || beginnings.has(step.command);
    if (isNeeded || steps.length < 2) return [];
    const verb = without[step.command];
    const words =
      verb === undefined
        ? `without “${sentenceOf(base, step)}”`
        : `if ${subjectOf(base, step)} ${verb}${step.atMs === undefined ? "" : ` at ${timeOf(step)}`}`;
    return [{ steps: steps.toSpliced(index, 1), words: () => words }];
  });
}

/** Steps at half their time, and ten seconds later. */
function otherTimes({ steps }: Scenario, base: RecordedRun): Change[] {
  return steps.flatMap((step, index) => {
    const { atMs } = step;
    if (atMs === undefined || atMs === 0) return [];
    const before = steps[index - 1]?.atMs ?? 0;
    const sooner = Math.max(before, Math.floor((before + atMs) / 2000) * 1000);
    const times = [...(sooner < atMs ? [sooner] : []), atMs + 10_000];
    return times.map((time): Change => {
      const changed = { ...step, atMs: time };
      const rest = steps.toSpliced(index, 1);
      return { steps: inserted(rest, changed), words: () => timeWords(base, step, time) };
    });
  });
}

/** Someone else is called. */
function otherTargets({ steps, options }: Scenario, base: RecordedRun): Change[] {
  const numbers = options.organisation?.numbers ?? [];
  return steps.flatMap((step, index) => {
    if (step.command !== "inbound") return [];
    const called = numbers.find(({ number }) => number === step.args.to)?.owner;
    const others = numbers.filter(({ owner }) => owner !== called && owner !== undefined);
    const byOwner = new Map(others.map(({ owner, number }) => [owner, number] as const));
    return [...byOwner].slice(0, 3).map(([owner, to]): Change => {
      const changed = { ...step, args: { ...step.args, to } };
      return {
        steps: steps.with(index, changed),
        words: (near) => `if ${subjectOf(near, changed)} called ${nameOf(base, owner ?? "")}`,
      };
    });
  });
}

/** An endpoint answers with another status. */
function otherAnswers({ steps }: Scenario): Change[] {
  return steps.flatMap((step, index) => {
    const { status } = step.args;
    if (!["fault", "route"].includes(step.command) || typeof status !== "number") return [];
    const others = [200, 400, 503].filter((each) => each !== status);
    return others.map((other): Change => {
      const changed = { ...step, args: { ...step.args, status: other } };
      return { steps: steps.with(index, changed), words: (near) => insteadWords(near, changed) };
    });
  });
}

/** Who rings in a run, once for each call, with a time within the first ring. */
function ringing(base: RecordedRun) {
  const found = new Map<string, { lane: string; record: number; atMs: number }>();
  for (const { kind, lane, record, fromRow, toRow } of base.bars) {
    const key = `${lane} ${record}`;
    if (kind !== "ring" || found.has(key)) continue;
    const [from = 0, to = 0] = [base.rows[fromRow]?.atMs, base.rows[toRow]?.atMs];
    const within = Math.min(5000, Math.floor((to - from) / 2000) * 1000);
    if (within > 0) found.set(key, { lane, record, atMs: from + within });
  }
  return [...found.values()];
}

function isInside({ lanes }: RecordedRun, lane: string): boolean {
  return lanes.some(({ id, kind }) => id === lane && (kind === "member" || kind === "other"));
}

/** Whether a step's argument means a call of the run. */
function isNamed(call: unknown, record: number, steps: readonly Step[], { records }: RecordedRun): boolean {
  if (call === records[record]?.id) return true;
  const makers = steps.filter(({ as }) => as !== undefined).map(({ as }) => as);
  return makers.indexOf(call as string) === record;
}

function makeStep(like: Step | undefined, command: Step["command"], args: Step["args"], atMs: number): Step {
  const position = like?.position ?? { line: 1, column: 1, endLine: 1, endColumn: 1 };
  return { atMs, on: undefined, command, args, as: undefined, position };
}

/** Steps with one more, at its time. */
function inserted(steps: readonly Step[], step: Step): Step[] {
  const later = steps.findIndex(({ atMs }) => atMs !== undefined && atMs > (step.atMs ?? 0));
  return later < 0 ? [...steps, step] : steps.toSpliced(later, 0, step);
}

/** The row of a step. */
export function rowOfStep({ rows }: RecordedRun, { command, atMs, args }: Step): PageRow | undefined {
  const ofCommand = rows.filter((row) => row.command?.name === command && row.atMs === (atMs ?? row.atMs));
  const given = JSON.stringify(args.by ?? args.from ?? args.user ?? args.url ?? "");
  return ofCommand.find(({ command: done }) => JSON.stringify(done?.args).includes(given)) ?? ofCommand[0];
}

/** Who does a step. */
function subjectOf(run: RecordedRun, step: Step): string {
  const row = rowOfStep(run, step);
  if (row !== undefined) return row.subject;
  const { by, from } = step.args;
  return by === "caller" || by === undefined
    ? nameOf(run, String(from ?? "the caller"))
    : nameOf(run, String(by));
}

/** A step as its row says it, without what it led to. */
export function sentenceOf(run: RecordedRun, step: Step): string {
  const row = rowOfStep(run, step);
  if (row === undefined) return `${step.command} at ${timeOf(step)}`;
  const [detail = ""] = row.detail.split(";");
  const isPhone = /^on \w+$/.test(detail) || /stops?$/.test(detail) || /ext\. \d+$/.test(detail);
  const words = [row.subject, row.verb, isPhone ? "" : withoutAddress(detail)].filter(Boolean).join(" ");
  // the sentence is quoted
  return words.replaceAll("“", "‘").replaceAll("”", "’");
}

function withoutAddress(detail: string): string {
  return detail.replace(/(?:, )?https?:\/\/\S+/, "");
}

function timeWords(base: RecordedRun, step: Step, atMs: number): string {
  const past: Readonly<Record<string, string>> = {
    answer: "answered",
    hangup: "hung up",
    decline: "declined",
  };
  const verb = past[step.command];
  return verb === undefined
    ? `if this came at ${clock(atMs)}: “${sentenceOf(base, step)}”`
    : `if ${subjectOf(base, step)} ${verb} at ${clock(atMs)}`;
}

function insteadWords(run: RecordedRun, step: Step): string {
  return `if this came instead: “${sentenceOf(run, step)}”`;
}

const timeOf = ({ atMs }: Step) => clock(atMs ?? 0);

/** The short name of a lane, a user or a team. */
export function nameOf({ lanes, simulator }: RecordedRun, id: string): string {
  const lane = lanes.find((each) => each.id === id);
  if (lane !== undefined) return lane.kind === "outside" ? lane.name : lane.short;
  const entry = simulator.directory
    .list({ includeSuspendedUsers: true, includeHiddenCallGroups: true })
    .find((each) => each.id === id);
  return entry?.displayName.split(" ")[0] ?? id;
}

const distinct = <T>(items: readonly T[]): T[] => [...new Set(items)];
