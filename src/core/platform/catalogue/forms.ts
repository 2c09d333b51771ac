import { isRecord } from "../../foundation/values.ts";
import type { CommandName } from "../base/core-services.ts";
import type { AnyCommand } from "../declare/any-command.ts";
import { commands } from "./commands.ts";

/** A form of a command: another command's arguments, and the keys by which they are known. */
type Form = readonly [name: CommandName, keys: readonly string[]];

/** The forms of a command, beside its own arguments: `fault` takes what `conditions` and `restFault` take. */
export function formsOf(name: CommandName): readonly Form[] {
  const { forms = {} }: AnyCommand = commands[name];
  return Object.entries(forms) as [CommandName, readonly string[]][];
}

/** The command whose arguments these are: that of the first form with one of the keys, otherwise the named one. */
export function formOf(name: CommandName, input: unknown): CommandName {
  if (!isRecord(input)) return name;
  const form = formsOf(name).find(([, keys]) => keys.some((key) => input[key] !== undefined));
  return form?.[0] ?? name;
}

/** How a scenario writes a command: by its new name, if that takes the arguments too. */
export function writtenName(name: CommandName, input: unknown): CommandName {
  const { now }: AnyCommand = commands[name];
  return now !== undefined && now in commands && formOf(now as CommandName, input) === name
    ? (now as CommandName)
    : name;
}
