import { describe, expect, test } from "vitest";
import { createSimulator, replay, type Simulator } from "../../../src/index.ts";
import { caller, startMs } from "../../helpers.ts";

const numbers = { red: "+6495550200", blue: "+6495550201", ann: "+6495550101" };
const user = (id: string, extension: string) => ({
  id,
  email: `${id}@shop.test`,
  displayName: id,
  extension,
  endpoints: ["mobile" as const],
});

/** Ann is in both teams, Ben in the blue one and busy. Both teams have ten minutes. */
function newSimulator() {
  const sim = createSimulator({
    ids: "counter",
    organisation: {
      id: "shop",
      numbers: Object.entries(numbers).map(([owner, number]) => ({ number, owner })),
      users: [user("ann", "1"), user("ben", "2")],
      teams: [
        { id: "red", displayName: "Red", extension: "8", timeout: "PT10M", members: [{ user: "ann" }] },
        {
          id: "blue",
          displayName: "Blue",
          extension: "9",
          timeout: "PT10M",
          members: [{ user: "ann" }, { user: "ben" }],
        },
      ],
    },
  });
  sim.users.get("ben").setAvailability("busy");
  return sim;
}

const dialTeam = (sim: Simulator, team: "red" | "blue", priority?: number) =>
  sim.calls.inbound({ from: caller, to: numbers[team], ...(priority !== undefined && { priority }) });

/** Which calls ring, in the order in which they started. */
const ringing = (sim: Simulator) =>
  sim.calls
    .live()
    .filter((call) => call.ringing().length > 0)
    .map(({ id }) => id);

/** Frees Ann, who answers each call that rings and hangs up, until none rings. Returns the calls in that order. */
function servedByAnn(sim: Simulator): string[] {
  const served: string[] = [];
  sim.users.get("ann").setAvailability("available");
  for (let [id] = ringing(sim); id !== undefined; [id] = ringing(sim)) {
    served.push(id);
    sim.calls.get(id).answer("ann");
    sim.calls.get(id).hangup("ann");
  }
  return served;
}

/** Ann and Ben talk with each other, and become free together when Ben hangs up. */
function talking(sim: Simulator) {
  sim.users.get("ben").setAvailability("available");
  const call = sim.calls.internal({ from: "ann", to: "2" });
  call.answer("ben");
  return call;
}

