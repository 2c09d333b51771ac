import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  createSimulator,
  demoOrganisation,
  parseScenario,
  runScenario,
  type Simulator,
} from "../../../src/index.ts";
import { sixthOf } from "../../counts.ts";

const folder = new URL("../../../scenarios/", import.meta.url);
const lessons = readdirSync(folder).filter((name) => name.endsWith(".yaml"));

/** The simulator after a lesson, by its file or its number. */
function lesson(start: string): Simulator {
  const name = lessons.find((each) => each.startsWith(start)) ?? start;
  return runScenario(parseScenario(readFileSync(new URL(name, folder), "utf8"))).simulator;
}

const [jane, freight, dave, lobby] = ["+6421555001", "+6421555002", "+6495550104", "+6495550110"];
const alice = "+6495550100";

describe("toTimeline", () => {
  test("shows the first lesson: causes before effects, names, the important fields", () => {
    expect(lesson("01").events.toTimeline()).toMatchInlineSnapshot(`
      "Acme   2026-07-01 09:00:00Z - seed 1

        0:00.000  Jane Smith (+6421555001) calls +6495550100 (Alice Ng, 101)
                  * call.started                   inbound from Jane Smith (+6421555001)
                  | Alice Ng: rings on mobile, desktop
        0:06.000  Alice Ng answers on desktop
                  | Alice Ng: mobile stops (answered elsewhere)
                  * call.answered                  by Alice Ng, waited 6s
                  * user.availability.updated      Alice Ng busy - busyOnACall
        1:06.000  Jane Smith (+6421555001) hangs up
                  * call.hungup                    Jane Smith
                  * call.hungup                    Alice Ng
                  * user.availability.updated      Alice Ng available
                  * call.ended                     answered, 1m 6s

      7 events, 1m 6s of platform time
      "
    `);
  });

  test("shows voicemail: greeting, tone, message and follow-ups", () => {
    expect(lesson("04").events.toTimeline()).toMatchInlineSnapshot(`
      "Acme   2026-07-01 09:00:00Z - seed 4

        0:00.000  Jane Smith (+6421555001) calls +6495550100 (Alice Ng, 101)
                  * call.started                   inbound from Jane Smith (+6421555001)
                  | Alice Ng: rings on mobile, desktop
        0:30.000  nobody answered in time
                  | Alice Ng: mobile, desktop stop (timeout)
                  * call.not_answered              missed
                  | Jane Smith (+6421555001): hears the greeting of Alice Ng's voicemail
        0:31.000  Jane Smith (+6421555001) has a message of 12s
        0:35.000  the greeting is over
                  | Jane Smith (+6421555001): hears the tone
        0:47.000  the caller has said it all
                  * call.hungup                    Jane Smith
                  * call.ended                     missed - voicemail, 47s
        0:52.000  the recording is ready
                  * call.recording.available       48000 bytes of audio/mpeg
        1:17.000  the transcript is ready
                  * call.transcript.created        "Please call me back."
                  * transcript.created             "Please call me back."
                  * call.transcription_completed   1 transcript

      8 events, 1m 17s of platform time
      "
    `);
  });

  test("names the call of each line if two are active", () => {
    expect(lesson("12").events.toTimeline()).toMatchInlineSnapshot(`
      "Acme   2026-07-01 09:00:00Z - seed 12

        0:00.000  Jane Smith (+6421555001) calls +6495550100 (Alice Ng, 101)
                  * call.started                   inbound from Jane Smith (+6421555001)
                  | Alice Ng: rings on mobile, desktop
        0:03.000  Kiwi Freight (+6421555002) calls +6495550101 (Alice Ng, 101)
                  * call.started                   inbound from Kiwi Freight (+6421555002)
                  | Alice Ng: rings on mobile, desktop
        0:08.000  Alice Ng answers on mobile (call of Kiwi Freight)
                  | Alice Ng: desktop stops (answered elsewhere)
                  * call.answered                  by Alice Ng, waited 5s, call of Kiwi Freight
                  * user.availability.updated      Alice Ng busy - busyOnACall
                  | Alice Ng: mobile, desktop stop (withdrawn), call of Jane Smith
                  * call.not_answered              missed, call of Jane Smith
                  | Jane Smith (+6421555001): hears the greeting of Alice Ng's voicemail
        0:10.000  Jane Smith (+6421555001) hangs up
                  * call.hungup                    Jane Smith
                  * call.ended                     missed - unavailable, 10s, call of Jane Smith
        0:40.000  Kiwi Freight (+6421555002) hangs up
                  * call.hungup                    Kiwi Freight
                  * call.hungup                    Alice Ng, call of Kiwi Freight
                  * user.availability.updated      Alice Ng available
                  * call.ended                     answered, 37s, call of Kiwi Freight

      11 events, 40s of platform time
      "
    `);
  });

  test.each(sixthOf(lessons, 3))("of %s has every event, in order", (name) => {
    const { events } = lesson(name);
    const told = [...events.toTimeline().matchAll(/^ +\* (\S+)/gm)].map(([, type]) => type);
    expect(told).toEqual(events.map(({ type }) => type));
  });

  test.each(sixthOf(lessons))("of %s is plain ASCII without an id in it", (name) => {
    const text = lesson(name).events.toTimeline();
    expect(text).toMatch(/^[\n\x20-\x7e]+$/);
    expect(text).not.toMatch(/\b(call|party|event|recording|transcript)-\d/);
  });

  test("has a head and a summary for an empty run", () => {
    expect(createSimulator().events.toTimeline()).toBe(
      "Acme   2026-07-01 00:00:00Z - seed 1\n\n\n0 events, 0s of platform time\n",
    );
  });

  test("shows a gap of ten minutes or more in words", () => {
    const sim = createSimulator();
    sim.advance("PT10M");
    sim.users.get("alice").setAvailability("busy");
    sim.advance("PT2H48M0.5S");
    sim.users.get("alice").setAvailability("available");
    expect(
      sim.events
        .toTimeline()
        .split("\n")
        .filter((line) => line.includes(". . .")),
    ).toEqual(["            . . . 10m . . .", "            . . . 2h 48m 500ms . . ."]);
  });

  test("does not show a shorter gap", () => {
    const sim = createSimulator();
    sim.advance("PT9M59.999S");
    sim.users.get("alice").setAvailability("busy");
    expect(sim.events.toTimeline()).not.toContain(". . .");
  });

  test("shows each time once", () => {
    const sim = createSimulator();
    sim.advance(1_500);
    for (const status of ["busy", "offline", "available"] as const)
      sim.users.get("alice").setAvailability(status);
    expect(sim.events.toTimeline().match(/0:01\.500/g)).toHaveLength(1);
  });

  test("shows hours from the first hour on", () => {
    const sim = createSimulator();
    sim.advance("PT25H2M3.004S");
    sim.users.get("alice").setAvailability("busy");
    expect(sim.events.toTimeline()).toContain("25:02:03.004  Alice Ng sets availability to busy\n");
  });
});

