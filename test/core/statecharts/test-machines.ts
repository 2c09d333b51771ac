import {
  type AnyEventObject,
  and,
  assign,
  cancel,
  createMachine,
  emit,
  enqueueActions,
  not,
  or,
  raise,
  setup,
} from "xstate";
import type { Any } from "./any.ts";
import type { Subject } from "./subjects.ts";

/** Machines with features that ours do not use. Each makes a mistake in its feature visible. */

interface Context {
  readonly n: number;
  readonly log: readonly string[];
}

interface Told {
  readonly type: string;
  readonly n: number;
}

const say = (what: string) => emit<Context, Told, undefined, Told, AnyEventObject>({ type: "said", what });

/** The events that they get: one of these types, with a number. */
const told =
  (...types: string[]) =>
  (any: Any): Told => ({ type: any.of(...types), n: any.of(0, 1, 2) });

const none = () => undefined;

const events = {} as Told;
const types = { context: {} as Context, events, emitted: {} as AnyEventObject };

/**
 * Events raised without a delay: from entry, exit and transitions, one after another, and in states that do not take
 * them.
 */
const raises: Subject = {
  input: none,
  event: told("GO", "BACK", "CHAIN", "LOST"),
  machine: setup({ types }).createMachine({
    id: "raises",
    context: { n: 0, log: [] },
    entry: [raise({ type: "GREET", n: 1 }), say("root in")],
    initial: "idle",
    on: { GREET: { actions: [say("greeted"), assign({ n: ({ event }) => event.n })] } },
    states: {
      idle: {
        entry: raise({ type: "NOBODY", n: 0 }),
        exit: raise({ type: "LEFT", n: 7 }),
        on: {
          GO: { target: "busy", actions: raise({ type: "LEFT", n: 3 }) },
          CHAIN: { actions: [raise({ type: "FIRST", n: 1 }), raise({ type: "SECOND", n: 2 })] },
          FIRST: { actions: [say("first"), raise(({ event }) => ({ type: "THIRD", n: event.n }))] },
          SECOND: { guard: ({ event }) => event.n === 2, actions: say("second") },
          THIRD: { target: "busy", actions: say("third") },
        },
      },
      busy: {
        entry: [say("busy"), raise({ type: "AGAIN", n: 5 })],
        on: {
          LEFT: { actions: emit(({ event }) => ({ type: "left", n: event.n })) },
          AGAIN: { actions: say("again") },
          BACK: "idle",
          LOST: { actions: raise({ type: "GO", n: 1 }) },
        },
      },
    },
  }),
};

/** Transitions whose target is their own state. */
const selves: Subject = {
  input: none,
  event: told("STAY", "STAY_HERE", "ANEW", "NOTHING", "EMPTY", "OVER"),
  machine: setup({ types }).createMachine({
    id: "selves",
    context: { n: 0, log: [] },
    initial: "here",
    states: {
      here: {
        entry: [say("in"), assign({ n: ({ context }) => Math.min(context.n + 1, 5) })],
        exit: say("out"),
        after: { 500: { target: "here", actions: say("time") }, 900: { target: "here", reenter: true } },
        on: {
          STAY: { actions: say("stays") },
          STAY_HERE: { target: "here", actions: say("stays here") },
          ANEW: {
            guard: ({ context }) => context.n < 4,
            target: "here",
            reenter: true,
            actions: say("anew"),
          },
          NOTHING: undefined,
          EMPTY: { target: "here" },
          OVER: "there",
        },
      },
      there: {
        on: { STAY: { target: "there", reenter: true }, OVER: { reenter: true, actions: say("no") } },
      },
    },
  }),
};

/** Transitions of the root: with targets, with `reenter`, and with both; timers of the root. */
const roots: Subject = {
  input: none,
  event: told("TO_ONE", "TO_TWO", "ANEW", "ANEW_TWO", "HERE", "END", "LOCAL"),
  machine: setup({ types, delays: { patience: ({ context }) => 100 * context.n } }).createMachine({
    id: "roots",
    context: { n: 1, log: [] },
    entry: [say("root in"), assign({ n: ({ context }) => Math.min(context.n + 1, 4) })],
    exit: say("root out"),
    after: {
      patience: { target: ".two", actions: say("patience") },
      2000: { actions: say("two seconds") },
    },
    initial: { target: "one", actions: say("initial") },
    on: {
      TO_ONE: ".one",
      TO_TWO: { target: ".two", actions: say("to two") },
      ANEW: { reenter: true, actions: say("anew") },
      ANEW_TWO: { target: ".two", reenter: true, actions: say("anew, to two") },
      HERE: { actions: [say("here"), assign({ n: 1 })] },
      END: { target: ".done", reenter: true },
      LOCAL: { target: ".two" },
    },
    states: {
      one: {
        entry: say("one in"),
        exit: say("one out"),
        on: { LOCAL: { guard: ({ event }) => event.n === 1, actions: say("local") } },
      },
      two: { entry: say("two in"), exit: say("two out"), after: { patience: "one" } },
      done: { type: "final", entry: say("done"), exit: say("done out") },
    },
  }),
};

