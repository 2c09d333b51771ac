import { isoDuration } from "../../core/foundation/instants.ts";
import type { OrganisationInput } from "../../core/generated/inputs.ts";
import type { Inference } from "../infer/infer.ts";
import { isThere, type PartialEventData } from "../read/partial-records.ts";
import type { Match } from "./match.ts";
import type { InferenceRun } from "./play.ts";
import {
  inferenceWithin,
  type TimeRange,
  type UnmatchedEvent,
  unexplainedRanges,
  widen,
} from "./time-ranges.ts";

/** An inference with its run, and how well the run fits the capture. */
export interface Candidate {
  readonly inference: Inference;
  readonly run: InferenceRun;
  readonly match: Match;
}

/** Produces candidates. */
export interface CandidateSource {
  /** @param choices for ambiguous calls: which choice to take, from 0 */
  infer(choices: Readonly<Record<string, number>>): Inference;
  /** @param range compares only the events in it; default: all */
  play(inference: Inference, range?: TimeRange): Candidate;
}

/** The events that only one side has: the capture, or the run. */
function unmatched({ missing, invented }: Match): readonly UnmatchedEvent[] {
  return [...missing, ...invented.map((event) => ({ ...event, timestamp: event.createdTimestamp }))].sort(
    (a, b) => a.timestamp - b.timestamp,
  );
}

/** Whether a candidate misses and invents fewer events than another, or as few with fewer differing fields. */
function isBetter({ match }: Candidate, other: Candidate): boolean {
  const cost = ({ missing, invented }: Match) => 10 * missing.length + 10 * invented.length;
  const most = cost(other.match) + other.match.differences.length / 10;
  // comparing fields takes as long as a run, so it is done only if it can decide
  return cost(match) < most && cost(match) + match.differences.length / 10 < most;
}

/**
 * Searches for a run that explains every event and sends no other. It starts from the inference, then tries other choices for ambiguous
 * calls and other settings for the people and teams of events that only the capture or only the run has, and keeps each
 * change that improves the match. In a long capture a change is tried in a range around these events first, and in the
 * whole only if it helps there.
 * @param maxRuns how many runs are played at most; a run of a range counts as that share
 */
export function search(source: CandidateSource, maxRuns: number): { best: Candidate; isSpent: boolean } {
  const run = new Search(source, maxRuns);
  run.tryAmbiguousCalls();
  run.trySettings();
  return { best: run.best, isSpent: run.hasUnmatched && run.isSpent };
}

class Search {
  best: Candidate;
  private runsPlayed = 1;

  constructor(
    private readonly source: CandidateSource,
    private readonly maxRuns: number,
  ) {
    this.best = source.play(source.infer({}));
  }

  get hasUnmatched(): boolean {
    const { missing, invented } = this.best.match;
    return missing.length + invented.length > 0;
  }

  get isSpent(): boolean {
    return this.runsPlayed >= this.maxRuns;
  }

  get canContinue(): boolean {
    return this.hasUnmatched && !this.isSpent;
  }

  /** Tries the other choices for ambiguous calls. */
  tryAmbiguousCalls(): void {
    const chosen: Record<string, number> = {};
    const { inference } = this.best;
    const starts = new Map(inference.calls.map(({ id, startMs }) => [id, startMs]));
    for (const range of this.ranges())
      for (const { call, choices } of inference.ambiguousCalls) {
        if (!range.contains(starts.get(call) ?? 0)) continue;
        for (let choice = 1; choice < choices && this.canContinue; choice++)
          if (range.tryChange(this.source.infer({ ...chosen, [call]: choice }))) chosen[call] = choice;
      }
  }

  /** Tries other settings until none improves the match. */
  trySettings(): void {
    for (let hasImproved = true; hasImproved; ) {
      hasImproved = false;
      for (const range of this.ranges())
        for (const change of settingChanges(this.best.inference, range.unmatched)) {
          if (!this.canContinue) return;
          const { inference } = this.best;
          const organisation = change(inference.organisation);
          hasImproved = range.tryChange({ ...inference, organisation }) || hasImproved;
        }
    }
  }

  private ranges(): RangeSearch[] {
    const { inference, match } = this.best;
    return unexplainedRanges(unmatched(match), inference).map((range) => new RangeSearch(this, range));
  }

  play(inference: Inference, range?: TimeRange): Candidate {
    this.runsPlayed += range === undefined ? 1 : inference.steps.length / this.best.inference.steps.length;
    return this.source.play(inference, range);
  }
}

