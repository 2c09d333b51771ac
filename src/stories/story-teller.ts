import { CommandError } from "../core/foundation/errors.ts";
import type { CommandInput, CommandName } from "../core/platform/base/core-services.ts";
import { grantedParties } from "../core/platform/catalogue/possible-commands.ts";
import { createdId, playStep, runOn } from "../core/scenario/run.ts";
import type { Scenario, Step } from "../core/scenario/scenario.ts";
import { createUnannounced, type Simulator } from "../core/simulator/simulator.ts";
import { type Actors, listActors } from "./actors.ts";
import { type Act, type ActCommand, actsAt, commandsOfPeople, type Scene } from "./acts.ts";
import { CoverageRecorder } from "./coverage.ts";
import { withoutInterchangeable } from "./interchangeable.ts";
import type { People } from "./people-options.ts";
import { receivedKey, stateKey } from "./story-keys.ts";

/**
 * When two stories are one. `received`: an app of the scenario's webhooks got the same, and the state is the same; this
 * is what apps need. `state`: only the state is the same; this is enough to reach every transition. `none`: never.
 */
export type Merging = "received" | "state" | "none";

/** How stories are told. */
export interface StoryBound extends People {
  /** @default "received" */
  readonly merge?: Merging;
  /** Further acts at an instant. Default: those of people. */
  actsAt?(scene: Scene): readonly Act[];
}

/** A step of a story. */
export interface StoryStep extends ActCommand {
  /** When, ms from the start. */
  readonly atMs: number;
  /** The place of the scenario's step that it is; undefined for an act. */
  readonly own?: number;
  /** The id of what it makes, if an act may name it. */
  readonly made?: string;
}

/** What people do in one run. */
export interface Story {
  readonly acts: number;
  readonly steps: readonly StoryStep[];
  /** The indexes of the states and transitions that it reaches. */
  readonly reached: ReadonlySet<number>;
  /** The run at its end. */
  readonly simulator: Simulator;
}

/** A run up to an instant, from which a story goes on. */
interface Branch {
  readonly simulator: Simulator;
  /** Ids by the names that the scenario's steps gave. */
  readonly named: ReadonlyMap<string, string>;
  /** The place of the next own step. */
  readonly next: number;
  readonly acts: number;
  readonly steps: readonly StoryStep[];
  readonly reached: ReadonlySet<number>;
  /** The users who have acted, or to whom something was done. */
  readonly touched: ReadonlySet<string>;
  /** Whether an earlier story came to the same state: it is told to its end, and begins no others. */
  readonly isKnown: boolean;
}

/** "Within one second" of what happened last. */
const SOON_MS = 400;
/** How long before somebody acts where nothing is due. */
const IDLE_MS = 20_000;
/** After how long somebody hangs up where nobody else would. */
const LONGEST_TALK_MS = 60_000;

/** A step of the scenario, with the time at which it is played. */
interface OwnStep {
  readonly step: Step;
  readonly index: number;
  readonly atMs: number;
}

/**
 * Tells what can become of a scenario if people do more than it says, or leave a step undone: each story with at most so
 * many acts, those with the fewest first. People act soon after something happened, and halfway to what is due next.
 */
export class StoryTeller {
  readonly actors: Actors;
  /** How many acts and ends were left out, after which everything is as in an earlier story. */
  alike = 0;
  private readonly known = new Set<string>();
  private readonly ends = new Set<string>();
  private readonly merge: Merging;
  private readonly start: Simulator;
  private readonly steps: readonly OwnStep[];
  private readonly types: ReadonlySet<string> | undefined;

  /** @throws {InputError} for people that the organisation does not have */
  constructor(
    private readonly scenario: Scenario,
    private readonly bound: StoryBound,
  ) {
    this.merge = bound.merge ?? "received";
    this.start = createUnannounced({ ...scenario.options, ids: "counter" });
    this.steps = timedSteps(scenario, this.start.fork());
    this.types = collectTypes(scenario);
    this.actors = listActors(scenario, bound, this.start, this.unanswered());
  }

  /** Tells the stories. The first, without acts, is the scenario itself. */
  *stories(): Generator<Story> {
    let level: Branch[] = [this.begin()];
    while (level.length > 0) {
      const next: Branch[] = [];
      for (const each of level) {
        const story = new StoryWalk(this, each, next).toTheEnd();
        if (story !== undefined) yield story;
      }
      level = next;
    }
  }

  get startMs(): number {
    return this.start.timestamp;
  }

  ownStep(place: number): OwnStep | undefined {
    return this.steps[place];
  }

  play({ step, index }: OwnStep, simulator: Simulator, named: Map<string, string>): boolean {
    return playStep(this.scenario, simulator, step, index, named, true) === undefined;
  }

  mayAct({ acts }: Pick<Branch, "acts">): boolean {
    return acts < this.bound.acts;
  }

