import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { Engine } from "../../../src/core/engine/engine.ts";
import { createSimulator } from "../../../src/index.ts";

/** docs/architecture.md, "From a call to its webhook's request": the files, in the order in which they call each other. */

const root = new URL("../../../", import.meta.url);
const page = readFileSync(new URL("docs/architecture.md", root), "utf8");
const section = page.split("## From a call to its webhook's request\n")[1]?.split("\n## ")[0] ?? "";
const steps = section.split("<!-- walk -->")[1]?.split("<!-- /walk -->")[0]?.trim().split("\n") ?? [];
const listed = steps.map((step) => /^\d+\. `(.+?)`: /.exec(step)?.[1] ?? step);

/** Files without a frame which one opens to find the next, by the file of the walk that leads to them. */
const opened: Readonly<Record<string, string>> = {
  // a command is found by its name in the list
  "src/core/platform/catalogue/run-command.ts": "src/core/platform/catalogue/commands.ts",
};

/** The files of src on the stack, outermost first. Tests may run them compiled. */
function filesOnStack(): string[] {
  const { stack = "" } = new Error();
  const files = [...stack.matchAll(/\/(src\/core\/[^:]+)\.[jt]s:/g)].map(([, file]) => `${file}.ts`);
  return files.reverse();
}

/** A caller dials a team, a member answers, and a webhook hears of both. */
function playCall() {
  const { stackTraceLimit } = Error;
  const { schedule } = Engine.prototype;
  onTestFinished(() => {
    Error.stackTraceLimit = stackTraceLimit;
    Engine.prototype.schedule = schedule;
  });
  Error.stackTraceLimit = 200;
  const sending: string[][] = [];
  const asking: string[][] = [];
  Engine.prototype.schedule = function (...item) {
    const [, task] = item;
    if (task === "network.arrive") sending.push(filesOnStack());
    return schedule.apply(this, item);
  };
  const sim = createSimulator();
  const hooks = "https://crm.test/hooks";
  sim.network.route(hooks, () => {
    asking.push(filesOnStack());
    return 204;
  });
  sim.webhooks.create({ url: hooks, events: ["call.started", "call.answered"] });
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550200" });
  sim.advance("PT1S");
  call.answer("bob");
  sim.advance("PT1S");
  expect(sim.network.requests.map(({ answer }) => answer?.status)).toEqual([204, 204]);
  /** The files with a frame between a command and the schedule, and between `advance` and the handler. */
  const filesOf = (request: number) => [
    ...new Set([...(sending[request] ?? []), ...(asking[request] ?? [])]),
  ];
  return { started: filesOf(0), answered: filesOf(1) };
}

/** The walk with the files that one opens besides. */
function withOpened(files: readonly string[]): string[] {
  return files.flatMap((file) => [file, ...(opened[file] === undefined ? [] : [opened[file]])]);
}

const sources = readdirSync(fileURLToPath(new URL("src/", root)), { recursive: true, encoding: "utf8" });

/** The file that the page names by its last folders. */
function fileNamed(name: string): string {
  const files = sources
    .map((file) => `src/${file.replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith(`/${name}`));
  return files.length === 1 ? (files[0] as string) : `${name} is the name of ${files.length} files`;
}

test("The walk in docs/architecture.md has the files that a call takes to its webhook, in order", () => {
  const { started } = playCall();
  expect(listed.map(fileNamed)).toEqual(withOpened(started));
});

test("The walk has at most 15 files, and says in at most ten words what each does", () => {
  expect(steps.length).toBeGreaterThan(0);
  expect(steps.length).toBeLessThanOrEqual(15);
  for (const [index, step] of steps.entries()) {
    expect(step).toMatch(new RegExp(`^${index + 1}\\. \`[^\`]+\`: .+$`));
    expect(step.split("`: ")[1]?.split(" ").length).toBeLessThanOrEqual(10);
  }
});

test("The page names the files that an answer takes besides", () => {
  const { started, answered } = playCall();
  const behind = section.split("<!-- /walk -->")[1] ?? "";
  const named = [...behind.matchAll(/`([^`]+\.ts)`/g)].map(([, name = ""]) => fileNamed(name));
  expect(named).toEqual(answered.filter((file) => !started.includes(file)));
});
