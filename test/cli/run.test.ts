import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/program.ts";
import {
  failing,
  folderWith,
  folderWithLessons,
  impossible,
  lessons,
  localEndpoints,
  misspelt,
  passing,
  ringback,
  ringbackOn,
} from "./support.ts";

const first = join(lessons, "01-first-endpoint-wins.yaml");
const third = "03-nobody-answers";
/** Two lessons whose golden files hold the whole stream. */
const [unanswered, quiet] = ["43-a-team-that-nobody-answers", "46-a-conversation-goes-quiet"] as const;
const golden = (name: string) => readFileSync(join(lessons, `${name}.golden.jsonl`), "utf8");

/** The last step comes when the call is over. */
const answeredTooLate = `scenario: Answered too late
steps:
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550100", as: c } }
  - { at: PT1S, hangup: { call: c, by: caller } }
  - { at: PT2S, answer: { call: c, by: alice } }
`;

describe("ringback run", () => {
  test("shows one scenario as a timeline with its title and the verdict", () => {
    const { code, out, err } = ringback("run", first);
    expect(out).toMatch(/^The first endpoint to answer wins {3}2026-07-01 09:00:00Z - seed 1\n/);
    expect(out).toMatch(/\n7 events, as expected, 1m 6s of platform time\n$/);
    expect({ code, err }).toEqual({ code: 0, err: "" });
  });

  test.each(["run", "check"])(
    "%s says which step is refused, given an answer to a call that is over",
    (command) => {
      const file = join(folderWith({ "late.yaml": answeredTooLate }), "late.yaml");
      const { code, err } = ringback(command, file);
      expect(err).toContain("late.yaml:5:");
      expect(err).toContain("alice cannot answer: call c is abandoned");
      expect(err).not.toMatch(/not live|\n {4}at /);
      expect(code).toBe(2);
    },
  );

  test.each(["run", "check", "inspect"])("%s allows local endpoints only with --allow-local", (command) => {
    const file = join(folderWith({ "local.yaml": localEndpoints }), "local.yaml");
    const printed = command === "inspect" ? ["-o", "-"] : [];
    const refused = ringback(command, ...printed, file);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("organisation.webhooks[0].url: expected");
    expect(refused.err).toContain("organisation.dataActions.callInsights: expected");
    expect(ringback(command, "--allow-local", ...printed, file)).toMatchObject({ code: 0, err: "" });
  });

  test.each(["timeline", "jsonl", "mermaid"])(
    "prints a long run as %s in chunks, never as one text",
    (format) => {
      const busy = `scenario: Twenty busy minutes
steps:
  - { at: PT0S, traffic: { to: "+6495550103", every: { fixed: PT2S }, for: PT20M, behaviour: { patience: PT1S } } }
until: PT21M
`;
      const file = join(folderWith({ "busy.yaml": busy }), "busy.yaml");
      const pieces: string[] = [];
      const output = { isTerminal: false, out: (text: string) => void pieces.push(text), err: () => {} };
      expect(main(["run", "--format", format, file], output)).toBe(0);
      const lengths = pieces.map(({ length }) => length);
      const whole = lengths.reduce((sum, length) => sum + length, 0);
      expect(whole).toBeGreaterThan(200_000);
      expect(Math.max(...lengths)).toBeLessThan(whole / 3);
    },
  );

  test("has no verdict for a scenario without expectations", () => {
    const folder = folderWith({ "quiet.yaml": "scenario: Nothing\nsteps: []\n" });
    expect(ringback("run", join(folder, "quiet.yaml")).out).toMatch(/\n0 events, 0s of platform time\n$/);
  });

  test("lists several scenarios on a line each, and counts them", () => {
    const { code, out } = ringback("run", first, join(lessons, `${third}.yaml`));
    expect(code).toBe(0);
    expect(out.replaceAll(lessons, "")).toMatchInlineSnapshot(`
      "ok     /01-first-endpoint-wins.yaml  The first endpoint to answer wins (7 events, seed 1)
      ok     /03-nobody-answers.yaml  A call that nobody answers closes after thirty seconds (2 events, seed 3)

      2 passed, 0 failed
      "
    `);
  });

  test("plays every scenario of a folder in order of name", () => {
    const { code, out } = ringback("run", lessons);
    const names = [...out.matchAll(/^ok {5}(\S+) /gm)].map(([, path = ""]) => basename(path));
    expect(code).toBe(0);
    expect(names).toEqual(readdirSync(lessons).filter((name) => name.endsWith(".yaml")));
    expect(out).toContain(`\n${names.length} passed, 0 failed\n`);
  });

  test.each(["01", "1", "01-first", "01-first-endpoint-wins.yaml"])("finds a lesson by %s", (lesson) => {
    expect(ringback("run", lesson).out).toMatch(/^The first endpoint to answer wins/);
  });

  test("finds the organisations in the folder beside a scenario", () => {
    const folder = folderWith({
      "a.yaml": "scenario: A rule\norganisation: office\nsteps: []\n",
      "organisations/office.yaml": "id: office\n",
    });
    expect(ringback("run", folder).code).toBe(0);
  });
});

