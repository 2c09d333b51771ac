import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type AnyActor, type AnyEventObject, type AnyStateMachine, createActor } from "xstate";
import { machines } from "../../machines/index.ts";
import type { AgendaItem } from "../../src/core/engine/agenda.ts";
import { Engine } from "../../src/core/engine/engine.ts";
import { MachineHost } from "../../src/core/engine/machine-host.ts";
import type { Snapshot } from "../../src/core/statecharts/chart.ts";
import { runScenario } from "../../src/index.ts";
import { lesson, lessons } from "../capture/support.ts";
import { expectNone } from "../lists.ts";
import { options } from "./arbitraries.ts";
import { run } from "./moves/index.ts";
import { played } from "./play.ts";
import { always } from "./support.ts";

/**
 * Each machine that a simulator runs is driven a second time, by XState's own actor, which keeps its timers by a clock of its
 * own. Whatever the simulator sends is sent to the actor at the same instant; time alone must bring about the rest.
 */

/** A clock of virtual time that runs one timer at a time, at its own instant. */
class SteppingClock {
  private readonly timers = new Map<number, { readonly dueMs: number; readonly run: () => void }>();
  private last = 0;

  constructor(public nowMs: number) {}

  setTimeout(run: () => void, delayMs: number): number {
    this.timers.set(++this.last, { dueMs: this.nowMs + delayMs, run });
    return this.last;
  }

  clearTimeout(id: number): void {
    this.timers.delete(id);
  }

  /** Runs the earliest timer, of equal ones the first that was set, if it is due by then. @returns whether one was */
  runNext(byMs: number): boolean {
    const [next] = [...this.timers].sort(([, one], [, other]) => one.dueMs - other.dueMs);
    if (next === undefined || next[1].dueMs > byMs) return false;
    this.timers.delete(next[0]);
    this.nowMs = next[1].dueMs;
    next[1].run();
    return true;
  }
}

/** One instance of a machine, and the actor that does the same. */
class Twin {
  private readonly clock: SteppingClock;
  private readonly actor: AnyActor;
  private readonly taken: string[] = [];

  constructor(
    readonly machine: string,
    definition: AnyStateMachine,
    input: unknown,
    nowMs: number,
  ) {
    this.clock = new SteppingClock(nowMs);
    this.actor = createActor(definition, { input, clock: this.clock as never });
    this.actor.subscribe({ next: () => this.note(), error: (error) => this.taken.push(String(error)) });
    this.actor.start();
    this.taken.splice(0);
  }

  send(event: AnyEventObject, nowMs: number): void {
    this.until(nowMs - 1);
    this.clock.nowMs = nowMs;
    this.actor.send(event);
  }

  /** A timer of the simulator is due: so must be one of the actor. */
  fire(nowMs: number): void {
    this.until(nowMs - 1);
    if (!this.clock.runNext(nowMs)) this.taken.push("no timer is due");
  }

  /** Runs what is due by an instant. */
  until(nowMs: number): void {
    while (this.clock.runNext(nowMs));
  }

  /** What it did since the last call, each step with its instant. */
  steps(): string[] {
    return this.taken.splice(0);
  }

  get now(): string {
    const { value, context } = this.actor.getSnapshot();
    return textOf(this.clock.nowMs, { value, context });
  }

  private note(): void {
    this.taken.push(this.now);
  }
}

const textOf = (nowMs: number, { value, context }: Pick<Snapshot, "value" | "context">) =>
  JSON.stringify([nowMs, value, context]);

/** The parts of a host that the test stands in for, of which some are private. */
interface Host {
  start(machine: string, id: string, about: unknown, input: unknown): void;
  send(machine: string, id: string, event: AnyEventObject): void;
  fire(item: AgendaItem): void;
  performEffects(instance: {
    readonly machine: string;
    readonly id: string;
    readonly snapshot: Snapshot;
  }): void;
}

/** Drives an actor beside each machine of a run. */
class Watch {
  readonly problems: string[] = [];
  /** The machines that ran. */
  readonly seen = new Set<string>();
  private readonly twins = new Map<string, Twin>();
  private engine: Engine | undefined;

  constructor() {
    const watch = this;
    const { connect } = Engine.prototype;
    vi.spyOn(Engine.prototype, "connect").mockImplementation(function (this: Engine, hooks) {
      watch.engine = this;
      connect.call(this, hooks);
    });
    const host = MachineHost.prototype as unknown as Host;
    const { start, send, fire, performEffects } = host;
    vi.spyOn(host, "start").mockImplementation(function (this: Host, machine, id, about, input) {
      watch.twins.set(`${machine} ${id}`, new Twin(machine, definitionOf(machine), input, watch.nowMs));
      watch.seen.add(machine);
      start.call(this, machine, id, about, input);
    });
    vi.spyOn(host, "send").mockImplementation(function (this: Host, machine, id, event) {
      watch.twinOf(machine, id)?.send(event, watch.nowMs);
      send.call(this, machine, id, event);
    });
    vi.spyOn(host, "fire").mockImplementation(function (this: Host, item) {
      const { machine, id } = item.data as { machine: string; id: string };
      watch.twinOf(machine, id)?.fire(watch.nowMs);
      fire.call(this, item);
    });
    vi.spyOn(host, "performEffects").mockImplementation(function (this: Host, instance, ...rest: []) {
      watch.compare(instance);
      performEffects.call(this, instance, ...rest);
    });
  }

  /** Lets the actors do what is due by now: nothing more. */
  end(): void {
    for (const twin of this.twins.values()) {
      twin.until(this.nowMs);
      this.problems.push(...twin.steps().map((step) => `${twin.machine}: only the actor: ${step}`));
    }
    this.twins.clear();
  }

  private get nowMs(): number {
    if (this.engine === undefined) throw new Error("no simulator runs");
    return this.engine.now;
  }

  private twinOf(machine: string, id: string): Twin | undefined {
    return this.twins.get(`${machine} ${id}`);
  }

  /** Compares a step of the simulator with what the actor has just done. */
  private compare({ machine, id, snapshot }: Parameters<Host["performEffects"]>[0]): void {
    const twin = this.twinOf(machine, id);
    if (twin === undefined) throw new Error(`no actor for the ${machine} machine of ${id}`);
    const ours = textOf(this.nowMs, snapshot);
    const theirs = twin.steps();
    if (theirs.length > 1 || twin.now !== ours || theirs.some((step) => step !== ours))
      this.problems.push(`${machine} ${id}: ${ours} in the simulator, ${[...theirs, twin.now]} in the actor`);
  }
}

function definitionOf(machine: string): AnyStateMachine {
  const found = Object.values(machines).find(({ id }) => id === machine);
  if (found === undefined) throw new Error(`no machine is named ${machine}`);
  return found as AnyStateMachine;
}

describe("A machine goes the same way in XState's own actor as in the simulator, at the same instants", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("in random runs", () => {
    const watch = new Watch();
    always(100, fc.tuple(options, run), ([given, moves]) => {
      played(given, moves).sim.advance("PT30M");
      watch.end();
      expectNone(watch.problems);
    });
    expect(watch.seen.size).toBeGreaterThan(4);
  });

  it("in the lessons, which run each of them", () => {
    const watch = new Watch();
    for (const name of lessons) {
      runScenario(lesson(name));
      watch.end();
      expectNone(watch.problems.map((problem) => `${name}: ${problem}`));
    }
    expect([...watch.seen].sort()).toEqual(
      Object.values(machines)
        .map(({ id }) => id)
        .sort(),
    );
  });
});
