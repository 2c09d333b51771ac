import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { queryObjects } from "node:v8";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createSimulator, fromFetch, replay, type Simulator } from "../../../src/index.ts";
import type { StreamLine } from "../../../src/testing/vitest/index.ts";
import "../../../src/testing/vitest/index.ts";
import { snapshotSerializer } from "../../../src/testing/snapshot.ts";
import { ringback } from "../../cli/support.ts";
import { caller, dial, office, thrownBy } from "../../helpers.ts";

const results = mkdtempSync(join(tmpdir(), "ringback-results-"));
beforeEach(() => {
  vi.stubEnv("RINGBACK_RESULTS", results);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(results, { recursive: true });
});

const hook = "https://crm.acme.test/hooks";

/** Alice takes a call after 6 s, and the caller hangs up a minute later. */
function answeredCall(options: Parameters<typeof createSimulator>[0] = {}): Simulator {
  const sim = createSimulator({ seed: "matchers", ids: "counter", ...options });
  sim.network.route(hook, 204);
  sim.webhooks.create({ url: hook, events: ["call.started", "call.ended"] });
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  sim.advance("PT6S");
  call.answer("alice", { endpoint: "desktop" });
  sim.advance("PT1M");
  call.hangup("caller");
  return sim;
}

const lines: StreamLine[] = [
  "PT0S call.started",
  { event: "PT6S call.answered", match: { call: { id: expect.stringMatching(/^call-/) } } },
  "PT6S user.availability.updated",
  "PT66S call.hungup",
  "PT66S call.hungup",
  "PT66S user.availability.updated",
  "PT66S call.ended",
];

function messageOf(check: () => unknown): string {
  return (thrownBy(check) as Error).message;
}

describe("toHaveEmitted", () => {
  test("passes for an emitted type", () => {
    expect(answeredCall()).toHaveEmitted("call.ended");
  });

  test("passes for a subset of the data, with asymmetric matchers anywhere in it", () => {
    const sim = answeredCall();
    expect(sim).toHaveEmitted("call.answered", {
      call: { status: "accepted", waitTime: expect.any(Number) },
    });
    expect(sim).toHaveEmitted("call.ended", expect.objectContaining({ call: expect.anything() }));
  });

  test("fails with the differences to each event of the type", () => {
    const message = messageOf(() =>
      expect(answeredCall()).toHaveEmitted("call.ended", { call: { id: expect.stringMatching(/^x/) } }),
    );
    expect(message).toContain("none is like it");
    expect(message).toContain('PT66S call.ended: data.call.id is "call-1", expected StringMatching /^x/');
  });

  test("fails for a type that was not emitted", () => {
    const message = messageOf(() => expect(answeredCall()).toHaveEmitted("call.not_answered"));
    expect(message).toContain("expected call.not_answered, but no event of this type was emitted");
    expect(message).toContain("\n  call.not_answered never came: Alice Ng answered at 0:06\n");
  });

  test("says why an event never came, however it was wanted", () => {
    const sim = createSimulator();
    sim.webhooks.create({ url: "https://crm.test/", events: ["call.answered"] });
    sim.users.get("bob").setAvailability("busy");
    sim.calls.inbound({ from: "+6421555001", to: "+6495550102" });
    sim.advance("PT45S");
    sim.users.get("bob").setAvailability("available");
    const why = "\n  call.answered never came: Bob Tane was on do not disturb until 0:45\n";
    const wanted = [
      () => expect(sim).toHaveEmitted("call.answered"),
      () => expect(sim).toHaveDelivered("https://crm.test/", "call.answered"),
      () => expect(sim).toHaveEmittedStream(["PT0S call.started", "PT6S call.answered"]),
    ];
    for (const each of wanted) expect(messageOf(each).replace(/\n\n/g, "\n")).toContain(why.trimEnd());
  });

  test("does not say it where it cannot know", () => {
    const none = createSimulator({ retain: { journal: false } });
    expect(messageOf(() => expect(none).toHaveEmitted("call.answered"))).not.toContain("never came");
    const newest = createSimulator({ retain: { events: 1 } });
    const call = newest.calls.inbound({ from: "+6421555001", to: "+6495550102" });
    call.answer("bob");
    call.hangup("caller");
    expect(messageOf(() => expect(newest).toHaveEmitted("call.started"))).not.toContain("never came");
  });

  test("with not fails and marks the event", () => {
    const message = messageOf(() => expect(answeredCall()).not.toHaveEmitted("call.answered"));
    expect(message).toMatch(/^> {11}\* call\.answered {2,}by Alice Ng/m);
  });

  test("with not passes for a type that was not emitted", () => {
    expect(answeredCall()).not.toHaveEmitted("call.not_answered");
  });

  test("rejects an unknown type, which could never fail with not", () => {
    const check = () => expect(answeredCall()).not.toHaveEmitted("call.vanished" as never);
    expect(messageOf(check)).toContain('got "call.vanished"');
  });

  test("rejects anything but a simulator", () => {
    expect(messageOf(() => expect([]).toHaveEmitted("call.ended"))).toContain("write expect(sim)");
  });
});

