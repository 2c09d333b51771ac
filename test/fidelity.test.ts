import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fidelityPages, fidelityRows, ruleOf } from "../docs/generate/fidelity.ts";
import { importCapture } from "../src/capture/index.ts";
import { ruleNames } from "../src/capture/judge/rules.ts";
import { parseScenario, runScenario } from "../src/index.ts";
import { captured, jsonl, lessons, received, receiver, twoQueues, withReceiver } from "./capture/support.ts";
import { expectListed, expectNone } from "./lists.ts";

/** Where the rows of the table are written. */
const rows = "docs/generate/fidelity/";

describe("The table of docs/fidelity.md", () => {
  test("names for each rule a test that exists, by its file and title", () => {
    const files = new Map<string, string>();
    const textOf = (file: string) => {
      const text = files.get(file) ?? readFileSync(new URL(`${file}.test.ts`, import.meta.url), "utf8");
      files.set(file, text);
      return text;
    };
    const hasTitle = (proof: string) => {
      const [file = "", ...title] = proof.split(": ");
      const text = title.join(": ");
      return [JSON.stringify(text), `'${text}'`, `\`${text}\``].some((quoted) =>
        textOf(file).includes(quoted),
      );
    };
    expectNone(
      fidelityRows.flatMap((row) => [
        ...(row.proof.length === 0 ? [`${rows}: no test proves "${ruleOf(row)}"`] : []),
        ...row.proof
          .filter((proof) => !hasTitle(proof))
          .map((proof) => `${rows}: "${ruleOf(row)}" names a test that does not exist, ${proof}`),
      ]),
    );
  });

  test("is split into pages of at most 60 KB", () => {
    expect(fidelityPages.length).toBeGreaterThan(5);
    const sizes = fidelityPages.map(({ path, content }) => ({ path, bytes: Buffer.byteLength(content()) }));
    expectNone(
      sizes
        .filter(({ bytes }) => bytes > 60_000)
        .map(({ path, bytes }) => `${path} has ${bytes} bytes: split it in ${rows}areas.ts`),
    );
  });

  test("has each rule once, among them each that captures judge", () => {
    const rules = fidelityRows.map(ruleOf);
    expectNone(
      rules.filter((rule, index) => rules.indexOf(rule) !== index).map((rule) => `${rows}: twice, "${rule}"`),
    );
    const judged: readonly string[] = fidelityRows.flatMap((row) => row.judged ?? []);
    expectNone(
      ruleNames
        .filter((name) => !judged.includes(name))
        .map((name) => `${rows}: no row is judged by ${name}`),
    );
  });
});

/** A run in which the app fails twice, so that requests are sent again after minutes. */
const failing = parseScenario(`
scenario: A receiver that fails twice
steps:
  - { at: PT0S, fault: { url: "${receiver}", status: 503, times: 2 } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }
`);

/** The rules that a lesson sets aside, each with the lesson. */
const setAside = ["rule ring time in 39"];

/** The rules that captures do not judge: a capture of webhooks has no answers of the REST API. */
const unjudged = ["assumption restConsistency"];

test("Captures of our own runs confirm each rule that captures judge, and contradict only what a lesson sets aside", async () => {
  const confirmed = new Set<string>();
  const contradicted: string[] = [];
  const captures = lessons.map((name) => [name, captured(name)] as const);
  for (const [name, lines] of [
    ...captures,
    ["failing", received(runScenario(withReceiver(failing)).simulator)] as const,
    ["two queues", received(runScenario(withReceiver(parseScenario(twoQueues))).simulator)] as const,
  ]) {
    if (lines.length === 0) continue;
    const { rules } = await importCapture(jsonl(lines), { search: 1 });
    for (const row of rules) {
      if (row.confirmed > 0) confirmed.add(row.rule);
      if (row.contradicted > 0) contradicted.push(`${row.rule} in ${name.slice(0, 2)}`);
    }
  }
  expectListed("test/fidelity.test.ts, `setAside`", setAside, contradicted);
  expectNone(
    ruleNames.flatMap((name) =>
      confirmed.has(name) || unjudged.includes(name) ? [] : [`scenarios/: no capture confirms the ${name}`],
    ),
  );
});
