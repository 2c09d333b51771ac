import type * as v from "valibot";
import { InputError, type Keys } from "../foundation/errors.ts";
import {
  duration,
  list,
  object,
  readInput,
  withMilliseconds,
  withUnitsOfTime,
} from "../foundation/input-schemas.ts";
import { show } from "../foundation/show.ts";
import { readAssumptions } from "../platform/declare/assumptions.ts";
import { type ProfileName, profileOf } from "../platform/declare/profile.ts";
import { readDialect, readTiming } from "../platform/declare/settings.ts";
import type { PhoneNumberReader } from "../platform/organisation/contact-numbers.ts";
import { demoOrganisation } from "../platform/organisation/demo.ts";
import { readOrganisation } from "../platform/organisation/organisation.ts";
import type { Organisation } from "../platform/organisation/schema.ts";
import { mustFollowRules } from "../simulator/compatibility.ts";
import { networkSchema, readOptions, type SimulatorOptions } from "../simulator/options.ts";
import { readDeviation } from "./deviations.ts";
import { mustBeNoStep } from "./misplaced-step.ts";
import { locateProblems, Problems } from "./problems.ts";
import { readQuestions } from "./questions.ts";
import {
  type ExpectedAttempt,
  type ExpectedEvent,
  problemText,
  type Scenario,
  type ScenarioDeviation,
  ScenarioError,
} from "./scenario.ts";
import { attemptLine, headEntries, readEventLine } from "./schema.ts";
import { Source } from "./source.ts";
import { readSteps } from "./steps.ts";

/** The options of `parseScenario`. */
export interface ParseOptions {
  /**
   * Organisations that a scenario may name besides `acme`, the demo organisation: the texts of YAML files, by name.
   */
  readonly organisations?: Readonly<Record<string, string>>;
  /** Whether webhooks, data actions and returns may be at local and private hosts, by http too. Default false. */
  readonly allowLocal?: boolean;
  /** Reads contacts' numbers that are not E.164, as the option of `createSimulator` does. Default: nothing does. */
  readonly phoneNumbers?: PhoneNumberReader | undefined;
  /** The profile of a scenario whose head names none. Default: none. */
  readonly profile?: ProfileName | undefined;
}

const headSchema = object(headEntries);
type Head = v.InferOutput<typeof headSchema>;

/**
 * Reads a scenario from YAML or JSON.
 * @param text the text of a scenario file
 * @param options organisations that the scenario may name, and whether hosts may be local
 * @throws {ScenarioError} with every problem: its place in the text, what was expected, and what was probably meant
 * @example
 * const scenario = parseScenario(`
 * scenario: Nobody answers
 * steps:
 *   - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550103" } }
 * `);
 * scenario.steps.length; // => 1
 */
export function parseScenario(
  text: string,
  { organisations = {}, allowLocal = false, phoneNumbers, profile }: ParseOptions = {},
): Scenario {
  const source = new Source(text);
  const problems = new Problems();
  const scenario = problems.attempt(() =>
    withUnitsOfTime(() =>
      readScenario({ source, problems, organisations, allowLocal, phoneNumbers, profile }),
    ),
  );
  const [first, ...more] = locateProblems(problems.found, source);
  if (first !== undefined) throw new ScenarioError(first, ...more);
  const read = { text, organisations, allowLocal };
  sources.set(scenario as Scenario, profile === undefined ? read : { ...read, profile });
  return scenario as Scenario;
}

/** The text and the options that a scenario was read from. */
export interface ScenarioSource
  extends Required<Pick<ParseOptions, "organisations" | "allowLocal">>,
    Pick<ParseOptions, "profile"> {
  readonly text: string;
}

const sources = new WeakMap<Scenario, ScenarioSource>();

/** Returns the text and options that a scenario was read from; undefined for a scenario made in another way. */
export function sourceOf(scenario: Scenario): ScenarioSource | undefined {
  return sources.get(scenario);
}

interface ReadContext {
  readonly source: Source;
  readonly problems: Problems;
  readonly organisations: Readonly<Record<string, string>>;
  readonly allowLocal: boolean;
  readonly phoneNumbers: PhoneNumberReader | undefined;
  readonly profile: ProfileName | undefined;
}

function readScenario(context: ReadContext): Scenario | undefined {
  const { value } = context.source;
  // the source's problems say why there is no value
  if (value === undefined) return undefined;
  if (value === null) throw new InputError([], "the file is empty, expected { scenario, steps, ... }");
  if (Array.isArray(value)) throw new InputError([], `expected { scenario, steps, ... }, got ${show(value)}`);
  let scenario: Scenario | undefined;
  // reads the rest even if a key of the head is wrong
  readInput(headSchema, value, [], (head) => {
    scenario = readParts(head, context);
    return [];
  });
  return scenario;
}

/** Reads the parts of a scenario whose keys in the head are valid. */
function readParts(head: Partial<Head>, context: ReadContext): Scenario {
  const { source, problems } = context;
  const { profile = context.profile } = head;
  problems.attempt(() => {
    if (head.rules !== undefined) mustFollowRules(head.rules, "scenario", ["rules"]);
  });
  // read first, since other parts use its event types; not read again if it is wrong
  const dialect = problems.attempt(() => readDialect(head.dialect, [], profileOf(profile).dialect));
  const declaredTypes = dialect?.events ?? [];
  const organisation = problems.attempt(() => readScenarioOrganisation(head, declaredTypes, context));
  const names = dialect === undefined ? undefined : head.dialect;
  const options = problems.attempt(() =>
    readScenarioOptions({ ...head, profile, dialect: names }, organisation, context),
  );
  const rangeOf = (keys: Keys) => source.findRange(keys);
  const steps = readSteps(head.steps ?? [], { problems, organisation, declaredTypes, rangeOf });
  return {
    title: (head.scenario ?? "").trim().replaceAll(/\s+/g, " "),
    description: head.description ?? "",
    options: options ?? {},
    untilMs: head.until,
    steps,
    deviations: readDeviations(head.deviations ?? [], context),
    ...readExpected(head.expect, context, webhookNames(head.steps ?? [])),
    questions: readQuestions(head.questions ?? [], { steps, organisation, problems, rangeOf }),
  };
}