describe("--format", () => {
  test("jsonl prints the stream's bytes and nothing else", () => {
    expect(ringback("run", "43", "--format", "jsonl").out).toBe(golden(unanswered));
  });

  test("jsonl prints the streams of several scenarios one after the other", () => {
    const { out } = ringback("run", "43", "46", "--format=jsonl");
    expect(out).toBe(golden(unanswered) + golden(quiet));
  });

  test("mermaid prints a diagram", () => {
    expect(ringback("run", "01", "--format", "mermaid").out).toMatch(
      /^sequenceDiagram\n {2}actor P1 as Jane Smith/,
    );
  });

  test("timeline shows each of several scenarios as if alone", () => {
    const { out } = ringback("run", "01", "03", "--format", "timeline");
    expect(out.match(/, as expected, /g)).toHaveLength(2);
    expect(out).not.toContain("passed");
  });

  test("that is unknown is rejected", () => {
    const { code, out, err } = ringback("run", "01", "--format", "pdf");
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("Allowed choices are timeline, jsonl, mermaid, html, junit, ctrf.");
  });
});

describe("--journey", () => {
  const scenario = `scenario: Two callers
steps:
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }
  - { at: PT1S, inbound: { as: c2, from: "+6421555002", to: "+6495550103" } }
`;
  const two = () => join(folderWith({ "two.yaml": scenario }), "two.yaml");

  test.each(["B", "call-2", "+6421555002"])("%s shows one call and what belongs to it", (call) => {
    const { code, out } = ringback("run", two(), "--journey", call);
    expect(code).toBe(0);
    expect(out).toContain("+6421555002");
    expect(out).not.toContain("+6421555001");
  });

  test("of an unknown call lists the calls that there are", () => {
    const { code, err } = ringback("run", two(), "--journey", "Z");
    expect(code).toBe(2);
    expect(err).toContain('--journey: no call "Z"; the run\'s: A (call-1, ');
  });

  test("needs one run and a format that tells it", () => {
    const path = two();
    expect(ringback("run", path, "--journey", "A", "--format", "jsonl").err).toContain(
      "expected --format timeline or mermaid",
    );
    expect(ringback("run", path, first, "--journey", "A").err).toContain("expected one scenario");
  });
});

