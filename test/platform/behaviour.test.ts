import { describe, expect, test } from "vitest";
import {
  CommandError,
  createSimulator,
  exponential,
  fixed,
  InputError,
  type OrganisationInput,
  replay,
  type Simulator,
  type UserBehaviour,
  uniform,
} from "../../src/index.ts";
import { caller, dial, office, startMs, stateOf, stream, thrownBy } from "../helpers.ts";

const newSimulator = (behaviours: Record<string, UserBehaviour> = {}, organisation: object = office) => {
  const sim = createSimulator({ organisation: organisation as OrganisationInput, ids: "counter" });
  for (const [id, behaviour] of Object.entries(behaviours)) sim.users.get(id).behave(behaviour);
  return sim;
};

/** The time and the purpose of everything that is scheduled. */
const scheduled = (sim: Simulator) =>
  sim.pending().map(({ dueTimestamp, purpose }) => `${dueTimestamp - startMs} ${purpose}`);

const answeredOn = (sim: Simulator) =>
  sim.events.ofType("call.answered").map(({ data, createdTimestamp }) => ({
    atMs: createdTimestamp - startMs,
    by: data.call.assignedUser?.id,
    on: data.call.connections.at(-1)?.endpoint,
  }));

describe("a user who answers by themselves", () => {
  test("does so on the endpoint named", () => {
    const sim = newSimulator({ alice: { answer: { after: "PT4S", endpoint: "desktop" } } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(answeredOn(sim)).toEqual([{ atMs: 4_000, by: "alice", on: "desktop" }]);
  });

  test("does so on the first that rings when none is named", () => {
    const sim = newSimulator({ alice: { answer: { after: 4_000 } } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(answeredOn(sim)).toEqual([{ atMs: 4_000, by: "alice", on: "mobile" }]);
  });

  test("does so on another endpoint when the one named no longer rings", () => {
    const sim = newSimulator({ alice: { answer: { after: 4_000, endpoint: "desktop" } } });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.decline("alice", { endpoint: "desktop" });
    sim.runUntilIdle();
    expect(answeredOn(sim)).toEqual([{ atMs: 4_000, by: "alice", on: "mobile" }]);
  });

  test("does so at the same instant after no time at all", () => {
    const sim = newSimulator({ alice: { answer: { after: 0 } } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    expect(sim.events.ofType("call.answered")).toHaveLength(0);
    sim.advance(0);
    expect(answeredOn(sim)).toEqual([{ atMs: 0, by: "alice", on: "mobile" }]);
  });

  test("is too late at the instant at which the ring ends", () => {
    const sim = newSimulator({ alice: { answer: { after: "PT30S" } } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "30000 call.not_answered"]);
  });

  test("never answers if the behaviour says so", () => {
    const sim = newSimulator({ alice: { answer: "never" } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "30000 call.not_answered"]);
  });

  test("leaves nothing scheduled when someone answered for them before", () => {
    const sim = newSimulator({ alice: { answer: { after: "PT4S" } } });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    expect(scheduled(sim)).toContain("4000 user: answers");
    call.answer("alice");
    expect(scheduled(sim)).toEqual([]);
  });

  test("answers one of two calls, and the other goes on without them", () => {
    const sim = newSimulator({ alice: { answer: { after: "PT4S" } } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance(1_000);
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(answeredOn(sim)).toEqual([{ atMs: 4_000, by: "alice", on: "mobile" }]);
    expect(sim.events.ofType("call.not_answered").map(({ data }) => data.call.outcome?.reason)).toEqual([
      "unavailable",
    ]);
  });
});

describe("a user who declines by themselves", () => {
  test("does so on all endpoints", () => {
    const sim = newSimulator({ alice: { decline: { after: "PT3S" } } });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "3000 call.not_answered"]);
    expect(call.record.outcome).toEqual({ status: "missed", reason: "declined" });
  });

  test.each<[string, UserBehaviour, string]>([
    ["declines first", { answer: { after: 3_001 }, decline: { after: 3_000 } }, "3000 call.not_answered"],
    ["answers first", { answer: { after: 2_999 }, decline: { after: 3_000 } }, "2999 call.answered"],
    ["means both at once", { answer: { after: 3_000 }, decline: { after: 3_000 } }, "3000 call.answered"],
    ["never answers", { answer: "never", decline: { after: 3_000 } }, "3000 call.not_answered"],
  ])("and %s", (_what, behaviour, expected) => {
    const sim = newSimulator({ alice: behaviour });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(stream(sim)[1]).toBe(expected);
  });
});

describe("how long people talk", () => {
  test("a user hangs up that long after joining", () => {
    const sim = newSimulator({ alice: { answer: { after: "PT4S" }, talk: "PT1M" } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual([
      "0 call.started",
      "4000 call.answered",
      "4000 user.availability.updated",
      "64000 call.hungup",
      "64000 user.availability.updated",
      "64000 call.hungup",
      "64000 call.ended",
    ]);
    expect(sim.events.ofType("call.hungup")[0]?.data.party.entryId).toBe("alice");
  });

  test("a caller hangs up that long after the answer", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice, behaviour: { talk: "PT1M" } });
    sim.advance("PT10S");
    call.answer("alice");
    sim.runUntilIdle();
    expect(sim.events.ofType("call.hungup")[0]?.data.party.type).toBe("external");
    expect(stream(sim).at(-1)).toBe("70000 call.ended");
  });

  test("a later hang-up of someone else is not waited for", () => {
    const sim = newSimulator({ alice: { answer: { after: 0 }, talk: "PT1H" } });
    sim.calls.inbound({ from: caller, to: dial.alice, behaviour: { talk: "PT1M" } });
    sim.runUntilIdle();
    expect(sim.timestamp - startMs).toBe(60_000);
  });

  test("a user who dialled out talks from the answer on", () => {
    const sim = newSimulator({ alice: { talk: "PT1M" } });
    const call = sim.calls.outbound({ from: "alice", to: caller });
    sim.advance("PT20S");
    call.answer(caller);
    sim.runUntilIdle();
    expect(stream(sim).at(-1)).toBe("80000 call.ended");
    expect(sim.events.ofType("call.hungup")[0]?.data.party.entryId).toBe("alice");
  });

  test("a colleague who is called answers and hangs up by themselves", () => {
    const sim = newSimulator({ bob: { answer: { after: "PT2S" }, talk: "PT5S" }, alice: { talk: "PT1M" } });
    sim.calls.internal({ from: "alice", to: "102" });
    sim.runUntilIdle();
    expect(answeredOn(sim)).toEqual([{ atMs: 2_000, by: "bob", on: "mobile" }]);
    expect(stream(sim).at(-1)).toBe("7000 call.ended");
  });

  test.each([
    ["warm", true],
    ["blind", false],
  ])("the target of a %s transfer answers and hangs up by themselves", (_what, warm) => {
    const sim = newSimulator({ bob: { answer: { after: "PT2S" }, talk: "PT5S" } });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice");
    call.transfer("bob", { by: "alice", warm });
    sim.runUntilIdle();
    const bob = call.record.parties.find(({ entryId }) => entryId === "bob");
    const connection = call.record.connections.find(({ partyId }) => partyId === bob?.id);
    expect(connection).toMatchObject({ joinedTimestamp: startMs + 2_000, leftTimestamp: startMs + 7_000 });
  });

  test("a user who was transferred away hangs up no more", () => {
    const sim = newSimulator({ alice: { talk: "PT1M" } });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice");
    call.transfer("bob", { by: "alice" });
    expect(scheduled(sim)).toEqual(["30000 ring: ringTimeout"]);
  });
});

describe("a caller's patience", () => {
  test("ends while it rings", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice, behaviour: { patience: "PT12S" } });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "12000 call.not_answered"]);
    expect(call.record.outcome).toEqual({ status: "abandoned", reason: "callerHungUp" });
  });

  test("ends while they wait in a queue", () => {
    const sim = newSimulator();
    sim.users.get("carol").setAvailability("busy");
    sim.users.get("dan").setAvailability("busy");
    const call = sim.calls.inbound({ from: caller, to: dial.sales, behaviour: { patience: "PT12S" } });
    sim.runUntilIdle();
    expect(call.record).toMatchObject({ status: "abandoned", duration: 12_000 });
    expect(sim.teams.get("sales").waiting()).toEqual([]);
  });

  test("comes before a timeout at the same instant", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice, behaviour: { patience: "PT30S" } });
    sim.runUntilIdle();
    expect(call.record.status).toBe("abandoned");
  });

  test.each<[string, string, string | undefined]>([
    ["someone answers", dial.alice, "alice"],
    ["voicemail takes the call", dial.bob, undefined],
  ])("no longer matters once %s", (_what, to, who) => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to, behaviour: { patience: "PT31S" } });
    if (who !== undefined) call.answer(who);
    sim.advance("PT31S");
    expect(sim.calls.live()).toHaveLength(1);
  });
});