describe("the words of a run", () => {
  test("name the endpoint of an answer that named none", () => {
    const sim = createSimulator();
    sim.calls.inbound({ from: jane, to: dave }).answer("dave");
    expect(sim.events.toTimeline()).toContain("Dave Okafor answers on desktop\n");
  });

  test("name a device that answers", () => {
    const sim = createSimulator();
    sim.calls.inbound({ from: jane, to: lobby }).answer("lobby");
    expect(sim.events.toTimeline()).toContain("by Lobby, waited 0s\n");
  });

  test("name a caller as the phonebook of the user who is called does", () => {
    const sim = createSimulator();
    sim.calls.inbound({ from: "+6421555003", to: alice });
    expect(sim.events.toTimeline()).toContain("Mum (+6421555003) calls +6495550100 (Alice Ng, 101)\n");
  });

  test("name the destination of an unanswered redirected call", () => {
    expect(lesson("27").events.toTimeline()).toContain(
      "  | Jane Smith (+6421555001): goes back to the flow FW1\n",
    );
  });

  test("name an unknown caller by the number", () => {
    const sim = createSimulator();
    sim.calls.inbound({ from: "+6421555999", to: alice });
    expect(sim.events.toTimeline()).toContain("0:00.000  +6421555999 calls");
  });

  test("give the rule and the reason of an availability", () => {
    const sim = createSimulator();
    sim.users.get("bob").setAvailability("busy", { rule: "doNotDisturb", reason: "Writing" });
    expect(sim.events.toTimeline()).toContain("Bob Tane sets availability to busy (doNotDisturb: Writing)\n");
  });

  test("show endpoints that are unregistered and registered", () => {
    const sim = createSimulator();
    sim.users.get("bob").setEndpoint("desk", { registered: false });
    sim.users.get("bob").setEndpoint("desk", { registered: true });
    expect(sim.events.toTimeline()).toMatch(/Bob Tane unregisters desk\n.*Bob Tane registers desk\n/);
  });

  test("show changes by administrators and the API", () => {
    const organisation = {
      ...demoOrganisation,
      features: { pbx: true },
      trunks: [{ id: "pbx", name: "PBX" }],
    };
    const sim = createSimulator({ organisation });
    sim.users.get("bob").setStatus("suspended");
    sim.users.get("bob").setStatus("active");
    sim.locations.create({ id: "paris", name: "Paris" });
    sim.locations.addUser("paris", "bob");
    sim.locations.removeUser("paris", "bob");
    sim.phonebooks.put("vip", { contacts: [{ id: "ana" }, { id: "ben" }] });
    sim.phonebooks.replace([{ id: "vip" }, { id: "leads" }]);
    sim.phonebooks.putContacts("vip", { id: "ana" });
    sim.phonebooks.removeContact("vip", "ana");
    const { queues } = sim.trunks.get("pbx");
    queues.add({ id: "desk", displayName: "Desk", extension: "402" });
    queues.update("desk", { displayName: "Front desk" });
    queues.remove("desk");
    const told = sim.events.toTimeline().split("\n").slice(2, -3);
    expect(told.map((line) => line.trim().replace("0:00.000  ", ""))).toEqual([
      "Bob Tane is suspended",
      "* user.availability.updated      Bob Tane offline",
      "* team.availability.updated      Sales: 2 of 3 available",
      "Bob Tane becomes active",
      "* user.availability.updated      Bob Tane available",
      "* team.availability.updated      Sales: 3 of 3 available",
      "adds the location Paris",
      "Bob Tane moves to the location Paris",
      "Bob Tane leaves the location Paris",
      "takes the phonebook vip",
      "takes 2 phonebooks",
      "takes 1 contact into the phonebook vip",
      "drops the contact ana of the phonebook vip",
      "adds Desk (402) to the trunk PBX",
      "changes Desk of the trunk PBX",
      "removes Front desk of the trunk PBX",
    ]);
  });

  test("name a caller once a contact is known", () => {
    const sim = createSimulator();
    sim.calls.inbound({ from: "+6421555999", to: dave }).hangup("caller");
    sim.phonebooks.putContacts("customers", { name: "Kim", phoneNumbers: ["+6421555999"] });
    sim.calls.inbound({ from: "+6421555999", to: dave });
    const callers = [...sim.events.toTimeline().matchAll(/(\S.*) calls/g)].map(([, who]) => who);
    expect(callers).toEqual(["0:00.000  +6421555999", "Kim (+6421555999)"]);
  });

  test("give a message's length to the millisecond, and the caller whom voicemail cuts off", () => {
    const sim = createSimulator({ timing: { voicemailMaxMessage: 2_000 } });
    const call = sim.calls.inbound({ from: jane, to: alice });
    sim.advance("PT31S");
    call.leaveVoicemail({ duration: 2_500 });
    sim.advance("PT1M");
    expect(sim.events.toTimeline()).toContain("Jane Smith (+6421555001) has a message of 2s 500ms\n");
    expect(sim.events.toTimeline()).toContain("| Jane Smith (+6421555001): is hung up on\n");
  });

  test("name the request to a data action, with the answer and what it leads to below", () => {
    const lines = lesson("32").events.toTimeline().split("\n");
    const sent = lines.findIndex((line) => line.includes("POST https://crm.acme.test/team (team call)"));
    expect(lines.slice(sent + 1, sent + 3)).toEqual([
      "            | crm.acme.test: answers 200",
      "            | Bob Tane: rings on mobile",
    ]);
  });

  test("say that an event is delayed by an assumption", () => {
    const sim = createSimulator({ assume: { eventDelay: "PT1S" } });
    sim.calls.inbound({ from: jane, to: alice });
    sim.advance("PT1S");
    const delayed = /0:01\.000 {2}a delayed event comes\n {12}\* call\.started /;
    expect(sim.events.toTimeline()).toMatch(delayed);
  });

  test("cut a long transcript short", () => {
    const sim = createSimulator();
    const call = sim.calls.inbound({ from: jane, to: alice });
    call.decline("alice");
    call.leaveVoicemail({ duration: "PT1M", transcript: "well ".repeat(500) });
    sim.runUntilIdle();
    expect(
      Math.max(
        ...sim.events
          .toTimeline()
          .split("\n")
          .map((line) => line.length),
      ),
    ).toBeLessThan(130);
  });
});

