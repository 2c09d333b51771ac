import { describe, expect, it } from "vitest";
import {
  type AnyStateMachine,
  assign,
  createMachine,
  emit,
  enqueueActions,
  fromPromise,
  log,
  raise,
  sendTo,
  setup,
  spawnChild,
  stateIn,
} from "xstate";
import { machines } from "../../../machines/index.ts";
import { XStateChart } from "../../../src/core/statecharts/by-xstate.ts";
import { chartOf } from "../../../src/core/statecharts/chart-of.ts";
import { CompiledChart } from "../../../src/core/statecharts/compiled.ts";
import { Exploration } from "./exploration.ts";
import { ours } from "./subjects.ts";
import { testMachines } from "./test-machines.ts";

/**
 * Runs a machine compiled and by XState, side by side. After every step both have the same state, context, status,
 * output and actions in the same order, and agree on which events they take. test/properties has random walks with
 * random payloads.
 */
describe("A compiled machine behaves like XState in every reachable state", () => {
  it.each(Object.entries(ours))("%s", (_, subject) => {
    const exploration = new Exploration(subject, 5_000);
    expect(
      exploration.isComplete,
      "test/core/statecharts/compiled.test.ts: it has more states: raise their limit",
    ).toBe(true);
    const where = "test/core/statecharts/subjects.ts: add the events that take these transitions, or `dead`";
    expect(exploration.missed, where).toEqual(subject.dead ?? []);
  });

  it.each(Object.entries(testMachines))("%s, a test machine", (_, subject) => {
    expect(new Exploration(subject, 300).missed).toEqual([]);
  });
});

describe("The compiler compiles", () => {
  it.each(Object.entries(machines))("%s", (_, machine) => {
    expect(chartOf(machine)).toBeInstanceOf(CompiledChart);
  });
});

const child = fromPromise(async () => 1);
const flat = (more: object) => createMachine({ initial: "a", states: { a: more, b: {} } } as never);
const at = (transition: unknown) => flat({ on: { GO: transition } });

/** Each with the part that the compiler does not know. */
const foreign: Record<string, [machine: AnyStateMachine, message: RegExp]> = {
  "a machine of one state": [createMachine({}), /the root: of the type "atomic"/],
  "a parallel machine": [createMachine({ type: "parallel", states: { a: {} } }), /of the type "parallel"/],
  "a nested state": [flat({ initial: "c", states: { c: {} } }), /a: of the type "compound"/],
  "a history state": [flat({ type: "history" }), /a: of the type "history"/],
  "an invoked actor": [flat({ invoke: { src: child } }), /a: its definition: the field "invoke"/],
  "a route": [flat({ id: "x", route: {} }), /the field "route"/],
  onDone: [createMachine({ initial: "a", onDone: {}, states: { a: {} } } as never), /the field "onDone"/],
  "an unknown field": [flat({ whim: 1 }), /a: its definition: the field "whim"/],
  "an unknown field of a transition": [at({ target: "b", whim: 1 }), /transition at "GO": the field "whim"/],
  "several targets": [at({ target: ["a", "b"] }), /not one state of the root/],
  "no target, as a list": [at({ target: [] }), /not one state of the root/],
  "the root as a target": [
    createMachine({ id: "m", initial: "a", states: { a: { on: { GO: "#m" } } } }),
    /not one state of the root/,
  ],
  "an action that is a function": [at({ actions: function doIt() {} }), /the action "doIt"/],
  "an action that is missing": [at({ actions: "gone" }), /the action "gone"/],
  "an action by name that is a function": [
    setup({ actions: { doIt: () => {} } }).createMachine({ entry: "doIt", initial: "a", states: { a: {} } }),
    /the action "doIt"/,
  ],
  log: [at({ actions: log("x") }), /the action "xstate.log"/],
  sendTo: [at({ actions: sendTo("x", { type: "X" }) }), /the action "xstate.sendTo"/],
  spawnChild: [at({ actions: spawnChild(child) }), /the action "xstate.spawnChild"/],
  "an action of another release": [
    at({ actions: Object.assign(emit({ type: "x" }), { when: 1 }) }),
    /"when"/,
  ],
  "an action with less": [
    at({ actions: Object.assign(() => {}, { type: "xstate.emit", event: { type: "x" } }) }),
    /without the field "resolve"/,
  ],
  "an emit of no event": [at({ actions: emit("x" as never) }), /"x" is not an event/],
  "a raise of a string": [at({ actions: raise("x" as never) }), /"x" is not an event/],
  "an assign of nothing": [at({ actions: assign(undefined as never) }), /an assign of undefined/],
  "a guard that is missing": [at({ guard: "gone", target: "b" }), /no function is the guard "gone"/],
  stateIn: [at({ guard: stateIn("a"), target: "b" }), /the field "stateValue"/],
  "a guard of another release": [
    at({ guard: Object.assign(() => true, { check: () => true, guards: [] }), target: "b" }),
    /a guard of an unknown kind/,
  ],
  "a guard that is null": [at({ guard: null, target: "b" }), /a guard that is null/],
  "a delay that is missing": [flat({ after: { someTime: "b" } }), /is the delay "someTime"/],
  "an event of XState's own": [flat({ on: { "xstate.stop": "b" } }), /the transition at "xstate.stop"/],
  "options that it does not know": [
    createMachine({ initial: "a", states: { a: {} }, options: { whim: true } } as never),
    /the machine's options: the field "whim"/,
  ],
};

describe("The compiler refuses unknown features, and XState runs them", () => {
  it.each(Object.entries(foreign))("%s", (_, [machine, message]) => {
    expect(() => new CompiledChart(machine)).toThrow(message);
    expect(chartOf(machine)).toBeInstanceOf(XStateChart);
  });

  it("a state with extra fields, as of another release", () => {
    const machine = flat({});
    Object.assign(machine.root.states.a ?? {}, { regions: [] });
    expect(() => new CompiledChart(machine)).toThrow(/a: the field "regions"/);
  });
});

describe("A compiled machine", () => {
  it("stops an endless loop", () => {
    const machine = flat({ always: { actions: assign({ n: 1 }) } });
    expect(() => new CompiledChart(machine).initial(undefined)).toThrow(
      /stopped a loop: the \(machine\) machine went on by itself for 10000 steps/,
    );
  });

  it("passes no actor to its functions", () => {
    const asks = (name: "self" | "system" | "spawn") =>
      at({ actions: assign((args: object) => ({ got: Reflect.get(args, name) })) });
    for (const name of ["self", "system", "spawn"] as const) {
      const chart = new CompiledChart(asks(name));
      const { snapshot } = chart.initial(undefined);
      expect(() => chart.transition(snapshot as never, { type: "GO" })).toThrow(`asks for "${name}"`);
    }
  });

  it("refuses to enqueue after its function has returned", () => {
    let late: (action: string) => void = () => {};
    const machine = at({
      actions: enqueueActions(({ enqueue }) => {
        late = enqueue as typeof late;
      }),
    });
    const chart = new CompiledChart(machine);
    chart.transition(chart.initial(undefined).snapshot as never, { type: "GO" });
    expect(() => late("x")).toThrow("enqueue was called when the function of enqueueActions was over");
  });
});
