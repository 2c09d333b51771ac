import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { compiledSources } from "./compiled-sources.ts";
import { failuresLast } from "./failures-last.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

// the compilers that tests start are written in Go: collecting no garbage saves a quarter of their processor time
process.env.GOGC ??= "off";
process.env.GOMEMLIMIT ??= "2GiB";

/** Later ones end at once, as their V8 does not know this flag. */
const isNode20 = process.versions.node.startsWith("20.");

/**
 * V8 optimises less and collects garbage less often, and in no threads: that saves a tenth of the processor time of programs
 * that end after two minutes.
 */
const execArgv = [
  "--single-threaded-gc",
  "--min-semi-space-size=64",
  "--max-semi-space-size=64",
  ...(isNode20 ? ["--interrupt-budget=1000000"] : []),
];

/**
 * `test/main.ts` runs projects beside each other. Each loads what it tests again, so tests are in one unless they need something
 * else around them, or take long.
 */
const project = (name: string, include: string[], more: object = {}) => ({
  plugins: [compiledSources()],
  test: {
    name,
    root,
    include,
    exclude: ["node_modules/**"],
    // test files share what they import, which takes longer than most of them
    isolate: false,
    // these end what hangs; no test fails because the machine is busy
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    // tests about failures would write many files
    env: { RINGBACK_RESULTS: "off", RINGBACK_SUMMARY: "off" },
    ...more,
  },
});

/** They start processes and mostly wait for them, so other tests run meanwhile. */
const processes = [
  "test/cli/{containers,explore,explore-check,explore-server,failure-files,generated-clients,incident,journal-crash,journal-lock,languages,mixed-load,out-of-files,process,recipes,record,serve,unseen,verify}.test.ts",
  "test/generate/half-typed.test.ts",
  "test/explore/run/{clock-in-jest,late-errors,mock-timers,temporal}.test.ts",
  "test/explore/verdicts/{deaths-by-command,deaths-by-runner,kinds-in-threads,table-in-threads}.test.ts",
  "test/core/rest/linter.test.ts",
  "test/lint.test.ts",
  "test/testing/{node-test/runner,vitest/any-failure}.test.ts",
  "test/testing/result-names.test.ts",
];
/** Each has a process of its own: when a loop is terminated, V8 forgets all promises of the process that are about to go on. */
const alone = ["test/explore/verdicts/{deaths,strange-subjects}.test.ts"];
/** The operating system decides when a browser or a process runs, so a failed test runs once more. */
const onTheSystem = { retry: 1 };
const elsewhere = [
  ...["test/types/**", "test/package/**", "test/{inspector,docs-site}/**", ...processes, ...alone],
  ...["test/documentation.test.ts", "test/tidy.test.ts"],
];

/** The examples import the package as its consumers do. */
const entries = [
  { find: /^ringback$/, replacement: `${root}src/index.ts` },
  { find: /^ringback\/(vitest|jest|node-test|msw)$/, replacement: `${root}src/testing/$1/index.ts` },
  { find: /^ringback\/node$/, replacement: `${root}src/server/index.ts` },
  { find: /^ringback\/explore$/, replacement: `${root}src/explore/index.ts` },
  { find: /^ringback\/inspect$/, replacement: `${root}src/inspector/index.ts` },
];

/** TypeScript 7 checks in a third of the time; version 6 is here for what needs the compiler as a library. */
const checker = fileURLToPath(new URL("../node_modules/typescript-native/bin/tsc", import.meta.url));

/** `npm run prove` shuffles test files, as those of one worker share modules: no test may depend on what ran before it. */
const { SHUFFLE } = process.env;
const sequence = SHUFFLE === undefined ? {} : { shuffle: { files: true }, seed: Number(SHUFFLE) };

export default defineConfig({
  test: {
    sequence,
    reporters: ["default", failuresLast],
    projects: [
      project("unit", ["test/**/*.test.ts", "docs/examples/**/*.test.ts"], {
        exclude: ["node_modules/**", ...elsewhere],
        alias: entries,
        execArgv,
        setupFiles: ["test/seed.ts"],
        globalSetup: ["test/inspector/build-page.ts"],
      }),
      project("alone", alone, { isolate: true, alias: entries, setupFiles: ["test/seed.ts"] }),
      project("browser", ["test/{inspector,docs-site}/**/*.test.ts"], {
        ...onTheSystem,
        execArgv,
        alias: entries,
        globalSetup: ["test/inspector/setup.ts"],
      }),
      project("processes", processes, {
        ...onTheSystem,
        alias: entries,
        globalSetup: ["test/cli/bundle.ts"],
      }),
      // the compiler that it loads takes as long as a fifth of the unit tests
      project("documentation", ["test/documentation.test.ts"], {
        execArgv,
        alias: entries,
        globalSetup: ["test/inspector/build-page.ts"],
      }),
      project("tidy", ["test/tidy.test.ts"]),
      project("types", [], {
        globalSetup: ["test/core/rest/make-api-types.ts"],
        typecheck: {
          enabled: true,
          checker,
          include: ["test/types/**/*.test-d.ts"],
          tsconfig: "./test/types/tsconfig.json",
        },
      }),
      project("package", ["test/package/**/*.test.ts"], {
        globalSetup: [
          "test/inspector/build-page.ts",
          "test/core/rest/make-api-types.ts",
          "test/package/setup.ts",
        ],
      }),
    ],
  },
});
