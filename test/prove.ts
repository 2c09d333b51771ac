import { spawnSync } from "node:child_process";

/**
 * `npm run prove`: every check of `npm test`, one after the other, with all runs of every proof, and whether a peer has a major
 * version that nothing tries. Says how long each takes.
 * `npm run prove -- test:digest test:lint` does the same for some of the checks. Test files run in a shuffled order. The first
 * and the last line print its seed: `SHUFFLE=4711 npm run prove -- test:unit` repeats that order.
 */

const all = [
  ...["test:lint", "test:types", "test:documentation"],
  ...["test:unit", "test:processes", "test:browser", "test:package", "prove:peers", "walk"],
];

const seed = process.env.SHUFFLE ?? String(Date.now() % 1_000_000);
process.stdout.write(`order of test files: SHUFFLE=${seed}\n`);

const named = process.argv.slice(2);
const checks = named.length > 0 ? named : all;
const results = checks.map((check) => {
  const startMs = Date.now();
  const { status } = spawnSync("npm", ["run", check], {
    env: { ...process.env, RUNS: process.env.RUNS ?? "1", SHUFFLE: seed },
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  return { check, isPassed: status === 0, tookS: Math.round((Date.now() - startMs) / 1_000) };
});

for (const { check, isPassed, tookS } of results)
  process.stdout.write(`${isPassed ? "passed" : "FAILED"}  ${`${tookS} s`.padStart(6)}  ${check}\n`);
const totalS = results.reduce((sum, { tookS }) => sum + tookS, 0);
process.stdout.write(`${Math.floor(totalS / 60)} min ${totalS % 60} s in all, SHUFFLE=${seed}\n`);
process.exitCode = results.every(({ isPassed }) => isPassed) ? 0 : 1;
