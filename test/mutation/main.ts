import { spawn } from "node:child_process";
import { mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { instrument, type Mutant } from "./instrument.ts";
import { MutationLog } from "./log.ts";
import { reportOf } from "./report.ts";
import type { Settings } from "./settings.ts";

/**
 * `npm run mutation -- [folders]`: changes the sources in many small ways and runs the tests that reach each change.
 * docs/mutation.md says how it works and what it found.
 */

const root = fileURLToPath(new URL("../../", import.meta.url));
const cache = join(root, "node_modules/.cache/mutation");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Tries every nth mutant only. */
    every: { type: "string", default: "1" },
    /** For how long a mutant that no test notices is tried, CPU ms. */
    budget: { type: "string", default: "2000" },
    /** The test files to run: globs, with a comma between them. Default: most, without those that take long. */
    tests: { type: "string" },
    /** Leaves out tests that take longer, CPU ms. */
    longest: { type: "string", default: "150" },
    /** For how long nothing may happen before the process is ended, ms: it loops outside of any mutant. */
    patience: { type: "string", default: "120000" },
    /** The name of the files that the run writes. Default: that of the folders. */
    name: { type: "string" },
    /** Goes on with a run that was stopped, or tries the mutants that survived for longer, if --budget is larger. */
    continue: { type: "boolean", default: false },
  },
});

const folders =
  positionals.length > 0 ? positionals : ["src/core/engine", "src/core/network", "src/core/platform"];
const name = values.name ?? folders.join("+").replaceAll("/", "-");
const path = (extension: string) => join(cache, `${name}.${extension}`);

const USUAL_TESTS = "test/core/**/*.test.ts,test/*.test.ts";

mkdirSync(cache, { recursive: true });
if (!values.continue) rmSync(path("log"), { force: true });
const { sources, mutants } = await instrument(folders.flatMap((folder) => sourcesIn(join(root, folder))));
const tried = mutants.filter((_, index) => index % Number(values.every) === 0);
const settings: Settings = {
  wanted: tried.map(({ id }) => id),
  budgetMs: Number(values.budget),
  longestMs: Number(values.longest),
  log: path("log"),
  heartbeat: path("heartbeat"),
  sources: path("sources.json"),
  // a comma within braces is the glob's own
  tests: (values.tests ?? USUAL_TESTS).split(/,(?![^{]*\})/),
  areUsual: values.tests === undefined,
  folders,
};
writeFileSync(settings.sources, JSON.stringify(sources));
writeFileSync(path("settings.json"), JSON.stringify(settings));
new MutationLog(settings.log).add({ budgetMs: settings.budgetMs });
process.stdout.write(`${tried.length} of ${mutants.length} mutants in ${folders.join(", ")}\n`);
for (;;) {
  const end = await runTests();
  const { isSpoiled, unfinished } = new MutationLog(settings.log);
  if (isSpoiled) continue;
  if (unfinished?.size === 0) break;
  if (blameHeartbeat(end === "hung" ? "endless" : "ended")) continue;
  const files =
    unfinished === undefined ? "it said which tests it runs" : [...unfinished].map(shortPath).join(", ");
  process.stderr.write(
    `Vitest ended with ${end} before ${files}: ${shortPath(path("output"))} says why. Run again with --continue.\n`,
  );
  process.exit(1);
}
const shown: Mutant[] = tried.map((mutant) => ({ ...mutant, file: shortPath(mutant.file) }));
const report = reportOf(shown, new MutationLog(settings.log));
writeFileSync(path("json"), JSON.stringify(report, null, 1));
process.stdout.write(`${report.text}\nAll mutants: ${shortPath(path("json"))}\n`);

/** Runs the tests until they are over, a mutant spoils the process, or nothing happens any more. */
function runTests(): Promise<number | "hung"> {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const config = fileURLToPath(new URL("vitest.config.ts", import.meta.url));
  writeFileSync(settings.heartbeat, "");
  const output = openSync(path("output"), "w");
  const child = spawn(process.execPath, [vitest, "run", "--config", config], {
    env: { ...process.env, MUTATION_SETTINGS: path("settings.json") },
    stdio: ["ignore", output, output],
    detached: true,
  });
  return new Promise((resolve) => {
    const watch = setInterval(() => {
      const idleMs = Date.now() - Math.max(statSync(settings.heartbeat).mtimeMs, modified(settings.log));
      if (idleMs < Number(values.patience) || child.pid === undefined) return;
      process.kill(-child.pid, "SIGKILL");
      clearInterval(watch);
      resolve("hung");
    }, 5_000);
    child.on("exit", (code) => {
      clearInterval(watch);
      resolve(code ?? 1);
    });
  });
}

/** The mutant that was tried when a process hung or ended counts as noticed. @returns whether there was one */
function blameHeartbeat(how: "endless" | "ended"): boolean {
  const id = readFileSync(settings.heartbeat, "utf8").split("\n")[0] ?? "";
  if (id === "") return false;
  new MutationLog(settings.log).add({ killed: id, by: "the end of its process", how });
  return true;
}

function shortPath(file: string): string {
  return relative(root, file);
}

function modified(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, file))
    .sort();
}
