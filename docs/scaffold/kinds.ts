import type { Kind } from "./addition.ts";
import { capability } from "./capability.ts";
import { command } from "./command.ts";
import { endpoint } from "./endpoint.ts";
import { event, fact } from "./event.ts";
import { lesson } from "./lesson.ts";
import { state } from "./state.ts";
import { timer } from "./timer.ts";
import { Refused, Tree } from "./tree.ts";

const kinds: Readonly<Record<string, Kind>> = {
  command,
  state,
  timer,
  event,
  fact,
  endpoint,
  lesson,
  capability,
};

/**
 * Writes the places that an addition needs.
 * @param root of the tree
 * @param args the kind, and its arguments
 * @returns the files that are written, and what is left to say, each line as `file: what`
 * @throws {Refused} if a name is bad or exists; then nothing is written
 */
export function addTo(
  root: string,
  [name = "", ...args]: readonly string[],
): { readonly written: readonly string[]; readonly left: readonly string[] } {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind === undefined) throw new Refused(`expected what to add:\n\n${usage()}`);
  if (args.length > kind.usage.split(" ").length)
    throw new Refused(`too many arguments: expected npm run new ${name} ${kind.usage}`);
  const tree = new Tree(root);
  const left = kind.add(tree, ...args);
  return { written: tree.write(), left };
}

function usage(): string {
  const lines = Object.entries(kinds).map(([name, { usage: form, about }]) => [
    `npm run new ${name} ${form}`,
    about,
  ]);
  const width = Math.max(...lines.map(([form = ""]) => form.length));
  return lines.map(([form = "", about]) => `  ${form.padEnd(width)}  ${about}`).join("\n");
}
