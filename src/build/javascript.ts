/** `npm run build` has `tsup` read this: each entry as an ES module, which share chunks. `finish.ts` makes them once more for `require`. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Metafile, Plugin } from "esbuild";
import type { Options } from "tsup";

/**
 * Consumers install this for the machines' types and to run them, and we load a copy of our own: only what we use of it,
 * where Node reads nine files of CommonJS.
 */
export const bundledAlthoughInstalled = ["xstate"];

/** The entries that may also be required as they are. */
export const required = {
  index: "src/index.ts",
  machines: "machines/index.ts",
  node: "src/server/index.ts",
  explore: "src/explore/index.ts",
  import: "src/capture/index.ts",
  "phone-numbers": "src/phone-numbers/index.ts",
  msw: "src/testing/msw/index.ts",
  inspect: "src/inspector/index.ts",
  jest: "src/testing/jest/index.ts",
  "node-test": "src/testing/node-test/index.ts",
};

/** All entries: Vitest itself cannot be required, so what is required in its place is another file. */
export const entries = { ...required, vitest: "src/testing/vitest/index.ts" };

const modules = {
  ...entries,
  "webhook-signature": "src/core/network/webhook-signature.ts",
  distributions: "src/core/foundation/distributions.ts",
  "from-fetch": "src/core/platform/network/from-fetch.ts",
  "explore-worker": "src/explore/workers/explore-worker.ts",
  "watchdog-thread": "src/explore/sandbox/watchdog-thread.mjs",
  "world-preload": "src/explore/http/world-preload.ts",
  cli: "src/cli/main.ts",
};

/**
 * What is loaded beside the simulator, by what of it is needed. esbuild makes a chunk of what the same files need. If those of a
 * group need the same of the simulator, `ringback` is 8 files, not 20; each costs Node as much as compiling 50 KB.
 */
const groups = [
  [
    "explore/index",
    "explore/workers/explore-worker",
    "capture/index",
    "inspector/index",
    "cli/main",
    "server/app-page",
  ],
  [
    ...["server/index", "server/trial", "server/control-document"],
    ...["core/rest/rest", "core/rest/openapi/document", "core/rest/openapi/parts"],
  ],
  // the last three are small, and all others need them
  [
    "testing/vitest/index",
    "testing/jest/index",
    "testing/node-test/index",
    "core/platform/calls/call-handle",
    "core/platform/move",
    "core/platform/directory/listing",
  ],
].map((names) => names.map((name) => `src/${name}.ts`));

/** Lets each file of a group import what any of them needs of the simulator. */
const fewChunks: Plugin = {
  name: "few chunks",
  async setup({ esbuild, onLoad }) {
    const { metafile } = await esbuild.build({
      ...{ entryPoints: Object.values(modules), outdir: "dist", write: false, metafile: true },
      ...{ bundle: true, splitting: true, format: "esm", platform: "browser", packages: "external" },
    });
    const simulator = collectNeeded([entries.index], metafile);
    const imports = new Map<string, string[]>();
    for (const files of groups) {
      const common = [...collectNeeded(files, metafile)].filter((path) => simulator.has(path));
      for (const file of files) imports.set(resolve(file), common);
    }
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const more = imports.get(path)?.map((each) => `import ${JSON.stringify(resolve(each))};`);
      if (more === undefined) return undefined;
      return { contents: [await readFile(path, "utf8"), ...more].join("\n"), loader: "ts" };
    });
  },
};

/** The modules that files import at once, directly or not, and the files themselves. */
function collectNeeded(files: readonly string[], { inputs }: Metafile): Set<string> {
  const needed = new Set(files);
  for (const path of needed)
    for (const { kind, path: other, external } of inputs[path]?.imports ?? [])
      if (kind === "import-statement" && external !== true) needed.add(other);
  return needed;
}

/** The code of packages, which are to take an object's own keys: a test may have put a property on `Object.prototype`. */
const inPackages = /\/node_modules\/.*\.[cm]?js$/;

function withOwnKeys(code: string): string {
  return code.replaceAll(/for \((const|let|var) (\w+) in ([\w.$]+)\)/g, "for ($1 $2 of Object.keys($3))");
}

/** Shortens the names in packages that bring no names of theirs to a stack trace that anyone reads. */
const shortNames: Plugin = {
  name: "short names",
  setup: ({ esbuild, onLoad }) =>
    onLoad({ filter: inPackages }, async ({ path }) => {
      const text = withOwnKeys(await readFile(path, "utf8"));
      const { code } = await esbuild.transform(text, { minifyIdentifiers: true });
      return { contents: code };
    }),
};

const shared: Options = {
  platform: "browser",
  removeNodeProtocol: false,
  external: [/^node:/],
  noExternal: bundledAlthoughInstalled,
  minifySyntax: true,
  minifyWhitespace: true,
  esbuildOptions: (options) => {
    // or a stack trace would have no lines
    options.lineLimit = 160;
    // `fewChunks` imports what has no side effects, on purpose
    options.logOverride = { "ignored-bare-import": "silent" };
  },
};

export default [
  {
    ...shared,
    format: "esm",
    entry: modules,
    esbuildPlugins: [fewChunks, shortNames],
  },
  { ...shared, format: "cjs", entry: { vitest: "src/testing/vitest/required.ts" } },
] satisfies Options[];