function readDeviations(items: readonly unknown[], { source, problems }: ReadContext): ScenarioDeviation[] {
  return items.flatMap((item, index) => {
    const keys: Keys = ["deviations", index];
    const deviation = problems.attempt(() => {
      mustBeNoStep(item, keys);
      return readDeviation(item, keys);
    });
    return deviation === undefined ? [] : [{ deviation, position: source.findRange(keys) }];
  });
}

function readScenarioOptions(
  { ids = "counter", timing, assume, ...head }: Partial<Head>,
  organisation: Organisation | undefined,
  { problems, allowLocal, phoneNumbers }: ReadContext,
): SimulatorOptions {
  const { seed, start, profile, network, dialect, webhooks, urls } = head;
  // read here, since `readOptions` skips them after an earlier problem
  const read = problems.attempt(() => readTiming(timing));
  const assumed = problems.attempt(() => readAssumptions(assume));
  // `readOptions` takes ms
  if (network !== undefined) problems.attempt(() => readInput(networkSchema, network, ["network"]));
  const { schedule } = (webhooks ?? {}) as { readonly schedule?: unknown };
  if (schedule !== undefined)
    problems.attempt(() => readInput(list(duration()), schedule, ["webhooks", "schedule"]));
  const given = {
    ...{ ids, seed, start, profile, network, dialect, webhooks, urls, organisation },
    ...{ allowLocal, phoneNumbers },
    timing: read === undefined ? undefined : timing,
    assume: assumed === undefined ? undefined : assume,
  };
  const options = withMilliseconds(() => readOptions(given));
  return phoneNumbers === undefined ? options : { ...options, phoneNumbers };
}

/** The organisation written here, in a named file, or the demo organisation. */
function readScenarioOrganisation(
  head: Partial<Head>,
  declaredTypes: readonly string[],
  { organisations, allowLocal }: ReadContext,
): Organisation {
  const named = head.organisation === undefined ? demoOrganisation.id : head.organisation;
  const keys: Keys = ["organisation"];
  const rules = { allowLocal, declaredTypes };
  if (typeof named !== "string") return readOrganisation(named, keys, rules);
  if (!Object.hasOwn(organisations, named)) {
    if (named === demoOrganisation.id) return withMilliseconds(() => readOrganisation(demoOrganisation));
    const choices = [...new Set([demoOrganisation.id, ...Object.keys(organisations)])];
    const message = `no organisation is named "${named}"; known: ${choices.join(", ")}; or write it out here`;
    throw new InputError(keys, message, [], { choices });
  }
  const file = new Source(organisations[named] ?? "");
  const problems = new Problems();
  const organisation = problems.attempt(() => readOrganisation(file.value, [], rules));
  const [first, ...more] = locateProblems(problems.found, file).map((problem) => ({
    keys,
    message: `in "${named}", line ${problem.line}, column ${problem.column}: ${problemText(problem)}`,
  }));
  if (first !== undefined) throw new InputError(keys, first.message, more);
  return organisation as Organisation;
}

/** Reads the expected events and attempts. A kind without any line is not compared. */
function readExpected(
  lines: readonly unknown[] | undefined,
  { source, problems }: ReadContext,
  webhooks: readonly string[],
): Pick<Scenario, "expect" | "expectAttempts"> {
  const events: ExpectedEvent[] = [];
  const attempts: ExpectedAttempt[] = [];
  for (const [index, line] of (lines ?? []).entries()) {
    const keys: Keys = ["expect", index];
    const position = source.findRange(keys);
    problems.attempt(() => {
      mustBeNoStep(line, keys);
      if (typeof line === "object" && line !== null && "attempt" in line)
        attempts.push({ ...readAttempt(line, keys, webhooks), position });
      else events.push({ ...readEventLine(line, keys), position });
    });
  }
  const hasEvents = events.length > 0 || lines?.length === 0;
  return {
    expect: hasEvents ? events : undefined,
    expectAttempts: attempts.length > 0 ? attempts : undefined,
  };
}

function readAttempt(
  line: unknown,
  keys: Keys,
  webhooks: readonly string[],
): Omit<ExpectedAttempt, "position"> {
  const { attempt, number, status, failure, ended, duplicate, state, reason, webhook } = readInput(
    attemptLine,
    line,
    keys,
    ({ webhook: name }) => {
      if (name === undefined || webhooks.includes(name)) return [];
      const message = `unknown webhook "${name}"; named by \`as\`: ${webhooks.join(", ") || "none"}`;
      return [{ keys: ["webhook"], message, choices: webhooks }];
    },
  );
  return {
    ...attempt,
    ...{ webhook, number, status, failure, endedMs: ended, isDuplicate: duplicate, state, reason },
  };
}

/** The names that steps give to webhooks, even steps with mistakes. */
function webhookNames(items: readonly unknown[]): string[] {
  return items.flatMap((item) => {
    const as = (item as { createWebhook?: { as?: unknown } } | null)?.createWebhook?.as;
    return typeof as === "string" ? [as] : [];
  });
}
