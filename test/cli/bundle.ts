import { copyFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The bundled command. Without the bundle, each process would compile all sources first. */
export const bundle = `${root}node_modules/.cache/ringback/cli.mjs`;

/** Bundles it before the tests of the project run. */
export async function setup(): Promise<void> {
  await Promise.all([buildModules(), buildForRequire()]);
}

/** What Jest loads. */
async function buildForRequire(): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: {
      ...{ explore: "src/explore/index.ts", index: "src/index.ts", jest: "src/testing/jest/index.ts" },
      "node-test": "src/testing/node-test/index.ts",
    },
    ...{ outdir: dirname(bundle), outExtension: { ".js": ".cjs" } },
    ...{ bundle: true, platform: "node", format: "cjs", logLevel: "error" },
    // read only in modules
    logOverride: { "empty-import-meta": "silent" },
  });
}

async function buildModules(): Promise<void> {
  await build({
    absWorkingDir: root,
    // each of its threads begins with a file of its own
    entryPoints: {
      ...{ cli: "src/cli/main.ts", "explore-worker": "src/explore/workers/explore-worker.ts" },
      "watchdog-thread": "src/explore/sandbox/watchdog-thread.mjs",
      // what tests in other processes import
      ...{ index: "src/index.ts", explore: "src/explore/index.ts" },
      "node-test": "src/testing/node-test/index.ts",
    },
    outdir: dirname(bundle),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    // most of a test's time is the start of its process; with the packages in the bundle it takes half as long
    splitting: true,
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: "error",
  });
  // for the build that Jest loads
  copyFileSync(`${dirname(bundle)}/watchdog-thread.mjs`, `${dirname(bundle)}/watchdog-thread.js`);
}

export function teardown(): void {
  rmSync(dirname(bundle), { recursive: true, force: true });
}
