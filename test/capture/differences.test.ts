import { describe, expect, test } from "vitest";
import { importCapture } from "../../src/capture/index.ts";
import { eventTypes } from "../../src/core/platform/declare/events.ts";
import { captured, edited, jsonl } from "./support.ts";

// biome-ignore lint/suspicious/noExplicitAny: a body is changed in ways that its type forbids
type Call = any;

/** Changes the call in the last event of a lesson. */
function withLastCall(name: string, change: (call: Call) => void) {
  const lines = captured(name);
  const last = lines.findLastIndex(({ body }) => JSON.parse(body).type === "call.ended");
  return edited(lines, ({ data }, index) => {
    if (index === last) change(data.call);
  });
}

/** Changes of what the platform decides, each with the path that differs. */
const decided: readonly (readonly [path: string, change: (call: Call) => void])[] = [
  ["call.status", (call) => Object.assign(call, { status: "missed" })],
  ["call.outcome.status", (call) => Object.assign(call.outcome, { status: "missed" })],
  ["call.outcome.reason", (call) => Object.assign(call.outcome, { reason: "timeout" })],
  ["call.isConference", (call) => Object.assign(call, { isConference: true })],
  ["call.assignedUser.id", (call) => Object.assign(call.assignedUser, { id: "bob" })],
  ["call.directoryTarget.id", (call) => Object.assign(call.directoryTarget, { id: "bob" })],
  ["call.parties", (call) => call.parties.push(call.parties[0])],
  ["call.voicemail", (call) => Object.assign(call, { voicemail: { duration: 1 } })],
  ["call.passthroughParameters", (call) => Object.assign(call, { passthroughParameters: { "x-a": "1" } })],
];

/** Changes of what is not compared. */
const free: readonly (readonly [what: string, change: (call: Call) => void])[] = [
  ["a summary", (call) => Object.assign(call.summary, { header: "Something else" })],
  ["a text of a duration", (call) => Object.assign(call, { durationText: "a minute" })],
  ["a display name", (call) => Object.assign(call.parties[0], { displayName: "Jane" })],
  ["a vendor's id", (call) => Object.assign(call, { vendorCallId: "7f3a" })],
  ["an instant within the tolerance", (call) => (call.endedTimestamp += 1_500)],
];

describe("importCapture", () => {
  test.each(decided)("says that %s differs, with both values", async (path, change) => {
    const { verdict, differences, explained } = await importCapture(jsonl(withLastCall("01", change)));
    expect({ verdict, explained }).toEqual({ verdict: "differs", explained: 7 });
    expect(differences).toContainEqual({
      line: 7,
      path,
      got: expect.anything(),
      sent: expect.toSatisfy(() => true),
    });
  });

  test.each(free)("does not compare %s", async (_, change) => {
    const { verdict, differences } = await importCapture(jsonl(withLastCall("01", change)));
    expect({ verdict, differences }).toEqual({ verdict: "possible", differences: [] });
  });

  test("counts for a rule only events that are as the run sends them", async () => {
    const confirmed = async (lines: Parameters<typeof jsonl>[0]) => {
      const { rules } = await importCapture(jsonl(lines));
      return rules.find(({ rule }) => rule === "rule organisation of calls")?.confirmed;
    };
    const missed = withLastCall("01", (call) => Object.assign(call, { status: "missed" }));
    expect([await confirmed(captured("01")), await confirmed(missed)]).toEqual([5, 4]);
  });

  test("lists what the run sends and the capture lacks, and is not possible then", async () => {
    const lines = captured("01").filter(({ body }) => JSON.parse(body).type !== "call.answered");
    const { verdict, invented } = await importCapture(jsonl(lines), { events: eventTypes });
    expect(verdict).toBe("undecided");
    expect(invented).toEqual([{ event: "call.answered", timestamp: expect.any(Number) }]);
  });

  test("does not explain a user who is busy on a captured call as busy by hand", async () => {
    const lines = edited(captured("01"), ({ type, data }, index) => {
      if (type === "user.availability.updated" && index > 3)
        Object.assign(data.user.availability, {
          status: "busy",
          notAvailableRule: "busyOnACall",
          callId: "call-1",
        });
    });
    const { verdict, assumed } = await importCapture(jsonl(lines));
    expect(verdict).not.toBe("possible");
    expect(JSON.stringify(assumed)).not.toContain("set by hand");
  });

  test("says how many requests could not be read, and leaves out what no webhook sent", async () => {
    const row = (url: string, method: string, text: string) => ({
      startedDateTime: "2026-07-01T09:00:00.000Z",
      request: { method, url, headers: [], postData: { text } },
      response: { status: 200 },
    });
    const entries = [
      row("https://crm.test/login", "POST", "user=jane&password=sesame"),
      row("https://crm.test/hooks", "GET", ""),
      ...captured("01").map(({ body }) => row("https://crm.test/hooks", "POST", body)),
      row("https://crm.test/hooks", "POST", '{"id":"event-8","type":'),
    ];
    const { unread, leftOut, problems } = await importCapture(JSON.stringify({ log: { entries } }));
    expect({ unread, leftOut }).toEqual({ unread: { lines: 1, of: 8 }, leftOut: 2 });
    expect(problems).toEqual([
      { line: 10, message: "expected a body in JSON, got 23 characters that are no JSON" },
    ]);
  });
});

test("importCapture lets the app of a run send from the numbers that the capture shows a message of", async () => {
  const { scenario } = await importCapture(jsonl(captured("52")), { redact: false });
  const sent = captured("52").map(({ body }) => JSON.parse(body).data.conversation?.companyNumber);
  const numbers = scenario.options.organisation?.numbers?.filter(
    (each) => "sms" in each && each.sms === true,
  );
  expect(numbers?.map(({ number }) => number)).toEqual([...new Set(sent.filter(Boolean))]);
});