  /** What somebody may try now, without acts that stand for another. */
  actsAt(simulator: Simulator, touched: ReadonlySet<string>): readonly Act[] {
    const scene = { simulator, actors: this.actors };
    const acts = [...actsAt(scene), ...(this.bound.actsAt?.(scene) ?? [])];
    if (this.merge === "none") return acts;
    return withoutInterchangeable(acts, simulator, this.actors, touched);
  }

  /** Whether an earlier story came to the same state. Notes the state. */
  isKnown(simulator: Simulator, next: number): boolean {
    if (this.merge === "none") return false;
    const calls = simulator.calls.list().length;
    const key =
      this.merge === "state"
        ? stateKey(simulator, next, calls)
        : receivedKey(simulator, this.types, "with the state", next, calls);
    return this.isIn(this.known, key);
  }

  /** Whether an app gets no more of a story, and the records say no more, than of an earlier one. */
  isEndKnown(simulator: Simulator): boolean {
    return this.merge === "received" && this.isIn(this.ends, receivedKey(simulator, this.types, "alone"));
  }

  /** Whether a story that comes to a known state is left out: what was received is the same too, so nothing new follows. */
  get leavesOutKnown(): boolean {
    return this.merge === "received";
  }

  private isIn(keys: Set<string>, key: string): boolean {
    if (!keys.has(key)) {
      keys.add(key);
      return false;
    }
    this.alike++;
    return true;
  }

  private begin(): Branch {
    const simulator = this.start.fork();
    const empty = { named: new Map(), steps: [], reached: new Set<number>(), touched: new Set<string>() };
    return { simulator, next: 0, acts: 0, isKnown: false, ...empty };
  }

  /** The run in which nobody answers the first calls. */
  private unanswered(): Simulator {
    const simulator = this.start.fork();
    const named = new Map<string, string>();
    for (const own of this.steps.filter(({ atMs }) => atMs === 0)) this.play(own, simulator, named);
    simulator.runUntilIdle();
    return simulator;
  }
}

/** One story from a beginning to its end. On its way it adds the beginnings of stories with one act more. */
class StoryWalk {
  private readonly simulator: Simulator;
  private readonly recorder: CoverageRecorder;
  private readonly named: Map<string, string>;
  private readonly steps: StoryStep[];
  private next: number;
  private isKnown: boolean;

  constructor(
    private readonly teller: StoryTeller,
    private readonly start: Branch,
    private readonly others: Branch[],
  ) {
    this.simulator = start.simulator;
    this.recorder = new CoverageRecorder(this.simulator);
    this.named = new Map(start.named);
    this.steps = [...start.steps];
    this.next = start.next;
    this.isKnown = start.isKnown;
  }

  /** @returns the story; undefined if it is like an earlier one */
  toTheEnd(): Story | undefined {
    this.playOwnSteps();
    do {
      if (this.mayBranch) for (const atMs of this.instantsToAct()) this.branchAt(atMs);
    } while (this.goOn());
    const { simulator } = this;
    if (this.teller.isEndKnown(simulator)) return undefined;
    return { acts: this.start.acts, steps: this.steps, reached: this.reached, simulator };
  }

  private get mayBranch(): boolean {
    return !this.isKnown && this.teller.mayAct(this.start);
  }

  private get reached(): ReadonlySet<number> {
    return new Set([...this.start.reached, ...this.recorder.places]);
  }

  /** When something happens by itself: a timer, or a step of the scenario. Infinite if nothing does. */
  private get dueMs(): number {
    const { simulator, teller } = this;
    const timer = simulator.pending().find(({ isBackground }) => isBackground !== true)?.dueTimestamp;
    const own = teller.ownStep(this.next)?.atMs;
    return Math.min(
      timer ?? Number.POSITIVE_INFINITY,
      own === undefined ? Number.POSITIVE_INFINITY : teller.startMs + own,
    );
  }

  /** Soon, and halfway to what is due. Without a live call only halfway, if another call may begin. */
  private instantsToAct(): number[] {
    const { simulator, dueMs } = this;
    const now = simulator.timestamp;
    const waitMs = Number.isFinite(dueMs) ? dueMs - now : 2 * IDLE_MS;
    const middle = now + Math.round(waitMs / 2_000) * 1_000;
    if (simulator.calls.live().length === 0)
      return simulator.calls.list().length < this.teller.actors.calls ? [middle] : [];
    const soon = waitMs > SOON_MS ? [now + SOON_MS] : [];
    return waitMs > 4 * SOON_MS ? [...soon, middle] : soon;
  }

  /** Adds what begins with an act at an instant. */
  private branchAt(atMs: number): void {
    const there = this.simulator.fork();
    const recorder = new CoverageRecorder(there);
    if (atMs > there.timestamp) there.advanceTo(atMs);
    const reached = new Set([...this.reached, ...recorder.places]);
    // a refused act changes nothing, so the next one is tried on the same copy
    let unused: Simulator | undefined;
    for (const act of this.teller.actsAt(there, this.start.touched)) {
      const simulator = unused ?? there.fork();
      unused = this.tryAct(act, simulator, reached) ? undefined : simulator;
    }
  }

