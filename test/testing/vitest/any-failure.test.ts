import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, test } from "vitest";

/**
 * The output when a test fails for any reason while simulators are alive. Vitest runs this in a process of its
 * own.
 */

const root = fileURLToPath(new URL("../../../", import.meta.url));

const { folder: src, ending } = inject("sources");

const failingTest = `
import { beforeAll, expect, test } from "vitest";
import "${src}/testing/vitest/index.${ending}";
import { explore } from "${src}/explore/index.${ending}";
import { createSimulator } from "${src}/index.${ending}";

let shared;
beforeAll(() => {
  shared = createSimulator({ seed: "shared" });
});
test("passes", () => {
  createSimulator({ seed: "of a test that passes" });
});
test("fails with two", () => {
  const sim = createSimulator({ seed: "own" });
  sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  expect(1).toBe(2);
});
test("fails by what explore finds", async () => {
  await explore({
    scenario: (sim) => sim.calls.inbound({ from: "+6421555001", to: "+6495550100" }),
    subject: () => {},
    eventually: { "nobody ever calls": (sim) => sim.calls.list().length === 0 },
  });
});
test("fails by what is not awaited", () =>
  explore({
    scenario: (sim) => sim.calls.inbound({ from: "+6421555001", to: "+6495550100" }),
    app: () => {},
    eventually: { "nobody calls": (sim) => sim.calls.list().length === 0 },
  }));
test("fails by a matcher", () => {
  expect(shared).toHaveEmitted("call.ended");
});
`;

const annotationsReporter = `export default class {
  onTestCaseAnnotate(test, { message }) { console.log("annotated: " + test.name + ": " + message); }
}`;

test("Any failing test writes journals and pages of its simulators and names them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ringback-failing-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "it.test.js"), failingTest);
  writeFileSync(join(folder, "annotations.mjs"), annotationsReporter);
  const out = await output(
    folder,
    ...["--reporter=./annotations.mjs", "--reporter=default", "--reporter=github-actions"],
    ...["--reporter=junit", "--outputFile.junit=junit.xml"],
  );
  const printed = out.replaceAll(/^::.*$/gm, "");
  expect(printed).toContain("expected 1 to be 2");
  const results = readdirSync(join(folder, "ringback-results"), { recursive: true }).map(String);
  const written = results.filter((name) => !/^(\.|corpus$|notes\b)/.test(name));
  const failures = [
    "it.test-fails-by-a-matcher",
    "it.test-fails-by-what-explore-finds",
    "it.test-fails-by-what-is-not-awaited",
    "it.test-fails-with-two",
    "it.test-fails-with-two-2",
  ];
  const files = failures.flatMap((name) => [
    `${name}.failure.jsonl`,
    `${name}.html`,
    `${name}.journal.jsonl`,
  ]);
  const world = failures
    .filter((name) => name.includes("by-what"))
    .flatMap((name) => ["keep.jsonl", "yaml"].map((ending) => `corpus/${name}.${ending}`));
  expect(written.sort()).toEqual([...files, ...world, "index.html", "ringback-viewer.js"].sort());
  expect(printed).toContain("ringback-results/it.test-fails-with-two-2.html");
  expect(printed.match(/This page shows it:/g)).toHaveLength(3);
  expect(printed).toContain("  page: ringback-results/it.test-fails-by-what-explore-finds.html\n");
  expect([...printed.matchAll(/^annotated: (.*)$/gm)].map(([, each]) => each)).toEqual([
    "fails with two: This page shows the run: ringback-results/it.test-fails-with-two.html",
    "fails with two: This page shows the run: ringback-results/it.test-fails-with-two-2.html",
    "fails by what explore finds: This page shows the run: ringback-results/it.test-fails-by-what-explore-finds.html",
    "fails by what is not awaited: This page shows the run: ringback-results/it.test-fails-by-what-is-not-awaited.html",
    "fails by a matcher: This page shows the run: ringback-results/it.test-fails-by-a-matcher.html",
  ]);
  const index = readFileSync(join(folder, "ringback-results/index.html"), "utf8");
  for (const name of failures) expect(index).toContain(`"page":"${name}.html"`);
  const journalOf = (name: string) =>
    JSON.parse(readFileSync(join(folder, `ringback-results/${name}.journal.jsonl`), "utf8"));
  expect(JSON.stringify(journalOf("it.test-fails-by-what-explore-finds").entries)).toContain('"inbound"');
  // each says which test failed, and on which of its lines
  const lineOf = (text: string) => failingTest.split("\n").findIndex((each) => each.includes(text)) + 1;
  for (const [test, text] of [
    ["fails with two", "expect(1).toBe(2)"],
    ["fails by what explore finds", "await explore("],
    ["fails by what is not awaited", "  explore("],
    ["fails by a matcher", "expect(shared).toHaveEmitted"],
  ] as const)
    expect(journalOf(`it.test-${test.replaceAll(" ", "-")}`).failed).toMatchObject({
      ...{
        test,
        file: "it.test.js",
        line: lineOf(text),
        message: expect.stringMatching(/expected|returned false/),
      },
    });
  // GitHub marks the line that explores, whether it is awaited or not
  const marked = [...out.matchAll(/^::error file=(.*),title=(.*),line=(\d+).*::(.*?)%0A/gm)];
  expect(marked.flatMap(([, ...each]) => (each[1]?.includes("by what") ? [each] : []))).toEqual([
    [
      ...[join(folder, "it.test.js"), "it.test.js > fails by what explore finds"],
      ...[
        String(lineOf("await explore(")),
        expect.stringMatching(/^CounterexampleError: FAILS nobody ever calls: returned false/),
      ],
    ],
    [
      ...[join(folder, "it.test.js"), "it.test.js > fails by what is not awaited"],
      ...[
        String(lineOf("  explore(")),
        expect.stringMatching(/^CounterexampleError: FAILS nobody calls: returned false/),
      ],
    ],
  ]);
  // a report has 20 KB, of which none stands in the failure of a test
  const junit = readFileSync(join(folder, "junit.xml"), "utf8");
  expect(junit).toContain("FAILS nobody calls: returned false");
  expect(junit).not.toContain("Serialized Error");
});

