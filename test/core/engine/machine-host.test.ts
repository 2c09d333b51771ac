import { describe, expect, it } from "vitest";
import { type AnyStateMachine, assign, cancel, emit, enqueueActions, raise, setup } from "xstate";
import { Agenda } from "../../../src/core/engine/agenda.ts";
import { type Fact, MACHINE_TIMER, MachineHost } from "../../../src/core/engine/machine-host.ts";
import { XStateChart } from "../../../src/core/statecharts/by-xstate.ts";
import { chartOf } from "../../../src/core/statecharts/chart-of.ts";
import { CompiledChart } from "../../../src/core/statecharts/compiled.ts";

type Event = { type: string; wait?: unknown };

const made = setup({
  types: {
    context: {} as { wait: unknown },
    input: {} as { wait: unknown },
    events: {} as Event,
  },
  delays: { patience: ({ context }) => context.wait as number },
});

/** @param more further states; the compiler cannot compile a state that has states of its own */
const machineWith = (more: object): AnyStateMachine =>
  made.createMachine({
    id: "door",
    context: ({ input }) => input,
    initial: "idle",
    entry: emit({ type: "begun" }),
    on: {
      STOP: ".over",
      BREAK: {
        actions: assign(() => {
          throw new Error("broken");
        }),
      },
      SHOUT: {
        actions: [emit({ type: "shouts" }), enqueueActions(({ enqueue }) => enqueue(function shout() {}))],
      },
      SET: { actions: assign({ wait: ({ event }) => event.wait }) },
    },
    states: {
      idle: {
        on: {
          PING: { actions: [emit({ type: "pong" }), emit({ type: "again" })] },
          WAIT: "waiting",
          CALM: undefined,
        },
      },
      waiting: {
        entry: emit({ type: "waits" }),
        after: { patience: { target: "idle", actions: emit({ type: "late" }) } },
        on: {
          HASTE: {
            actions: [
              raise({ type: "rang" }, { delay: 5 }),
              raise({ type: "rang" }, { id: "bell", delay: 7 }),
            ],
          },
          CALM: { guard: ({ context }) => context.wait === 10, actions: cancel("bell") },
          rang: { actions: emit({ type: "rang" }) },
        },
      },
      over: { type: "final", entry: emit({ type: "ended" }) },
      ...more,
    },
  });

const nested = { nested: { initial: "inside", states: { inside: {} } } };

/** A host with an agenda for its timers. It notes the facts that it gets. */
function hostOf(machine: AnyStateMachine, onFact: (host: MachineHost, fact: Fact) => void = () => {}) {
  const agenda = new Agenda();
  const facts: string[] = [];
  const steps: unknown[] = [];
  let nowMs = 0;
  const host: MachineHost = new MachineHost(
    { door: machine },
    {
      schedule: (delayMs, task, recordId, purpose, data) =>
        agenda.add({ dueMs: nowMs + delayMs, task, recordId, purpose, data, isBackground: false, depth: 0 }),
      cancel: (serial) => agenda.cancel(serial),
      onStep: (_machine, id, _about, event, before, after) =>
        steps.push([id, event?.type, before?.value, after.value]),
      react: (_machine, { recordId }, fact) => {
        facts.push(`${recordId} ${fact.type}`);
        onFact(host, fact);
      },
    },
  );
  const advance = (ms: number) => {
    const untilMs = nowMs + ms;
    for (let next = agenda.peek(); next !== undefined && next.dueMs <= untilMs; next = agenda.peek()) {
      agenda.take();
      nowMs = next.dueMs;
      host.fire(next);
    }
    nowMs = untilMs;
  };
  const start = (id: string, input: { wait: unknown } = { wait: 10 }) =>
    host.start("door", id, { recordId: id }, input);
  const send = (id: string, type: string, more: object = {}) => host.send("door", id, { type, ...more });
  return { host, agenda, facts, steps, advance, start, send };
}