describe("a team's queue", () => {
  test("holds the call if nobody in any tier can be rung", () => {
    const sim = newSimulator();
    sim.users.get("ann").setAvailability("busy");
    const call = dialTeam(sim, "red");
    expect(ringing(sim)).toEqual([]);
    expect(sim.teams.get("red").waiting()).toEqual([call.id]);
    expect(call.status).toBe("offered");
  });

  test("offers the call as soon as a member becomes available", () => {
    const sim = newSimulator();
    sim.users.get("ann").setAvailability("busy");
    const call = dialTeam(sim, "red");
    sim.advance("PT7S");
    sim.users.get("ann").setAvailability("available");
    expect(ringing(sim)).toEqual([call.id]);
    expect(sim.teams.get("red").waiting()).toEqual([]);
    expect(call.record.parties[1]?.dials[0]?.startedTimestamp).toBe(startMs + 7_000);
  });

  test("offers the call to a member whose direct call is over", () => {
    const sim = newSimulator();
    const direct = sim.calls.inbound({ from: caller, to: numbers.ann });
    direct.answer("ann");
    const call = dialTeam(sim, "red");
    expect(ringing(sim)).toEqual([]);
    direct.hangup("caller");
    expect(ringing(sim)).toEqual([call.id]);
  });

  test("offers the call to a member who stops being rung by another call to the team", () => {
    const sim = newSimulator();
    const [first, second] = [dialTeam(sim, "red"), dialTeam(sim, "red")];
    expect(sim.teams.get("red").waiting()).toEqual([second.id]);
    first.hangup("caller");
    expect(ringing(sim)).toEqual([second.id]);
  });

  test("is ordered by priority, 1 first and 5 by default, then by time of joining", () => {
    const sim = newSimulator();
    sim.users.get("ann").setAvailability("busy");
    for (const priority of [undefined, 6, 1, 5, 1]) dialTeam(sim, "red", priority);
    const order = ["call-3", "call-5", "call-1", "call-4", "call-2"];
    expect(sim.teams.get("red").waiting()).toEqual(order);
    expect(servedByAnn(sim)).toEqual(order);
  });

  test("offers a free member the first call of all their teams' queues", () => {
    const sim = newSimulator();
    sim.users.get("ann").setAvailability("busy");
    dialTeam(sim, "red");
    dialTeam(sim, "blue");
    dialTeam(sim, "blue", 2);
    dialTeam(sim, "red");
    expect(servedByAnn(sim)).toEqual(["call-3", "call-1", "call-2", "call-4"]);
  });

  test("offers a call to all members of its tier who become free together", () => {
    const sim = newSimulator();
    const talk = talking(sim);
    const call = dialTeam(sim, "blue");
    talk.hangup("ben");
    expect(call.ringing()).toEqual([
      { user: "ann", endpoint: "mobile" },
      { user: "ben", endpoint: "mobile" },
    ]);
  });

  test.each(["ann", "ben"])("offers a call to %s, who hangs up, and not to the other's tier", (by) => {
    const sim = newSimulator();
    sim.teams.get("blue").setMember("ann", { priority: 2 });
    const talk = talking(sim);
    const call = dialTeam(sim, "blue");
    talk.hangup(by);
    expect(call.ringing()).toEqual([{ user: by, endpoint: "mobile" }]);
  });

  test.each(["ann", "ben"])("offers two who become free together when %s hangs up their best calls", (by) => {
    const sim = newSimulator();
    const talk = talking(sim);
    const [blue, red] = [dialTeam(sim, "blue"), dialTeam(sim, "red", 1)];
    talk.hangup(by);
    expect(red.ringing()).toEqual([{ user: "ann", endpoint: "mobile" }]);
    expect(blue.ringing()).toEqual([{ user: "ben", endpoint: "mobile" }]);
  });

  test("loses the call of a caller who gives up", () => {
    const sim = newSimulator();
    sim.users.get("ann").setAvailability("busy");
    dialTeam(sim, "red").hangup("caller");
    expect(sim.teams.get("red").waiting()).toEqual([]);
    expect(sim.pending()).toEqual([]);
  });

  test("does not offer a member a call that they declined", () => {
    const sim = newSimulator();
    const call = dialTeam(sim, "blue");
    call.decline("ann");
    expect(sim.teams.get("blue").waiting()).toEqual([call.id]);
    sim.users.get("ann").setAvailability("busy");
    sim.users.get("ann").setAvailability("available");
    expect(ringing(sim)).toEqual([]);
    sim.users.get("ben").setAvailability("available");
    expect(call.ringing()).toEqual([{ user: "ben", endpoint: "mobile" }]);
  });

  test("loses a call once the last member who has not declined it leaves the team", () => {
    const sim = newSimulator();
    const call = dialTeam(sim, "blue");
    call.decline("ann");
    expect(sim.teams.get("blue").waiting()).toEqual([call.id]);
    sim.teams.get("blue").removeMember("ben");
    expect(sim.teams.get("blue").waiting()).toEqual([]);
    expect(call.record.outcome).toEqual({ status: "missed", reason: "declined" });
    expect(sim.pending()).toEqual([]);
  });

  test("keeps a call that a remaining member has not declined when another leaves the team", () => {
    const sim = newSimulator();
    const call = dialTeam(sim, "blue");
    call.decline("ann");
    sim.teams.get("blue").removeMember("ann");
    expect(sim.teams.get("blue").waiting()).toEqual([call.id]);
    sim.teams.get("blue").removeMember("ben");
    // the call of a team without members also waits for the timeout
    expect(sim.teams.get("blue").waiting()).toEqual([call.id]);
  });

  test("never rings a member for two team offers at once", () => {
    const sim = newSimulator();
    for (const team of ["red", "blue", "red", "blue"] as const) dialTeam(sim, team);
    for (let seconds = 0; seconds < 600; seconds += 1) {
      const calls = sim.calls
        .live()
        .filter((call) => call.ringing().some((each) => "user" in each && each.user === "ann"));
      expect(calls.length).toBeLessThanOrEqual(1);
      sim.advance("PT1S");
    }
    expect(sim.calls.live()).toEqual([]);
  });
});

describe("a run with a queue", () => {
  const begin = () => {
    const sim = newSimulator();
    for (const priority of [5, 3, 3]) {
      dialTeam(sim, "red", priority);
      sim.advance("PT4S");
    }
    return sim;
  };
  const goOn = (sim: Simulator) => {
    const [id] = ringing(sim);
    if (id !== undefined) sim.calls.get(id).decline("ann");
    sim.advance("PT30S");
    dialTeam(sim, "blue", 1);
    sim.runUntilIdle();
    return sim.events.toJSONL();
  };

  test("is byte-identical in a replay", () => {
    const sim = begin();
    const bytes = goOn(sim);
    expect(replay(sim.journal()).events.toJSONL()).toBe(bytes);
  });

  test("continues byte for byte in a fork, which leaves the first run unchanged", () => {
    const sim = begin();
    const waiting = sim.teams.get("red").waiting();
    const bytes = goOn(sim.fork());
    expect(sim.teams.get("red").waiting()).toEqual(waiting);
    expect(goOn(sim)).toBe(bytes);
  });
});
