import { printableLines } from "../core/foundation/printable.ts";
import { quoted } from "../findings/quoted.ts";

/**
 * What went wrong, in the form that every command prints with `--json`.
 *
 * ```json
 * {
 *   "cause": "setps: unknown key; did you mean \"steps\"?",
 *   "place": "scenarios/a.yaml:2:1",
 *   "replay": "npx ringback check scenarios/a.yaml",
 *   "next": "fix the scenario there"
 * }
 * ```
 */
export interface Failure {
  /** What is wrong, and what was expected; the first line says the most. */
  readonly cause: string;
  /** A file, `file:line`, `file:line:column`, or an option such as `--port`; null if the failure has no place. */
  readonly place: string | null;
  /** The command that shows the failure again. */
  readonly replay: string;
  /** What to do about it. */
  readonly next: string;
}

/** A failure whose replay and next step are those of the whole command, unless they are given. */
export type CommandFailure = Pick<Failure, "cause" | "place"> & Partial<Failure>;

/** The user gave a command something wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  constructor(
    /** What is wrong, without the place. */
    override readonly cause: string,
    /** A file with or without its line, or an option. */
    readonly place: string | null = null,
  ) {
    super(place === null ? cause : `${place}: ${cause}`);
  }

  /** The error for machines. */
  failures(): CommandFailure[] {
    return [{ cause: this.cause, place: this.place }];
  }
}

/** How `ringback` was called. */
export interface Invocation {
  /** A command that does the same again. Secrets stand there by the names of variables. */
  readonly line: string;
  /** The command's name with the program's, such as `ringback journal check`. */
  readonly command: string;
  /** Whether it prints JSON, and on the standard output nothing else. */
  readonly isJson: boolean;
}

const secrets: Readonly<Record<string, string>> = { "--token": "$TOKEN", "--secret": "$SECRET" };

/** @param names of all commands, those of commands with a space, such as `journal check` */
export function showInvocation(args: readonly string[], names: readonly string[]): Invocation {
  const shown = args.map((arg, index) => {
    const [option = "", value] = arg.split("=");
    const secret = secrets[option];
    if (secret !== undefined && value !== undefined) return `${option}="${secret}"`;
    const before = secrets[args[index - 1] ?? ""];
    return before === undefined ? quoted(arg) : `"${before}"`;
  });
  const [command = ""] = [args.slice(0, 2).join(" "), args[0]].filter((name) => names.includes(name ?? ""));
  const named = (rest: string) => ["ringback", rest].filter(Boolean).join(" ");
  return { line: `npx ${named(shown.join(" "))}`, command: named(command), isJson: args.includes("--json") };
}

/**
 * What a command prints with `--json`: whether all went well, the failures, and its own facts.
 * @param failures in the order in which they were found; empty if all is well
 */
export function resultText(
  { line, command }: Invocation,
  failures: readonly CommandFailure[],
  facts: object = {},
): string {
  const whole = failures.map(({ cause, place, replay, next, ...more }) => ({
    cause: cause.trim(),
    place,
    replay: replay ?? line,
    next: next ?? `fix what the cause names; \`${command} --help\` lists what the command takes`,
    ...more,
  }));
  const result = { ok: failures.length === 0, failures: whole, ...facts };
  return `${printableLines(JSON.stringify(result, null, 2))}\n`;
}