/** `enqueueActions` with every kind of action. */
const enqueues: Subject = {
  input: (any) => any.of(0, 2),
  event: told("GO", "NEST", "STOP", "TICK", "OTHER"),
  machine: setup({
    types: { ...types, input: 0 as number },
    guards: {
      isBig: ({ context }) => context.n > 1,
      isAtLeast: ({ event }, params: { n: number }) => event.n >= params.n,
    },
    actions: {
      sayIt: emit((_, params: { what: string }) => ({ type: "said", what: params.what })),
      count: assign({ n: ({ context }) => (context.n + 1) % 4 }),
      nested: enqueueActions(({ context, enqueue }) => {
        enqueue.assign({ log: [`n was ${context.n}`] });
        enqueue(assign({ n: ({ context }) => (context.n + 1) % 4 }));
        enqueue(emit(({ context }) => ({ type: "counted", n: context.n, log: context.log })));
      }),
    },
  }).createMachine({
    id: "enqueues",
    context: ({ input }) => ({ n: input, log: [] }),
    initial: "open",
    states: {
      open: {
        entry: enqueueActions(({ context, enqueue, check }) => {
          enqueue.cancel("timer");
          enqueue.raise({ type: "TICK", n: context.n }, { id: "timer", delay: 100 * context.n });
          if (check("isBig")) enqueue({ type: "sayIt", params: { what: "big" } });
        }),
        on: {
          GO: {
            actions: enqueueActions(({ context, event, enqueue, check }) => {
              enqueue.assign({ n: event.n });
              enqueue.assign(({ context }) => ({ n: (context.n + 1) % 4 }));
              enqueue.emit({ type: "before", n: context.n });
              enqueue.emit(({ context }) => ({ type: "after", n: context.n }));
              if (check({ type: "isAtLeast", params: { n: 1 } })) enqueue.raise({ type: "OTHER", n: 0 });
              if (check(({ context }) => context.n === 2)) enqueue("nested");
              else enqueue("count");
            }),
          },
          NEST: { actions: ["nested", { type: "sayIt", params: ({ event }) => ({ what: `${event.n}` }) }] },
          OTHER: [
            { guard: ({ context }) => context.n === 3, target: "open", reenter: true },
            { actions: say("other") },
          ],
          TICK: { actions: enqueueActions(() => {}) },
          STOP: "closed",
        },
      },
      closed: { type: "final", entry: enqueueActions(({ enqueue }) => enqueue.emit({ type: "closed" })) },
    },
  }),
};

/** Guards by name, inline, with parameters, and put together. */
const guards: Subject = {
  input: none,
  event: told("NAMED", "INLINE", "WITH", "WITH_MADE", "BOTH", "EITHER", "NEITHER", "PUT_TOGETHER", "COUNT"),
  machine: setup({
    types,
    guards: {
      isTwo: ({ context }) => context.n === 2,
      is: ({ context }, n: number) => context.n === n,
      isTold: ({ context, event }) => context.n === event.n,
      isTwoAndTold: and(["isTwo", ({ event }) => event.n > 0]),
    },
  }).createMachine({
    id: "guards",
    context: { n: 0, log: [] },
    initial: "only",
    states: {
      only: {
        on: {
          COUNT: { actions: assign({ n: ({ context }) => (context.n + 1) % 3 }) },
          NAMED: [{ guard: "isTwo", actions: say("two") }, { actions: say("not two") }],
          INLINE: { guard: ({ context }) => context.n === 1, actions: say("one") },
          WITH: [
            { guard: { type: "is", params: 1 }, actions: say("is 1") },
            { guard: { type: "isTwo" }, actions: say("is 2") },
            { guard: { type: "is", params: 0 }, actions: say("is 0") },
          ],
          WITH_MADE: { guard: { type: "is", params: ({ event }) => event.n }, actions: say("is as told") },
          BOTH: { guard: and(["isTwo", "isTold"]), actions: say("both") },
          EITHER: { guard: or(["isTwo", { type: "is", params: 1 }]), actions: say("either") },
          NEITHER: [
            { guard: not("isTwo"), actions: say("not two") },
            { guard: not(and(["isTwo", not("isTold")])), actions: say("told two") },
          ],
          PUT_TOGETHER: { guard: or(["isTwoAndTold", and([not("isTwo"), "isTold"])]), actions: say("yes") },
        },
      },
    },
  }),
};