  /** @returns false if the act was refused, and so has changed nothing */
  private tryAct(act: Act, simulator: Simulator, reachedBefore: ReadonlySet<number>): boolean {
    const { teller } = this;
    const recorder = new CoverageRecorder(simulator);
    const steps = [...this.steps];
    try {
      for (const { name, args } of act.commands) {
        const made = createdId(simulator.command(name, args as CommandInput<CommandName>));
        const atMs = simulator.timestamp - teller.startMs;
        steps.push({ atMs, name, args, ...(made === undefined ? {} : { made }) });
      }
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      return steps.length > this.steps.length;
    }
    if (act.commands.length === 0) return false;
    const reached = new Set([...reachedBefore, ...recorder.places]);
    const touched = new Set([...this.start.touched, act.who, ...(act.to === undefined ? [] : [act.to])]);
    this.add({ simulator, next: this.next, steps, reached, touched });
    return true;
  }

  private add(after: Pick<Branch, "simulator" | "next" | "steps" | "reached" | "touched">): void {
    const { teller, start, named } = this;
    const isKnown = teller.isKnown(after.simulator, after.next);
    if (isKnown && teller.leavesOutKnown) return;
    this.others.push({ ...after, named: new Map(named), acts: start.acts + 1, isKnown });
  }

  /** Plays the scenario's steps that are due. Each that a person does may also be left undone, which is an act. */
  private playOwnSteps(): void {
    const { teller, simulator, steps, named } = this;
    for (let own = teller.ownStep(this.next); own !== undefined; own = teller.ownStep(this.next)) {
      if (teller.startMs + own.atMs > simulator.timestamp) return;
      const { command, args } = own.step;
      if (this.mayBranch && commandsOfPeople.has(command)) {
        const { reached } = this;
        const touched = new Set([...this.start.touched, String(args.by ?? args.user ?? "")]);
        this.add({ simulator: simulator.fork(), next: this.next + 1, steps: [...steps], reached, touched });
      }
      const before = callsAndConversations(simulator);
      if (teller.play(own, simulator, named)) {
        const made = callsAndConversations(simulator).find((id) => !before.includes(id));
        const step = { atMs: own.atMs, name: command, args, own: own.index };
        steps.push(made === undefined ? step : { ...step, made });
      }
      this.next++;
    }
  }

  /** Goes on to what is due. @returns false at the end of the story */
  private goOn(): boolean {
    const { simulator, teller, dueMs } = this;
    if (!Number.isFinite(dueMs)) return this.endTheCall();
    simulator.advanceTo(dueMs);
    this.playOwnSteps();
    if (this.mayBranch && teller.isKnown(simulator, this.next)) this.isKnown = true;
    return true;
  }

  /** Where nobody would ever hang up, the first party that may hangs up a minute later. That is no act. */
  private endTheCall(): boolean {
    const { simulator, teller } = this;
    const [call] = simulator.calls.live();
    if (call === undefined) return false;
    simulator.advance(LONGEST_TALK_MS);
    const by = grantedParties(simulator.services, "hangup").find((each) => each.call === call.id)?.by;
    if (by === undefined) return false;
    const args = { call: call.id, by };
    simulator.command("hangup", args);
    this.steps.push({ atMs: simulator.timestamp - teller.startMs, name: "hangup", args });
    return true;
  }
}

/** The ids of what a step may make and an act may name. */
function callsAndConversations({ calls, conversations }: Simulator): string[] {
  return [...calls.list(), ...conversations.list()].map(({ id }) => id);
}

/**
 * The scenario's steps with the times at which they are played when nobody does anything else, in that order. Steps that
 * wait for an event which then does not come are left out.
 */
function timedSteps(scenario: Scenario, simulator: Simulator): OwnStep[] {
  const startMs = simulator.timestamp;
  const times = new Map(
    scenario.steps.flatMap(({ atMs }, index) => (atMs === undefined ? [] : [[index, atMs]])),
  );
  if (times.size < scenario.steps.length)
    runOn(simulator, { ...scenario, deviations: [] }, { refused: "collect" }, (index) =>
      times.set(index, simulator.timestamp - startMs),
    );
  return scenario.steps
    .flatMap((step, index) => {
      const atMs = times.get(index);
      return atMs === undefined ? [] : [{ step, index, atMs }];
    })
    .sort((a, b) => a.atMs - b.atMs || a.index - b.index);
}

/** The types that the scenario's webhooks ask for; undefined for all, or if the app makes its webhooks itself. */
function collectTypes({ steps }: Scenario): ReadonlySet<string> | undefined {
  const types = new Set<string>();
  for (const { command, args } of steps)
    if (command === "createWebhook")
      for (const type of (args as { readonly events: readonly string[] }).events) types.add(type);
  return types.size === 0 || types.has("*") ? undefined : types;
}
