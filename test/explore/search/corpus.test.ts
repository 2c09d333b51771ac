import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RULES } from "../../../src/core/simulator/compatibility.ts";
import { explore, exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";
import { folderWith } from "../../cli/support.ts";

const url = "https://crm.acme.test/hooks";
const text = `
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started, call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
`;

/** Counts missed calls: each request, or each call. */
const counting = (isIdempotent: boolean) => (sim: Simulator) => {
  const seen: string[] = [];
  sim.network.route(url, ({ body }) => {
    const { id, type } = JSON.parse(body) as { id: string; type: string };
    if (type === "call.not_answered" && !(isIdempotent && seen.includes(id))) seen.push(id);
    return 200;
  });
  return seen;
};

const options = {
  scenario: parseScenario(text),
  subject: counting(false),
  eventually: {
    "Each call is counted once!": (_: Simulator, seen: readonly string[]) => expect(seen).toHaveLength(1),
  },
};

describe("The corpus", () => {
  test("names a folder where a scenario's file is expected", async () => {
    const corpus = folderWith();
    mkdirSync(join(corpus, "old.yaml"));
    await expect(exploreReport({ ...options, corpus })).rejects.toThrow(
      `${join(corpus, "old.yaml")} is a folder, expected a scenario`,
    );
  });

  test("keeps and reports names and messages without terminal escapes", async () => {
    const subject = () => ({});
    const eventually = {
      "\u001b[2Jholds\u0007": () => {
        throw new Error("\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u001b[2Jcleared\nnext line");
      },
    };
    const report = await exploreReport({ ...options, subject, eventually, deviations: 0 });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    expect(report.toText()).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    expect(report.failures[0]?.message).toContain("cleared\nnext line");
  });

  test("keeps the smallest scenario of each failure, once", async () => {
    const corpus = join(folderWith(), "corpus");
    const first = await exploreReport({ ...options, corpus });
    expect(readdirSync(corpus)).toEqual(["each-call-is-counted-once.yaml"]);
    const [file = ""] = first.failures.map(({ kept }) => kept);
    const [head, ...rest] = String(first.failures[0]?.smallest.scenario).split("\n");
    expect(readFileSync(file, "utf8")).toBe([head, `rules: ${RULES}`, ...rest].join("\n"));
    expect(first.failures[0]?.kept).toBe(join(corpus, "each-call-is-counted-once.yaml"));
    await exploreReport({ ...options, corpus });
    expect(readdirSync(corpus)).toHaveLength(1);
  });

  test("is played first, and is counted with the worlds of the same failure", async () => {
    const corpus = folderWith();
    const [before] = (await exploreReport({ ...options, corpus })).failures;
    const report = await exploreReport({ ...options, corpus });
    expect(report.failures).toHaveLength(1);
    expect(report.failures[0]).toMatchObject({ order: [-1, 0, 0], worlds: (before?.worlds ?? 0) + 1 });
    expect(report.toText()).toContain("first 1 scenario of the corpus");
    const alone = await exploreReport({ ...options, corpus, deviations: 0 });
    expect(alone.failures.map(({ kept }) => kept)).toEqual([before?.kept]);
  });

  test("contains scenarios that a one-line test can play", async () => {
    const [failure] = (await exploreReport({ ...options, corpus: folderWith() })).failures;
    const scenario = String(failure?.kept);
    await expect(explore({ ...options, scenario, deviations: 0 })).rejects.toThrow(
      "when the answer to call.not_answered is lost: 1 world with at most 0 deviations, all of them",
    );
    await explore({ ...options, scenario, deviations: 0, subject: counting(true) });
  });

  test("passes once the defect is fixed", async () => {
    const corpus = folderWith();
    await exploreReport({ ...options, corpus });
    const mended = await exploreReport({ ...options, corpus, subject: counting(true) });
    expect(mended.passed).toBe(true);
    expect(mended.result).toMatchObject({ corpus: 1, outdated: [] });
  });

  test("names scenarios that no longer reach their deviations", async () => {
    const corpus = folderWith();
    const [failure] = (await exploreReport({ ...options, corpus })).failures;
    const other = String(failure?.smallest.scenario).replace("number: 1", "number: 7");
    writeFileSync(join(corpus, "other.yaml"), `rules: ${RULES}\n${other}`);
    const report = await exploreReport({ ...options, corpus, subject: counting(true) });
    expect(report.toText()).toContain(
      `out of date: ${corpus}/other.yaml: the run does not reach this: attempt: PT30S call.not_answered, webhook: crm, number: 7, is: unanswered; there were: attempt: PT0S call.started, webhook: crm, number: 1, is: lost | unanswered | duplicated | late | refused | rejected | never | outage; `,
    );
  });

  test("does not overwrite files", async () => {
    const checked = `rules: ${RULES}\n${text.trim()}\n`;
    const corpus = folderWith({ "each-call-is-counted-once.yaml": checked });
    await exploreReport({ ...options, corpus });
    expect(readFileSync(join(corpus, "each-call-is-counted-once.yaml"), "utf8")).toBe(checked);
    expect(readdirSync(corpus)).toEqual([
      "each-call-is-counted-once-2.yaml",
      "each-call-is-counted-once.yaml",
    ]);
  });

  test.each([
    ["without a version", "", "the rules before there was a version"],
    ["of other rules", "rules: 1\n", "version 1 of the rules"],
  ])("refuses a file %s with what changed", async (_which, head, message) => {
    const corpus = folderWith({ "old.yaml": `${head}${text.trim()}\n` });
    await expect(exploreReport({ ...options, corpus })).rejects.toThrow(message);
    await expect(exploreReport({ ...options, corpus })).rejects.toThrow("silence in voicemail");
  });

  test("keeps complete scenarios, with the organisation of a file written into them", async () => {
    const folder = folderWith({
      "a.yaml": `organisation: shop\n${text.trim()}\n`,
      "organisations/shop.yaml": `id: shop
users:
  - { id: ann, email: ann@shop.test, displayName: Ann, extension: "101", endpoints: [mobile] }
  - { id: ben, email: ben@shop.test, displayName: Ben, extension: "102", endpoints: [mobile] }
numbers:
  - { number: "+6495550101", owner: ann }
`,
    });
    const corpus = join(folder, "corpus");
    await exploreReport({ ...options, scenario: join(folder, "a.yaml"), corpus });
    const kept = readFileSync(join(corpus, "each-call-is-counted-once.yaml"), "utf8");
    expect(kept).toContain("displayName: Ann");
    expect(kept).not.toContain("Ben");
    expect(parseScenario(kept).deviations).toHaveLength(1);
  });
});

describe("A deviation of the scenario's own", () => {
  test("causes an error that lists the deviation points if the run does not reach it", async () => {
    const scenario = parseScenario(
      `${text}deviations:\n  - { attempt: PT31S call.not_answered, webhook: crm, is: lost }\n`,
    );
    await expect(exploreReport({ ...options, scenario, deviations: 0 })).rejects.toThrow(
      "the run does not reach this: attempt: PT31S call.not_answered, webhook: crm, is: lost; there were: attempt: PT0S call.started, webhook: crm, number: 1, is: lost | unanswered | duplicated | late | refused | rejected | never | outage; attempt: PT30S call.not_answered",
    );
  });
});
