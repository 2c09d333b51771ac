import type { Command } from "commander";
import { commandRows } from "../../src/cli/commands.ts";
import { makeProgram } from "../../src/cli/program.ts";
import { banner } from "./banner.ts";
import { entries } from "./entries.ts";

/** The page that says what is stable, made from the table of commands. */

/** What may still change in an entry before 1.0; the others are stable as a whole. */
const changingEntries: Readonly<Record<string, string>> = {
  "ringback/explore":
    "`callLog`, `callBacks`, `wallboard`; `known`, `mutants` and `forged`; the fields of a report beside `failures`, `worlds` and `complete`",
  "ringback/import": "all of it: what captures show is still being learned",
  "ringback/inspect": "what the page shows; `inspectHtml` stays",
};

const silent = { isTerminal: false, isJson: false, out() {}, err() {}, result: () => "" };

export function stabilityPage(): string {
  const program = makeProgram(silent, () => {});
  const old = commandRows.flatMap(({ name, now }) =>
    now === undefined ? [] : [`| \`ringback ${name}\` | \`ringback ${now}\` |`],
  );
  return [
    banner("the table of commands"),
    "",
    "# What is stable",
    "",
    "Until 1.0, what this page calls stable keeps its name and its meaning. If something stable must go, its old name works for two more minor versions and prints the new one.",
    "What *may change* can be renamed or changed in any minor version; [the changes](../CHANGELOG.md) say so. Names that no page of the reference has, and the words of messages, may change at any time.",
    "",
    "## Entries",
    "",
    "| entry | stable | may change |",
    "|---|---|---|",
    ...Object.keys(entries).map((entry) => {
      const changing = changingEntries[entry];
      const isStable = changing === undefined ? "yes" : changing.startsWith("all") ? "no" : "the rest";
      return `| \`${entry}\` | ${isStable} | ${changing ?? ""} |`;
    }),
    "",
    "## Commands and options",
    "",
    "`--json` and `--help` of every command are stable, and so are exit codes.",
    "",
    "| command | stable | may change |",
    "|---|---|---|",
    ...commandRows.flatMap(({ name, now, mayChange = [] }) => {
      if (now !== undefined) return [];
      if (mayChange === true) return [`| \`${name}\` | no | all of it |`];
      const options = optionsOf(program, name).filter((option) => !["--json", ...mayChange].includes(option));
      return [
        `| \`${name}\` | ${options.map(coded).join(", ") || "yes"} | ${mayChange.map(coded).join(", ")} |`,
      ];
    }),
    "",
    "| old name, which still works | what to write |",
    "|---|---|",
    ...old,
    "",
    "## Files",
    "",
    "| file | stable |",
    "|---|---|",
    "| scenarios, organisations | yes: `rules` in the head names the version that a scenario was written for |",
    "| journals | a version plays the journals of its own minor version; each names its version |",
    "| `ringback-results/` | the names of files may change; `--json` and the report name them |",
    "",
  ].join("\n");
}

const coded = (text: string) => `\`${text}\``;

/** The long names of a command's options. */
function optionsOf(program: Command, name: string): string[] {
  const command = name
    .split(" ")
    .reduce<Command | undefined>(
      (parent, part) => parent?.commands.find((each) => each.name() === part),
      program,
    );
  return (command?.options ?? []).flatMap(({ hidden, long }) => (hidden ? [] : (long ?? [])));
}
