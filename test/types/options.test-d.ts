import type { Duration } from "luxon";
import { describe, expectTypeOf, test } from "vitest";
import {
  type CompleteOptions,
  createSimulator,
  type DialectInput,
  type DrawnDuration,
  type DurationInput,
  type EventType,
  type ExpectedAttempt,
  type ExpectedEvent,
  exponential,
  type IdStyle,
  InputError,
  type InputProblem,
  type InstantInput,
  type JournalEnd,
  type JournalEntry,
  type LimitError,
  type LimitOptions,
  type Mismatch,
  type NetworkOptions,
  type OrganisationInput,
  type ParseOptions,
  type PlatformEvent,
  type Position,
  parseScenario,
  type RequestOrder,
  type RestOptions,
  type Retain,
  type RunawayError,
  type RunOptions,
  replay,
  runScenario,
  type Scenario,
  ScenarioError,
  type ScenarioProblem,
  type ScenarioRun,
  type Simulator,
  type SimulatorOptions,
  type Step,
  type StepTrigger,
  type TextRange,
  type Timing,
  type Unrouted,
  type WebhookOptions,
} from "../../src/index.ts";

/** Type-checked, never run: a simulator's options, scenarios, and errors. */

describe("time, as options and methods take it,", () => {
  test("is a duration in any of four forms", () => {
    expectTypeOf<Duration>().toExtend<DurationInput>();
    const durations: DurationInput[] = ["PT30S", 30_000, { minutes: 1, seconds: 5 }];
    expectTypeOf(createSimulator().advance).toBeCallableWith(durations[0] ?? 0);
    expectTypeOf<Date>().not.toExtend<DurationInput>();
    // @ts-expect-error no such unit
    ({ secs: 30 }) satisfies DurationInput;
  });

  test("is an instant in any of four forms", () => {
    const instants: InstantInput[] = ["2026-07-01T09:00:00Z", 0, new Date(0), createSimulator().now];
    expectTypeOf(createSimulator().advanceTo).toBeCallableWith(instants[0] ?? 0);
    expectTypeOf<{ minutes: 1 }>().not.toExtend<InstantInput>();
  });

  test("has a limit where it would run on", () => {
    const limit: LimitOptions = { within: { days: 1 } };
    expectTypeOf(createSimulator().runUntilIdle).toBeCallableWith(limit);
    expectTypeOf(createSimulator().runUntilIdleAsync(limit)).resolves.toBeVoid();
  });
});

describe("the options of createSimulator", () => {
  test("have every default duration by its name", () => {
    const timing: Partial<Timing> = { ringTimeout: "PT20S", endpointTimeout: 5_000 };
    expectTypeOf(timing).toExtend<SimulatorOptions["timing"]>();
    expectTypeOf<Timing["ringTimeout"]>().toEqualTypeOf<DurationInput>();
    // @ts-expect-error no such duration
    ({ ringing: "PT20S" }) satisfies Partial<Timing>;
  });

  test("have names of the platform's own in a dialect", () => {
    expectTypeOf<DialectInput>().toExtend<SimulatorOptions["dialect"]>();
    // @ts-expect-error no such part of a dialect
    ({ language: "en" }) satisfies DialectInput;
  });

  test("have how the network is, in words that are known", () => {
    const rest: RestOptions = { unknownKeys: "ignore" };
    expectTypeOf(createSimulator).toBeCallableWith({ rest });
    // @ts-expect-error no such way
    ({ unknownKeys: "drop" }) satisfies RestOptions;
    const network: NetworkOptions = { unrouted: "refuse", latency: exponential(50), order: "shuffled" };
    expectTypeOf(network).toExtend<SimulatorOptions["network"]>();
    expectTypeOf<Unrouted>().toEqualTypeOf<"accept" | "refuse" | "error">();
    expectTypeOf<RequestOrder>().toEqualTypeOf<"fifo" | "shuffled">();
    // @ts-expect-error no such order
    ({ order: "lifo" }) satisfies NetworkOptions;
  });

  test("have how webhooks are delivered, and what is kept", () => {
    const webhooks: WebhookOptions = { schedule: [0, "PT5S"], failureLimit: 3 };
    const retain: Retain = { events: 1000, calls: 100, requests: 100, journal: false };
    expectTypeOf(createSimulator).toBeCallableWith({ webhooks, retain });
    // @ts-expect-error the number of events to keep is a number
    ({ events: "all" }) satisfies Retain;
  });

  test("draw durations from a distribution, or have them as they are", () => {
    const drawn: DrawnDuration[] = ["PT1S", 1_000, exponential("PT3M"), { uniform: [1, "PT2S"] }];
    expectTypeOf(drawn).items.toExtend<NonNullable<NetworkOptions["latency"]>>();
    // @ts-expect-error a uniform distribution has two bounds
    ({ uniform: ["PT1S"] }) satisfies DrawnDuration;
    // @ts-expect-error no such distribution
    ({ normal: "PT1S" }) satisfies DrawnDuration;
  });
});