/** The search within one time range. */
class RangeSearch {
  readonly unmatched: readonly UnmatchedEvent[];
  /** The range that is played; undefined before the first change, or if it is most of the capture. */
  private playedRange: TimeRange | undefined;
  private previous: Candidate | undefined;
  private hasStarted = false;

  constructor(
    private readonly search: Search,
    private readonly range: TimeRange,
  ) {
    this.unmatched = unmatched(search.best.match).filter(({ timestamp }) => this.contains(timestamp));
  }

  contains(atMs: number): boolean {
    return this.range.fromMs <= atMs && atMs <= this.range.toMs;
  }

  /** Keeps a change that improves both the range and the whole. */
  tryChange(changed: Inference): boolean {
    if (!this.hasStarted) this.playCurrent();
    const own = this.playedRange && inferenceWithin(changed, this.playedRange);
    const next = own && this.search.play(own, this.playedRange);
    if (next !== undefined && this.previous !== undefined && !isBetter(next, this.previous)) return false;
    const whole = this.search.play(changed);
    if (!isBetter(whole, this.search.best)) return false;
    this.search.best = whole;
    this.previous = next;
    return true;
  }

  /** Plays the range with the best inference so far, widened until an event is missing in it. */
  private playCurrent(): void {
    this.hasStarted = true;
    for (let range = this.range; this.search.canContinue; range = widen(range)) {
      const own = inferenceWithin(this.search.best.inference, range);
      if (own === undefined) return;
      this.previous = this.search.play(own, range);
      this.playedRange = range;
      if (unmatched(this.previous.match).length > 0) return;
    }
  }
}

type Change = (organisation: OrganisationInput) => OrganisationInput;
type TeamInput = NonNullable<OrganisationInput["teams"]>[number];
type UserInput = NonNullable<OrganisationInput["users"]>[number];

const changeTeam =
  (id: string, change: (team: TeamInput) => TeamInput): Change =>
  (organisation) => ({
    ...organisation,
    teams: organisation.teams?.map((team) => (team.id === id ? change(team) : team)),
  });

const changeUser =
  (id: string, change: (user: UserInput) => UserInput): Change =>
  (organisation) => ({
    ...organisation,
    users: organisation.users?.map((user) => (user.id === id ? change(user) : user)),
  });

/** How many timeouts of a team are tried. */
const MAX_TIMES = 8;

/** Other settings for the people and teams of events that only one side has. */
function settingChanges({ organisation, calls }: Inference, events: readonly UnmatchedEvent[]): Change[] {
  const callsById = new Map(calls.map((call) => [call.id, call]));
  const ids = new Set<string>();
  const waitsMs = new Set<number>();
  for (const { data, type, timestamp } of events) {
    const { call, team, user } = data as PartialEventData;
    for (const id of [call?.directoryTarget?.id, call?.assignedCallGroup?.id, team?.id, user?.id])
      if (isThere(id)) ids.add(id);
    if (type !== "call.not_answered" || !isThere(call?.startedTimestamp)) continue;
    waitsMs.add(timestamp - call.startedTimestamp);
    // the team's timeout may have ended any ring of the call
    const { rings = [], startMs = 0 } = callsById.get(call.id ?? "") ?? {};
    for (const { toMs } of rings) if (toMs !== undefined && toMs > startMs) waitsMs.add(toMs - startMs);
  }
  const timesMs = [undefined, ...[...waitsMs].slice(0, MAX_TIMES)];
  const teams = (organisation.teams ?? []).filter(({ id }) => ids.has(id));
  const users = (organisation.users ?? []).filter(({ id }) => ids.has(id));
  return [
    ...users.map(({ id }) => changeUser(id, (user) => ({ ...user, voicemail: user.voicemail === false }))),
    ...teams.flatMap(({ id }) => [
      ...timesMs.map((ms) =>
        changeTeam(id, ({ timeout: _, ...team }) =>
          ms === undefined ? team : { ...team, timeout: isoDuration(ms) },
        ),
      ),
      ...[undefined, { voicemail: true as const }, ...teams.map((team) => ({ team: team.id }))].map(
        (unanswered) =>
          changeTeam(id, ({ unanswered: _, ...team }) =>
            unanswered === undefined ? team : { ...team, unanswered },
          ),
      ),
    ]),
  ];
}
