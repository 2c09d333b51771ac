import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The command in one file. Each process that starts from the sources would compile all of them first. */
export const bundle = `${root}node_modules/.cache/ringback/cli.mjs`;

/** Bundles it before the tests of the project run. */
export async function setup(): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ["src/cli/main.ts"],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
}

export function teardown(): void {
  rmSync(bundle);
}