describe("a caller in voicemail", () => {
  test("leaves a message at the tone", () => {
    const sim = newSimulator();
    const voicemail = { duration: "PT12S", transcript: "Call me." };
    const call = sim.calls.inbound({ from: caller, to: dial.bob, behaviour: { voicemail } });
    sim.runUntil("call.ended");
    expect(call.record).toMatchObject({
      voicemail: { duration: 12 },
      outcome: { status: "missed", reason: "voicemail" },
      duration: 47_000,
    });
  });

  test("leaves the message that a command gave them instead", () => {
    const sim = newSimulator();
    const behaviour = { voicemail: { duration: "PT12S" } };
    const call = sim.calls.inbound({ from: caller, to: dial.bob, behaviour });
    sim.advance("PT30S");
    call.leaveVoicemail({ duration: "PT3S" });
    sim.runUntil("call.ended");
    expect(call.record.voicemail).toMatchObject({ duration: 3 });
  });

  test("hangs up at once", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.bob, behaviour: { voicemail: "hangUp" } });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual([
      "0 call.started",
      "30000 call.not_answered",
      "30000 call.hungup",
      "30000 call.ended",
    ]);
    expect(call.record.outcome).toEqual({ status: "missed", reason: "timeout" });
  });

  test("says it all after a blind transfer, though they would have hung up by then", () => {
    const sim = newSimulator();
    const behaviour = { talk: "PT36S", voicemail: { duration: "PT12S" } };
    const call = sim.calls.inbound({ from: caller, to: dial.alice, behaviour });
    call.answer("alice");
    call.transfer("bob", { by: "alice" });
    sim.runUntil("call.ended");
    expect(call.record.voicemail).toMatchObject({ duration: 12 });
  });

  test.each([
    ["hangs up", "hangUp"],
    ["says something", { duration: "PT12S" }],
  ] as const)(
    "who %s does nothing after leaving, though someone else came into voicemail",
    (_, voicemail) => {
      const sim = newSimulator();
      const behaviour = { talk: "PT10S", voicemail };
      const call = sim.calls.inbound({ from: caller, to: dial.alice, behaviour });
      call.answer("alice");
      call.add("+64215559999", { by: "alice" });
      call.answer("+64215559999");
      call.transfer("bob", { by: "alice" });
      sim.runUntilIdle();
      // a party who stays there says nothing and does not hang up, so the longest message ends the call
      expect(call.record.voicemail?.duration).toBe(180);
    },
  );

  test("who hangs up by command in the same instant does nothing later", () => {
    const sim = newSimulator();
    const behaviour = { voicemail: { duration: "PT12S" } } as const;
    const call = sim.calls.inbound({ from: caller, to: dial.alice, behaviour });
    call.answer("alice");
    call.add("+64215559999", { by: "alice" });
    call.answer("+64215559999");
    call.transfer("bob", { by: "alice" });
    sim.advance("PT30S");
    expect(call.record.connections.filter(({ leftTimestamp }) => leftTimestamp === null)).toHaveLength(3);
    call.hangup("caller");
    sim.runUntilIdle();
    expect(call.record.voicemail?.duration).toBe(180);
  });
});

