import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { failureIn, totalOf } from "./check-summary.ts";

/**
 * `npm test`: every check, as many at once as keep the cores busy. What a check prints appears when it ends, so that nothing is
 * mixed. At the end stand the failures of all once more, how long each took, and how many tests there were.
 */

interface Check {
  /** A script of package.json. */
  readonly script: string;
  readonly args?: readonly string[];
  /** What has to end before. */
  readonly after?: readonly string[];
  /** How many processes of it work at the same time; each mostly takes a core. */
  readonly workers?: number;
}

const pair = { args: ["--maxWorkers", "2"], workers: 2 };
const page = ["build:page"];

/** In the order in which they start: what others wait for, what is short, then the longest. */
const checks: readonly Check[] = [
  { script: "build:page" },
  { script: "test:lint" },
  { script: "test:types" },
  { script: "test:processes", after: page, ...pair },
  { script: "test:unit", after: page, ...pair },
  { script: "test:package", after: page },
  { script: "test:browser", after: page, workers: 2 },
  { script: "test:documentation", after: page },
];

/** Two more than cores, since some wait for others' processes, for a browser, or for a clock. */
const atOnce = availableParallelism() + 2;

interface Ended extends Check {
  readonly isPassed: boolean;
  readonly tookS: number;
  readonly output: string;
}

const waiting = [...checks];
const running = new Set<Check>();
const ended: Ended[] = [];

/** Starts what may start. The first that is ready but too large for what is free keeps the later ones waiting. */
function startMore(): void {
  const isDone = (script: string) => ended.some((each) => each.script === script);
  const used = [...running].reduce((sum, { workers = 1 }) => sum + workers, 0);
  const ready = waiting.find(({ after = [] }) => after.every(isDone));
  if (ready === undefined || (running.size > 0 && used + (ready.workers ?? 1) > atOnce)) return;
  waiting.splice(waiting.indexOf(ready), 1);
  running.add(ready);
  void run(ready).then((result) => {
    running.delete(ready);
    ended.push(result);
    process.stdout.write(`\n> ${[ready.script, ...(ready.args ?? [])].join(" ")}\n${result.output}`);
    startMore();
    if (running.size === 0) summarise();
  });
  startMore();
}

function run(check: Check): Promise<Ended> {
  const startMs = performance.now();
  const args = ["run", "--silent", check.script, "--", ...(check.args ?? [])];
  const child = spawn("npm", args, {
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve) => {
    const end = (isPassed: boolean) =>
      resolve({ ...check, isPassed, output, tookS: Math.round((performance.now() - startMs) / 1_000) });
    child.on("error", (error) => {
      output += `${error}\n`;
      end(false);
    });
    child.on("close", (code) => end(code === 0));
  });
}

function summarise(): void {
  const failed = ended.filter(({ isPassed }) => !isPassed);
  for (const { script, output } of failed) process.stdout.write(`\nFAILED ${script}\n${failureIn(output)}`);
  process.stdout.write("\n");
  for (const { script, isPassed, tookS } of ended)
    process.stdout.write(`${isPassed ? "passed" : "FAILED"}  ${`${tookS} s`.padStart(6)}  ${script}\n`);
  const outputs = ended.map(({ output }) => output);
  process.stdout.write(`\n${totalOf("Test Files", outputs)}${totalOf("Tests", outputs)}`);
  process.stdout.write(`   Duration  ${Math.round(performance.now() / 1_000)} s\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

startMore();
