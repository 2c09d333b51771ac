import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * `npm run accept`: takes an intended change. It writes again what is recorded of the behaviour, and says which files have
 * changed, so that their writer reads them before the commit. `npm run accept -- lessons pages` takes some kinds only.
 */

const root = fileURLToPath(new URL("..", import.meta.url));
const unit = ["vitest", "run", "--config", "test/vitest.config.ts", "--project", "unit"];

/** The test files that compare with a snapshot, inline or in a file. */
function withSnapshots(): string[] {
  return (
    readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
      .map((path) => `test/${path.replaceAll("\\", "/")}`)
      .filter(
        (path) =>
          path.endsWith(".ts") && /\.toMatch\w*Snapshot\(/.test(readFileSync(join(root, path), "utf8")),
      )
      // a helper beside its tests
      .map((path) => (path.endsWith(".test.ts") ? path : path.replace(/[^/]*$/, "")))
  );
}

/** The kinds in the order in which each follows from those before it, with the commands of each, in the words of `npx`. */
const kinds: Readonly<Record<string, () => readonly (readonly string[])[]>> = {
  code: () => [["npm", "run", "generate", "--", "src/core/generated"]],
  layout: () => [[...unit, "test/core/simulator/snapshot-layout.test.ts"]],
  causes: () => [[...unit, "test/core/platform/reactions.test.ts"]],
  lessons: () => [
    ["tsx", "src/cli/main.ts", "run", "scenarios", "--update"],
    ["tsx", "src/cli/main.ts", "run", "test/observed/a-team-call.yaml", "--update"],
    [...unit, "test/core/scenario/lessons.test.ts"],
  ],
  snapshots: () => [[...unit, "--update", ...withSnapshots()]],
  digests: () => [[...unit, "test/digest"]],
  pages: () => [["npm", "run", "generate"]],
};

/** Runs a command, whose output is shown only if it fails. */
function run(command: readonly string[]): boolean {
  const { status, output } = spawnSync("npx", command, {
    cwd: root,
    env: { ...process.env, UPDATE: "1" },
    encoding: "utf8",
    maxBuffer: 256 << 20,
    shell: process.platform === "win32",
  });
  if (status !== 0) process.stderr.write(output.join(""));
  return status === 0;
}

const named = process.argv.slice(2);
const unknown = named.filter((name) => !Object.hasOwn(kinds, name));
if (unknown.length > 0) {
  process.stderr.write(`accept: ${unknown.join(", ")}: expected ${Object.keys(kinds).join(", ")}\n`);
  process.exit(2);
}
const failed: string[] = [];
for (const [name, commands] of Object.entries(kinds)) {
  if (named.length > 0 && !named.includes(name)) continue;
  process.stdout.write(`${name}\n`);
  for (const command of commands()) if (!run(command)) failed.push(`${name}: npx ${command.join(" ")}`);
}
process.stdout.write("\nWhat differs from the last commit. Read it before you commit it:\n");
spawnSync("git", ["status", "--short"], { cwd: root, stdio: "inherit" });
for (const each of failed) process.stderr.write(`accept: this failed, as shown above: ${each}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
