import { InvalidArgumentError, Option } from "commander";
import { InputError } from "../core/foundation/errors.ts";
import { durationMs } from "../core/foundation/instants.ts";
import { nearest } from "../core/foundation/suggestions.ts";
import { profileNames } from "../core/platform/declare/profile.ts";
import { addressProblem, EMPTY_SECRET } from "../server/app-answers.ts";
import { UsageError } from "./failures.ts";

/** Reads a whole number. @param least the smallest that is allowed */
export function wholeNumberFrom(least: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,15}$/.test(text) && Number(text) >= least) return Number(text);
    throw new InvalidArgumentError(`Expected a whole number from ${least} on.`);
  };
}

/** Reads an ISO 8601 duration. */
export function durationArgument(text: string): string {
  if (durationMs(text) !== undefined) return text;
  throw new InvalidArgumentError("Expected a duration such as PT10M.");
}

/** @throws {InvalidArgumentError} unless it is a URL to which webhooks may be sent, such as one on this machine */
export function urlArgument(text: string): string {
  const problem = addressProblem(text);
  if (problem === undefined) return text;
  throw new InvalidArgumentError(problem);
}

/** @throws {InvalidArgumentError} for an empty secret */
export function secretArgument(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError(EMPTY_SECRET);
}

/** The option of commands that write requests as another service does. `dialectIn` reads the file. */
export const dialectOption = () =>
  new Option(
    "--dialect <file>",
    "the service's own names, in YAML or JSON, or a module that writes its bodies",
  );

/** The option of commands that simulate a platform. */
export const profileOption = () =>
  new Option(
    "--profile <name>",
    "how the platform behaves and writes, unless it is said: observed, as public bodies and clients show it",
  ).choices([...profileNames]);

/** The option that every command has. `CommandOutput.isJson` says whether it is given. */
export const jsonOption = () =>
  new Option("--json", "print the result, or what went wrong, as JSON, and nothing else");

/** The option that names kinds, with spaces or commas between them. */
export function kindsOption(about: string, given: readonly string[]): Option {
  const kinds = [...new Set(given)];
  return new Option("--kinds <kind...>", about)
    .choices(kinds)
    .argParser((text, before: readonly string[] | undefined) => {
      const named = text.split(",").filter((kind) => kind !== "");
      const unknown = named.find((kind) => !kinds.includes(kind));
      const meant = unknown === undefined ? undefined : nearest(unknown, kinds);
      if (meant !== undefined) throw new InvalidArgumentError(`Did you mean ${meant}?`);
      if (unknown !== undefined || named.length === 0)
        throw new InvalidArgumentError(`Allowed choices are ${kinds.join(", ")}.`);
      return [...(before ?? []), ...named];
    });
}

/** An option as it is given: `--write-expect` for `writeExpect`. */
export function optionText(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * An error of a function that gets options of a command and a scenario.
 * @returns it with the option that it is about, if that is given, else with the scenario's file
 */
export function usageErrorIn(file: string | null, flags: object, error: InputError): unknown {
  const { path } = error;
  if (error.problems[0]?.keys[0] === "dependencies" && "dependency" in flags) return toServerError(error);
  return /^\w+$/.test(path) && path in flags ? toUsageError(error) : new UsageError(error.message, file);
}

/** An error of the options of `httpApp`, with the flag of the one that is wrong. */
export function toServerError(error: InputError): UsageError {
  const [{ keys, message }] = error.problems as [InputError["problems"][number]];
  const [key = "", part] = keys.map(String);
  const flag = { url: "--server", dependencies: "--dependency" }[key] ?? optionText(key);
  return new UsageError(part === undefined ? message : `${part}: ${message}`, flag);
}

/** An error of a function whose options a command gives it: it names the command's option, or the address itself. */
export function toUsageError(error: unknown, url?: string): unknown {
  if (!(error instanceof InputError)) return error;
  const [{ keys, message }] = error.problems as [InputError["problems"][number]];
  const place = keys[0] === "url" ? url : optionText(String(keys[0]));
  return new UsageError(keys.length === 1 ? message : error.message, place);
}