/** Both ways to run a machine pass the same tests. */
describe.each([
  { way: "compiled", machine: machineWith({}), Kind: CompiledChart },
  { way: "run by XState", machine: machineWith(nested), Kind: XStateChart },
])("A machine that is $way", ({ machine, Kind }) => {
  it("has the chart for it", () => {
    expect(chartOf(machine)).toBeInstanceOf(Kind);
  });

  it("emits its facts in order, each instance for its own record", () => {
    const { host, facts, start, send } = hostOf(machine);
    start("a");
    start("b");
    send("b", "PING");
    expect(facts).toEqual(["a begun", "b begun", "b pong", "b again"]);
    expect(host.state("door", "a")).toBe("idle");
  });

  it("runs once per id, and rejects events for unknown ids", () => {
    const { host, start, send } = hostOf(machine);
    start("a");
    expect(() => start("a")).toThrow('a door machine already runs for "a"');
    expect(() => send("b", "PING")).toThrow('no door machine runs for "b" to take PING');
    expect(() => host.start("gate", "a", { recordId: "a" }, {})).toThrow('no machine is named "gate"');
    expect([host.isRunning("door", "b"), host.state("door", "b")]).toEqual([false, undefined]);
  });

  it("waits for its delay, which has its name in the agenda", () => {
    const { agenda, facts, advance, start, send } = hostOf(machine);
    start("a");
    send("a", "WAIT");
    expect(agenda.list()).toMatchObject([
      { dueMs: 10, task: MACHINE_TIMER, recordId: "a", purpose: "door: patience" },
    ]);
    advance(9);
    expect(facts).toEqual(["a begun", "a waits"]);
    advance(1);
    expect(facts).toEqual(["a begun", "a waits", "a late"]);
  });

  it("cancels a state's timer on leaving it, and all timers at the end", () => {
    const { host, agenda, facts, advance, start, send } = hostOf(machine);
    start("a", { wait: 3 });
    send("a", "WAIT");
    send("a", "HASTE");
    send("a", "STOP");
    expect(host.isRunning("door", "a")).toBe(false);
    expect(agenda.list()).toEqual([]);
    advance(100);
    expect(facts).toEqual(["a begun", "a waits", "a ended"]);
  });

  it("separates unnamed timers, and ignores a timer that its state does not handle", () => {
    const { facts, advance, start, send } = hostOf(machine);
    start("a", { wait: 6 });
    send("a", "WAIT");
    send("a", "HASTE");
    send("a", "HASTE");
    advance(20);
    expect(facts).toEqual(["a begun", "a waits", "a rang", "a rang", "a late"]);
  });

  it("cancels all timers of a name", () => {
    const { agenda, start, send } = hostOf(machine);
    start("a", { wait: 10 });
    send("a", "WAIT");
    for (const type of ["HASTE", "HASTE", "CALM", "CALM"]) send("a", type);
    expect(agenda.list().map(({ dueMs }) => dueMs)).toEqual([5, 5, 10]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, null, undefined, "10"])(
    "rejects a delay of %s",
    (wait) => {
      const { host, agenda, facts, start, send } = hostOf(machine);
      start("a", { wait });
      expect(() => send("a", "WAIT")).toThrow(
        `the door machine of a set a delay of ${wait} for xstate.after.patience.door.waiting: expected a finite number of ms, 0 or more`,
      );
      expect([host.state("door", "a"), facts, agenda.list()]).toEqual(["idle", ["a begun"], []]);
      send("a", "SET", { wait: 0 });
      send("a", "WAIT");
      expect(host.state("door", "a")).toBe("waiting");
    },
  );

  it("rejects every effect except facts and timers and changes nothing", () => {
    const { facts, start, send } = hostOf(machine);
    start("a");
    expect(() => send("a", "SHOUT")).toThrow(
      'the door machine wants the action "shout": a machine may only raise with a delay, cancel and emit',
    );
    expect(facts).toEqual(["a begun"]);
  });

  it("keeps its state if one of its functions throws", () => {
    const { host, start, send } = hostOf(machine);
    start("a");
    send("a", "WAIT");
    expect(() => send("a", "BREAK")).toThrow("broken");
    expect(host.state("door", "a")).toBe("waiting");
  });

  it("accepts an event while its fact is being handled", () => {
    const { facts, start, send } = hostOf(machine, (host, { type }) => {
      if (type === "pong") host.send("door", "a", { type: "WAIT" });
    });
    start("a");
    send("a", "PING");
    expect(facts).toEqual(["a begun", "a pong", "a waits", "a again"]);
  });

  it("lists the events that it accepts", () => {
    const { host, start, send } = hostOf(machine);
    const can = (type: string) => host.can("door", "a", { type });
    expect([can("PING"), host.allowedEvents("door", "a")]).toEqual([false, []]);
    start("a", { wait: 3 });
    expect(["PING", "WAIT", "CALM", "HASTE", "STOP", "NOISE", "*", "xstate.stop"].filter(can)).toEqual([
      "PING",
      "WAIT",
      "STOP",
    ]);
    expect(host.allowedEvents("door", "a").sort()).toEqual(["BREAK", "PING", "SET", "SHOUT", "STOP", "WAIT"]);
    send("a", "WAIT");
    expect(["PING", "HASTE", "CALM", "rang"].filter(can)).toEqual(["HASTE", "rang"]);
    expect(host.allowedEvents("door", "a").sort()).toEqual([
      ...["BREAK", "CALM", "HASTE", "SET", "SHOUT", "STOP", "rang"],
    ]);
    send("a", "SET", { wait: 10 });
    expect(can("CALM")).toBe(true);
  });

  it("rejects an event that its state does not accept, and lists the accepted ones", () => {
    const { host, facts, start, send } = hostOf(machine);
    start("a");
    for (const type of ["NOISE", "HASTE", "CALM"])
      expect(() => send("a", type)).toThrow(
        new RegExp(
          `^the door machine of a does not take {"type":"${type}"} in its state idle, which allows .*PING.*$`,
        ),
      );
    send("a", "WAIT");
    send("a", "SET", { wait: 11 });
    expect(() => send("a", "CALM")).toThrow("in its state waiting, which allows");
    expect([host.state("door", "a"), facts]).toEqual(["waiting", ["a begun", "a waits"]]);
  });

  it("rejects events that are reserved for XState", () => {
    const { start, send } = hostOf(machine);
    start("a");
    for (const type of ["*", "xstate.init", "xstate.stop", "xstate.done.state.door", "xstate.error.actor.x"])
      expect(() => send("a", type)).toThrow(
        `the door machine cannot be sent ${type}: XState reserves that type`,
      );
  });

  it("reports each step before its facts are handled", () => {
    const { steps, advance, start, send } = hostOf(machine);
    start("a");
    send("a", "WAIT");
    advance(10);
    expect(steps).toEqual([
      ["a", undefined, undefined, "idle"],
      ["a", "WAIT", "idle", "waiting"],
      ["a", "xstate.after.patience.door.waiting", "waiting", "idle"],
    ]);
  });

  it("is independent in a fork", () => {
    const [here, there] = [hostOf(machine), hostOf(machine)];
    here.start("a");
    here.send("a", "WAIT");
    here.host.forkInto(there.host);
    here.send("a", "STOP");
    there.send("a", "HASTE");
    expect([here.host.isRunning("door", "a"), there.host.state("door", "a")]).toEqual([false, "waiting"]);
    there.send("a", "STOP");
    expect(there.facts).toEqual(["a ended"]);
  });
});