/** Transitions without an event: chains, loops that end, and some that change nothing. */
const eventless: Subject = {
  input: (any) => any.of(0, 1, 5),
  event: told("CHAIN", "COUNT", "ONCE", "AROUND", "QUIET", "UNKNOWN", "SPENT", "BACK"),
  machine: setup({ types: { ...types, input: 0 as number } }).createMachine({
    id: "eventless",
    context: ({ input }) => ({ n: input, log: [] }),
    initial: "start",
    always: { guard: ({ context }) => context.n === 9, target: ".spent", actions: say("root's own") },
    on: { SPENT: { actions: assign({ n: 9 }) } },
    states: {
      start: { always: [{ guard: ({ context }) => context.n > 3, target: "counting" }, { target: "rest" }] },
      rest: {
        // runs at every event, whether or not the state takes it
        always: { guard: ({ event }) => event.type === "UNKNOWN", actions: say("noticed") },
        on: { CHAIN: "one", COUNT: "counting", ONCE: "once", AROUND: "around", QUIET: { actions: say("q") } },
      },
      one: { entry: say("one"), always: { target: "two", actions: say("one to two") } },
      two: { entry: raise({ type: "QUIET", n: 0 }), always: { target: "three" } },
      three: {
        exit: say("three out"),
        always: [
          { guard: ({ event }) => event.n === 2, target: "rest", actions: say("two") },
          { target: "rest" },
        ],
      },
      counting: {
        always: [
          { guard: ({ context }) => context.n < 3, actions: assign({ n: ({ context }) => context.n + 1 }) },
          { target: "rest", actions: assign({ n: 0 }) },
        ],
      },
      once: {
        entry: raise({ type: "QUIET", n: 0 }),
        always: { guard: ({ event }) => event.type !== "BACK", actions: say("changes nothing") },
        on: { BACK: "rest", COUNT: { actions: assign({ n: 2 }) } },
      },
      around: {
        entry: say("around"),
        always: { guard: ({ event }) => event.type !== "BACK", target: "around", reenter: true },
        on: { BACK: "rest" },
      },
      spent: {},
    },
  }),
};

/** Timers: several in a state, given as numbers, names and functions, cancelled by name. */
const timers: Subject = {
  input: (any) => ({ n: any.of(1, 3) }),
  event: told("NEXT", "START", "STOP", "STOP_BY_NUMBER", "NAMELESS", "FIXED"),
  machine: setup({
    types: { ...types, input: {} as { n: number } },
    delays: { short: 10, long: ({ context, event }) => 1_000 * context.n + (event.n ?? 0) },
  }).createMachine({
    id: "timers",
    context: ({ input }) => ({ ...input, log: [] }),
    initial: "first",
    states: {
      first: {
        after: {
          short: { actions: say("short") },
          250: [
            { guard: ({ context }) => context.n === 1, actions: say("one") },
            { guard: ({ context }) => context.n === 2, actions: say("two") },
          ],
          long: "second",
        },
        on: { NEXT: "second" },
      },
      second: {
        after: { long: { target: "first", reenter: true, actions: assign({ n: 2 }) } },
        on: {
          START: {
            actions: raise(({ event }) => ({ type: "RANG", n: event.n }), {
              id: "timer-1",
              delay: ({ context, event }) => context.n * event.n,
            }),
          },
          FIXED: { actions: raise({ type: "RANG", n: 9 }, { id: "fixed", delay: "short" }) },
          NAMELESS: {
            guard: ({ context }) => context.n > 1,
            actions: raise({ type: "RANG", n: 8 }, { delay: 5 }),
          },
          RANG: { target: "first", actions: emit(({ event }) => ({ type: "rang", n: event.n })) },
          STOP: { actions: [cancel("timer-1"), cancel("fixed"), cancel("never started")] },
          STOP_BY_NUMBER: { actions: cancel(({ event }) => `timer-${event.n}`) },
          NEXT: "first",
        },
      },
    },
  }),
};

