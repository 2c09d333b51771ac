import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { claimKinds } from "../../src/core/scenario/claim-schema.ts";
import { folderWith, ringback, root } from "./support.ts";

/** Questions of scenario files: what their choices claim, and what `check` says of it. */

/** Two calls: Alice talks to the first caller; the second reaches voicemail, and the CRM is down for a while. */
const calls = `scenario: Two calls
seed: 1
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.acme.test/hooks", events: [call.started, call.ended] } }
  - { at: PT0S, createWebhook: { as: log, url: "https://log.acme.test/", events: [call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }
  - { at: PT5S, answer: { call: c1, by: alice, endpoint: mobile } }
  - { at: PT10S, fault: { url: "https://crm.acme.test/", status: 503, times: 1 } }
  - { at: PT20S, inbound: { as: c2, from: "+6421555002", to: "+6495550100" } }
  - { at: PT30S, hangup: { call: c2, by: caller } }
  - { at: PT40S, hangup: { call: c1, by: caller } }
  - { at: PT10M, updateWebhook: { webhook: log, enabled: false } }
  - { at: PT11M, inbound: { as: c3, from: "+6421555001", to: "+6495550200" } }
  - { at: PT11M10S, hangup: { call: c3, by: caller } }
`;

/** A file with one question: the first choice is said to be right. */
function asking(right: string, ...wrong: readonly string[]): string {
  const choices = [right, ...wrong].map(
    (when, index) => `      - { text: Choice ${index + 1}, when: ${when} }\n`,
  );
  return `${calls}questions:
  - ask: What is so?
    choices:
${choices.join("")}    right: 1
    because: It is so.
`;
}

/** What `check` says of a file. */
function checked(text: string) {
  const folder = folderWith({ "a.yaml": text });
  const { code, out, err } = ringback("check", join(folder, "a.yaml"));
  return { code, out: out.replaceAll(folder, ""), err: err.replaceAll(folder, "") };
}

/** Of each word, something that is so and something that is not. */
const words: readonly (readonly [word: string, so: string, not: string])[] = [
  ["rings", "{ rings: alice, call: c1, from: PT0S, to: PT5S, times: 1 }", "{ rings: alice, at: PT20S }"],
  ["rings", "{ rings: alice, endpoint: desktop, at: PT4S }", "{ rings: bob, at: PT11M, endpoint: fax }"],
  ["talks", "{ talks: alice, at: PT30S }", "{ talks: alice, call: c2 }"],
  ["waits", "{ waits: caller, call: c3, in: sales, at: PT11M5S }", "{ waits: caller, call: c1, in: sales }"],
  ["voicemail", '{ voicemail: "+6421555002", from: PT20S }', '{ voicemail: "+6421555001" }'],
  ["free", "{ free: alice, at: PT41S }", "{ free: alice, at: PT20S }"],
  // the run ends before
  ["free", "{ free: alice, at: PT5H }", "{ free: erin, at: PT5H }"],
  ["event", "{ event: call.answered, of: c1, at: PT5S }", "{ event: call.answered, of: c2 }"],
  [
    "event",
    "{ event: call.ended, match: { call: { outcome: { reason: unavailable } } }, times: 1 }",
    "{ event: call.started, times: 2 }",
  ],
  [
    "event",
    '{ event: call.started, nth: 2, match: { call: { contactNumber: "+6421555002" } } }',
    '{ event: call.started, nth: 1, match: { call: { contactNumber: "+6421555002" } } }',
  ],
  [
    "attempt",
    "{ attempt: call.started, of: c2, webhook: crm, number: 1, status: 503 }",
    "{ attempt: call.ended, status: 503 }",
  ],
  ["gets", "{ gets: crm, nth: 2, event: call.started, at: PT20S }", "{ gets: log, event: call.started }"],
  ["gets", "{ gets: log.acme.test, times: 2 }", "{ gets: log.acme.test, nth: 3 }"],
  ["outcome", "{ outcome: c2, is: missed, reason: unavailable }", "{ outcome: c1, is: missed }"],
  [
    "delivery",
    "{ delivery: call.started, is: delivered, times: 3 }",
    "{ delivery: call.ended, is: givenUp }",
  ],
  ["webhook", "{ webhook: log, is: disabled }", "{ webhook: log, is: disabled, at: PT9M }"],
  [
    "order",
    "{ order: [call.started, call.started, call.ended], gets: crm }",
    "{ order: [call.ended, call.started] }",
  ],
  [
    "delay",
    "{ delay: { from: { attempt: call.started, of: c2, number: 1 }, to: { attempt: call.started, of: c2, number: 2 } }, atLeast: PT2M, atMost: PT4M }",
    "{ delay: { from: { event: call.started }, to: { event: call.answered } }, is: PT6S }",
  ],
  ["not", "{ not: { rings: alice, call: c2 } }", "{ not: { talks: alice } }"],
  ["any", "{ any: [{ talks: bob }, { talks: alice }] }", "{ any: [{ talks: bob }, { talks: carol }] }"],
];

