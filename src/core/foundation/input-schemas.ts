import * as v from "valibot";
import {
  CommandError,
  type ErrorDetail,
  InputError,
  joinPath,
  type Keys,
  listProblems,
  MOST_LISTED,
  type Problem,
} from "./errors.ts";
import { type DurationInput, type InstantInput, readDurationMs, readInstantMs } from "./instants.ts";
import { copyValue } from "./runtime-globals.ts";
import { show } from "./show.ts";
import { nearest, withSuggestion } from "./suggestions.ts";
import { isRecord } from "./values.ts";

/** Schemas for outside input. Each message says what was expected; `readInput` adds the path. */

/** An object with exactly these keys. */
export function object<const E extends v.ObjectEntries>(entries: E) {
  const keys = Object.keys(entries);
  // one text for all unknown keys: a body may have hundreds of thousands
  const unknown = `unknown key, expected one of: ${keys.join(", ")}`;
  knownKeys.set(unknown, keys);
  const schema = v.strictObject(entries, (issue) => {
    if (issue.expected === "never") return unknown;
    return issue.expected === "Object"
      ? `expected an object ${outline(entries)}, got ${show(issue.input)}`
      : "missing";
  });
  return refuseLists(schema);
}

type Checked = ReturnType<v.GenericSchema["~run"]>;

/** Refuses lists. Valibot takes a list for an object without keys, which passes if every key is optional. */
function refuseLists<const S extends v.GenericSchema>(schema: S): S {
  const run = schema["~run"];
  const runUnlessList: typeof run = function (this: S, dataset, config) {
    if (!Array.isArray(dataset.value)) return run.call(this, dataset, config);
    return refuse(this, dataset, config);
  };
  return Object.assign(schema, { "~run": runUnlessList });
}

/** Adds an issue to a dataset, which is then a refused one. */
function refuse(
  schema: v.GenericSchema,
  dataset: v.UnknownDataset | Checked,
  config: v.Config<v.BaseIssue<unknown>>,
): Checked {
  v._addIssue(schema, "type", dataset, config);
  return dataset as Checked;
}

/**
 * Describes the keys of an object for a message: the required ones, or a few of the optional ones, as in `{
 * from, to, ... }`.
 */
function outline(entries: v.ObjectEntries): string {
  const keys = Object.keys(entries);
  const needed = keys.filter((key) => !/optional|nullish/i.test(entries[key]?.type ?? ""));
  const named = needed.length > 0 ? needed : keys.slice(0, 3);
  return `{ ${[...named, ...(named.length < keys.length ? ["..."] : [])].join(", ")} }`;
}

/** An object with any keys. Valibot's own `record` drops `constructor` and the like, and accepts lists. */
export function anyObject(expected = "expected an object") {
  return v.pipe(
    v.custom<{ readonly [key: string]: unknown }>(
      isRecord,
      (issue) => `${expected}, got ${show(issue.input)}`,
    ),
    v.metadata({ type: "object", additionalProperties: {} }),
  );
}

export function list<const S extends v.GenericSchema>(item: S) {
  return v.array(item, (issue) => `expected a list, got ${show(issue.input)}`);
}

/** A function, of which nothing more is known before it is called. */
export function callback() {
  return v.function((issue) => `expected a function, got ${show(issue.input)}`);
}

/** Refuses a callback that is not a function at once, not when it is due. @throws {InputError} */
export function mustBeFunction(value: unknown, asker: string): void {
  if (typeof value !== "function") throw new InputError([asker], `expected a function, got ${show(value)}`);
}

/** Text that is not empty. */
export function text(expected = "expected text") {
  return v.pipe(
    v.string((issue) => `${expected}, got ${show(issue.input)}`),
    v.nonEmpty("expected text that is not empty"),
  );
}

