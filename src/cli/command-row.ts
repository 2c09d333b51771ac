import type { Command } from "commander";
import type { CommandOutput } from "./output.ts";

/** The groups of the help, in its order. */
export const commandGroups = {
  scenarios: "Play scenarios:",
  app: "Test an app:",
  server: "Simulate over HTTP:",
  captures: "Start from what happened:",
  pages: "Look and learn:",
} as const;

/** Receives a command's exit code. */
export type Exit = (code: number | Promise<number>) => void;

/** A command of the terminal, declared once: the help, suggestions and the documentation read the table of them. */
export interface CommandRow {
  /** Its name; a part of another command has the other's name before its own, as in `journal check`. */
  readonly name: string;
  readonly group: keyof typeof commandGroups;
  /** What it does, for the help. */
  readonly summary: string;
  /** Adds the arguments, the options and what is done. */
  declare(command: Command, output: CommandOutput, exit: Exit): void;
  /** The options that `--help` shows, if there are so many that the others stand under `--help-all`. */
  readonly usual?: readonly string[];
  /** What may still change before 1.0: the whole command, or these options. */
  readonly mayChange?: true | readonly string[];
  /** For an old name that still works: what to write now, such as `run --twice`. */
  readonly now?: string;
}
