import type { Duration } from "luxon";
import { describe, expectTypeOf, test } from "vitest";
import {
  type AssumptionsInput,
  createSimulator,
  type DialectInput,
  type DrawnDuration,
  type DurationInput,
  type EventType,
  exponential,
  InputError,
  type InstantInput,
  type JournalDocument,
  type LimitError,
  type Mismatch,
  type OrganisationInput,
  type ParseOptions,
  type PlatformEvent,
  parseScenario,
  type RunawayError,
  type RunOptions,
  replay,
  runScenario,
  type Scenario,
  ScenarioError,
  type ScenarioRun,
  type Simulator,
  type SimulatorOptions,
  type Step,
  type Timing,
} from "../../src/index.ts";

// parts without a name of their own
type CompleteOptions = JournalDocument["options"];
type ExpectedAttempt = NonNullable<Scenario["expectAttempts"]>[number];
type ExpectedEvent = NonNullable<Scenario["expect"]>[number];
type IdStyle = NonNullable<SimulatorOptions["ids"]>;
type InputProblem = InputError["problems"][number];
type JournalEnd = JournalDocument["end"];
type JournalEntry = JournalDocument["entries"][number];
type LimitOptions = NonNullable<Parameters<Simulator["runUntilIdle"]>[0]>;
type NetworkOptions = NonNullable<SimulatorOptions["network"]>;
type Position = Pick<TextRange, "line" | "column">;
type RefusedStep = ScenarioRun["refused"][number];
type RequestOrder = NonNullable<NonNullable<SimulatorOptions["network"]>["order"]>;
type RestOptions = NonNullable<SimulatorOptions["rest"]>;
type Retain = NonNullable<SimulatorOptions["retain"]>;
type ScenarioProblem = ScenarioError["problems"][number];
type StepTrigger = NonNullable<Step["on"]>;
type TextRange = Step["position"];
type Unrouted = NonNullable<NonNullable<SimulatorOptions["network"]>["unrouted"]>;
type WebhookOptions = NonNullable<SimulatorOptions["webhooks"]>;

/** Type-checked, never run: a simulator's options, scenarios, and errors. */

describe("time in options and arguments", () => {
  test("accepts durations in four forms", () => {
    expectTypeOf<Duration>().toExtend<DurationInput>();
    const durations: DurationInput[] = ["PT30S", 30_000, { minutes: 1, seconds: 5 }];
    expectTypeOf(createSimulator().advance).toBeCallableWith(durations[0] ?? 0);
    expectTypeOf<Date>().not.toExtend<DurationInput>();
    // @ts-expect-error no such unit
    ({ secs: 30 }) satisfies DurationInput;
  });

  test("accepts instants in four forms", () => {
    const instants: InstantInput[] = ["2026-07-01T09:00:00Z", 0, new Date(0), createSimulator().now];
    expectTypeOf(createSimulator().advanceTo).toBeCallableWith(instants[0] ?? 0);
    expectTypeOf<{ minutes: 1 }>().not.toExtend<InstantInput>();
  });

  test("runUntilIdle accepts within", () => {
    const limit: LimitOptions = { within: { days: 1 } };
    expectTypeOf(createSimulator().runUntilIdle).toBeCallableWith(limit);
    expectTypeOf(createSimulator().runUntilIdleAsync(limit)).resolves.toBeVoid();
  });
});

describe("the options of createSimulator", () => {
  test("accept only known names in timing", () => {
    const timing: Partial<Timing> = { ringTimeout: "PT20S", endpointTimeout: 5_000 };
    expectTypeOf(timing).toExtend<SimulatorOptions["timing"]>();
    expectTypeOf<Timing["ringTimeout"]>().toEqualTypeOf<DurationInput>();
    // @ts-expect-error no such duration
    ({ ringing: "PT20S" }) satisfies Partial<Timing>;
  });

  test("accept only known parts of a dialect", () => {
    expectTypeOf<AssumptionsInput>().toExtend<SimulatorOptions["assume"]>();
    ({ notAnswered: "perTeam", eventDelay: "PT2S", dialLatency: "none" }) satisfies AssumptionsInput;
    // @ts-expect-error: no such value
    ({ notAnswered: "twice" }) satisfies AssumptionsInput;
    expectTypeOf<DialectInput>().toExtend<SimulatorOptions["dialect"]>();
    // @ts-expect-error no such part of a dialect
    ({ language: "en" }) satisfies DialectInput;
  });

  test("accept only known values for rest and network", () => {
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

  test("accept webhooks and retain", () => {
    const webhooks: WebhookOptions = { schedule: [0, "PT5S"], failureLimit: 3 };
    const retain: Retain = { events: 1000, calls: 100, requests: 100, journal: false };
    expectTypeOf(createSimulator).toBeCallableWith({ webhooks, retain });
    // @ts-expect-error the number of events to keep is a number
    ({ events: "all" }) satisfies Retain;
  });

  test("accept fixed and drawn durations", () => {
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

  test("has complete options that createSimulator accepts", () => {
    expectTypeOf(journal.options).toEqualTypeOf<CompleteOptions>();
    expectTypeOf(createSimulator().options).toEqualTypeOf<CompleteOptions>();
    expectTypeOf<CompleteOptions>().toExtend<SimulatorOptions>();
    expectTypeOf<CompleteOptions["timing"]["ringTimeout"]>().toEqualTypeOf<number>();
    expectTypeOf<CompleteOptions["ids"]>().toEqualTypeOf<IdStyle>();
    expectTypeOf<IdStyle>().toEqualTypeOf<"nanoid" | "counter" | "uuid">();
  });

  test("has entries and an end, and can be shortened and replayed", () => {
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
  test("has type errors at its wrong parts", () => {
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

  test("rejects voicemail: false as an unanswered step", () => {
    type Team = NonNullable<OrganisationInput["teams"]>[number];
    expectTypeOf<{ team: "support" }>().toExtend<NonNullable<Team["unanswered"]>>();
    // @ts-expect-error for no voicemail, leave it out
    ({ voicemail: false }) satisfies Team["unanswered"];
  });
});

describe("a scenario", () => {
  const scenario = parseScenario("", { organisations: { other: "id: other" } } satisfies ParseOptions);

  test("has steps and optional expectations", () => {
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

  test("runScenario accepts until", () => {
    const run: ScenarioRun = runScenario(scenario, { until: "PT1M" } satisfies RunOptions);
    expectTypeOf(run.refused).toEqualTypeOf<readonly RefusedStep[]>();
    expectTypeOf(run.simulator).toEqualTypeOf<Simulator>();
    expectTypeOf(run.events).toEqualTypeOf<readonly PlatformEvent[]>();
    expectTypeOf<Mismatch["of"]>().toEqualTypeOf<"events" | "attempts" | "steps">();
    expectTypeOf<Mismatch["actual"]>().toEqualTypeOf<string | undefined>();
    // @ts-expect-error no such option
    runScenario(scenario, { within: "PT1M" });
  });
});

describe("an error", () => {
  test("of input has a path and all problems", () => {
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

  test("of a scenario has a line and a column", () => {
    const error: unknown = undefined;
    if (error instanceof ScenarioError) {
      expectTypeOf(error.line).toEqualTypeOf<number>();
      expectTypeOf(error.column).toEqualTypeOf<number>();
      expectTypeOf(error.problem).toEqualTypeOf<string>();
    }
  });

  test("of a limit or a loop has its own name", () => {
    expectTypeOf<LimitError["name"]>().toEqualTypeOf<"LimitError">();
    expectTypeOf<RunawayError["name"]>().toEqualTypeOf<"RunawayError">();
  });
});
