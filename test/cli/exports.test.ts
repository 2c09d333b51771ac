import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CURRENT_SPEC_VERSION, validate } from "ctrf";
import { parse } from "junit2json";
import { describe, expect, test, vi } from "vitest";
import { lessons, ringback, ringbackEnds } from "./support.ts";

const folder = () => mkdtempSync(join(tmpdir(), "ringback-exports-"));

/** A scenario that does not go as it expects, with characters that XML and Markdown give a meaning. */
const wrong = `scenario: 'Not "as" <expected> & so on'
steps:
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }
expect:
  - PT1S call.started
`;

function files() {
  const dir = folder();
  const paths = { wrong: join(dir, "wrong.yaml"), refused: join(dir, "refused.yaml") };
  writeFileSync(paths.wrong, wrong);
  writeFileSync(paths.refused, "scenario: Refused\nsteps:\n  - { at: PT0S, answr: {} }\n");
  return paths;
}

const first = join(lessons, "01-first-endpoint-wins.yaml");

describe("ringback run --format junit", () => {
  test("writes what readers of JUnit's XML understand", async () => {
    const { wrong, refused } = files();
    const { code, out } = ringback("run", first, wrong, refused, "--format", "junit");
    expect(code).toBe(2);
    const report = await parse(out);
    expect(report).toMatchObject({
      tests: 3,
      failures: 1,
      errors: 1,
      testsuite: [
        {
          name: "ringback run",
          testcase: [
            { name: "The first endpoint to answer wins" },
            {
              name: 'Not "as" <expected> & so on',
              classname: wrong,
              failure: [{ message: expect.stringContaining(`${wrong}:5: `) }],
            },
            { name: refused, error: [{ message: expect.stringContaining("answr") }] },
          ],
        },
      ],
    });
    expect(out).toContain(`again: npx ringback run ${wrong}`);
  });

  test("writes no control character, which XML cannot have", async () => {
    const path = join(folder(), "control.yaml");
    writeFileSync(path, wrong.replace('"as"', "\\u0007").replaceAll("'", '"'));
    const { out } = ringback("run", path, "--format", "junit");
    expect((await parse(out)) as object).toMatchObject({ tests: 1 });
    expect(out).not.toContain("\u0007");
  });
});

describe("ringback run --format ctrf", () => {
  test("writes what the schema of the Common Test Report Format allows", () => {
    const { wrong, refused } = files();
    const { code, out } = ringback("run", first, wrong, refused, "--format", "ctrf");
    expect(code).toBe(2);
    const report = JSON.parse(out);
    expect(validate(report)).toMatchObject({ valid: true });
    expect(report.specVersion).toBe(CURRENT_SPEC_VERSION);
    expect(report.results.summary).toMatchObject({ tests: 3, passed: 1, failed: 2 });
    expect(report.results.tests[1]).toMatchObject({
      filePath: wrong,
      line: 5,
      extra: { replay: `npx ringback run ${wrong}` },
    });
  });
});

describe("ringback run --format trace", () => {
  test("is refused, and names html", () => {
    for (const command of ["run", "replay"]) {
      const { code, out, err } = ringback(command, "01", "--format", "trace");
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain("html");
    }
  });
});

describe("In a job of GitHub Actions", () => {
  test("failures are marked at their lines, and the summary of the job lists them", () => {
    const { wrong, refused } = files();
    const summary = join(folder(), "summary.md");
    vi.stubEnv("GITHUB_ACTIONS", "true");
    vi.stubEnv("GITHUB_STEP_SUMMARY", summary);
    const { err } = ringback("run", first, wrong, refused, "--format", "junit");
    vi.unstubAllEnvs();
    const [one = "", other = ""] = err.split("\n").filter((line) => line.startsWith("::error "));
    expect(one).toMatch(
      /^::error file=.*wrong\.yaml,line=5,title=ringback run%3A Not "as" <expected> & so on::/,
    );
    expect(one).toContain("%0A");
    expect(other).toContain("refused.yaml,line=3");
    const text = readFileSync(summary, "utf8");
    expect(text).toMatch(/^### ringback run\n\n1 passed, 2 failed\n/);
    expect(text).toContain('**Not "as" \\<expected\\> & so on**');
  });

  test("nothing is printed outside of GitHub Actions", () => {
    vi.stubEnv("GITHUB_ACTIONS", undefined);
    const { err } = ringback("run", files().wrong, "--format", "ctrf");
    vi.unstubAllEnvs();
    expect(err).toBe("");
  });
});

/** Runs the command in this process until it has ended. */
describe("ringback explore", () => {
  function subject(): string {
    const path = join(folder(), "subject.mjs");
    writeFileSync(
      path,
      `export const subject = (sim) => {
  const seen = [];
  sim.network.route("https://crm.acme.test/", ({ body }) => { seen.push(JSON.parse(body).id); return 204; });
  return seen;
};
export const eventually = { "each event comes once": (_, seen) => { if (new Set(seen).size < seen.length) throw new Error("twice"); } };
`,
    );
    return path;
  }

  test("writes failures for readers of JUnit's XML and CTRF", async () => {
    const junit = await ringbackEnds("explore", "56", "--with", subject(), "--format", "junit");
    expect(junit.code).toBe(1);
    expect(await parse(junit.out)).toMatchObject({
      failures: 1,
      testsuite: [
        { testcase: [{ failure: [{ message: expect.stringContaining("each event comes once") }] }] },
      ],
    });
    const ctrf = await ringbackEnds("explore", "56", "--with", subject(), "--format", "ctrf");
    expect(ctrf.code).toBe(1);
    expect(validate(JSON.parse(ctrf.out))).toMatchObject({ valid: true });
  });

  test("takes --stats and --explain without effect, and says so on the standard error", async () => {
    const stats = join(folder(), "stats.jsonl");
    const args = ["explore", "56", "--with", subject(), "--json"];
    const plain = await ringbackEnds(...args);
    const { code, out, err } = await ringbackEnds(...args, "--stats", stats, "--explain");
    expect([code, out]).toEqual([plain.code, plain.out]);
    expect(err.split("\n").filter((line) => line.startsWith("ringback:"))).toEqual([
      "ringback: --stats has no effect any more",
      "ringback: --explain has no effect any more",
    ]);
    expect(existsSync(stats)).toBe(false);
  });
});