/** Text that may be part of a header's name: a token of RFC 9110. */
export function headerToken() {
  const say = (issue: { input: unknown }) =>
    `expected a name that can stand in a header: letters, digits and !#$%&'*+-.^_\`|~, got ${show(issue.input)}`;
  return v.pipe(text(), v.regex(/^[\w!#$%&'*+.^`|~-]*$/, say));
}

export function flag() {
  return v.boolean((issue) => `expected true or false, got ${show(issue.input)}`);
}

export function oneOf<const T extends readonly string[]>(values: T) {
  const words = values.join(", ");
  const schema = v.picklist(values, (issue) => `expected one of ${words}, got ${show(issue.input)}`);
  allowedWords.set(schema.expects, values);
  return schema;
}

/** Text of a form. @param message what was expected, for the error and for docs/errors.md */
function textLike(form: RegExp, message: string) {
  const say = (issue: { input: unknown }) => `${message}, got ${show(issue.input)}`;
  return v.pipe(v.string(say), v.regex(form, say));
}

/** A phone number in E.164: a plus, then up to 15 digits, the first not 0. */
export function e164() {
  return textLike(/^\+[1-9]\d{1,14}$/, 'expected a phone number in E.164, such as "+6495550100"');
}

/** The sender of a message: a phone number in E.164, or a short code of three to eight digits. */
export function senderNumber() {
  return textLike(
    /^(\+[1-9]\d{1,14}|\d{3,8})$/,
    'expected a phone number in E.164, such as "+6495550100", or a short code of 3 to 8 digits',
  );
}

/** The number of a caller: as `senderNumber`, or `anonymous` if it is withheld. */
export function callerNumber() {
  return textLike(
    /^(\+[1-9]\d{1,14}|\d{3,8}|anonymous)$/,
    'expected a phone number in E.164, such as "+6495550100", a short code of 3 to 8 digits, or "anonymous"',
  );
}

/** A country by ISO 3166-1 alpha-2, such as `NZ`, in capitals or not. */
export function country() {
  return v.pipe(
    textLike(/^[A-Za-z]{2}$/, 'expected a country by ISO 3166-1 alpha-2, such as "NZ"'),
    v.transform((text) => text.toUpperCase()),
  );
}

export function email() {
  return textLike(/^[^\s@]+@[^\s@]+$/, "expected an e-mail address");
}

/** Who sends a message: a user by e-mail address, or by a phone number in E.164. */
export function emailOrNumber() {
  return textLike(
    /^(\+[1-9]\d{1,14}|[^\s@]+@[^\s@]+)$/,
    'expected an e-mail address, or a phone number in E.164, such as "+6495550100"',
  );
}

/** What a call may have as its outside number: E.164, a short code, or the extension of an internal call. */
export function contactNumberOfCall() {
  return textLike(
    /^(\+[1-9]\d{1,14}|\d+)$/,
    'expected a phone number in E.164, such as "+6495550100", a short code, or an extension',
  );
}

export function extension() {
  return textLike(/^\d{1,10}$/, 'expected an extension, digits in quotes such as "101"');
}

/** An IANA time zone that this runtime knows. */
export function timezone() {
  const say = (issue: { input: unknown }) =>
    `expected an IANA time zone such as "Pacific/Auckland", got ${show(issue.input)}`;
  return v.pipe(v.string(say), v.check(isTimezone, say));
}

/** Whether a number may stand for a duration, in ms. */
let takesNumbers = true;

/**
 * Reads what people wrote into a file: there a number is no duration, since 5 looks like seconds and would be milliseconds.
 * @param read reads at once: nothing of it may wait
 */
export function withUnitsOfTime<T>(read: () => T): T {
  return readWith(false, read);
}

/** Reads what was read before, whose durations are ms, within what people wrote. */
export function withMilliseconds<T>(read: () => T): T {
  return readWith(true, read);
}

function readWith<T>(numbers: boolean, read: () => T): T {
  const before = takesNumbers;
  takesNumbers = numbers;
  try {
    return read();
  } finally {
    takesNumbers = before;
  }
}

function readGivenDuration(input: unknown, keys: Keys): number {
  // 0 needs no unit
  if (!takesNumbers && typeof input === "number" && input !== 0)
    throw new InputError(keys, `expected a duration with its unit, such as "PT5S", got ${show(input)}`);
  return readDurationMs(input, keys);
}

/** A duration in any accepted form, read as whole milliseconds. */
export function duration() {
  const jsonSchema = {
    type: ["string", "number"],
    pattern: "^P",
    description: "ISO 8601, such as PT30S, or ms",
  };
  const schema = transformBy<DurationInput>(readGivenDuration, jsonSchema);
  durations.add(schema);
  return schema;
}

const durations = new WeakSet<object>();

/** Whether a schema, or the first of its pipe, is one that `duration` made. */
export function isDuration(schema: v.GenericSchema): boolean {
  const [first] = (schema as { readonly pipe?: readonly v.GenericSchema[] }).pipe ?? [];
  return durations.has(schema) || (first !== undefined && first !== schema && durations.has(first));
}

/** A duration above 0. Something repeated every 0 ms would never end. */
export function positiveDuration() {
  return v.pipe(
    duration(),
    v.check((ms) => ms > 0, "expected a duration above 0"),
  );
}

/** An instant in any accepted form, read as milliseconds since the epoch. */
export function instant() {
  const jsonSchema = {
    type: ["string", "number"],
    description: "ISO 8601, such as 2026-07-01T09:00:00Z, or ms since the epoch",
  };
  return transformBy<InstantInput>(readInstantMs, jsonSchema);
}

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER) {
  const say = ({ input }: { input: unknown }) =>
    max === Number.MAX_SAFE_INTEGER
      ? `expected a whole number from ${min} on, got ${show(input)}`
      : `expected a whole number from ${min} to ${max}, got ${show(input)}`;
  return v.pipe(v.number(say), v.integer(say), v.minValue(min, say), v.maxValue(max, say));
}

/** One of several shapes. An error is about the shape that comes closest, or is the given message. */
export function either<const S extends readonly v.GenericSchema[]>(
  alternatives: S,
  message: string | ((issue: { input: unknown }) => string),
) {
  return v.union(alternatives, (issue) => {
    alternativesOf.set(issue, alternatives);
    return typeof message === "string" ? message : message(issue);
  });
}

export function url() {
  const say = (issue: { input: unknown }) => `expected an https URL, got ${show(issue.input)}`;
  return v.pipe(
    v.string(say),
    v.check((value) => URL.canParse(value) && new URL(value).protocol === "https:", say),
  );
}

/**
 * Finds problems that a schema cannot express. It gets the well-formed fields: an omitted key is present and
 * undefined, a key whose value was refused is absent.
 */
type InputCheck<Output> = (wellFormed: Partial<Output>) => readonly Problem[];

/**
 * Reads outside input by a schema.
 * @param check also called when the schema refuses some fields, so that the error lists every problem at once
 * @throws {InputError} listing every problem with its path, such as `users[2].extension`
 */
export function readInput<const S extends v.GenericSchema>(
  schema: S,
  input: unknown,
  root: Keys = [],
  check?: InputCheck<v.InferOutput<S>>,
): v.InferOutput<S> {
  const { output, problems, unnamed } = parse(schema, input, root, check);
  const [first, ...more] = problems;
  if (first === undefined) return output;
  throw new InputError(first.keys, first.message, more, first, unnamed);
}

/**
 * Reads the arguments of a command.
 * @param check as in `readInput`
 * @throws {CommandError} `invalid_argument`, naming the command, with one detail for each wrong argument
 */
export function readArguments<const S extends v.GenericSchema>(
  command: string,
  schema: S,
  input: unknown,
  check?: InputCheck<v.InferOutput<S>>,
): v.InferOutput<S> {
  const { output, problems, unnamed } = parse(schema, input, [], check);
  if (problems.length === 0) return output;
  const details = problems.map(
    ({ keys, message, suggestion }): ErrorDetail => ({
      path: joinPath(keys),
      message: withSuggestion(message, suggestion),
    }),
  );
  throw new CommandError("invalid_argument", `${command}: ${listProblems(problems, unnamed)}`, details);
}

/** Removes the keys that a schema does not know, at any depth. Other problems stay. */
export function withoutUnknownKeys(schema: v.GenericSchema, input: unknown): unknown {
  const unknown = deepest(v.safeParse(schema, input).issues ?? []).filter(isUnknownKey);
  if (unknown.length === 0) return input;
  const rest = copyValue(input);
  for (const { path = [] } of unknown) {
    const keys = path.map((item) => item.key as string);
    const last = keys.pop() ?? "";
    const holder = keys.reduce((part, key) => part[key] as Holder, rest as Holder);
    delete holder[last];
  }
  // the unknown keys hid other problems, which show now
  return withoutUnknownKeys(schema, rest);
}

interface Holder {
  [key: string]: unknown;
}

function isUnknownKey({ expected }: v.BaseIssue<unknown>): boolean {
  return expected === "never";
}

function parse<const S extends v.GenericSchema>(
  schema: S,
  input: unknown,
  root: Keys,
  check: InputCheck<v.InferOutput<S>> | undefined,
): { output: v.InferOutput<S>; problems: readonly Problem[]; unnamed: number } {
  const result = v.safeParse(schema, input);
  if (result.success && check === undefined) return { output: result.output, problems: [], unnamed: 0 };
  const { output, success } = result;
  const more = check?.(success ? withEveryKey(schema, output) : wellFormed(schema, input)) ?? [];
  const found = firstPerPath([
    ...deepest(result.issues ?? []).map((issue) => ({
      keys: [...root, ...(issue.path ?? []).map((item) => item.key as string | number)],
      of: issue as v.BaseIssue<unknown> | Problem,
    })),
    ...more.map((problem) => ({ keys: [...root, ...problem.keys], of: problem })),
  ]);
  const problems = found
    .slice(0, MOST_LISTED)
    .map(({ keys, of }) => ({ ...("kind" in of ? problemOf(of) : of), keys }));
  return { output, problems, unnamed: found.length - problems.length };
}

function problemOf(issue: v.BaseIssue<unknown>): Omit<Problem, "keys"> {
  return { message: issue.message, ...listChoices(issue) };
}

/** The allowed words at an issue's place, and the closest one. */
function listChoices(issue: v.BaseIssue<unknown>): Pick<Problem, "choices" | "suggestion"> {
  const isOfKey = isUnknownKey(issue);
  const offered = isOfKey ? knownKeys.get(issue.message) : allowedWords.get(issue.expected ?? "");
  if (offered === undefined) return {};
  const last = issue.path?.at(-1);
  const holder = isOfKey && typeof last?.input === "object" && last.input !== null ? last.input : {};
  const meant = nearest(
    String(isOfKey ? last?.key : issue.input),
    offered.filter((each) => !(each in holder)),
  );
  return { choices: offered, ...(meant === undefined ? {} : { suggestion: meant }) };
}

/** Keeps the first problem of each place in the input: a number may be both too small and not whole. */
function firstPerPath<P extends { readonly keys: Keys }>(problems: readonly P[]): P[] {
  const byPath = new Map<string, P>();
  for (const problem of problems) {
    const path = joinPath(problem.keys);
    if (!byPath.has(path)) byPath.set(path, problem);
  }
  return [...byPath.values()];
}

/** Adds omitted keys as undefined to output that a schema accepted, at any depth. */
function withEveryKey<S extends v.GenericSchema>(schema: S, output: unknown): Partial<v.InferOutput<S>> {
  const read: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(entriesOf(schema))) {
    const value = (output as Record<string, unknown>)[key];
    read[key] = "entries" in part ? withEveryKey(part as v.GenericSchema, value) : value;
  }
  return read as Partial<v.InferOutput<S>>;
}

/** The fields that an object's schema accepts one by one, at any depth. */
function wellFormed<S extends v.GenericSchema>(schema: S, input: unknown): Partial<v.InferOutput<S>> {
  const given = typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
  const read = Object.entries(entriesOf(schema)).flatMap(([key, part]) => {
    const value = given[key];
    if ("entries" in part && typeof value === "object")
      return [[key, wellFormed(part as v.GenericSchema, value)]];
    const result = v.safeParse(part, value);
    return result.success ? [[key, result.output]] : [];
  });
  return Object.fromEntries(read);
}

const entriesOf = (schema: v.GenericSchema): v.ObjectEntries =>
  (schema as { entries?: v.ObjectEntries }).entries ?? {};

/** @param jsonSchema the JSON Schema by which an editor checks it in a file */
function transformBy<Input>(
  read: (input: unknown, keys: Keys) => number,
  jsonSchema: Record<string, unknown>,
) {
  return v.pipe(
    v.custom<Input>(() => true),
    v.metadata(jsonSchema),
    v.rawTransform<Input, number>(({ dataset, addIssue, NEVER }) => {
      try {
        return read(dataset.value, []);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        addIssue({ message: error.message }); // without keys, the message is all there is
        return NEVER;
      }
    }),
  );
}

/** The allowed keys of an object, by its message about an unknown key. */
const knownKeys = new Map<string, readonly string[]>();

/** The words of a picklist, by what Valibot says it expects. */
const allowedWords = new Map<string, readonly string[]>();

/** The alternatives that a failed `either` tried. */
const alternativesOf = new WeakMap<object, readonly v.GenericSchema[]>();

/** The issue, and one for each further unknown key: Valibot stops at an object's first. */
function everyUnknownKey(issue: v.BaseIssue<unknown>): v.BaseIssue<unknown>[] {
  const known = isUnknownKey(issue) ? knownKeys.get(issue.message) : undefined;
  const last = issue.path?.at(-1);
  if (known === undefined || last === undefined) return [issue];
  const outer = issue.path?.slice(0, -1) ?? [];
  const given = last.input as Record<string, unknown>;
  const others = Object.keys(given).filter((key) => key !== last.key && !known.includes(key));
  const otherIssues = others.map((key) => {
    const place = { ...last, key, value: given[key] } as v.IssuePathItem;
    return { ...issue, input: key, path: [...outer, place] as [v.IssuePathItem] };
  });
  return [issue, ...otherIssues];
}

/**
 * Replaces a union's own issue by those inside the alternative that came closest, which say more, and an object's first
 * unknown key by all of them.
 */
function deepest(issues: readonly v.BaseIssue<unknown>[]): v.BaseIssue<unknown>[] {
  return issues.flatMap((issue) => {
    const inner = closestIssues(issue.input, alternativesOf.get(issue) ?? []);
    if (inner.length === 0) return everyUnknownKey(issue);
    const outer = issue.path ?? [];
    return deepest(inner).map((each) => {
      return { ...each, path: [...outer, ...(each.path ?? [])] } as typeof issue;
    });
  });
}

/** The issues of the one alternative whose keys fit best. Empty if none or several fit best. */
function closestIssues(input: unknown, alternatives: readonly v.GenericSchema[]): v.BaseIssue<unknown>[] {
  const close = alternatives
    .map((schema) => v.safeParse(schema, input).issues ?? [])
    // an issue without a path means a wrong kind of value, such as text for an object
    .filter((issues) => issues.every((issue) => issue.path !== undefined))
    .map((issues) => ({ issues, misfits: issues.flatMap(everyUnknownKey).filter(isMisfit).length }))
    .sort((a, b) => a.misfits - b.misfits);
  const [best, next] = close;
  return best === undefined || best.misfits === next?.misfits ? [] : best.issues;
}

/** Whether an issue is a missing or an unknown key. */
function isMisfit(issue: v.BaseIssue<unknown>): boolean {
  return issue.path?.length === 1 && /^(missing|unknown key)/.test(issue.message);
}

/** Zones that every runtime knows. Listing all takes three tenths of the time of a process's first simulator. */
const commonTimezones: ReadonlySet<string> = new Set(["Pacific/Auckland", "Europe/London"]);

/** The zones that this runtime lists. Filled when any other zone is asked for. */
const listedTimezones = new Set<string>();

function isTimezone(zone: string): boolean {
  if (commonTimezones.has(zone)) return true;
  // listing takes an eighth of the time of the first formatter, but lacks aliases such as `UTC` or `GB`
  if (listedTimezones.size === 0)
    for (const each of Intl.supportedValuesOf("timeZone")) listedTimezones.add(each);
  if (listedTimezones.has(zone)) return true;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false; // Intl throws for an unknown zone
  }
}
