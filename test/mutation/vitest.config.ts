import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { MutationLog } from "./log.ts";
import type { Settings } from "./settings.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const settings: Settings = JSON.parse(readFileSync(process.env.MUTATION_SETTINGS ?? "", "utf8"));
const sources = new Map<string, string>(Object.entries(JSON.parse(readFileSync(settings.sources, "utf8"))));

/** Lessons first, which notice most, then the tests of the same folder, those of what spans folders, and the others. */
class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const near = settings.folders.map((folder) => folder.replace(/^src\//, "test/"));
    const rank = ({ moduleId }: TestSpecification) => {
      if (moduleId.endsWith("/lessons.test.ts")) return 0;
      if (near.some((folder) => moduleId.startsWith(`${root}${folder}`))) return 1;
      return dirname(moduleId) === `${root}test` ? 2 : 3;
    };
    new MutationLog(settings.log).add({ files: files.map(({ moduleId }) => moduleId) });
    return [...files].sort((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

export default defineConfig({
  plugins: [
    {
      name: "mutants",
      enforce: "pre",
      load: (id) => sources.get(id),
    },
  ],
  resolve: {
    alias: [
      { find: /^ringback$/, replacement: `${root}src/index.ts` },
      { find: /^ringback\/(vitest|jest|msw)$/, replacement: `${root}src/testing/$1/index.ts` },
      { find: /^ringback\/node$/, replacement: `${root}src/server/index.ts` },
      { find: /^ringback\/explore$/, replacement: `${root}src/explore/index.ts` },
      { find: /^ringback\/inspect$/, replacement: `${root}src/inspector/index.ts` },
    ],
  },
  test: {
    root,
    include: [...settings.tests],
    // they compare other files than the sources, start processes, or do the same thousands of times
    exclude: settings.areUsual
      ? [
          "test/{tidy,lint,browser,docs,documentation}.test.ts",
          "test/core/rest/{linter,contract,dialect,openapi}.test.ts",
          "test/core/{engine,foundation}/{runaway,waiting,ids,nanoid}.test.ts",
          "test/core/statecharts/**",
        ]
      : [],
    isolate: false,
    fileParallelism: false,
    pool: "forks",
    runner: fileURLToPath(new URL("runner.ts", import.meta.url)),
    setupFiles: [fileURLToPath(new URL("../seed.ts", import.meta.url))],
    sequence: { sequencer: NearestFirst },
    // a test runs once for each mutant that it reaches
    testTimeout: 0,
    hookTimeout: 0,
    env: { RINGBACK_RESULTS: "off" },
    reporters: ["dot"],
  },
});
