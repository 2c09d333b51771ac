/**
 * `npm run new KIND ARGUMENTS`: writes the places that an addition needs (docs/architecture.md, "Capabilities"), so that
 * the sources compile after `npm run generate`, and lists what is left to say. Whatever is refused writes nothing.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { addTo } from "./kinds.ts";
import { Refused } from "./tree.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

function format(paths: readonly string[]): void {
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  const code = paths.filter((path) => path.endsWith(".ts"));
  execFileSync(process.execPath, [biome, "check", "--write", ...code], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

try {
  const { written, left } = addTo(root, process.argv.slice(2));
  format(written);
  const lines = (list: readonly string[]) => list.map((each) => `  ${each}\n`).join("");
  process.stdout.write(`Written:\n${lines(written)}Left to say:\n${lines(left)}Then run: npm run generate\n`);
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
