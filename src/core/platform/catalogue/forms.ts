import type { Problem } from "../../foundation/errors.ts";
import { isRecord } from "../../foundation/values.ts";
import type { CommandName } from "../base/core-services.ts";
import type { AnyCommand, FormKey } from "../declare/any-command.ts";
import { commands } from "./commands.ts";

/** A form of a command: another command's arguments, and the keys by which they are known. */
type Form = readonly [name: CommandName, keys: readonly FormKey[]];

/** Methods whose names differ from their commands'. */
export const methodNames = {
  send: "sendConversationMessage",
  receive: "receiveMessage",
  close: "closeConversation",
  complete: "completeAnalysis",
} as const satisfies Record<string, CommandName>;

/** The forms of a command, beside its own arguments: `fault` takes what `conditions` and `restFault` take. */
export function formsOf(name: CommandName): readonly Form[] {
  const { forms = {} }: AnyCommand = commands[name];
  return Object.entries(forms) as [CommandName, readonly FormKey[]][];
}

/** The command whose arguments these are: that of the first form with one of the keys, otherwise the named one. */
export function findForm(name: CommandName, input: unknown): CommandName {
  if (!isRecord(input)) return name;
  const has = (key: FormKey) =>
    typeof key === "string"
      ? input[key] !== undefined
      : Object.entries(key).some(([each, value]) => input[each] === value);
  const form = formsOf(name).find(([, keys]) => keys.some(has));
  return form?.[0] ?? name;
}

/** Names a key of each of two forms, if the arguments are a mixture; undefined if they are not. */
export function mixtureProblem(name: CommandName, input: unknown): Problem | undefined {
  if (!isRecord(input) || formsOf(name).length === 0) return undefined;
  const chosen = findForm(name, input);
  const given = Object.keys(input).filter((key) => input[key] !== undefined);
  for (const other of [name, ...formsOf(name).map(([form]) => form)]) {
    const foreign = given.find((key) => keysOf(other).includes(key) && !keysOf(chosen).includes(key));
    const own = given.find((key) => keysOf(chosen).includes(key) && !keysOf(other).includes(key));
    if (foreign === undefined || own === undefined) continue;
    const [form, of]: (string | undefined)[] = [chosen, other].map(
      (each) => (commands[each] as AnyCommand).form,
    );
    return {
      keys: [foreign],
      message: `a key of ${of}, and "${own}" is one of ${form}: give one of the two`,
    };
  }
  return undefined;
}

const keysOf = (name: CommandName) =>
  Object.keys((commands[name].schema as { entries?: object }).entries ?? {});

/** How a scenario writes a command: by its new name, if that takes the arguments too. */
export function writtenName(name: CommandName, input: unknown): string {
  const { now }: AnyCommand = commands[name];
  const named = now === undefined ? undefined : commandNamed(now);
  return named !== undefined && findForm(named, input) === name ? (now ?? name) : name;
}

function commandNamed(name: string): CommandName | undefined {
  if (Object.hasOwn(methodNames, name)) return methodNames[name as keyof typeof methodNames];
  return Object.hasOwn(commands, name) ? (name as CommandName) : undefined;
}