describe("toHaveEmittedStream", () => {
  test("passes for exactly the stream", () => {
    expect(answeredCall()).toHaveEmittedStream(lines);
  });

  test.each<[string, (all: StreamLine[]) => StreamLine[], string]>([
    ["a time", (all) => ["PT1S call.started", ...all.slice(1)], "1000 ms early"],
    ["an event that did not happen", (all) => [...all, "PT70S call.ended"], "did not happen"],
    ["an event that is missing", (all) => all.slice(0, -1), "not expected"],
  ])("fails for %s, with both streams side by side", (_, change, problem) => {
    const sim = answeredCall();
    const message = messageOf(() => expect(sim).toHaveEmittedStream(change(lines)));
    expect(message).toMatch(new RegExp(`^> .*${problem}$`, "m"));
    expect(message).toMatch(/^> {11}\* call\./m);
    expect(sim).not.toHaveEmittedStream(change(lines));
  });

  test("rejects text instead of a list of lines", () => {
    const check = () => expect(answeredCall()).toHaveEmittedStream("PT0S call.started" as never);
    expect(messageOf(check)).toBe(
      'expect(...).toHaveEmittedStream: expected a list of lines such as ["PT6S call.answered"], got "PT0S call.started"',
    );
  });

  test("rejects and names an invalid line", () => {
    const check = () => expect(answeredCall()).not.toHaveEmittedStream(["call.started" as never]);
    expect(messageOf(check)).toContain("lines[0]: expected an offset from the start and an event type");
  });
});

describe("toHaveDelivered", () => {
  test("passes for an event that an endpoint accepted", () => {
    const sim = answeredCall();
    sim.runUntilIdle();
    expect(sim).toHaveDelivered(hook, "call.ended", { call: { outcome: { status: "answered" } } });
    expect(sim).not.toHaveDelivered(hook, "call.answered");
    expect(sim).not.toHaveDelivered("https://other.test/", "call.ended");
  });

  test("fails with the outcome of every attempt", () => {
    const sim = createSimulator({ ids: "counter" });
    sim.network.route(hook, 204);
    sim.network.fault(hook, { status: 503, times: 3 });
    sim.webhooks.create({ url: hook, events: ["call.started"] });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    sim.advance(0);
    const message = messageOf(() => expect(sim).toHaveDelivered(hook, "call.started"));
    expect(message).toContain("PT0S call.started, sent 2026-07-01T00:00:00.000Z: answered 503");
    sim.advance("PT2H");
    expect(sim).toHaveDelivered(hook, "call.started");
  });

  test("passes without routes, since the network accepts everything", () => {
    const sim = createSimulator({ ids: "counter" });
    sim.webhooks.create({ url: hook, events: ["call.started"] });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    sim.advance(0);
    expect(sim).toHaveDelivered(hook, "call.started");
  });

  test("fails if only other URLs have routes, whatever the network answered", () => {
    const sim = createSimulator({ ids: "counter" });
    sim.network.route("https://crm.tset/", 204);
    sim.webhooks.create({ url: hook, events: ["call.started"] });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    sim.advance(0);
    const message = messageOf(() => expect(sim).toHaveDelivered(hook, "call.started"));
    expect(message).toContain(
      "no route is for it, so that nobody answered; there are routes for: https://crm.tset/",
    );
  });

  test("fails with the body of the app's answer", async () => {
    const sim = createSimulator({ ids: "counter" });
    sim.network.route(
      hook,
      fromFetch(() => Response.json({ error: "no such tenant" }, { status: 400 })),
    );
    sim.webhooks.create({ url: hook, events: ["call.started"] });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    await sim.advanceAsync(0);
    const message = messageOf(() => expect(sim).toHaveDelivered(hook, "call.started"));
    expect(message).toContain(
      'PT0S call.started, sent 2026-07-01T00:00:00.000Z: answered 400: {"error":"no such tenant"}',
    );
  });

  test("compares events by their usual names in any dialect", () => {
    const sim = answeredCall({ dialect: { fieldNames: { contactNumber: "customerNumber" } } });
    sim.runUntilIdle();
    expect(sim).toHaveDelivered(hook, "call.ended", { call: { contactNumber: "+6421555001" } });
  });

  test.each([
    ["https://other.test/", "call.ended", `no webhook has this URL; there are: ${hook}`],
    [hook, "call.hungup", "its webhook asks for: call.started, call.ended"],
  ] as const)("fails for %s and %s, with the reason", (url, type, why) => {
    expect(messageOf(() => expect(answeredCall()).toHaveDelivered(url, type))).toContain(why);
  });
});

