import { InputError, type Keys } from "../foundation/errors.ts";
import { stepNames } from "./schema.ts";
import { lastLineOf, Source } from "./source.ts";

/** A step that was written behind the last list of a scenario, such as `expect`, and so belongs to that list. */

/** @throws {InputError} if an item of another list is a step */
export function mustBeNoStep(item: unknown, keys: Keys): void {
  if (typeof item !== "object" || item === null || !("at" in item || "on" in item)) return;
  if (!stepNames.some((name) => name in item)) return;
  throw new InputError(keys, `${IS_A_STEP}: it belongs to \`steps\`, above \`${String(keys[0])}\``);
}

const IS_A_STEP = "this is a step";

/** Whether a scenario's problem is a misplaced step. */
export function isMisplacedStep({ message }: { readonly message: string }): boolean {
  return message.startsWith(IS_A_STEP);
}

/**
 * Moves a misplaced step to the end of `steps`.
 * @param path its place, such as `expect[2]`
 * @returns the text; undefined if no step in lines of its own is there
 */
export function withStepMoved(text: string, path: string): string | undefined {
  const [, list = "", index = ""] = /^(expect|deviations)\[(\d+)\]$/.exec(path) ?? [];
  if (list === "") return undefined;
  const lines = text.split("\n");
  const source = new Source(text);
  const steps = source.findRange(["steps"]);
  const item = source.findRange([list, Number(index)]);
  const last = lastLineOf(item);
  const moved = lines.slice(item.line - 1, last);
  const end = lastLineOf(steps);
  if (!/^\s*- /.test(moved[0] ?? "") || !/^\s*- /.test(lines[steps.line - 1] ?? "") || end >= item.line)
    return undefined;
  return [...lines.slice(0, end), ...moved, ...lines.slice(end, item.line - 1), ...lines.slice(last)].join(
    "\n",
  );
}