describe("the call that a line is about", () => {
  const linesOf = (sim: Simulator, part: string) =>
    sim.events
      .toTimeline()
      .split("\n")
      .filter((line) => line.includes(part))
      .map((line) => line.trim());

  test("is omitted if there is only one", () => {
    expect(lesson("01").events.toTimeline()).not.toContain("call of");
    expect(lesson("04").events.toTimeline()).not.toContain("call of");
  });

  test("is omitted for the next call once all others are over", () => {
    const sim = createSimulator();
    sim.calls.inbound({ from: jane, to: dave }).hangup("caller");
    sim.calls.inbound({ from: freight, to: dave }).hangup("caller");
    expect(sim.events.toTimeline()).not.toContain("call of");
  });

  test("is shown for a timer", () => {
    const sim = createSimulator();
    sim.calls.inbound({ from: jane, to: dave });
    sim.advance("PT1S");
    sim.calls.inbound({ from: freight, to: lobby });
    sim.advance("PT1M");
    expect(linesOf(sim, "nobody answered")).toEqual([
      "0:30.000  nobody answered in time (call of Jane Smith)",
      "0:31.000  nobody answered in time (call of Kiwi Freight)",
    ]);
  });

  test("is shown for hang-ups and ends, unless the caller is named", () => {
    const sim = createSimulator();
    const first = sim.calls.inbound({ from: jane, to: dave });
    const second = sim.calls.inbound({ from: freight, to: lobby });
    first.answer("dave");
    second.answer("lobby");
    first.hangup("dave");
    second.hangup("caller");
    expect([
      ...linesOf(sim, "call.hungup"),
      ...linesOf(sim, "call.ended"),
      ...linesOf(sim, "hangs up"),
    ]).toEqual([
      "* call.hungup                    Dave Okafor, call of Jane Smith",
      "* call.hungup                    Jane Smith",
      "* call.hungup                    Kiwi Freight",
      "* call.hungup                    Lobby, call of Kiwi Freight",
      "* call.ended                     answered, 0s, call of Jane Smith",
      "* call.ended                     answered, 0s, call of Kiwi Freight",
      "Dave Okafor hangs up (call of Jane Smith)",
      "Kiwi Freight (+6421555002) hangs up",
    ]);
  });

  test("is shown for follow-ups after the next call began", () => {
    const sim = createSimulator();
    const call = sim.calls.inbound({ from: jane, to: alice });
    call.decline("alice");
    call.leaveVoicemail({ duration: "PT5S" });
    sim.advance("PT12S");
    sim.calls.inbound({ from: freight, to: dave });
    sim.runUntilIdle();
    expect(linesOf(sim, "call.recording.available")[0]).toMatch(/audio\/mpeg, call of Jane Smith$/);
    expect(linesOf(sim, " transcript.created")[0]).toMatch(/, call of Jane Smith$/);
    expect(linesOf(sim, "the recording is ready")).toEqual([
      "0:15.000  the recording is ready (call of Jane Smith)",
    ]);
  });

  test("has a number if a caller has several calls", () => {
    const sim = createSimulator();
    sim.calls.inbound({ from: jane, to: dave });
    sim.calls.inbound({ from: jane, to: lobby }).answer("lobby");
    sim.calls.list()[0]?.hangup("caller");
    expect(linesOf(sim, "Jane Smith (+6421555001) hangs up")[0]).toMatch(/\(call 1 of Jane Smith\)$/);
    expect(linesOf(sim, "Lobby answers")[0]).toMatch(/\(call 2 of Jane Smith\)$/);
  });
});