describe("toBeIdle", () => {
  test("passes if nothing is scheduled, and otherwise fails with the scheduled items", () => {
    const sim = createSimulator({ ids: "counter" });
    expect(sim).toBeIdle();
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    expect(sim).not.toBeIdle();
    expect(messageOf(() => expect(sim).toBeIdle())).toContain(
      "2026-07-01T00:00:30.000Z ring: ringTimeout of call-1",
    );
  });

  test("passes while only working hours are scheduled", () => {
    const [alice, ...others] = office.users;
    const workingHours = { monday: [{ from: "09:00", to: "17:00" }] };
    const sim = createSimulator({
      organisation: { ...office, users: [{ ...alice, workingHours } as never, ...others] },
    });
    expect(sim.pending()).not.toEqual([]);
    expect(sim).toBeIdle();
  });
});

describe("toBeSilentFor", () => {
  test("passes if no event would be emitted, without advancing time", () => {
    const sim = createSimulator({ organisation: office, ids: "counter" });
    sim.calls.inbound({ from: caller, to: dial.alice });
    expect(sim).toBeSilentFor("PT29.999S");
    expect(sim).not.toBeSilentFor("PT30S");
    expect(sim.timestamp).toBe(sim.startTimestamp);
    expect(sim.events.length).toBe(1);
  });

  test("fails with the events that would be emitted", () => {
    const sim = createSimulator({ organisation: office });
    sim.calls.inbound({ from: caller, to: dial.alice });
    const message = messageOf(() => expect(sim).toBeSilentFor({ seconds: 30 }));
    expect(message).toContain("from 2026-07-01T00:00:00.000Z to 2026-07-01T00:00:30.000Z");
    expect(message).toMatch(/^ {2}PT30S call\.not_answered$/m);
    expect(message).toMatch(/^> {11}\* call\.not_answered/m);
  });

  test("ignores the excepted types", () => {
    const sim = createSimulator({ organisation: office });
    sim.calls.inbound({ from: caller, to: dial.alice });
    expect(sim).toBeSilentFor("PT1H", { except: "call.not_answered" });
    expect(sim).not.toBeSilentFor("PT1H", { except: ["call.ended"] });
  });

  test("calls no endpoint", () => {
    let asked = 0;
    const sim = createSimulator();
    sim.network.route(hook, () => {
      asked++;
      return 200;
    });
    sim.webhooks.create({ url: hook, events: ["*"] });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    expect(sim).toBeSilentFor("PT1S");
    expect(asked).toBe(0);
  });
});

describe("toBePossible", () => {
  test("passes for what a run sends, whole or trimmed", () => {
    for (const event of answeredCall().events) expect(event).toBePossible();
    expect({ type: "call.ended", data: { call: { status: "ended" } } }).toBePossible();
    expect({ direction: "inbound", contactNumber: "+6421555001" }).toBePossible();
  });

  test("fails with each field and the reason", () => {
    const [started] = answeredCall().events;
    const fixture = { ...started, type: "call.ended", mood: "calm" };
    expect(fixture).not.toBePossible();
    expect(messageOf(() => expect(fixture).toBePossible())).toBe(
      [
        "expected call.ended to be possible, but the platform never sends it:",
        "  mood is no field of this record",
        "  data.call.outcome is null, but call.ended comes when a call is over",
        "  data.call.endedAt is null, but call.ended comes when a call is over",
        "  data.call.status is started, but call.ended comes when a call is over",
      ].join("\n"),
    );
    expect(messageOf(() => expect(started).not.toBePossible())).toBe(
      "expected call.started to be impossible, but the platform may send it",
    );
  });

  test("judges by assumptions, the dialect and who there is", () => {
    const answered = answeredCall({ assume: { answeredStatus: "started" } }).events.ofType(
      "call.answered",
    )[0];
    expect(answered).not.toBePossible();
    expect(answered).toBePossible({ assume: { answeredStatus: "started" } });
    const renamed = { type: "call.started", data: { call: { legs: [] } } };
    expect(renamed).not.toBePossible();
    expect({ type: "call.started", data: { call: { customer: "+6421555001" } } }).toBePossible({
      dialect: { fieldNames: { contactNumber: "customer" } },
    });
    const bob = { type: "user.availability.updated", data: { user: { id: "bob" } } };
    expect(bob).not.toBePossible({ rest: [{ users: [{ id: "alice" }] }] });
  });

  test("refuses what is no event, for and against", () => {
    for (const value of [undefined, 5, {}, { type: "module" }, "text"]) {
      const expected = /^expect\(\.\.\.\)\.toBePossible: expected an event or a record of one, got /;
      expect(() => expect(value).toBePossible()).toThrow(expected);
      expect(() => expect(value).not.toBePossible()).toThrow(expected);
    }
  });
});

