import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createSimulator } from "../../../src/index.ts";
import { controlDocument } from "../../../src/server/control-document.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

test("The documents of the REST API and of the control plane pass the linter", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ringback-openapi-"));
  try {
    const sim = createSimulator();
    const documents = {
      "rest.json": await sim.openapi(),
      "control.json": await controlDocument(sim, "http://127.0.0.1:8080"),
    };
    for (const [name, document] of Object.entries(documents))
      await writeFile(join(folder, name), JSON.stringify(document));
    const redocly = join(root, "node_modules/@redocly/cli/bin/cli.js");
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const args = [redocly, "lint", ...Object.keys(documents), "--format", "json"];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
    // it prints a report for each file, one after the other
    const reports = stdout.split(/(?<=^\})(?=\{)/m).map((report) => JSON.parse(report));
    const clean = expect.objectContaining({ errors: 0, warnings: 0 });
    expect(reports.map(({ totals }) => totals)).toEqual([clean, clean]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
