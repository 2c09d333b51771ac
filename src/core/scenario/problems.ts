import { InputError, joinPath, type Keys, type Problem } from "../foundation/errors.ts";
import { nearest, withSuggestion } from "../foundation/suggestions.ts";
import { isRecord } from "../foundation/values.ts";
import { eventTypes } from "../platform/declare/events.ts";
import { organisationSchema } from "../platform/organisation/schema.ts";
import type { ScenarioProblem } from "./scenario.ts";
import { commandOfStep, listWhenKeys } from "./schema.ts";
import type { Source } from "./source.ts";

/** Collects problems, so that reading goes on after each. */
export class Problems {
  readonly found: Problem[] = [];

  add(keys: Keys, message: string, choices?: readonly string[]): void {
    this.found.push({ keys, message, ...(choices === undefined ? {} : { choices }) });
  }

  /** Returns the result of `read`; after an `InputError`, adds its problems and returns undefined. */
  attempt<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.found.push(...error.problems);
      return undefined;
    }
  }
}

/** Adds places and suggestions to the problems of an input, in the order of its text. */
export function locateProblems(problems: readonly Problem[], source: Source): ScenarioProblem[] {
  const all = problems.map((problem) => ({ problem, located: describeProblem(problem, source) }));
  // a misspelt key is also missing: report only the misspelling
  const meant = all.flatMap(({ problem: { keys }, located: { suggestion } }) =>
    suggestion === undefined ? [] : [joinPath([...keys.slice(0, -1), suggestion])],
  );
  const seen = new Set<string>();
  const readable = all.map(({ located }) => located).filter(({ line }) => line < source.brokenFromLine);
  const byPlace = (a: ScenarioProblem, b: ScenarioProblem) => a.line - b.line || a.column - b.column;
  const others = readable
    .filter(({ path, message }) => !(message === "missing" && meant.includes(path)))
    .filter((problem) => isNewAt(problem, seen));
  // a wrong indentation comes first: it is why the rest was misread
  const [first, more] = [true, false].map((is) =>
    source.problems.filter(({ message }) => message.includes("wrong indentation") === is),
  ) as [ScenarioProblem[], ScenarioProblem[]];
  return [...first.sort(byPlace), ...[...more, ...others].sort(byPlace)];
}

/** Whether a problem is new: one behind an alias occurs once for each use of the alias. */
function isNewAt({ line, column, message }: ScenarioProblem, seen: Set<string>): boolean {
  const place = `${line}:${column} ${message}`;
  return !seen.has(place) && seen.add(place) !== undefined;
}

function describeProblem(given: Problem, source: Source): ScenarioProblem {
  const problem = describeMisplacedKey(given, source.value) ?? given;
  const { keys, message, choices } = problem;
  const path = joinPath(keys);
  const isOfKey = isAboutKey(problem);
  const at = isOfKey ? source.rangeOfKey(keys) : source.findRange(keys);
  const common = { path, ...at, ...(choices === undefined ? {} : { expected: choices }) };
  const value = valueAt(source.value, keys);
  const meant = isOfKey ? undefined : durationMeant(message, value);
  if (meant !== undefined)
    return {
      ...common,
      message: `expected a duration such as PT30S, got ${JSON.stringify(value)}; did you mean ${JSON.stringify(meant)}?`,
      suggestion: meant,
    };
  const quoted = isOfKey ? undefined : missingQuotes(message, value, source.plainText(keys));
  if (quoted !== undefined)
    return { ...common, message: `${message}; put it in quotes: ${quoted}`, suggestion: quoted };
  const suggestion = isOfKey
    ? nearest(String(keys.at(-1)), unusedKeys(choices ?? [], valueAt(source.value, keys.slice(0, -1))))
    : nearestValue(keys, value, choices);
  if (suggestion === undefined) return { ...common, message };
  return { ...common, message: withSuggestion(message, suggestion), suggestion };
}

function isAboutKey({ message }: Problem): boolean {
  return /^(unknown (key|step)|wrong indentation)/.test(message);
}

/** Says where a misplaced key would be right. */
function describeMisplacedKey({ keys, message }: Problem, value: unknown): Problem | undefined {
  const key = String(keys.at(-1));
  if (!message.startsWith("unknown key")) return undefined;
  const where = keys.length === 1 ? whereInHead(key, value) : whereInStep(key, keys, value);
  return where === undefined ? undefined : { keys, message: `wrong indentation: "${key}" ${where}` };
}

function whereInHead(key: string, value: unknown): string | undefined {
  if (Object.hasOwn(commandOfStep, key)) return 'is a step: put it in the list "steps"';
  const isHollow = valueAt(value, ["organisation"]) === null;
  return isHollow && Object.hasOwn(organisationSchema.entries, key)
    ? 'is a part of an organisation: indent it below "organisation"'
    : undefined;
}

function whereInStep(key: string, [list, index, command, ...more]: Keys, value: unknown): string | undefined {
  const step = valueAt(value, ["steps", index ?? 0]);
  return list === "steps" && more.length === 1 && isRecord(step) && listWhenKeys(step).includes(key)
    ? `belongs to the step: put it beside "${command}", not below it`
    : undefined;
}

/** Text that needs quotes, since YAML reads it as a number: `+6421555001`, `101`. */
function missingQuotes(message: string, value: unknown, text: string | undefined): string | undefined {
  const isTextWanted = /^expected (text|a phone number|an extension|an e-mail address)\b/.test(message);
  const isOther = typeof value === "number" || typeof value === "boolean";
  if (!isTextWanted || !isOther || text === undefined) return undefined;
  // even with quotes it would be refused
  const isNoNumber = message.startsWith("expected a phone number") && !/^\+[1-9]\d{1,14}$/.test(text);
  return isNoNumber ? undefined : JSON.stringify(text);
}

/** The duration that a common spelling means, such as `6s` or `5 min`. */
function durationMeant(message: string, value: unknown): string | undefined {
  if (!message.startsWith("expected a duration") || typeof value !== "string") return undefined;
  const [, count, unit = ""] = /^\s*(\d+(?:\.\d+)?)\s*(s|sec|min|m|h)\s*$/i.exec(value) ?? [];
  return count === undefined ? undefined : `PT${count}${unit.charAt(0).toUpperCase()}`;
}

function nearestValue(
  keys: Keys,
  value: unknown,
  choices: readonly string[] | undefined,
): string | undefined {
  if (typeof value !== "string") return undefined;
  if (choices !== undefined) return nearest(value, choices);
  const [, offset, type = ""] = /^\s*(P\S+)\s+(\S+)\s*$/.exec(value) ?? [];
  const meant = keys[0] === "expect" && offset !== undefined ? nearest(type, eventTypes) : undefined;
  return meant === undefined ? undefined : `${offset} ${meant}`;
}

function unusedKeys(choices: readonly string[], holder: unknown): string[] {
  return choices.filter((key) => !(typeof holder === "object" && holder !== null && key in holder));
}

function valueAt(value: unknown, keys: Keys): unknown {
  return keys.reduce<unknown>(
    (holder, key) =>
      typeof holder === "object" && holder !== null ? (holder as Record<string, unknown>)[key] : undefined,
    value,
  );
}
