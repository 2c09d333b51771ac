import { readFileSync } from "node:fs";
import { join } from "node:path";
import { quoted } from "../findings/quoted.ts";
import { jsonOption } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { readText, writeNew, writeText } from "./disk.ts";
import type { CommandOutput } from "./output.ts";

/** What a project starts with: a scenario, and a test that plays it and goes on by itself. */
const scenario = `# yaml-language-server: $schema=../node_modules/ringback/scenarios/scenario.schema.json
scenario: A missed call ends in voicemail
description: >
  Nobody answers for thirty seconds, so the caller hears the greeting and leaves a message.
  Change a time, run it again, and see what moves.
seed: 1
until: PT50S
steps:
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }
  - { at: PT31S, leaveVoicemail: { call: c1, duration: PT12S, transcript: Please call me back. } }
expect:
  - PT0S call.started
  - PT30S call.not_answered
  - PT47S call.hungup
  - { event: PT47S call.ended, match: { call: { outcome: { status: missed, reason: voicemail } } } }
`;

const vitestTest = `import { readFileSync } from "node:fs";
import { createSimulator, parseScenario, runScenario } from "ringback";
import "ringback/vitest";
import { expect, test } from "vitest";

test("the scenario plays as it says", () => {
  const text = readFileSync(new URL("../scenarios/missed-call.yaml", import.meta.url), "utf8");
  expect(runScenario(parseScenario(text)).report).toBe("");
});

test("whoever answers is busy until the call is over", () => {
  const sim = createSimulator({ ids: "counter" });
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });

  sim.advance("PT6S");
  call.answer("alice", { endpoint: "desktop" });
  expect(sim).toHaveEmitted("user.availability.updated", { user: { availability: { status: "busy" } } });

  sim.advance("PT1M");
  call.hangup("caller");
  expect(sim).toHaveEmitted("call.ended", { call: { outcome: { status: "answered" } } });
});
`;

/** Required, since Jest imports only with a flag or where something compiles the tests. */
const jestTest = `const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { createSimulator, parseScenario, runScenario } = require("ringback");

test("the scenario plays as it says", () => {
  const text = readFileSync(join(__dirname, "../scenarios/missed-call.yaml"), "utf8");
  expect(runScenario(parseScenario(text)).report).toBe("");
});

test("whoever answers is busy until the call is over", () => {
  const sim = createSimulator({ ids: "counter" });
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });

  sim.advance("PT6S");
  call.answer("alice", { endpoint: "desktop" });
  const [busy] = sim.events.ofType("user.availability.updated");
  expect(busy.data.user.availability.status).toBe("busy");

  sim.advance("PT1M");
  call.hangup("caller");
  const [ended] = sim.events.ofType("call.ended");
  expect(ended.data.call.outcome.status).toBe("answered");
});
`;

/** The part of a project's manifest that says which test it can run. */
interface Manifest {
  readonly type?: string;
  readonly dependencies?: object;
  readonly devDependencies?: object;
}

interface InitFlags {
  readonly agents?: boolean;
}

/** `ringback init`. */
export const initCommand: CommandRow = {
  name: "init",
  group: "app",
  about: "write a starter scenario and a test of it into a project; nothing is overwritten",
  declare: (command, output, exit) => {
    command
      .argument("[folder]", "the project's folder", ".")
      .option("--agents", "also point coding agents to ringback's skill, in AGENTS.md")
      .addOption(jsonOption())
      .action((folder: string, flags: InitFlags) => exit(init(folder, flags, output)));
  },
};

/**
 * `ringback init`: writes a starter scenario and a test of it into a project, for Jest where the project has Jest and not
 * Vitest. What is there already is kept.
 * @param flags.agents also points coding agents to the skill that comes with ringback
 * @returns the exit code, 0
 */
function init(folder: string, flags: InitFlags, output: CommandOutput): number {
  const manifest = manifestIn(folder);
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const isJest = installed.includes("jest") && !installed.includes("vitest");
  const files = {
    "scenarios/missed-call.yaml": scenario,
    ...(isJest
      ? { [`test/ringback.test.${manifest.type === "module" ? "cjs" : "js"}`]: jestTest }
      : { "test/ringback.test.ts": vitestTest }),
  };
  const written = Object.entries(files).map(([name, text]) => {
    const path = join(folder, name);
    return { path, was: writeNew(path, text) ? "wrote" : "kept" };
  });
  if (flags.agents === true) written.push(addAgentsText(folder));
  const missing = ["ringback", isJest ? "jest" : "vitest"].filter((name) => !installed.includes(name));
  const next = [
    ...(missing.length > 0 ? [`npm install --save-dev ${missing.join(" ")}`] : []),
    `npx ringback run ${quoted(join(folder, "scenarios/missed-call.yaml"))}`,
    isJest ? "npx jest" : "npx vitest run",
  ];
  if (output.isJson) output.out(output.result([], { files: written, commands: next }));
  else {
    for (const { path, was } of written) output.out(`${was.padEnd(6)} ${path}\n`);
    output.out(`\nNext:\n${next.map((line) => `  ${line}\n`).join("")}`);
  }
  return 0;
}

const SKILL = "node_modules/ringback/skills/ringback/SKILL.md";

const agentsText = `## ringback

Before you write or mend a test of calls, voicemail, messages or webhooks, read \`${SKILL}\`.
`;

/** Adds the pointer at the end of `AGENTS.md`, once. */
function addAgentsText(folder: string) {
  const path = join(folder, "AGENTS.md");
  const isNew = writeNew(path, agentsText);
  const before = isNew ? agentsText : readText(path);
  const isThere = before.includes(SKILL);
  if (!isThere) writeText(path, [`${before.trimEnd()}\n\n${agentsText}`]);
  return { path, was: isNew ? "wrote" : isThere ? "kept" : "added to" };
}

/** The `package.json` of a folder; an empty one where there is none that can be read. */
export function manifestIn(folder: string): Manifest {
  try {
    return (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) ?? {}) as Manifest;
  } catch {
    return {};
  }
}
