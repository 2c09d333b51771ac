import { describe, expect, it } from "vitest";
import { narrationOfJourney } from "../../../src/core/narration/journeys.ts";
import { toTimeline } from "../../../src/core/narration/timeline.ts";
import { createSimulator, type Simulator } from "../../../src/index.ts";

/** The labels of the calls that are told together, journey by journey. */
function journeysOf(sim: Simulator): string[] {
  const { records } = sim.narration();
  const together = new Map<number, string>();
  for (const { label, journey } of records) together.set(journey, `${together.get(journey) ?? ""}${label}`);
  return [...together.values()];
}

const jane = "+6421555001";
const ticket = { "x-ticket": "4711" };

/** A call that is redirected, returns unanswered, and is taken back by its flow; between them somebody else calls. */
function redirected(): Simulator {
  const sim = createSimulator();
  sim.command("takeBack", { id: "FW1", redirect: { extension: "102" } });
  sim.command("redirect", {
    from: jane,
    to: "+6495559999",
    extension: "101",
    timeout: 10,
    returnTo: "flow",
    returnToId: "FW1",
    ...ticket,
  });
  sim.calls.inbound({ from: "+6421555002", to: "+6495550103" });
  sim.advance("PT1M");
  return sim;
}

describe("A journey", () => {
  it("has a redirected call, its return, and the call as which its flow takes it back", () => {
    expect(journeysOf(redirected())).toEqual(["AC", "B"]);
  });

  it("has the call that a dial link begins to the same number with one of its parameters", () => {
    const sim = redirected();
    sim.calls.dialLink({ user: "alice", contactNumber: jane, ...ticket });
    sim.calls.dialLink({ user: "carol", contactNumber: jane, "x-ticket": "4712" });
    expect(journeysOf(sim)).toEqual(["ACD", "B", "E"]);
  });

  it("has no other call of the same caller", () => {
    const sim = redirected();
    sim.calls.inbound({ from: jane, to: "+6495550103" });
    expect(journeysOf(sim)).toEqual(["AC", "B", "D"]);
  });

  it("keeps a transferred call in one", () => {
    const sim = createSimulator();
    const call = sim.calls.inbound({ from: jane, to: "+6495550101" });
    call.answer("alice");
    call.transfer("bob", { by: "alice" });
    expect(journeysOf(sim)).toEqual(["A"]);
  });
});

describe("The timeline of a journey", () => {
  const narration = redirected().narration();
  const tell = (named: string) => {
    const story = narrationOfJourney(narration, named);
    return story && toTimeline(story);
  };

  it.each(["A", "C", jane])(
    "has the steps and events of all its calls, named by %s, and no others",
    (named) => {
      const told = tell(named) ?? "";
      expect(told.match(/is redirected to|goes back to|call\.started/g)).toEqual([
        "is redirected to",
        "call.started",
        "goes back to",
        "call.started",
      ]);
      expect(told).not.toContain("+6421555002");
      expect(told).toMatch(/\n\d+ events, /);
    },
  );

  it("does not exist for an unknown call", () => {
    expect(tell("Z")).toBeUndefined();
  });
});
