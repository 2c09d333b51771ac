import { readFileSync } from "node:fs";
import type { CommandName } from "../../src/core/platform/base/core-services.ts";
import { commands } from "../../src/core/platform/catalogue/commands.ts";
import type { AnyCommand } from "../../src/core/platform/declare/any-command.ts";
import { argumentKeys, commandOfStep, type StepName } from "../../src/core/scenario/schema.ts";
import { root } from "./root.ts";

const ROW = /^\| `(\w+)(: \{.*?\})` \| .+ \|$/gm;

/**
 * `docs/scenarios.md`, whose table of steps has what each command says of itself. The arguments of a row are written by
 * hand, as they may leave some out; a new command gets a row at the end with all.
 */
export function scenariosPage(): string {
  const page = readFileSync(`${root}docs/scenarios.md`, "utf8");
  const rows = [...page.matchAll(ROW)];
  const last = rows.at(-1);
  if (last === undefined) throw new Error("docs/scenarios.md: the table of steps is not there");
  const listed = new Set(rows.map(([, name]) => commandOfStep[name as StepName]));
  // an old name is in the reference only
  const isOld = (name: CommandName) => (commands[name] as AnyCommand).now !== undefined;
  const added = Object.values(commandOfStep).filter((name) => !listed.has(name) && !isOld(name));
  const end = last.index + last[0].length;
  const lines = [...new Set(added)].map(
    (name) => `\n${rowOf(name, `: { ${argumentKeys(name).join(", ")} }`)}`,
  );
  const whole = page.slice(0, end) + lines.join("") + page.slice(end);
  return whole.replaceAll(ROW, (_row, name: string, args: string) => rowOf(name, args));
}

function rowOf(name: string, args: string): string {
  return `| \`${name}${args}\` | ${commands[commandOfStep[name as StepName]].about} |`;
}
