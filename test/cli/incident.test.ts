import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseScenario, runScenario } from "../../src/index.ts";
import { jsonl, lesson, received, withReceiver } from "../capture/support.ts";
import { projectWith, ringbackProcess, root } from "./support.ts";

/** The guide's app imports ringback, so it runs in a project where that is installed. */
test("an import reproduces the failure of the guide's app, which passes once it remembers ids", async () => {
  const guide = readFileSync(join(root, "docs/guides/turn-an-incident-into-a-test.md"), "utf8");
  const app = /```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
  const mended = app
    .replace("const activities = [];", "const activities = [];\n  const seen = new Set();")
    .replace("{ type, data }", "{ id, type, data }")
    .replace(/if \((type[^)]*)\)/, "if ($1 && !seen.has(id))")
    .replace("return 204;", "seen.add(id);\n    return 204;");
  const lost = parseScenario(
    "scenario: s\nsteps: []\ndeviations: [{ attempt: PT66S call.ended, is: unanswered }]",
  );
  const scenario = { ...withReceiver(lesson("01")), deviations: lost.deviations, expect: undefined };
  const lastNight = jsonl(received(runScenario(scenario).simulator));
  const folder = projectWith({ "monday.jsonl": lastNight, "my-app.mjs": app, "mended.mjs": mended });
  const file = join(folder, "monday.yaml");
  expect((await ringbackProcess("import", join(folder, "monday.jsonl"), "-o", file)).code).toBe(0);
  const run = (name: string) => ringbackProcess("run", file, "--with", join(folder, name));
  const broken = await run("my-app.mjs");
  expect(broken.code).toBe(1);
  expect(broken.out + broken.err).toContain(
    "FAILS the call log has one row for each call that is over: call-1 is logged twice",
  );
  expect((await run("mended.mjs")).code).toBe(0);
  const { out } = await ringbackProcess("import", join(folder, "monday.jsonl"), "--check");
  expect(out).toContain(" 0 contradicted");
});
