import type { Alikeness, ChoicePoint, Chooser, Deviation, Option } from "../engine/choices.ts";
import { CommandError, InputError, LimitError, RunawayError } from "../engine/errors.ts";
import { isPromise } from "../engine/promises.ts";
import { untilQuiet, untilStill } from "../engine/quiet.ts";
import type { JournalDocument } from "../options.ts";
import type { RequestRecord } from "../records/request.ts";
import type { Simulator } from "../simulator.ts";
import { CoverageWatch } from "./coverage.ts";
import { type Broken, subjectDefects, WorldBroken, wordsOf } from "./failure.ts";
import { FakeTime } from "./fake-time.ts";
import type { Check, Integration } from "./integration.ts";
import { type Mutation, mutate, typeOf } from "./mutants.ts";
import type { Patience } from "./real-time.ts";
import { RestGate } from "./rest-gate.ts";
import type { Playing, Script } from "./script.ts";

/** What is the same for all worlds. */
export interface Setup<T> extends Integration<T> {
  readonly script: Script;
  /** Waits for promises of the subject. */
  readonly patience: Patience;
}

/** A choice point that a world reached. */
export interface Met {
  readonly point: ChoicePoint;
  readonly options: readonly Option[];
}

/** The result of a world. */
export interface WorldRun {
  readonly broken: Broken | undefined;
  /** The choice points, in the order of the run. */
  readonly met: readonly Met[];
  /** For each deviation, whether other forms of it would have shown the subject the same. */
  readonly alikeness: readonly Alikeness[];
  /** The deviations that the chooser took. */
  readonly chosen: readonly Deviation[];
  /** The steps of the scenario that the run did not allow. */
  readonly skipped: readonly number[];
  /** Deviations whose choice point the run did not reach. */
  readonly unmet: readonly Deviation[];
  /** The properties of `sometimes` that held. */
  readonly held: readonly string[];
  /** The requests that the subject received: when and what. */
  readonly received: readonly string[];
  /** The world's journal, if it was asked for. */
  readonly journal: JournalDocument | undefined;
  /** How many steps the simulator took, including those of the script. */
  readonly steps: number;
  /** How many requests the subject received, plus how many of its own were answered. */
  readonly requests: number;
  /** The URLs of requests without a route. */
  readonly unrouted: readonly string[];
  /** The event types that webhooks delivered to the subject, if they were asked for. */
  readonly told: readonly string[];
  /**
   * The states and transitions of machines that the world reached, as `CoverageCount` counts them; empty for an
   * unjudged run.
   */
  readonly reached: readonly number[];
}

/** What a run is to return. */
export interface Wanted {
  /** The choice points. */
  readonly points?: boolean;
  /** Without checking properties or coverage. */
  readonly unjudged?: boolean;
  /** The event types that webhooks deliver to the subject. */
  readonly told?: boolean;
  readonly received?: boolean;
  readonly journal?: boolean;
  /** The change of the platform. */
  readonly mutation?: Mutation;
  /** Decides at choice points for which nothing is planned. */
  readonly chooser?: Chooser;
}

/** After how many turns of the event loop the subject is taken to wait for something outside itself. */
const MANY_TURNS = 100;

/** One run of the script, with a subject of its own. */
export class World<T> {
  private readonly simulator: Simulator;
  private readonly gate: RestGate;
  private readonly coverage: CoverageWatch | undefined;
  /** Set if fake timers are on. */
  private readonly fakeTime: FakeTime | undefined;
  private readonly met: Met[] = [];
  private readonly received: string[] = [];
  private readonly skipped: number[] = [];
  private readonly held = new Set<string>();
  private readonly told = new Set<string>();
  private subject: T | undefined;
  private isBuilt = false;
  /** How many requests and answers the subject has received, plus how many events its handlers may have heard. */
  private count = 0;
  private checkedCount = 0;
  private requests = 0;
  private steps = 0;
  /** How many turns of the event loop a handler was waited for since the last step. */
  private turns = 0;
  /** The property that is being checked. */
  private lookedAt: string | undefined;

