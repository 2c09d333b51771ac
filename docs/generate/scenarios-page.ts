import { readFileSync } from "node:fs";
import type { CommandName } from "../../src/core/platform/base/core-services.ts";
import { commands } from "../../src/core/platform/catalogue/commands.ts";
import type { AnyCommand } from "../../src/core/platform/declare/any-command.ts";
import { argumentKeys, commandOfStep, type StepName } from "../../src/core/scenario/schema.ts";
import { root } from "./root.ts";

const ROW = /^\| `(\w+)(: \{.*?\})` \| .+ \|$/gm;

/**
 * `docs/scenarios.md`, whose table of steps has what each command says of itself. The arguments of a row are written by
 * hand, as they may leave some out. A new command gets a row with all of them, behind the row of the command that stands
 * before it in `catalogue/commands.ts`.
 */
export function scenariosPage(page = readFileSync(`${root}docs/scenarios.md`, "utf8")): string {
  const rows = [...page.matchAll(ROW)].map(([text, name = "", args = ""]) => ({
    text,
    command: commandOfStep[name as StepName],
    made: rowOf(name, args),
  }));
  const [first] = rows;
  if (first === undefined) throw new Error("docs/scenarios.md: the table of steps is not there");
  const names = Object.keys(commands) as CommandName[];
  // an old name is in the reference only
  const isOld = (name: CommandName) => (commands[name] as AnyCommand).now !== undefined;
  const steps = new Set(Object.values(commandOfStep).filter((name) => !isOld(name)));
  const inOrder = [...steps].sort((one, other) => names.indexOf(one) - names.indexOf(other));
  for (const command of inOrder) {
    if (rows.some((row) => row.command === command)) continue;
    const before = names.slice(0, names.indexOf(command)).toReversed();
    const neighbour = before.find((name) => rows.some((row) => row.command === name));
    const place = rows.findLastIndex((row) => row.command === neighbour) + 1;
    rows.splice(place, 0, {
      text: "",
      command,
      made: rowOf(command, `: { ${argumentKeys(command).join(", ")} }`),
    });
  }
  const begin = page.indexOf(first.text);
  const last = rows.findLast(({ text }) => text !== "") ?? first;
  const end = page.indexOf(last.text) + last.text.length;
  return page.slice(0, begin) + rows.map(({ made }) => made).join("\n") + page.slice(end);
}

function rowOf(name: string, args: string): string {
  return `| \`${name}${args}\` | ${commands[commandOfStep[name as StepName]].summary} |`;
}