describe("a failure", () => {
  test("shows the seed, the timeline around it, and the command to rerun it", () => {
    const sim = answeredCall();
    const message = messageOf(() => expect(sim).toHaveEmitted("call.not_answered"));
    expect(message).toContain("0:06.000  Alice Ng answers on desktop");
    expect(message).toContain('Seed: "matchers"');
    const [, journal = ""] = /^ {2}npx ringback run "?(.+\.journal\.jsonl)"?$/m.exec(message) ?? [];
    expect(replay(readFileSync(journal, "utf8")).events.toJSONL()).toBe(sim.events.toJSONL());
    expect(ringback("replay", journal)).toMatchObject({
      code: 0,
      out: expect.stringContaining(sim.events.toTimeline()),
    });
  });

  test("writes a page with the run and the failure, and names it", () => {
    const sim = answeredCall();
    const message = messageOf(() => expect(sim).toHaveEmitted("call.not_answered"));
    const [, page = ""] = /^This page shows it:\n {2}(.+\.html)$/m.exec(message) ?? [];
    const html = readFileSync(page, "utf8");
    expect(html).toContain(JSON.stringify(sim.journal()).replaceAll("<", "\\u003c"));
    expect(html).toContain("expected call.not_answered, but no event of this type was emitted");
  });

  test("omits distant parts of the timeline", () => {
    const sim = createSimulator();
    for (let index = 0; index < 20; index++) {
      sim.calls.inbound({ from: "+6421555001", to: "+6495550100" }).hangup("caller");
      sim.advance("PT1M");
    }
    const message = messageOf(() => expect(sim).not.toHaveEmitted("call.started"));
    expect(message).toMatch(/\. \. \. \d+ events after \. \. \.$/m);
    expect(message.split("\n").length).toBeLessThan(25);
  });

  test("shows the app's requests and their answers", async () => {
    const sim = createSimulator({ ids: "counter" });
    const headers = { authorization: `Bearer ${sim.token()}` };
    sim.network.route(hook, async () => {
      for (const path of ["/users", "/teams", "/calls/call-1"]) await sim.fetch(path, { headers });
      return 204;
    });
    sim.webhooks.create({ url: hook, events: ["call.not_answered"] });
    sim.rest.fault({ path: "/calls", status: 404 });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
    await sim.advanceAsync("PT30S");
    const message = messageOf(() => expect(sim).not.toHaveDelivered(hook, "call.not_answered"));
    expect(message).toContain(`\
            | crm.acme.test (webhook): receives call.not_answered
            |   acme-client: asks GET /users: 200
            |   acme-client: asks GET /teams: 200
            |   acme-client: asks GET /calls/call-1: 404 (fault)
            | crm.acme.test (webhook): call.not_answered - 204
`);
  });

  test("writes into a folder that git ignores, a file for each simulator of a test", () => {
    const journals = [createSimulator(), createSimulator()].map((sim) => {
      const message = messageOf(() => expect(sim).toHaveEmitted("call.ended"));
      return /ringback run (.+)$/m.exec(message)?.[1] ?? "";
    });
    expect(journals[0]).toMatch(/matchers\.test-a-failure-writes-into.*\.journal\.jsonl$/);
    expect(new Set(journals).size).toBe(2);
    const folder = dirname(journals[0] ?? "");
    expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe("*\n");
    const kept = readdirSync(folder).filter((name) => /a-failure-writes.*\.(html|jsonl)$/.test(name));
    expect(kept.length).toBeGreaterThan(3);
    for (const name of kept) expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
  });

  test("writes nothing if disabled", () => {
    vi.stubEnv("RINGBACK_RESULTS", "off");
    const message = messageOf(() => expect(createSimulator()).toHaveEmitted("call.ended"));
    expect(message).toMatch(/^Seed: 1\. replay\(sim\.journal\(\)\) runs it again\.$/m);
  });

  test("shows the failure even if its file cannot be written", () => {
    vi.stubEnv("RINGBACK_RESULTS", join(results, "a file"));
    writeFileSync(join(results, "a file"), "");
    const message = messageOf(() => expect(createSimulator()).toHaveEmitted("call.ended"));
    expect(message).toContain("expected call.ended, but no event of this type was emitted");
    expect(message).toMatch(/its file could not be written: .*EEXIST/);
  });

  test("lists the last events without a journal", () => {
    const sim = answeredCall({ retain: { journal: false } });
    const message = messageOf(() => expect(sim).toHaveEmitted("call.not_answered"));
    expect(message).toContain("  PT66S call.ended");
    expect(message).toContain('createSimulator({ seed: "matchers" })');
  });

  test("marks the right event if only the newest are kept", () => {
    const sim = answeredCall({ retain: { events: 2 } });
    const message = messageOf(() => expect(sim).not.toHaveEmitted("call.ended"));
    expect(message).toMatch(/^> {11}\* call\.ended/m);
  });
});