  constructor(
    private readonly setup: Setup<T>,
    private readonly deviations: readonly Deviation[],
    private readonly wanted: Wanted,
  ) {
    this.simulator = setup.script.begin();
    this.coverage = wanted.unjudged === true ? undefined : new CoverageWatch(this.simulator);
    const { engine, network } = this.simulator.inside;
    if (wanted.points === true) engine.choices.watch((point, options) => this.met.push({ point, options }));
    if (wanted.chooser !== undefined) engine.choices.decideBy(wanted.chooser);
    // the report says it instead
    engine.waitQuietly();
    setup.script.plan(this.simulator, deviations);
    this.gate = new RestGate(this.simulator, engine.choices);
    if (wanted.mutation !== undefined) mutate(this.simulator, wanted.mutation);
    network.asked = (request) => {
      this.count++;
      this.requests++;
      const type = wanted.told === true ? typeOf(request) : undefined;
      if (type !== undefined) this.told.add(type);
      if (wanted.received === true)
        this.received.push(
          `${engine.now} ${request.to} ${request.subject} ${request.recordId} ${request.duplicateOf === null}`,
        );
    };
    this.fakeTime = FakeTime.begin(this.simulator);
    // what a subject does at an instant takes no real time; but a real server must not be polled without end
    engine.timeWaits.grace = () => (this.turns++ < MANY_TURNS ? untilQuiet() : untilStill());
    engine.afterItem = (isCallback) => {
      if (isCallback === true) this.count++;
      this.turns = 0;
      this.fakeTime?.look(isCallback === true);
      return this.afterItem();
    };
  }

  async run(): Promise<WorldRun> {
    const broken = await this.play();
    const { choices } = this.simulator.inside.engine;
    const run = {
      broken,
      met: this.met,
      alikeness: this.deviations.map((_, index) => choices.alikeness(index)),
      chosen: choices.chosen,
      skipped: this.skipped,
      unmet: choices.unmet,
      held: [...this.held],
      received: this.received,
      journal: this.wanted.journal === true ? this.simulator.journal() : undefined,
      steps: this.steps,
      requests: this.requests + this.gate.given,
      unrouted: unroutedIn(this.simulator.inside.network.requests()),
      told: [...this.told],
      reached: this.coverage?.places ?? [],
    };
    await this.dispose();
    return run;
  }

  private async play(): Promise<Broken | undefined> {
    try {
      await this.patiently(this.playThrough());
      return undefined;
    } catch (thrown) {
      return brokenBy(thrown);
    }
  }

  private async playThrough(): Promise<void> {
    const { setup, simulator, deviations, wanted } = this;
    this.subject = await setup.subject(simulator);
    this.isBuilt = true;
    this.fakeTime?.look(false);
    const playing: Playing = {
      isDeviating: deviations.length + setup.script.own.length > 0 || wanted.chooser !== undefined,
      afterStep: () => {
        this.fakeTime?.look(false);
        return this.afterItem();
      },
      skipped: (index) => this.skipped.push(index),
    };
    await setup.script.play(simulator, playing);
    await simulator.runUntilIdleAsync();
    this.mustHaveNothingOpen();
    if (wanted.unjudged === true) return;
    await this.check(setup.eventually);
    this.wish();
  }

  /** Waits as long as something happens. A step that never ends is a failure. */
  private async patiently(going: Promise<void>): Promise<void> {
    const { patience } = this.setup;
    const outcome = await patience.waitFor(going, () => this.steps + this.gate.given);
    if (outcome === "nothing happened")
      throw new WorldBroken(
        subjectDefects.hangs,
        `nothing happened for ${patience.ms} ms${this.whatItWaitsFor()}`,
      );
    if ("thrown" in outcome) throw outcome.thrown;
  }

  private whatItWaitsFor(): string {
    if (!this.isBuilt) return " while the subject was being built";
    if (this.lookedAt !== undefined) return ` while "${this.lookedAt}" was looked at`;
    const [request] = this.simulator.network.requests.filter(({ endedAt }) => endedAt === null);
    return request === undefined ? "" : ` while the subject was handling ${request.method} ${request.to}`;
  }

  /** Called after each item of the agenda and each step of the script. */
  private afterItem(): void | Promise<void> {
    this.steps++;
    const given = this.gate.untilGiven();
    return given === undefined ? this.look() : given.then(() => this.look());
  }

