import { execFileSync } from "node:child_process";
import { peers } from "./versions.ts";

/**
 * `npm run prove:peers`: fails if the newest version of a peer has a major that `npm run prove:runtimes` does not try. It asks the
 * registry, so `npm test` never runs it.
 */

for (const [name, majors] of Object.entries<readonly number[]>(peers)) {
  const newest = newestOf(name);
  const isTried = majors.includes(Number.parseInt(newest, 10));
  process.stdout.write(`${name} ${newest} is the newest, ${majors.join(", ")} are tried\n`);
  if (isTried) continue;
  process.stdout.write(
    `  add its major to test/runtimes/versions.ts and to peerDependencies, and prove it\n`,
  );
  process.exitCode = 1;
}

/** @throws {Error} if the registry does not answer with a version */
function newestOf(name: string): string {
  const answer = execFileSync("npm", ["view", name, "version"], {
    encoding: "utf8",
    shell: process.platform === "win32",
  }).trim();
  if (!/^\d+\.\d+\.\d+/.test(answer)) throw new Error(`npm view ${name} version answered "${answer}"`);
  return answer;
}
