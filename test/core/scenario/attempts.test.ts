import { describe, expect, test } from "vitest";
import { parseScenario, type RunOptions, runScenario } from "../../../src/index.ts";
import { janeCalls, withSteps } from "./support.ts";

const hook = (as: string, events: string) =>
  `{ at: PT0S, createWebhook: { as: ${as}, url: "https://${as}.acme.test/hooks", events: [${events}] } }`;
const steps = [
  '{ at: PT0S, fault: { url: "https://crm.acme.test", status: 503, times: 1 } }',
  hook("crm", "call.ended"),
  hook("audit", "call.started"),
  janeCalls,
  "{ at: PT6S, answer: { call: c1, by: alice } }",
  "{ at: PT66S, hangup: { call: c1, by: caller } }",
];

/** A run in which the CRM takes `call.ended` at its second attempt, and its expected lines. */
function run(lines: readonly string[], options?: RunOptions) {
  const expected = `expect:\n${lines.map((line) => `  - ${line}\n`).join("")}`;
  return runScenario(parseScenario(withSteps(steps, expected)), options);
}

const right = [
  "{ attempt: PT0S call.started, webhook: audit, number: 1, status: 200, state: delivered }",
  "{ attempt: PT66S call.ended, webhook: crm, number: 1, status: 503, failure: status 503, duplicate: false }",
  "{ attempt: PT3M55.08S call.ended, webhook: crm, number: 2, status: 200, ended: PT3M55.08S }",
];

/** The same with the last line replaced. */
const withLast = (line: string) => [...right.slice(0, 2), line];

describe("expected attempts of deliveries", () => {
  test("are compared with the requests to webhooks, in order", () => {
    expect(run(right)).toMatchObject({ mismatches: [], report: "" });
  });

  test("do not compare events without a line for an event", () => {
    expect(run(right).events).toHaveLength(7);
  });

  test("may be mixed with lines for events; each kind is compared separately", () => {
    const [first = "", ...others] = right;
    expect(run([first, "PT0S call.started", ...others]).mismatches).toMatchObject([
      { of: "events", index: 1, actual: "PT6S call.answered", problem: "not expected" },
      ...Array.from({ length: 5 }, () => ({ of: "events" })),
    ]);
  });

  test("need only time and type", () => {
    expect(run(right.map((line) => line.replace(/,.*}/, " }"))).mismatches).toEqual([]);
  });

  test.each([
    ["a time that is not its own", "{ attempt: PT3M55S call.ended }", "80 ms late"],
    ["another event", "{ attempt: PT3M55.08S call.answered }", "expected call.answered"],
    [
      "another webhook",
      "{ attempt: PT3M55.08S call.ended, webhook: audit }",
      "webhook is crm, expected audit",
    ],
    ["another number", "{ attempt: PT3M55.08S call.ended, number: 3 }", "number is 2, expected 3"],
    ["another status", "{ attempt: PT3M55.08S call.ended, status: 204 }", "status is 200, expected 204"],
    [
      "a failure that there was not",
      "{ attempt: PT3M55.08S call.ended, failure: lost }",
      "failure is none, expected lost",
    ],
    ["another end", "{ attempt: PT3M55.08S call.ended, ended: PT4M }", "ended is PT235.08S, expected PT240S"],
    [
      "a duplicate that is none",
      "{ attempt: PT3M55.08S call.ended, duplicate: true }",
      "duplicate is false, expected true",
    ],
    [
      "another end of the delivery",
      "{ attempt: PT3M55.08S call.ended, state: givenUp }",
      "state is delivered, expected givenUp",
    ],
    [
      "a reason where there is none",
      "{ attempt: PT3M55.08S call.ended, reason: exhausted }",
      "reason is none, expected exhausted",
    ],
  ])("differ by %s", (_, line, problem) => {
    expect(run(withLast(line)).mismatches).toMatchObject([{ of: "attempts", index: 2, line: 12, problem }]);
  });

  test("report missing and unexpected attempts", () => {
    expect(run([...right, "{ attempt: PT5M call.ended, status: 200 }"]).mismatches).toMatchObject([
      { index: 3, expected: "PT300S call.ended 200", actual: undefined, problem: "did not happen" },
    ]);
    expect(run(right.slice(0, 2)).mismatches).toMatchObject([
      { index: 2, line: undefined, actual: "PT235.08S call.ended 200", problem: "not expected" },
    ]);
  });

  test("cover the time up to the stop, without unfinished requests", () => {
    expect(run(right, { until: "PT2M" }).mismatches).toEqual([]);
    const unfinished = right.map((line) => line.replace("duplicate: false", "state: delivered"));
    expect(run(unfinished, { until: "PT2M" }).mismatches).toEqual([]);
  });

  test("of a webhook that was deleted still name it", () => {
    const removed = [...steps, "{ at: PT70S, removeWebhook: { webhook: crm } }"];
    const lines = [
      "{ attempt: PT0S call.started, webhook: audit }",
      "{ attempt: PT66S call.ended, webhook: crm, state: dropped, reason: deleted }",
    ].map((line) => `  - ${line}\n`);
    expect(runScenario(parseScenario(withSteps(removed, `expect:\n${lines.join("")}`))).mismatches).toEqual(
      [],
    );
  });

  test("are reported side by side, after the events", () => {
    const lines = ["PT1S call.started", ...withLast("{ attempt: PT3M55S call.ended, status: 200 }")];
    expect(run(lines, { until: "PT4M" }).report).toMatchInlineSnapshot(`
      "A rule: the stream differs at event 1 (line 10), seed 1
              expected           actual
      >    1  PT1S call.started  PT0S call.started                1000 ms early
      >    2  (nothing)          PT6S call.answered               not expected
      >    3  (nothing)          PT6S user.availability.updated   not expected
      >    4  (nothing)          PT66S call.hungup                not expected
      >    5  (nothing)          PT66S call.hungup                not expected
      >    6  (nothing)          PT66S user.availability.updated  not expected
      >    7  (nothing)          PT66S call.ended                 not expected

      A rule: the deliveries differ at attempt 3 (line 13), seed 1
              expected               actual
           1  PT0S call.started 200  PT0S call.started 200
           2  PT66S call.ended 503   PT66S call.ended 503
      >    3  PT235S call.ended 200  PT235.08S call.ended 200  80 ms late
      "
    `);
  });
});