describe("snapshots", () => {
  test("of a simulator are its timeline", () => {
    const sim = createSimulator({ organisation: office });
    expect(sim).toMatchInlineSnapshot(`
      Acme   2026-07-01 00:00:00Z - seed 1


      0 events, 0s of platform time
    `);
  });

  test("of events have their keys in a fixed order", () => {
    const sim = createSimulator({ organisation: office, ids: "counter" });
    sim.users.get("carol").setAvailability("busy");
    expect(sim.events.ofType("user.availability.updated")[0]).toMatchInlineSnapshot(`
      {
        "id": "event-1",
        "type": "user.availability.updated",
        "createdAt": "2026-07-01T00:00:00.000Z",
        "createdTimestamp": 1782864000000,
        "organisationId": "acme",
        "data": {
          "user": {
            "availability": {
              "availabilitySummary": "Do not disturb",
              "callId": null,
              "notAvailableReason": null,
              "notAvailableRule": "doNotDisturb",
              "status": "busy",
              "statusAt": "2026-07-01T00:00:00.000Z",
              "statusTimestamp": 1782864000000,
              "vendor": null,
              "vendorCallId": null
            },
            "callId": null,
            "desktopEnrolledReleaseChannel": "stable",
            "displayName": "Carol Diaz",
            "email": "carol@acme.test",
            "endpoints": [
              {
                "id": "mobile",
                "registered": true,
                "type": "mobile"
              }
            ],
            "extension": "103",
            "firstName": null,
            "hasVoicemail": false,
            "id": "carol",
            "isDirectorySynced": false,
            "jobTitle": null,
            "lastName": null,
            "licenses": [],
            "location": null,
            "loginStatus": "loggedIn",
            "manager": null,
            "phoneNumbers": [
              "+6495550103"
            ],
            "status": "active",
            "teams": [
              {
                "displayName": "Support",
                "email": null,
                "extension": "201",
                "id": "support",
                "type": "team"
              },
              {
                "displayName": "Sales",
                "email": null,
                "extension": "200",
                "id": "sales",
                "type": "team"
              },
              {
                "displayName": "Billing",
                "email": null,
                "extension": "202",
                "id": "billing",
                "type": "team"
              }
            ],
            "timezone": "Pacific/Auckland",
            "type": "userWithAvailability",
            "vendor": null,
            "vendorCallId": null,
            "vendorRedirectUrl": "https://redirect.ringback.test/telephony/redirect?extension=103&organisationId=acme"
          }
        }
      }
    `);
  });

  test("of a stream are the events one after another", () => {
    const { events } = answeredCall();
    const blocks = snapshotSerializer.serialize(events).split(/(?<=^})\n/m);
    expect(blocks.map((block) => JSON.parse(block))).toEqual([...events]);
    expect(snapshotSerializer.test(events)).toBe(true);
    expect(snapshotSerializer.test([...events])).toBe(false);
  });
});

test("holds few simulators of a test that makes many, though it waits for no timer", async () => {
  const simulatorsAlive = () => queryObjects(answeredCall().constructor, { format: "count" });
  const before = simulatorsAlive();
  for (let each = 0; each < 60; each++) await Promise.resolve(answeredCall());
  expect(simulatorsAlive() - before).toBeLessThan(25);
});