const head = `
import { beforeAll, describe, expect, test } from "vitest";
import "${src}/testing/vitest/index.${ending}";
import { createSimulator } from "${src}/index.${ending}";
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
`;

const severalTests = `${head}
describe("finished", () => {
  let before;
  beforeAll(async () => {
    await sleep(5);
    before = createSimulator({ seed: "of a finished describe" });
  });
  test("passes", () => expect(before).toBeIdle());
});
describe("later", () => {
  let before;
  beforeAll(async () => {
    await sleep(5);
    before = createSimulator({ seed: "of its describe" });
  });
  test("fails", () => {
    createSimulator({ seed: "own" });
    expect(1).toBe(2);
  });
});
test("is tried again", { retry: 2 }, () => {
  expect(createSimulator({ seed: "retried" })).toHaveEmitted("call.ended");
});
describe("at the same time", () => {
  test.concurrent("one fails", async () => {
    await sleep(5);
    const sim = createSimulator({ seed: "one" });
    await sleep(50);
    expect(sim).toHaveEmitted("call.ended");
  });
  test.concurrent("other passes", async () => {
    await sleep(10);
    createSimulator({ seed: "other" });
    await sleep(20);
  });
});
`;

test("A failing test names its own simulators first, those of others with a mark, and none of what is over", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ringback-several-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "it.test.js"), severalTests);
  const printed = await output(folder);
  const failures = new Map(
    printed.split(/^ FAIL /m).map((part) => [/> ([\w ]+)$/m.exec(part)?.[1] ?? "", part] as const),
  );
  const seedsOf = (name: string) =>
    [...(failures.get(name) ?? "").matchAll(/^(.+\n)?Seed: "([\w ]+)"/gm)].map(([, mark, seed]) => [
      seed,
      mark?.trim(),
    ]);
  expect(seedsOf("fails")).toEqual([
    ["own", undefined],
    ["of its describe", "Made outside of tests:"],
  ]);
  expect(seedsOf("one fails")).toEqual([
    ["one", undefined],
    ["other", "Of this test, or of one that ran at the same time:"],
  ]);
  expect(printed.match(/Seed: "retried"/g)).toHaveLength(1);
  expect(printed.match(/The run is the one above, of the first try\./g)).toHaveLength(2);
});

test("With isolate: false a failing test of each file writes its pages", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ringback-together-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const name of ["first", "second"])
    writeFileSync(
      join(folder, `${name}.test.js`),
      `${head}\ntest("fails", () => { createSimulator({ seed: "${name}" }); expect(1).toBe(2); });`,
    );
  const printed = await output(folder, "--no-isolate", "--no-file-parallelism");
  for (const name of ["first", "second"]) {
    expect(printed).toContain(`Seed: "${name}"`);
    expect(readdirSync(join(folder, "ringback-results"))).toContain(`${name}.test-fails.html`);
  }
});

function output(folder: string, ...options: string[]): Promise<string> {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const env = {
    ...process.env,
    RINGBACK_RESULTS: "",
    NO_COLOR: "1",
    FORCE_COLOR: undefined,
    VITEST: undefined,
  };
  return new Promise((resolve) => {
    const flags = ["run", "--root", folder, "--testTimeout=180000", "--hookTimeout=180000", ...options];
    execFile(process.execPath, [vitest, ...flags], { env, cwd: folder }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}
