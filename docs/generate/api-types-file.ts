import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { bannerText } from "./banner.ts";
import { root } from "./root.ts";

/**
 * The types of the REST API, for tests that use it as a client does. The file is not in git: `npm ci`, `npm run generate`
 * and the tests that need it make it, if the sources have changed since. Its first line says of which sources it was made.
 */
export const API_TYPES = "test/core/rest/api-types.ts";

/** What the types follow from. */
const inputs = ["src", "machines", "docs/generate/api-types.ts", "package-lock.json"];

/** Makes the file, unless it was made of the sources as they are now. That takes three seconds. */
export async function makeApiTypes(): Promise<void> {
  const file = `${root}${API_TYPES}`;
  const firstLine = `/* ${bannerText("sim.openapi()")} Sources: ${hashOfInputs()} */\n`;
  if (existsSync(file) && readFileSync(file, "utf8").startsWith(firstLine)) return;
  const { apiTypes } = await import("./api-types.ts");
  // another process may read it meanwhile
  const made = `${file}.${process.pid}`;
  writeFileSync(made, `${firstLine}${await apiTypes()}`);
  renameSync(made, file);
}

function hashOfInputs(): string {
  const hash = createHash("sha256");
  for (const path of inputs.flatMap(filesIn)) hash.update(path).update(readFileSync(`${root}${path}`));
  return hash.digest("hex");
}

/** A file, or all files in a folder. */
function filesIn(path: string): string[] {
  if (path.includes(".")) return [path];
  return readdirSync(`${root}${path}`, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${path}/${name.replaceAll("\\", "/")}`)
    .sort();
}
