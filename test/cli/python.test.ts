import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { bundle } from "./bundle.ts";
import { root } from "./support.ts";

/** The recipe of docs/testing-recipes.md for Python, where Python and pytest are installed. */
const isThere = spawnSync("python3", ["-c", "import pytest"]).status === 0;

const [, recipe = ""] =
  /```python\n([\s\S]*?)```/.exec(readFileSync(join(root, "docs/testing-recipes.md"), "utf8")) ?? [];

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

const pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_calls.py"];
const python = (folder: string) => execFileSync("python3", pytest, { cwd: folder, encoding: "utf8" });

test.runIf(isThere)("the recipe passes as it stands", () => {
  expect(python(projectWith(""))).toContain("1 passed");
});

test.runIf(isThere)("no server is left behind when Python is killed", async () => {
  const folder = projectWith(`
def test_killed(sim):
    import os, signal
    url = next(cell.cell_contents for cell in sim.__closure__)
    with urllib.request.urlopen(f"{url}/_sim/state") as answer:
        assert answer.status == 200
    with open("url", "w") as file:
        file.write(url)
    os.kill(os.getpid(), signal.SIGKILL)
`);
  const { signal } = spawnSync("python3", [...pytest, "-k", "killed"], { cwd: folder });
  expect(signal).toBe("SIGKILL");
  const url = readFileSync(join(folder, "url"), "utf8");
  const isRefused = () =>
    fetch(`${url}/_sim/state`).then(
      () => false,
      () => true,
    );
  await vi.waitUntil(isRefused, { timeout: 60_000, interval: 100 });
});