describe("a stream that differs from the expected one", () => {
  test("exits with 1, and prints the timeline with the verdict and the report to stderr", () => {
    const folder = folderWith({ "ten.yaml": failing });
    const { code, out, err } = ringback("run", join(folder, "ten.yaml"));
    expect(code).toBe(1);
    expect(out).toContain("\n2 events, NOT as expected, 30s of platform time\n");
    expect(err.replaceAll(folder, "")).toMatchInlineSnapshot(`
      "
      /ten.yaml:6: It rings for ten seconds: the stream differs at event 2 (line 6), seed 1
              expected                 actual
           1  PT0S call.started        PT0S call.started
      >    2  PT10S call.not_answered  PT30S call.not_answered  20000 ms late
      "
    `);
  });

  test("is counted, and the other scenarios are played", () => {
    const { code, out, err } = ringback("run", folderWith({ "a.yaml": failing, "b.yaml": passing }));
    expect(code).toBe(1);
    expect(out).toMatch(/^FAILED .*a\.yaml .*\nok {5}.*b\.yaml .*\n\n1 passed, 1 failed\n$/);
    expect(err).toContain("20000 ms late");
  });
});

describe("a golden file", () => {
  test("that differs from the stream gives exit code 1 and the first difference", () => {
    const folder = folderWithLessons(unanswered);
    const path = join(folder, `${unanswered}.golden.jsonl`);
    writeFileSync(path, golden(unanswered).replace('"reason":"timeout"', '"reason":"tired"'));
    const { code, out, err } = ringback("run", folder);
    expect(code).toBe(1);
    expect(out).toContain("2 events, NOT as expected");
    expect(err.replaceAll(folder, "")).toMatchInlineSnapshot(`
      "
      /43-a-team-that-nobody-answers.golden.jsonl:2: the stream differs from the golden file (\`--update\` writes the file again)
        expected ...outcome":{"status":"missed","reason":"tired"},"contactNumber":"+6421555001","companyNumber":"+649555...
        actual   ...outcome":{"status":"missed","reason":"timeout"},"contactNumber":"+6421555001","companyNumber":"+6495...
      "
    `);
  });

  test("that is longer or shorter than the stream differs at its end", () => {
    const folder = folderWithLessons(unanswered);
    const path = join(folder, `${unanswered}.golden.jsonl`);
    writeFileSync(path, `${golden(unanswered)}{}\n`);
    expect(ringback("run", folder).err).toMatch(
      /golden\.jsonl:3: .*\n {2}expected \{\}\n {2}actual {3}\(nothing\)/,
    );
    writeFileSync(path, golden(unanswered).replace(/\n.*\n$/, "\n"));
    expect(ringback("run", folder).err).toMatch(
      /golden\.jsonl:2: .*\n {2}expected \(nothing\)\n {2}actual {3}\{"id"/,
    );
  });

  test("is written by --update, and then matches", () => {
    const folder = folderWithLessons(unanswered);
    const path = join(folder, `${unanswered}.golden.jsonl`);
    writeFileSync(path, "stale\n");
    expect(ringback("run", folder, "--update").code).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(golden(unanswered));
    expect(ringback("run", folder).code).toBe(0);
  });

  test("is not written without --update", () => {
    const folder = folderWith({ "a.yaml": passing });
    ringback("run", folder);
    expect(readdirSync(folder)).toEqual(["a.yaml"]);
  });

  test("never overwrites a scenario, whatever the file's extension", () => {
    const folder = folderWith({ "a.txt": passing, "b.json": JSON.stringify({ scenario: "B", steps: [] }) });
    ringback("run", join(folder, "a.txt"), join(folder, "b.json"), "--update");
    expect(readdirSync(folder)).toEqual(["a.txt", "a.txt.golden.jsonl", "b.golden.jsonl", "b.json"]);
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe(passing);
  });
});

describe("a short golden file", () => {
  const short = (name: string) => readFileSync(join(lessons, `${name}.golden.txt`), "utf8");

  test("has a line for each event, with the data the scenario checks", () => {
    expect(short(third)).toMatchInlineSnapshot(`
      "PT0S call.started {"call":{"id":"call-1","status":"started","outcome":null,"duration":null,"waitTime":null}}
      PT30S call.not_answered {"call":{"id":"call-1","status":"missed","outcome":{"status":"missed","reason":"timeout"},"duration":30000,"waitTime":30000}}
      "
    `);
  });

  test("is compared instead of the whole stream, and names the first difference", () => {
    const folder = folderWithLessons(third);
    writeFileSync(join(folder, `${third}.golden.txt`), short(third).replace("timeout", "tired"));
    const { code, err } = ringback("run", folder);
    expect(code).toBe(1);
    expect(err).toMatch(/03-nobody-answers\.golden\.txt:2: the stream differs from the golden file/);
  });

  test("stays short when --update rewrites it, even if it was nearly empty", () => {
    const folder = folderWithLessons(third);
    writeFileSync(join(folder, `${third}.golden.txt`), "");
    expect(ringback("run", folder, "--update").code).toBe(0);
    expect(readFileSync(join(folder, `${third}.golden.txt`), "utf8")).toBe(short(third));
    expect(readdirSync(folder)).toEqual([`${third}.golden.txt`, `${third}.yaml`]);
  });
});

describe("streams.sha256", () => {
  const digests = readFileSync(join(lessons, "streams.sha256"), "utf8");

  test("has a digest of each scenario's whole stream, in the format of sha256sum", () => {
    const digest = createHash("sha256")
      .update(ringback("run", "03", "--format", "jsonl").out)
      .digest("hex");
    expect(digests).toContain(`${digest}  ${third}\n`);
  });

  test("detects a change that the short golden file does not show", () => {
    const folder = folderWithLessons(third);
    const wrong = digests.replace(/^.(?=.*03-nobody)/m, "x");
    writeFileSync(join(folder, "streams.sha256"), wrong);
    const { code, err } = ringback("run", folder);
    expect(code).toBe(1);
    expect(err.replaceAll(folder, "")).toMatchInlineSnapshot(`
      "
      /streams.sha256:3: the stream of 03-nobody-answers.yaml differs from its digest; \`--format jsonl\` shows all of it, \`--update\` writes the digest again
      "
    `);
  });

  test("gets a missing digest by --update, and keeps the others", () => {
    const folder = folderWithLessons(third, unanswered);
    const all = join(folder, "streams.sha256");
    const isOf = (line: string) => [third, unanswered].some((name) => line.endsWith(`  ${name}`));
    const lines = digests.split("\n").filter(isOf);
    writeFileSync(all, `${lines[0]}\n`);
    expect(ringback("run", folder).err).toContain(`no digest of ${unanswered}.yaml`);
    expect(ringback("run", folder, "--update").code).toBe(0);
    expect(readFileSync(all, "utf8")).toBe(`${lines.join("\n")}\n`);
  });
});

describe("bad input", () => {
  test("exits with 2, and names file, line and column", () => {
    const path = join(folderWith({ "a.yaml": misspelt }), "a.yaml");
    const { code, out, err } = ringback("run", path);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(`ringback: ${path}:2:1: setps: unknown key`);
  });

  test("may be a step that the state does not allow", () => {
    const path = join(folderWith({ "a.yaml": impossible }), "a.yaml");
    const { code, err } = ringback("run", path);
    expect(code).toBe(2);
    expect(err).toMatch(`ringback: ${path}:3:5: step 1 (inbound) at PT0S`);
  });

  test("may be a scenario that does not end", () => {
    const path = join(folderWith({ "a.yaml": `${passing}timing: { ringTimeout: P500D }\n` }), "a.yaml");
    const { code, err } = ringback("run", path);
    expect(code).toBe(2);
    expect(err).toMatch(`ringback: ${path}: `);
    expect(err).toMatch(/; `until` sets an end\n$/);
  });

  test("does not stop the other scenarios, and its exit code 2 overrides a mismatch", () => {
    const folder = folderWith({
      "a.yaml": misspelt,
      "b.yaml": failing,
      "c.yaml": impossible,
      "d.yaml": passing,
    });
    const { code, out, err } = ringback("run", folder);
    expect(code).toBe(2);
    expect(out).toMatch(
      /^REFUSED .*a\.yaml\nFAILED .*b\.yaml .*\nREFUSED .*c\.yaml .*\nok {5}.*d\.yaml .*\n\n1 passed, 3 failed\n$/,
    );
    expect(err).toMatch(/a\.yaml:2:1: .*20000 ms late.*c\.yaml:3:5: /s);
  });

  test.each([
    ["a file that is missing", ["run", "nowhere.yaml"], /nowhere\.yaml: no such file, folder or lesson/],
    [
      "a folder without scenarios",
      ["run", join(lessons, "../src")],
      /src: no scenarios \(\*\.yaml\) in this folder/,
    ],
    [
      "an organisation",
      ["run", join(lessons, "organisations/acme.yaml")],
      /acme\.yaml: this is an organisation, not a scenario\. Name it under `organisation` in a scenario/,
    ],
    ["a number that no lesson has", ["run", "99"], /99: no such file, folder or lesson/],
    ["an argument that is empty", ["run", ""], /^ringback: : no such file/],
    ["no argument", ["check"], /missing required argument 'scenario'/],
  ])("may be %s", (_, args, problem) => {
    const { code, out, err } = ringback(...args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(problem);
  });
});

describe("--json", () => {
  test("prints the result of each scenario", () => {
    const folder = folderWith({ "a.yaml": passing, "b.yaml": failing, "c.yaml": misspelt });
    const { code, out, err } = ringback("run", folder, "--json");
    expect({ code, err }).toEqual({ code: 2, err: "" });
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      failures: [
        { cause: expect.stringMatching(/^It rings/), place: join(folder, "b.yaml:6") },
        { cause: expect.stringMatching(/^setps: /), place: join(folder, "c.yaml:2:1") },
      ],
      scenarios: [
        {
          path: join(folder, "a.yaml"),
          scenario: "It rings for thirty seconds",
          seed: 1,
          passed: true,
          events: 2,
          endedAt: "2026-07-01T00:00:30.000Z",
          mismatches: [],
        },
        { passed: false, mismatches: [{ index: 1, problem: "20000 ms late" }] },
        { path: join(folder, "c.yaml"), passed: false, places: [{ line: 2, column: 1, path: "setps" }] },
      ],
    });
  });

  test("gives exit code 1 on a mismatch and 0 without one", () => {
    expect(ringback("run", folderWith({ "b.yaml": failing }), "--json").code).toBe(1);
    expect(ringback("run", "01", "--json").code).toBe(0);
  });
});