  /** Checks what must always hold, if the subject received something. */
  private look(): void | Promise<void> {
    if (!this.isBuilt || this.wanted.unjudged === true) return;
    const { log } = this.simulator.inside.engine;
    const count = this.count + this.gate.given + (log.isHeard ? log.total : 0);
    if (count === this.checkedCount) return;
    this.checkedCount = count;
    // another handler may still wait for its answers
    if (!this.simulator.inside.engine.isAnsweredAhead) this.mustHaveNothingOpen();
    this.wish();
    return this.check(this.setup.always);
  }

  private mustHaveNothingOpen(): void {
    const [label] = this.gate.waiting;
    if (label !== undefined)
      throw new WorldBroken(
        subjectDefects.leavesPromise,
        `the subject was done, but nobody had waited for the answer to its ${label}`,
      );
  }

  /** Checks properties one after another. Returns a promise only if a property does. */
  private check(properties: Readonly<Record<string, Check<T>>>): void | Promise<void> {
    let waits: Promise<void> | undefined;
    for (const name in properties) {
      const look = () => {
        this.lookedAt = name;
        return (properties[name] as Check<T>)(this.simulator, this.subject as T);
      };
      if (waits !== undefined) waits = waits.then(async () => judge(name, look));
      else waits = judge(name, look);
    }
    if (waits === undefined) this.lookedAt = undefined;
    return waits?.then(() => {
      this.lookedAt = undefined;
    });
  }

  private wish(): void {
    const { sometimes } = this.setup;
    for (const name in sometimes)
      if (!this.held.has(name) && sometimes[name]?.(this.simulator, this.subject as T) === true)
        this.held.add(name);
  }

  private async dispose(): Promise<void> {
    const { engine, network } = this.simulator.inside;
    engine.afterItem = undefined;
    network.asked = undefined;
    network.between = undefined;
    this.gate.close();
    await disposeOf(this.subject);
    this.fakeTime?.end();
    this.simulator.dispose();
  }
}

/** The URLs of requests without a route, each once. */
function unroutedIn(requests: Iterable<RequestRecord>): string[] {
  const addresses = new Set<string>();
  for (const { to, isUnrouted } of requests) if (isUnrouted) addresses.add(to.replace(/\?.*/, ""));
  return [...addresses];
}

/** Checks one property. @throws {WorldBroken} if it does not hold */
function judge(name: string, look: () => unknown): Promise<void> | undefined {
  const doesNotHold = (thrown: unknown) => {
    throw new WorldBroken(name, wordsOf(thrown));
  };
  try {
    const result = look();
    if (!isPromise(result)) return mustNotBeFalse(name, result);
    return Promise.resolve(result).then((settled) => mustNotBeFalse(name, settled), doesNotHold);
  } catch (thrown) {
    return doesNotHold(thrown);
  }
}

/** A property may fail by returning false, since those of `sometimes` return booleans. */
function mustNotBeFalse(name: string, result: unknown): undefined {
  if (result === false) throw new WorldBroken(name, "returned false; throw, or use `expect`, to say why");
}

function brokenBy(thrown: unknown): Broken {
  if (thrown instanceof WorldBroken) return { property: thrown.property, message: thrown.message };
  if (thrown instanceof InputError || (thrown instanceof Error && thrown.name === "ScenarioError"))
    throw thrown;
  if (thrown instanceof RunawayError || thrown instanceof LimitError)
    return { property: subjectDefects.restless, message: wordsOf(thrown) };
  if (thrown instanceof AggregateError) {
    const own = thrown.errors.find((each) => each instanceof WorldBroken);
    if (own !== undefined) return brokenBy(own);
  }
  const code = thrown instanceof CommandError ? `${thrown.code}: ` : "";
  return { property: subjectDefects.threw, message: code + wordsOf(thrown) };
}

const disposeSymbol: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");
const asyncDisposeSymbol: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose");

/** Disposes a subject that can be disposed of. */
async function disposeOf(subject: unknown): Promise<void> {
  if ((typeof subject !== "object" && typeof subject !== "function") || subject === null) return;
  const { [asyncDisposeSymbol]: endAsync, [disposeSymbol]: end } = subject as Partial<
    AsyncDisposable & Disposable
  >;
  if (typeof endAsync === "function") await endAsync.call(subject);
  else if (typeof end === "function") end.call(subject);
}