describe("wrapping up", () => {
  const toldOf = (sim: Simulator) =>
    sim.events.ofType("user.availability.updated").map(({ data, createdTimestamp }) => {
      const { status, notAvailableRule, notAvailableReason } = data.user.availability;
      return `${createdTimestamp - startMs} ${status} ${notAvailableRule} ${notAvailableReason}`;
    });

  test("keeps a user busy after a call, and then they are available", () => {
    const sim = newSimulator({ alice: { answer: { after: 0 }, talk: "PT1M", wrapUp: "PT20S" } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(toldOf(sim)).toEqual([
      "0 busy busyOnACall null",
      "60000 busy null wrapUp",
      "80000 available null null",
    ]);
  });

  test("tells of a team only when it has a member more", () => {
    const sim = newSimulator({ dan: { answer: { after: 0 }, talk: "PT1M", wrapUp: "PT20S" } });
    sim.calls.inbound({ from: caller, to: dial.dan });
    sim.runUntilIdle();
    expect(stream(sim).filter((each) => each.includes("team"))).toEqual([
      "0 team.availability.updated",
      "80000 team.availability.updated",
    ]);
  });

  test("takes no time when it is drawn as none", () => {
    const sim = newSimulator({ alice: { answer: { after: 0 }, talk: "PT1M", wrapUp: 0 } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(toldOf(sim)).toEqual(["0 busy busyOnACall null", "60000 available null null"]);
  });

  test("has a direct call go unanswered", () => {
    const sim = newSimulator({ alice: { answer: { after: 0 }, talk: "PT1M", wrapUp: "PT20S" } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT70S");
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    expect(call.record.outcome).toEqual({ status: "missed", reason: "unavailable" });
  });

  test.each<["available" | "busy" | "offline", string]>([
    ["available", "available null null"],
    ["busy", "busy doNotDisturb null"],
    ["offline", "offline loggedOut null"],
  ])("is over when they set themselves %s by hand", (status, expected) => {
    const sim = newSimulator({ alice: { answer: { after: 0 }, talk: "PT1M", wrapUp: "PT20S" } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT70S");
    sim.users.get("alice").setAvailability(status);
    sim.runUntilIdle();
    expect(toldOf(sim).slice(2)).toEqual([`70000 ${expected}`]);
  });

  test("does not happen for a user who chose during the call not to be available after it", () => {
    const sim = newSimulator({ alice: { answer: { after: 0 }, talk: "PT1M", wrapUp: "PT20S" } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT10S");
    sim.users.get("alice").setAvailability("busy");
    sim.runUntilIdle();
    expect(toldOf(sim)).toEqual(["0 busy busyOnACall null", "60000 busy doNotDisturb null"]);
  });

  /** The simulator stands at midnight, UTC, a Wednesday. */
  const withHours = (from: string, to: string) => ({
    ...office,
    users: office.users.map((user) =>
      user.id === "alice" ? { ...user, timezone: "UTC", workingHours: { wednesday: [{ from, to }] } } : user,
    ),
  });

  test("goes on when their working hours begin meanwhile", () => {
    const behaviour = { answer: { after: 0 }, talk: "PT50S", wrapUp: "PT20S" };
    const sim = newSimulator({ alice: behaviour }, withHours("00:01", "01:00"));
    sim.users.get("alice").setAvailability("available");
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT5M");
    expect(toldOf(sim).slice(2)).toEqual(["50000 busy null wrapUp", "70000 available null null"]);
  });

  test("is over when their working hours are", () => {
    const behaviour = { answer: { after: 0 }, talk: "PT50S", wrapUp: "PT20S" };
    const sim = newSimulator({ alice: behaviour }, withHours("00:00", "00:01"));
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT5M");
    expect(toldOf(sim).slice(1)).toEqual(["50000 busy null wrapUp", "60000 offline outOfHours null"]);
  });

  test("is over when they dial, and begins again after that call", () => {
    const sim = newSimulator({ alice: { answer: { after: 0 }, talk: "PT1M", wrapUp: "PT20S" } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT70S");
    sim.calls.outbound({ from: "alice", to: caller }).hangup("alice");
    sim.runUntilIdle();
    expect(toldOf(sim).slice(2)).toEqual([
      "70000 busy busyOnACall null",
      "70000 busy null wrapUp",
      "90000 available null null",
    ]);
  });
});

describe("a behaviour", () => {
  test("comes with the organisation too", () => {
    const users = office.users.map((user) =>
      user.id === "alice" ? { ...user, behaviour: { answer: { after: "PT4S" } } } : user,
    );
    const sim = newSimulator({}, { ...office, users });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(answeredOn(sim)).toEqual([{ atMs: 4_000, by: "alice", on: "mobile" }]);
  });

  test("replaces the one before whole, and calls off what that one had scheduled", () => {
    const sim = newSimulator({ alice: { answer: { after: "PT4S" }, talk: "PT1M" } });
    const first = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.users.get("alice").behave({ answer: { after: "PT2S" } });
    expect(scheduled(sim)).toEqual(["30000 ring: ringTimeout"]);
    first.hangup("caller");
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(answeredOn(sim)).toEqual([{ atMs: 2_000, by: "alice", on: "mobile" }]);
    expect(sim.calls.live()).toHaveLength(1);
  });

  test("is taken away by an empty one", () => {
    const sim = newSimulator({ alice: { answer: { after: "PT4S" }, wrapUp: "PT20S" } });
    sim.users.get("alice").behave({});
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT10S");
    expect(call.status).toBe("offered");
    call.answer("alice");
    call.hangup("alice");
    expect(sim.users.get("alice").record.availability.status).toBe("available");
  });

  test("is told of in the timeline, and what comes of it as a command would be", () => {
    const sim = newSimulator({
      alice: { answer: { after: uniform(4_000, 4_000), endpoint: "desktop" }, talk: exponential("PT1M") },
    });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    const timeline = sim.events.toTimeline();
    expect(timeline).toContain(
      "Alice Ng will act by themselves: answers on desktop after 4s to 4s, talks for 1m on average",
    );
    expect(timeline).toMatch(/0:04\.000 {2}Alice Ng answers on desktop/);
    expect(timeline).toMatch(/Alice Ng hangs up/);
  });

  test.each<[string, (sim: Simulator) => void, string]>([
    ["an unknown user", (sim) => sim.command("behave", { user: "zoe", behaviour: {} }), "not_found"],
    [
      "an endpoint that they do not have",
      (sim) => sim.users.get("alice").behave({ answer: { after: 0, endpoint: "fax" } }),
      "not_found",
    ],
    [
      "an unknown key",
      (sim) => sim.users.get("alice").behave({ answers: { after: 0 } } as never),
      "invalid_argument",
    ],
    [
      "a range whose ends are the wrong way round",
      (sim) => sim.users.get("alice").behave({ talk: uniform("PT2S", "PT1S") }),
      "invalid_argument",
    ],
  ])("is refused for %s, and nothing changes", (_what, act, code) => {
    const sim = newSimulator();
    const before = stateOf(sim);
    const error = thrownBy(() => act(sim));
    expect(error).toBeInstanceOf(CommandError);
    expect((error as CommandError).code).toBe(code);
    expect(stateOf(sim)).toEqual(before);
  });

  test("in an organisation names an endpoint that its user has", () => {
    const users = [
      { ...office.users[2], manager: undefined, behaviour: { answer: { after: 0, endpoint: "fax" } } },
    ];
    const error = thrownBy(() => newSimulator({}, { id: "acme", users }));
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toBe(
      'users[0].behaviour.answer.endpoint: no endpoint of theirs has the id "fax"; known: mobile',
    );
  });
});

describe("what is drawn", () => {
  /** How long each of several calls to Alice rang, one after the other. */
  function waits(sim: Simulator, count: number): number[] {
    return Array.from({ length: count }, () => {
      const call = sim.calls.inbound({ from: caller, to: dial.alice });
      sim.runUntil(({ type, data }) => type === "call.answered" && data.call.id === call.id);
      call.hangup("caller");
      sim.runUntilIdle();
      return call.record.waitTime ?? Number.NaN;
    });
  }

  test("as fixed is always the same", () => {
    const sim = newSimulator({ alice: { answer: { after: fixed("PT4S") } } });
    expect(new Set(waits(sim, 10))).toEqual(new Set([4_000]));
  });

  test("as uniform is every whole millisecond from the one end to the other", () => {
    const sim = newSimulator({ alice: { answer: { after: uniform(10, 13) } } });
    expect(new Set(waits(sim, 100))).toEqual(new Set([10, 11, 12, 13]));
  });

  test("as exponential has its mean and its spread, in whole milliseconds", () => {
    const sim = newSimulator({ alice: { answer: { after: exponential("PT1S") } } });
    const drawn = waits(sim, 2_000);
    const mean = drawn.reduce((sum, ms) => sum + ms, 0) / drawn.length;
    const beyond = drawn.filter((ms) => ms > 2_000).length / drawn.length;
    // three standard errors: 1000 / sqrt(2000), and that of a share of exp(-2)
    expect(Math.abs(mean - 1_000)).toBeLessThan(67);
    expect(Math.abs(beyond - Math.exp(-2))).toBeLessThan(0.023);
    expect(drawn.every(Number.isInteger)).toBe(true);
  });

  test("by callers who each call once is spread like the draws of one caller", () => {
    const sim = newSimulator();
    const drawn = Array.from({ length: 2_000 }, (_, index) => {
      const from = `+6421${555_000 + index}`;
      const call = sim.calls.inbound({ from, to: dial.alice, behaviour: { patience: uniform(1, 10) } });
      sim.runUntil("call.not_answered");
      return call.record.duration;
    });
    for (let ms = 1; ms <= 10; ms++) {
      // four standard errors of a tenth
      expect(Math.abs(drawn.filter((each) => each === ms).length - 200)).toBeLessThan(54);
    }
  });

  test("by one person does not depend on what others do", () => {
    const behaviour = { answer: { after: exponential("PT2S") }, talk: exponential("PT1M") };
    const alone = newSimulator({ alice: behaviour });
    const amidOthers = newSimulator({ bob: behaviour, alice: behaviour });
    const expected = waits(alone, 20);
    amidOthers.calls.inbound({ from: "+6421555009", to: dial.bob, behaviour: { talk: exponential("PT1M") } });
    expect(waits(amidOthers, 20)).toEqual(expected);
  });

  test("differs from seed to seed", () => {
    const drawn = ["one", "two"].map((seed) => {
      const sim = createSimulator({ organisation: office, seed });
      sim.users.get("alice").behave({ answer: { after: exponential("PT5S") } });
      return waits(sim, 5);
    });
    expect(drawn[0]).not.toEqual(drawn[1]);
  });
});

describe("a fork", () => {
  test("goes on as its parent does, and neither disturbs the other's acts", () => {
    const sim = newSimulator({
      alice: { answer: { after: uniform("PT1S", "PT9S") }, talk: exponential("PT1M"), wrapUp: "PT5S" },
    });
    sim.calls.inbound({ from: caller, to: dial.alice, behaviour: { patience: exponential("PT1M") } });
    sim.advance(500);
    const fork = sim.fork();
    const other = sim.fork();
    other.users.get("alice").behave({ decline: { after: 0 } });
    other.calls.inbound({ from: caller, to: dial.alice });
    other.runUntilIdle();
    sim.runUntilIdle();
    fork.runUntilIdle();
    expect(fork.events.toJSONL()).toBe(sim.events.toJSONL());
    expect(replay(sim.journal()).events.toJSONL()).toBe(sim.events.toJSONL());
    expect(other.events.ofType("call.answered")).toHaveLength(0);
  });
});