describe("on a terminal", () => {
  test("a timeline has colours and Unicode signs", () => {
    const { out } = ringbackOn({ isTerminal: true }, "run", "01");
    expect(out).toContain("\u001b[1mThe first endpoint to answer wins\u001b[22m");
    expect(out).toContain("\u001b[36m● call.started");
    expect(out).toContain("│ Alice Ng: rings on mobile, desktop");
  });

  test("a timeline has the same words as elsewhere", () => {
    const { out } = ringbackOn({ isTerminal: true }, "run", "01");
    const plain = stripVTControlCharacters(out).replaceAll("●", "*").replaceAll("│", "|");
    expect(plain).toBe(ringback("run", "01").out);
  });

  test.each(["jsonl", "mermaid"])("%s has no colours", (format) => {
    const args = ["run", "01", "--format", format];
    expect(ringbackOn({ isTerminal: true }, ...args).out).toBe(ringback(...args).out);
  });
});

test("Escapes of a terminal in a scenario's title are shown by their codes, in every form", () => {
  const text = `scenario: "red \\e[31m"
steps:
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550100" } }
expect:
  - PT1S call.answered
`;
  const folder = folderWith({ "a.yaml": text, "b.yaml": text });
  const runs = [[], ["--format", "junit"], ["--format", "ctrf"]].map((format) =>
    ringback("run", folder, ...format),
  );
  for (const { out, err } of [...runs, ringback("run", join(folder, "a.yaml")), ringback("list", folder)]) {
    expect(out + err).toMatch(/red +(\\{1,2}u001b)?\[31m/);
    expect(out + err).not.toContain("\u001b");
  }
});
