import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { bundle } from "./bundle.ts";
import { root } from "./support.ts";

/** Runs the recipe for Python from docs/guides/run-as-a-server.md if Python is installed. */
const isThere = spawnSync("python3", ["--version"]).status === 0;

const [, recipe = ""] =
  /```python\n([\s\S]*?)```/.exec(readFileSync(join(root, "docs/guides/run-as-a-server.md"), "utf8")) ?? [];

/** A project that has `ringback` installed, and the recipe in a file of tests. */
function projectWith(more: string): string {
  const folder = mkdtempSync(join(tmpdir(), "ringback-python-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  const command = join(folder, "node_modules/.bin/ringback");
  writeFileSync(command, `#!/bin/sh\nexec ${process.execPath} ${bundle} "$@"\n`);
  chmodSync(command, 0o755);
  writeFileSync(join(folder, "test_calls.py"), `${recipe}\n${more}`);
  return folder;
}

/** Calls a test by its name, as pytest does. */
const python = (test: string) => ["-B", "-c", `import test_calls; test_calls.${test}(); print("passed")`];

test.runIf(isThere)("the recipe's test passes", () => {
  const cwd = projectWith("");
  expect(execFileSync("python3", python("test_a_missed_call"), { cwd, encoding: "utf8" })).toBe("passed\n");
});

test.runIf(isThere)("no server is left behind when Python is killed", async () => {
  const cwd = projectWith(`
def test_killed():
    import os, signal
    with simulator() as sim:
        url = next(cell.cell_contents for cell in sim.__closure__)
        with urllib.request.urlopen(f"{url}/_sim/state") as answer:
            assert answer.status == 200
        with open("url", "w") as file:
            file.write(url)
        os.kill(os.getpid(), signal.SIGKILL)
`);
  expect(spawnSync("python3", python("test_killed"), { cwd }).signal).toBe("SIGKILL");
  const url = readFileSync(join(cwd, "url"), "utf8");
  const isRefused = () =>
    fetch(`${url}/_sim/state`).then(
      () => false,
      () => true,
    );
  await vi.waitUntil(isRefused, { timeout: 60_000, interval: 50 });
});