/** Events for several types, and those that a state forbids. */
const wild: Subject = {
  input: (any) => any.of(0, 1),
  event: told("call", "call.began", "call.over.early", "called", "text", "timer", "NEXT", "MUTE"),
  machine: setup({ types: { ...types, input: 0 as number } }).createMachine({
    id: "wild",
    context: ({ input }) => ({ n: input, log: [] }),
    initial: "open",
    on: {
      "*": { guard: ({ event }) => event.n === 1, actions: say("root's any") },
      "call.*": { actions: say("root's call") },
      text: { actions: say("root's text") },
      NEXT: ".deaf",
    },
    states: {
      open: {
        after: { 10: { guard: ({ context }) => context.n === 1, actions: say("ten") } },
        on: {
          "*": { guard: ({ event }) => event.n === 2, actions: say("any") },
          "call.*": {
            guard: ({ event }) => event.n > 0,
            actions: emit(({ event }) => ({ type: event.type })),
          },
          "call.over.*": { actions: say("over") },
          "call.began": { guard: ({ event }) => event.n === 0, actions: say("began") },
          MUTE: "mute",
        },
      },
      deaf: { on: { text: undefined, "call.*": undefined, MUTE: { target: undefined }, NEXT: "open" } },
      mute: { after: { 5: "open" }, on: { "*": undefined } },
    },
  }),
};

/** Final states: their exit actions, and the machine's output. */
const ends: Subject = {
  input: (any) => any.of(0, 3),
  event: told("MADE", "FIXED", "NOTHING", "LATE"),
  machine: setup({ types: { ...types, input: 0 as number } }).createMachine({
    id: "ends",
    context: ({ input }) => ({ n: input, log: [] }),
    output: ({ context, event }) => ({ n: context.n, of: event.type, with: event.output }),
    exit: [say("root out"), raise({ type: "LATE", n: 0 })],
    after: { 100: ".made" },
    initial: "open",
    states: {
      open: {
        always: { guard: ({ context }) => context.n === 3, target: "nothing" },
        exit: assign({ n: ({ context }) => context.n + 1 }),
        after: { 50: "fixed" },
        on: {
          MADE: { target: "made", actions: raise({ type: "FIXED", n: 0 }) },
          FIXED: "fixed",
          NOTHING: "nothing",
        },
      },
      made: {
        type: "final",
        entry: assign({ n: ({ context }) => context.n + 10 }),
        exit: [assign({ n: 99 }), say("made out")],
        output: ({ context, event }: { context: { n: number }; event: AnyEventObject }) => [
          context.n,
          event.type,
        ],
      },
      fixed: { type: "final", output: "as it is" },
      nothing: { type: "final", entry: raise({ type: "MADE", n: 0 }) },
    },
  }),
};

/** Assignments of every form. */
const assigns: Subject = {
  input: none,
  event: told("FIELDS", "ALL", "MORE", "WITH", "NOTHING", "SAME", "BOTH"),
  machine: setup({
    types: { events, context: {} as Record<string, unknown> },
    actions: {
      set: assign((_, params: { key: string; value: unknown }) => ({ [params.key]: params.value })),
      setFields: assign({ made: (_, params: { value: number }) => params.value }),
    },
  }).createMachine({
    id: "assigns",
    initial: "only",
    states: {
      only: {
        on: {
          FIELDS: { actions: assign({ a: ({ event }) => event.n, b: 2, c: ({ context }) => context.a }) },
          ALL: { actions: assign(({ context, event }) => ({ ...context, all: event.n })) },
          MORE: { actions: [assign({ a: 1 }), assign({ b: ({ context }) => context.a })] },
          WITH: {
            actions: [
              { type: "set", params: ({ event }) => ({ key: "k", value: event.n }) },
              { type: "setFields", params: { value: 4 } },
            ],
          },
          NOTHING: { actions: assign(() => ({})) },
          SAME: {
            actions: [
              assign({ a: ({ context }) => context.a }),
              emit(({ context }) => ({ type: "is", ...context })),
            ],
          },
          BOTH: { actions: [assign({ d: ({ context }) => context.c }), assign({ c: undefined })] },
        },
      },
    },
  }),
};

/** A machine that is done before its first event. */
const brief: Subject = {
  input: none,
  event: told("ANY"),
  machine: createMachine({
    id: "brief",
    output: 1,
    initial: "over",
    states: { over: { type: "final", entry: say("over"), exit: say("out") } },
  }),
};

export const testMachines = {
  raises,
  selves,
  roots,
  enqueues,
  guards,
  eventless,
  timers,
  wild,
  ends,
  assigns,
  brief,
} satisfies Record<string, Subject>;