describe("a journal", () => {
  const journal = createSimulator().journal();

  test("has the options, every one of them there, which make the same simulator again", () => {
    expectTypeOf(journal.options).toEqualTypeOf<CompleteOptions>();
    expectTypeOf(createSimulator().options).toEqualTypeOf<CompleteOptions>();
    expectTypeOf<CompleteOptions>().toExtend<SimulatorOptions>();
    expectTypeOf<CompleteOptions["timing"]["ringTimeout"]>().toEqualTypeOf<number>();
    expectTypeOf<CompleteOptions["ids"]>().toEqualTypeOf<IdStyle>();
    expectTypeOf<IdStyle>().toEqualTypeOf<"nanoid" | "counter" | "uuid">();
  });

  test("has what came from outside, to be shortened and replayed", () => {
    expectTypeOf(journal.entries).toEqualTypeOf<readonly JournalEntry[]>();
    const [first] = journal.entries;
    const end: JournalEnd = { atMs: first?.atMs ?? 0, step: first?.step ?? 0 };
    expectTypeOf(replay({ ...journal, entries: [], end })).toEqualTypeOf<Simulator>();
    // @ts-expect-error an entry is not changed in place
    if (first) first.command = "hangup";
    // @ts-expect-error a journal has an end
    replay({ ringback: 1, options: journal.options, entries: [] });
  });
});

describe("an organisation", () => {
  test("is told where it is wrong, at the part that is", () => {
    createSimulator({
      organisation: {
        id: "acme",
        name: "Acme",
        users: [
          {
            id: "alice",
            email: "alice@acme.test",
            displayName: "Alice Ng",
            extension: "101",
            // @ts-expect-error no such kind of endpoint
            endpoints: ["mobile", "pager"],
          },
          // @ts-expect-error a user has an e-mail address
          { id: "bob", displayName: "Bob", extension: "102" },
        ],
        teams: [
          {
            id: "sales",
            displayName: "Sales",
            extension: "200",
            members: [{ user: "alice", priority: 1 }, { device: "lobby" }],
            unanswered: { voicemail: true },
            // @ts-expect-error it is called nextOfferTimeout
            offerTimeout: "PT20S",
          },
        ],
        // @ts-expect-error a feature is on or off
        features: { recording: "yes" },
      },
    });
  });

  test("has one way for the unanswered", () => {
    type Team = NonNullable<OrganisationInput["teams"]>[number];
    expectTypeOf<{ team: "support" }>().toExtend<NonNullable<Team["unanswered"]>>();
    // @ts-expect-error for no voicemail, leave it out
    ({ voicemail: false }) satisfies Team["unanswered"];
  });
});

describe("a scenario", () => {
  const scenario = parseScenario("", { organisations: { other: "id: other" } } satisfies ParseOptions);

  test("has steps, and the events and attempts that it expects, if it does", () => {
    expectTypeOf(scenario).toEqualTypeOf<Scenario>();
    expectTypeOf(scenario.steps).toEqualTypeOf<readonly Step[]>();
    expectTypeOf<Step["atMs"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Step["on"]>().toEqualTypeOf<StepTrigger | undefined>();
    expectTypeOf<Step["as"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<"answer">().toExtend<Step["command"]>();
    expectTypeOf<"pickUp">().not.toExtend<Step["command"]>();
    expectTypeOf(scenario.expect).toEqualTypeOf<readonly ExpectedEvent[] | undefined>();
    expectTypeOf<ExpectedEvent["type"]>().toEqualTypeOf<EventType>();
    expectTypeOf<ExpectedEvent["atMs"]>().toEqualTypeOf<number>();
    expectTypeOf(scenario.expectAttempts).toEqualTypeOf<readonly ExpectedAttempt[] | undefined>();
    expectTypeOf<ExpectedAttempt["status"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<ExpectedAttempt["position"]>().toEqualTypeOf<TextRange>();
    expectTypeOf<TextRange>().toExtend<Position>();
    expectTypeOf<ScenarioError["problems"]>().toEqualTypeOf<readonly ScenarioProblem[]>();
    expectTypeOf<ScenarioProblem["suggestion"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Position>().toEqualTypeOf<{ readonly line: number; readonly column: number }>();
    expectTypeOf(scenario.options).toEqualTypeOf<SimulatorOptions>();
  });

  test("is run as far as is said, and compared", () => {
    const run: ScenarioRun = runScenario(scenario, { until: "PT1M" } satisfies RunOptions);
    expectTypeOf(run.simulator).toEqualTypeOf<Simulator>();
    expectTypeOf(run.events).toEqualTypeOf<readonly PlatformEvent[]>();
    expectTypeOf<Mismatch["of"]>().toEqualTypeOf<"events" | "attempts" | "steps">();
    expectTypeOf<Mismatch["actual"]>().toEqualTypeOf<string | undefined>();
    // @ts-expect-error no such option
    runScenario(scenario, { within: "PT1M" });
  });
});

describe("an error", () => {
  test("of input says where, and everything that is wrong", () => {
    const error: unknown = undefined;
    if (error instanceof InputError) {
      expectTypeOf(error.path).toEqualTypeOf<string>();
      expectTypeOf(error.problems).toEqualTypeOf<readonly InputProblem[]>();
      expectTypeOf<InputProblem["keys"]>().toEqualTypeOf<readonly (string | number)[]>();
      expectTypeOf(error.problems[0]?.message).toEqualTypeOf<string | undefined>();
      // @ts-expect-error
      error.path = "users[0]";
    }
  });

  test("of a scenario says the line and the column", () => {
    const error: unknown = undefined;
    if (error instanceof ScenarioError) {
      expectTypeOf(error.line).toEqualTypeOf<number>();
      expectTypeOf(error.column).toEqualTypeOf<number>();
      expectTypeOf(error.problem).toEqualTypeOf<string>();
    }
  });

  test("of a limit or a loop is told apart by its name too", () => {
    expectTypeOf<LimitError["name"]>().toEqualTypeOf<"LimitError">();
    expectTypeOf<RunawayError["name"]>().toEqualTypeOf<"RunawayError">();
  });
});