describe("check", () => {
  test.each(words)("judges %s by playing", (word, so, not) => {
    const right = checked(asking(so, not));
    expect(right).toEqual({ code: 0, out: "ok     /a.yaml  11 steps, 1 question\n", err: "" });
    const wrong = checked(asking(not, so));
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain(
      "/a.yaml:18:9: questions[0].choices[0].when: this choice is said to be right, but",
    );
    expect(wrong.err).toContain(
      "/a.yaml:19:9: questions[0].choices[1].when: this choice is said to be wrong, but",
    );
    expect(wrong.err.match(/; found: \S/g)).toHaveLength(2);
    expect(wrong.err).toContain(word);
  });

  test("says what was found instead", () => {
    const { err } = checked(asking("{ rings: alice, at: PT7S }", "{ outcome: c2, is: answered }"));
    expect(err).toContain("but { rings: alice, at: PT7S } is not so; found: from PT0S to PT5S\n");
  });

  test("demands all claims of a right choice, and lets a wrong one have some that are so", () => {
    expect(
      checked(asking("[{ talks: alice }, { free: alice }]", "[{ talks: alice }, { talks: bob }]")).code,
    ).toBe(0);
    expect(checked(asking("[{ talks: alice }, { talks: bob }]", "{ talks: carol }")).code).toBe(2);
  });

  const instead = (change: string, when = "{ rings: alice, call: c2 }") =>
    asking("{ talks: alice }", "{ talks: bob }").replace(
      "when: { talks: bob } }",
      `when: ${when}, instead: { if: the first caller hangs up before, change: [${change}] } }`,
    );

  test("plays the change under which a wrong choice would be right", () => {
    const change =
      "{ op: remove, path: /steps/7 }, { op: add, path: /steps/5, value: { at: PT19S, hangup: { call: c1, by: caller } } }";
    expect(checked(instead(change)).code).toBe(0);
    const other = checked(instead("{ op: replace, path: /steps/7/at, value: PT41S }"));
    expect(other.err).toContain(
      "/a.yaml:19:9: questions[0].choices[1].instead: in the changed run { rings: alice, call: c2 } is not so; found: nothing of the kind",
    );
  });

  test.each([
    [
      "a place that is not there",
      "{ op: remove, path: /steps/40 }",
      "expected a place in the scenario, got /steps/40",
    ],
    ["a step that is then refused", "{ op: remove, path: /steps/2 }", "unknown call"],
    [
      "a step with a mistake",
      "{ op: replace, path: /steps/0, value: { at: 5 } }",
      "expected a duration with its unit",
    ],
  ])("refuses a change with %s", (_, change, problem) => {
    const { code, err } = checked(instead(change));
    expect(code).toBe(2);
    expect(err).toContain("choices[1].instead: the change cannot be played: ");
    expect(err).toContain(problem);
  });
});

describe("a question is refused, at its place,", () => {
  const refused: readonly (readonly [rule: string, from: string, to: string, problem: string])[] = [
    [
      "with an unknown word",
      "{ talks: alice }",
      "{ speaks: alice }",
      ":18:33: questions[0].choices[0].when: expected one of the words rings, talks",
    ],
    [
      "with an unknown key",
      "{ talks: alice }",
      "{ talks: alice, on: c1 }",
      "questions[0].choices[0].when.on: unknown key",
    ],
    ["with an unknown person", "{ talks: alice }", "{ talks: alic }", 'unknown person "alic"'],
    [
      "with an unknown call",
      "{ talks: alice }",
      "{ talks: alice, call: c9 }",
      'unknown call "c9"; known: c1, c2, c3',
    ],
    ["with an unknown webhook", "{ talks: alice }", "{ webhook: crn, is: enabled }", 'unknown webhook "crn"'],
    ["with an unknown endpoint", "{ talks: alice }", "{ gets: crn }", 'unknown endpoint "crn"'],
    [
      "with a number for a duration",
      "{ talks: alice }",
      "{ talks: alice, at: 5 }",
      "when.at: expected a duration with its unit",
    ],
    [
      "with one choice",
      "      - { text: Choice 2, when: { talks: bob } }\n",
      "",
      "questions[0].choices: expected two to six choices, got 1",
    ],
    [
      "whose right choice is none",
      "right: 1",
      "right: 3",
      ":20:12: questions[0].right: expected the number of a choice, 1 to 2, got 3",
    ],
    [
      "whose right choice claims nothing",
      "Choice 1, when: { talks: alice }",
      "Choice 1",
      "expected `when`: what this choice, which is right, claims",
    ],
    ["whose choices are the same", "Choice 2", "Choice 1", "another choice has the same text"],
    ["without a reason", "    because: It is so.\n", "", "questions[0].because: missing"],
    [
      "whose delay has no length",
      "{ talks: alice }",
      "{ delay: { from: { talks: alice }, to: { event: call.ended } } }",
      "expected `is`, `atLeast` or `atMost`",
    ],
    [
      "with a change of the right choice",
      "Choice 1, ",
      "Choice 1, instead: { if: so, change: [] }, ",
      "choices[0].instead: this choice is right",
    ],
  ];
  test.each(refused)("%s", (_, from, to, problem) => {
    const { code, err } = checked(asking("{ talks: alice }", "{ talks: bob }").replace(from, to));
    expect(code).toBe(2);
    expect(err).toContain(problem);
  });
});

test("questions do not change what run plays", () => {
  const folder = folderWith({ "a.yaml": calls, "b.yaml": asking("{ talks: bob }", "{ talks: alice }") });
  const [plain, asked] = ["a", "b"].map((name) =>
    ringback("run", join(folder, `${name}.yaml`), "--format", "jsonl"),
  );
  expect(asked).toEqual(plain);
  expect(plain?.code).toBe(0);
});

test("the page on questions has every word of the vocabulary, and its example is true", () => {
  const page = readFileSync(join(root, "docs/questions.md"), "utf8");
  const listed = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, word = ""]) => word);
  expect(claimKinds.filter((word) => !listed.includes(word))).toEqual([]);
  expect(claimKinds.filter((word) => !words.some(([tried]) => tried === word))).toEqual([]);
  const [, example = ""] = /```yaml\n(scenario:[\s\S]*?)```/.exec(page) ?? [];
  expect(checked(example)).toMatchObject({ code: 0 });
});
