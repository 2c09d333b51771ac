import { describe, expect, test } from "vitest";
import { createSimulator, parseScenario, runScenario } from "../../../src/index.ts";

/** A scenario in which Dave is the only member of Support, to which Sales passes calls on after a minute. */
const daveBusy = `
scenario: Dave becomes busy before Sales passes the call on to Support
steps:
  - { at: PT0S, inbound: { as: b, from: "+6421555002", to: "+6495550200" } }
  - { at: PT30S, inbound: { as: a, from: "+6421555001", to: "+6495550104" } }
  - { at: PT32S, answer: { call: a, by: dave } }
  - { at: PT4M, hangup: { call: a, by: caller } }
`;

describe("sim.why", () => {
  const { simulator } = runScenario(parseScenario(daveBusy));
  const ask = (at: string, rings = "call-1", who = "dave") => simulator.why({ who, rings, at });

  test("returns a text and causes, and nothing else", () => {
    expect(ask("PT90S")).toEqual({
      text: "Dave Okafor did not ring for call-1 at 1:30. Dave Okafor was on call-2, since 0:32. call-1 waited in the queue of Support.",
      causes: [
        { is: "on", text: "Dave Okafor was on call-2, since 0:32." },
        { is: "queue", text: "call-1 waited in the queue of Support." },
      ],
    });
  });

  test("judges at the instant that is asked about", () => {
    expect(ask("PT10S").text).toBe(
      "Dave Okafor did not ring for call-1 at 0:10. call-1 was with Sales, of which Dave Okafor is no member. Calls that Sales does not answer go on to Support.",
    );
    expect(ask("PT31S").causes.map(({ is }) => is)).toEqual(["noMember"]);
    expect(ask("PT40S").causes.map(({ is }) => is)).toEqual(["noMember", "on"]);
    expect(ask("PT20S", "call-2").causes).toEqual([{ is: "notBegun", text: "call-2 had not begun." }]);
    expect(ask("PT31S", "call-2").text).toBe(
      "Dave Okafor rang for call-2 at 0:31. Dave Okafor rang for call-2, since 0:30.",
    );
  });

  test("takes an instant as well as a time since the start, and answers for now without one", () => {
    const { startTimestamp } = simulator;
    expect(simulator.why({ who: "dave", rings: "call-1", at: new Date(startTimestamp + 90_000) })).toEqual(
      ask("PT90S"),
    );
    expect(simulator.why({ who: "dave@acme.test", rings: "call-2" }).causes.map(({ is }) => is)).toEqual([
      "over",
      "rang",
    ]);
  });

  test("says what somebody did if no call is named", () => {
    const of = (who: string, at: string) => simulator.why({ who, at }).text;
    expect(of("dave", "PT40S")).toBe("At 0:40: Dave Okafor was on call-2, since 0:32.");
    expect(of("alice", "PT31S")).toBe(
      "At 0:31: Alice Ng was free. call-1 was with Sales, of which Alice Ng is no member. call-2 was for Dave Okafor.",
    );
    expect(createSimulator().why({ who: "lobby" }).text).toBe("At 0:00: Lobby was free. There was no call.");
  });

  test.each([
    [{ who: "zoe", rings: "call-1" }, /no user or device is known as "zoe"; known: alice, bob/],
    [{ who: "sales", rings: "call-1" }, /no user or device is known as "sales"/],
    [{ who: "bob", rings: "call-9" }, /no call is known as "call-9"; known: call-1, call-2/],
    [{ who: "bob", at: "PT5H" }, /^why\.at: expected an instant from 2026-07-01T00:00:00.000Z to /],
    [{ who: "bob", at: "soon" }, /^why\.at: expected an instant/],
    [{ who: "bob", at: "PX" }, /^why\.at: expected a duration/],
    [{ whom: "bob" } as object as { who: string }, /why\.whom: unknown key; did you mean "who"\?/],
  ] as const)("refuses %j", (question, message) => {
    expect(() => simulator.why(question)).toThrow(message);
  });
});

describe("the reasons why somebody does not ring are", () => {
  const causesOf = (sim: ReturnType<typeof createSimulator>, who: string, rings: string) =>
    sim.why({ who, rings }).causes.map(({ text }) => text);
  const ids = { ids: "counter" } as const;

  test("whose turn it is, and the rings that are over", () => {
    const sim = createSimulator(ids);
    const { id } = sim.calls.inbound({ from: "+6421555001", to: "+6495550200" });
    expect(causesOf(sim, "lobby", id)).toEqual([
      "It was the turn of priority 1 in Sales; Lobby has priority 2.",
    ]);
    sim.advance("PT30S");
    expect(causesOf(sim, "carol", id)).toEqual([
      "It was the turn of priority 2 in Sales; Carol Diaz has priority 1.",
      "Carol Diaz rang for it from 0:00 to 0:20, and did not answer.",
    ]);
  });

  test("that they declined, or became free during a turn", () => {
    const sim = createSimulator(ids);
    sim.users.get("carol").setAvailability("busy", { reason: "Lunch" });
    const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550200" });
    sim.advance("PT5S");
    expect(causesOf(sim, "carol", call.id)[0]).toBe("Carol Diaz was on do not disturb (Lunch), since 0:00.");
    sim.users.get("carol").setAvailability("available");
    expect(causesOf(sim, "carol", call.id)).toEqual([
      "Sales chose whom to ring at 0:00, and chooses again after this turn.",
    ]);
    sim.advance("PT36S");
    call.decline("carol");
    expect(causesOf(sim, "carol", call.id)[0]).toBe(
      "Carol Diaz had declined call-1 for Sales, which does not ring them for it again.",
    );
  });

  test("voicemail, and that they could not be rung when the call came", () => {
    const sim = createSimulator(ids);
    sim.users.get("alice").setAvailability("busy");
    const { id } = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    sim.users.get("alice").setAvailability("available");
    expect(causesOf(sim, "alice", id)).toEqual([
      "call-1 was with Alice Ng's voicemail.",
      "When it came, Alice Ng was busy.",
    ]);
  });

  test("that somebody else is on the call, or that it is over", () => {
    const sim = createSimulator(ids);
    const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    sim.advance("PT2S");
    call.answer("alice");
    expect(causesOf(sim, "bob", call.id)).toEqual(["Alice Ng was on call-1, which rang nobody then."]);
    sim.advance("PT2S");
    call.hangup("caller");
    expect(causesOf(sim, "alice", call.id)).toEqual([
      "call-1 had ended at 0:04.",
      "Alice Ng rang for it from 0:00 to 0:02, and answered.",
    ]);
  });
});
