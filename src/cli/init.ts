import { existsSync } from "node:fs";
import * as modules from "node:module";
import { join } from "node:path";
import { quoted } from "../findings/quoted.ts";
import { jsonOption } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { readTextFile, writeNew, writeText } from "./disk.ts";
import { SCENARIO, writeHarness } from "./harness.ts";
import type { CommandOutput } from "./output.ts";
import { type Project, projectIn } from "./project.ts";

interface InitFlags {
  readonly agents?: boolean;
}

/** `ringback init`. */
export const initCommand: CommandRow = {
  name: "init",
  group: "app",
  summary:
    "write a test that explores your app, for the framework and test runner that you have; nothing is overwritten",
  declare: (command, output, exit) => {
    command
      .argument("[folder]", "the project's folder", ".")
      .option("--agents", "also point coding agents to ringback's skill, in AGENTS.md")
      .addOption(jsonOption())
      .action((folder: string, flags: InitFlags) => exit(init(folder, flags, output)));
  },
};

/**
 * `ringback init`: writes a scenario and a test that explores the project's app in it, for the framework, the runner and the
 * language that the project has. What is there already is kept.
 * @param flags.agents also points coding agents to the skill that comes with ringback
 * @returns the exit code, 0
 */
function init(folder: string, flags: InitFlags, output: CommandOutput): number {
  const project = projectIn(folder);
  const own = join(folder, SCENARIO);
  const harness = writeHarness(
    project,
    { major: Number.parseInt(process.versions.node, 10), hasHooks: "registerHooks" in modules },
    existsSync(own) ? readTextFile(own) : undefined,
  );
  const written = [harness.scenario, harness.test].map(({ path: name, text }) => {
    const path = join(folder, name);
    return { path, was: writeNew(path, text) ? "wrote" : "kept" };
  });
  if (flags.agents === true) written.push(addAgentsText(folder));
  const missing = ["ringback", ...(project.hasRunner ? [] : [project.runner])].filter(
    (name) => !project.installed.includes(name),
  );
  const next = [
    ...(missing.length > 0 ? [`npm install --save-dev ${missing.join(" ")}`] : []),
    ...(folder === "." ? [] : [`cd ${quoted(folder)}`]),
    harness.command,
  ];
  const found = factsOf(project);
  const asks = harness.asks
    .map((ask) => ({ ...ask, path: join(folder, ask.path) }))
    // a test that was kept has other lines
    .filter(({ path }) => path === own || written.every((each) => each.path !== path || each.was !== "kept"));
  if (output.isJson) output.out(output.result([], { files: written, found, asks, commands: next }));
  else {
    for (const { path, was } of written) output.out(`${was.padEnd(6)} ${path}\n`);
    if (found.length > 0) output.out(`\nFound:\n${found.map((line) => `  ${line}\n`).join("")}`);
    if (asks.length > 0)
      output.out(
        `\nYou know better:\n${asks.map(({ path, line, what }) => `  ${path}:${line}: ${what}\n`).join("")}`,
      );
    output.out(`\nNext:\n${next.map((line) => `  ${line}\n`).join("")}`);
  }
  return 0;
}

/** What was read in the project, a line each. */
function factsOf({ app, framework, hook, secret, database }: Project): string[] {
  const whole = app?.name === "default" ? "its app by default" : `\`${app?.name}\``;
  return [
    ...(app === undefined ? [] : [`${app.file}:${app.line} exports ${whole} (${framework})`]),
    ...(hook === undefined ? [] : [`${hook.file}:${hook.line} takes the webhook, at ${hook.path}`]),
    ...(secret === undefined ? [] : [`${secret} holds its signing secret`]),
    ...(database?.variable === undefined
      ? []
      : [`${database.variable} names its database (${database.name})`]),
  ];
}

const SKILL = "node_modules/ringback/skills/ringback/SKILL.md";

const agentsText = `## ringback

Before you write or mend a test of calls, voicemail, messages or webhooks, read \`${SKILL}\`.
`;

/** Adds the pointer at the end of `AGENTS.md`, once. */
function addAgentsText(folder: string) {
  const path = join(folder, "AGENTS.md");
  const isNew = writeNew(path, agentsText);
  const before = isNew ? agentsText : readTextFile(path);
  const isThere = before.includes(SKILL);
  if (!isThere) writeText(path, [`${before.trimEnd()}\n\n${agentsText}`]);
  return { path, was: isNew ? "wrote" : isThere ? "kept" : "added to" };
}
