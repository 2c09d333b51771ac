import { describe, expect, test } from "vitest";
import {
  CommandError,
  type CommandInput,
  createSimulator,
  exponential,
  fixed,
  InputError,
  type OrganisationInput,
  replay,
  type Simulator,
  type UserBehaviour,
  uniform,
} from "../../../src/index.ts";
import { isWhole } from "../../counts.ts";
import { caller, dial, office, startMs, stateOf, stream, thrownBy } from "../../helpers.ts";

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

describe("a user whose behaviour is to answer", () => {
  test("answers on the named endpoint", () => {
    const sim = newSimulator({ alice: { answer: { after: "PT4S", endpoint: "desktop" } } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(answeredOn(sim)).toEqual([{ atMs: 4_000, by: "alice", on: "desktop" }]);
  });

  test("answers on the first ringing endpoint if none is named", () => {
    const sim = newSimulator({ alice: { answer: { after: 4_000 } } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(answeredOn(sim)).toEqual([{ atMs: 4_000, by: "alice", on: "mobile" }]);
  });

  test("answers on another endpoint if the named one no longer rings", () => {
    const sim = newSimulator({ alice: { answer: { after: 4_000, endpoint: "desktop" } } });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.decline("alice", { endpoint: "desktop" });
    sim.runUntilIdle();
    expect(answeredOn(sim)).toEqual([{ atMs: 4_000, by: "alice", on: "mobile" }]);
  });

  test("answers at the same instant with a delay of 0", () => {
    const sim = newSimulator({ alice: { answer: { after: 0 } } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    expect(sim.events.ofType("call.answered")).toHaveLength(0);
    sim.advance(0);
    expect(answeredOn(sim)).toEqual([{ atMs: 0, by: "alice", on: "mobile" }]);
  });

  test("is too late at the instant when the ringing ends", () => {
    const sim = newSimulator({ alice: { answer: { after: "PT30S" } } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "30000 call.not_answered"]);
  });

  test("never answers with answer: never", () => {
    const sim = newSimulator({ alice: { answer: "never" } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "30000 call.not_answered"]);
  });

  test("leaves nothing scheduled if a command answers first", () => {
    const sim = newSimulator({ alice: { answer: { after: "PT4S" } } });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    expect(scheduled(sim)).toContain("4000 user: answers");
    call.answer("alice");
    expect(scheduled(sim)).toEqual([]);
  });

  test("answers one of two calls; the other continues without them", () => {
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

describe("a user whose behaviour is to decline", () => {
  test("declines on all endpoints", () => {
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
  test("a user hangs up the given time after joining", () => {
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

  test("a caller hangs up the given time after the answer", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice, behaviour: { talk: "PT1M" } });
    sim.advance("PT10S");
    call.answer("alice");
    sim.runUntilIdle();
    expect(sim.events.ofType("call.hungup")[0]?.data.party.type).toBe("external");
    expect(stream(sim).at(-1)).toBe("70000 call.ended");
  });

  test("the first hang-up ends the call, without waiting for later ones", () => {
    const sim = newSimulator({ alice: { answer: { after: 0 }, talk: "PT1H" } });
    sim.calls.inbound({ from: caller, to: dial.alice, behaviour: { talk: "PT1M" } });
    sim.runUntilIdle();
    expect(sim.timestamp - startMs).toBe(60_000);
  });

  test("a user who dialled out starts talking at the answer", () => {
    const sim = newSimulator({ alice: { talk: "PT1M" } });
    const call = sim.calls.outbound({ from: "alice", to: caller });
    sim.advance("PT20S");
    call.answer(caller);
    sim.runUntilIdle();
    expect(stream(sim).at(-1)).toBe("80000 call.ended");
    expect(sim.events.ofType("call.hungup")[0]?.data.party.entryId).toBe("alice");
  });

  test("a called colleague answers and hangs up by their behaviour", () => {
    const sim = newSimulator({ bob: { answer: { after: "PT2S" }, talk: "PT5S" }, alice: { talk: "PT1M" } });
    sim.calls.internal({ from: "alice", to: "102" });
    sim.runUntilIdle();
    expect(answeredOn(sim)).toEqual([{ atMs: 2_000, by: "bob", on: "mobile" }]);
    expect(stream(sim).at(-1)).toBe("7000 call.ended");
  });

  test.each([
    ["warm", true],
    ["blind", false],
  ])("the target of a %s transfer answers and hangs up by their behaviour", (_what, warm) => {
    const sim = newSimulator({ bob: { answer: { after: "PT2S" }, talk: "PT5S" } });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice");
    call.transfer("bob", { by: "alice", warm });
    sim.runUntilIdle();
    const bob = call.record.parties.find(({ entryId }) => entryId === "bob");
    const connection = call.record.connections.find(({ partyId }) => partyId === bob?.id);
    expect(connection).toMatchObject({ joinedTimestamp: startMs + 2_000, leftTimestamp: startMs + 7_000 });
  });

  test("a user who transferred the call and left does not hang up later", () => {
    const sim = newSimulator({ alice: { talk: "PT1M" } });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice");
    call.transfer("bob", { by: "alice" });
    expect(scheduled(sim)).toEqual(["30000 ring: ringTimeout"]);
  });
});

describe("a caller's patience", () => {
  test("ends while the call rings", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice, behaviour: { patience: "PT12S" } });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "12000 call.not_answered"]);
    expect(call.record.outcome).toEqual({ status: "abandoned", reason: "callerHungUp" });
  });

  test("ends while the caller waits in a queue", () => {
    const sim = newSimulator();
    sim.users.get("carol").setAvailability("busy");
    sim.users.get("dan").setAvailability("busy");
    const call = sim.calls.inbound({ from: caller, to: dial.sales, behaviour: { patience: "PT12S" } });
    sim.runUntilIdle();
    expect(call.record).toMatchObject({ status: "abandoned", duration: 12_000 });
    expect(sim.teams.get("sales").waiting()).toEqual([]);
  });

  test("runs out before a timeout of the same instant", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice, behaviour: { patience: "PT30S" } });
    sim.runUntilIdle();
    expect(call.record.status).toBe("abandoned");
  });

  test.each<[string, string, string | undefined]>([
    ["someone answers", dial.alice, "alice"],
    ["voicemail takes the call", dial.bob, undefined],
  ])("no longer counts once %s", (_what, to, who) => {
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

  test("leaves the message given by a command instead", () => {
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

  test("completes the message after a blind transfer, past the planned hang-up", () => {
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
  ] as const)("who %s does nothing after leaving, even if someone else entered voicemail", (_, voicemail) => {
    const sim = newSimulator();
    const behaviour = { talk: "PT10S", voicemail };
    const call = sim.calls.inbound({ from: caller, to: dial.alice, behaviour });
    call.answer("alice");
    call.add("+64215559999", { by: "alice" });
    call.answer("+64215559999");
    call.transfer("bob", { by: "alice" });
    sim.runUntilIdle();
    // a party who stays there says nothing, so the platform hangs up 30 s after the tone
    expect(call.record.voicemail).toBeNull();
    expect(call.record.endedTimestamp).toBe(sim.startTimestamp + 65_000);
  });

  test("who hangs up by a command of the same instant does nothing later", () => {
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
    expect(call.record.voicemail).toBeNull();
    expect(call.record.endedTimestamp).toBe(sim.startTimestamp + 65_000);
  });
});

describe("wrapping up", () => {
  const toldOf = (sim: Simulator) =>
    sim.events.ofType("user.availability.updated").map(({ data, createdTimestamp }) => {
      const { status, notAvailableRule, notAvailableReason } = data.user.availability;
      return `${createdTimestamp - startMs} ${status} ${notAvailableRule} ${notAvailableReason}`;
    });

  test("keeps a user busy after a call, then available", () => {
    const sim = newSimulator({ alice: { answer: { after: 0 }, talk: "PT1M", wrapUp: "PT20S" } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(toldOf(sim)).toEqual([
      "0 busy busyOnACall null",
      "60000 busy null wrapUp",
      "80000 available null null",
    ]);
  });

  test("emits a team's event only when a member is added to its count", () => {
    const sim = newSimulator({ dan: { answer: { after: 0 }, talk: "PT1M", wrapUp: "PT20S" } });
    sim.calls.inbound({ from: caller, to: dial.dan });
    sim.runUntilIdle();
    expect(stream(sim).filter((each) => each.includes("team"))).toEqual([
      "0 team.availability.updated",
      "80000 team.availability.updated",
    ]);
  });

  test("takes no time if the drawn duration is 0", () => {
    const sim = newSimulator({ alice: { answer: { after: 0 }, talk: "PT1M", wrapUp: 0 } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(toldOf(sim)).toEqual(["0 busy busyOnACall null", "60000 available null null"]);
  });

  test("leaves a direct call unanswered", () => {
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
  ])("ends when the user sets %s by hand", (status, expected) => {
    const sim = newSimulator({ alice: { answer: { after: 0 }, talk: "PT1M", wrapUp: "PT20S" } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT70S");
    sim.users.get("alice").setAvailability(status);
    sim.runUntilIdle();
    expect(toldOf(sim).slice(2)).toEqual([`70000 ${expected}`]);
  });

  test("is skipped for a user who chose another status during the call", () => {
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

  test("continues when the user's working hours begin meanwhile", () => {
    const behaviour = { answer: { after: 0 }, talk: "PT50S", wrapUp: "PT20S" };
    const sim = newSimulator({ alice: behaviour }, withHours("00:01", "01:00"));
    sim.users.get("alice").setAvailability("available");
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT5M");
    expect(toldOf(sim).slice(2)).toEqual(["50000 busy null wrapUp", "70000 available null null"]);
  });

  test("ends with the user's working hours", () => {
    const behaviour = { answer: { after: 0 }, talk: "PT50S", wrapUp: "PT20S" };
    const sim = newSimulator({ alice: behaviour }, withHours("00:00", "00:01"));
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT5M");
    expect(toldOf(sim).slice(1)).toEqual(["50000 busy null wrapUp", "60000 offline outOfHours null"]);
  });

  test("ends when the user dials, and starts again after that call", () => {
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
  test("can be part of the organisation", () => {
    const users = office.users.map((user) =>
      user.id === "alice" ? { ...user, behaviour: { answer: { after: "PT4S" } } } : user,
    );
    const sim = newSimulator({}, { ...office, users });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(answeredOn(sim)).toEqual([{ atMs: 4_000, by: "alice", on: "mobile" }]);
  });

  test("replaces the whole previous behaviour and cancels its scheduled acts", () => {
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

  test("is removed by an empty behaviour", () => {
    const sim = newSimulator({ alice: { answer: { after: "PT4S" }, wrapUp: "PT20S" } });
    sim.users.get("alice").behave({});
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT10S");
    expect(call.status).toBe("offered");
    call.answer("alice");
    call.hangup("alice");
    expect(sim.users.get("alice").record.availability.status).toBe("available");
  });

  test("is shown in the timeline, and its acts are shown like commands", () => {
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
  ])("rejects %s and changes nothing", (_what, act, code) => {
    const sim = newSimulator();
    const before = stateOf(sim);
    const error = thrownBy(() => act(sim));
    expect(error).toBeInstanceOf(CommandError);
    expect((error as CommandError).code).toBe(code);
    expect(stateOf(sim)).toEqual(before);
  });

  test("in an organisation must name one of the user's endpoints", () => {
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

describe("a drawn duration", () => {
  /** How long each of several calls to Alice rang, one after the other. */
  /** How many draws a test of the spread makes. */
  const many = isWhole ? 2_000 : 500;

  function waits(sim: Simulator, count: number): number[] {
    return Array.from({ length: count }, () => {
      const call = sim.calls.inbound({ from: caller, to: dial.alice });
      sim.runUntil(({ type, data }) => type === "call.answered" && data.call.id === call.id);
      call.hangup("caller");
      sim.runUntilIdle();
      return call.record.waitTime ?? Number.NaN;
    });
  }

  test("that is fixed is always the same", () => {
    const sim = newSimulator({ alice: { answer: { after: fixed("PT4S") } } });
    expect(new Set(waits(sim, 10))).toEqual(new Set([4_000]));
  });

  test("that is uniform covers every whole millisecond of its range, both ends included", () => {
    const sim = newSimulator({ alice: { answer: { after: uniform(10, 13) } } });
    expect(new Set(waits(sim, 100))).toEqual(new Set([10, 11, 12, 13]));
  });

  test("that is exponential has the given mean and spread, in whole milliseconds", () => {
    const sim = newSimulator({ alice: { answer: { after: exponential("PT1S") } } });
    const drawn = waits(sim, many);
    const mean = drawn.reduce((sum, ms) => sum + ms, 0) / drawn.length;
    const beyond = drawn.filter((ms) => ms > 2_000).length / drawn.length;
    // three standard errors, those of the mean and of a share of exp(-2)
    const share = Math.exp(-2);
    expect(Math.abs(mean - 1_000)).toBeLessThan(3 * (1_000 / Math.sqrt(many)));
    expect(Math.abs(beyond - share)).toBeLessThan(3 * Math.sqrt((share * (1 - share)) / many));
    expect(drawn.every(Number.isInteger)).toBe(true);
  });

  test("has the same spread over many callers as over many calls of one caller", () => {
    const sim = newSimulator();
    const drawn = Array.from({ length: many }, (_, index) => {
      const from = `+6421${555_000 + index}`;
      const call = sim.calls.inbound({ from, to: dial.alice, behaviour: { patience: uniform(1, 10) } });
      sim.runUntil("call.not_answered");
      return call.record.duration;
    });
    for (let ms = 1; ms <= 10; ms++) {
      // four standard errors of a tenth
      const expected = many / 10;
      const found = drawn.filter((each) => each === ms).length;
      expect(Math.abs(found - expected)).toBeLessThan(4 * Math.sqrt(expected * 0.9));
    }
  });

  test("of one person does not depend on other people", () => {
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
  test("continues like its parent, and neither changes the other's acts", () => {
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

describe("The behaviour of an outside number", () => {
  const number = "+6421555777";
  const behave = (sim: Simulator, behaviour: CommandInput<"behave">["behaviour"]) =>
    sim.command("behave", { number, behaviour });

  test("answers when it is dialled, talks and hangs up", () => {
    const sim = newSimulator();
    behave(sim, { answer: { after: "PT4S" }, talk: "PT10S" });
    const call = sim.calls.outbound({ from: "alice", to: number });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual([
      "0 call.started",
      "0 user.availability.updated",
      "4000 call.answered",
      "14000 call.hungup",
      "14000 call.hungup",
      "14000 user.availability.updated",
      "14000 call.ended",
    ]);
    expect(call.record.summary.outcome).toBe(`Answered by ${number}`);
  });

  test.each([
    [{ after: "PT1S" }, "rejected"],
    [{ after: "PT1S", busy: true }, "busy"],
  ])("declines with %j", (decline, reason) => {
    const sim = newSimulator();
    behave(sim, { decline });
    const call = sim.calls.outbound({ from: "alice", to: number });
    sim.runUntilIdle();
    expect(call.record.outcome).toEqual({ status: "unanswered", reason });
    expect(call.record.duration).toBe(1_000);
  });

  test("holds when it is dialled, and is none of a call from it", () => {
    const sim = newSimulator();
    behave(sim, { talk: "PT10S" });
    const call = sim.calls.inbound({ from: number, to: dial.alice });
    call.answer("alice");
    sim.advance("PT1M");
    expect(call.status).toBe("accepted");
  });

  test("is removed by an empty one, and survives a fork and a replay", () => {
    const sim = newSimulator();
    behave(sim, { answer: { after: "PT4S" } });
    const fork = sim.fork();
    behave(sim, {});
    for (const each of [sim, fork]) each.calls.outbound({ from: "alice", to: number });
    for (const each of [sim, fork]) each.advance("PT5S");
    expect([sim, fork].map((each) => each.calls.get("call-1").status)).toEqual(["offered", "accepted"]);
    expect(replay(fork.journal()).calls.get("call-1").status).toBe("accepted");
  });

  test.each<[string, CommandInput<"behave">, RegExp]>([
    ["nobody", { behaviour: {} }, /user: missing/],
    ["both", { user: "alice", number, behaviour: {} }, /either `user` or `number`, got both/],
    [
      "an engaged user",
      { user: "alice", behaviour: { decline: { after: 0, busy: true } } },
      /use setAvailability/,
    ],
    ["a wrap-up", { number, behaviour: { wrapUp: "PT1S" } }, /only users wrap up/],
    ["an endpoint", { number, behaviour: { answer: { after: 0, endpoint: "sip" } } }, /has no endpoints/],
  ])("rejects %s and changes nothing", (_what, args, message) => {
    const sim = newSimulator();
    const before = stateOf(sim);
    expect(() => sim.command("behave", args)).toThrow(message);
    expect(stateOf(sim)).toEqual(before);
  });
});
