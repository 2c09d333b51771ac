import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createSimulator } from "../../src/index.ts";
import { controlDocument } from "../../src/node/control-document.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

test.each([
  ["REST API", () => createSimulator().openapi()],
  ["control plane", () => controlDocument(createSimulator(), "http://127.0.0.1:8080")],
])("The document of the %s passes the linter", async (_, document) => {
  const folder = await mkdtemp(join(tmpdir(), "ringback-openapi-"));
  try {
    const file = join(folder, "openapi.json");
    await writeFile(file, JSON.stringify(await document()));
    const redocly = join(root, "node_modules/@redocly/cli/bin/cli.js");
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const lint = promisify(execFile)(process.execPath, [redocly, "lint", file, "--format", "json"], {
      cwd: folder,
      env,
    });
    const { stdout } = await lint;
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 } });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
