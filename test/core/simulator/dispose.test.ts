import { describe, expect, test } from "vitest";
import { createSimulator, type Simulator } from "../../../src/index.ts";
import { caller, dial, office, startMs, stream, thrownBy } from "../../helpers.ts";

/** A simulator in which Alice talks, Carol's call rings, and somebody listens. */
function busy() {
  const sim = createSimulator({ organisation: office });
  const talking = sim.calls.inbound({ from: caller, to: dial.alice });
  talking.answer("alice");
  const ringing = sim.calls.inbound({ from: caller, to: dial.carol });
  const heard: string[] = [];
  sim.on("*", (type) => heard.push(type));
  return { sim, talking, ringing, heard };
}

describe("dispose", () => {
  test("leaves nothing scheduled", () => {
    const { sim } = busy();
    sim.dispose();
    expect(sim.pending()).toEqual([]);
  });

  test.each([
    [
      "calls.inbound",
      ({ sim }: ReturnType<typeof busy>) => sim.calls.inbound({ from: caller, to: dial.bob }),
    ],
    ["answer", ({ ringing }: ReturnType<typeof busy>) => ringing.answer("carol")],
    ["hangup", ({ talking }: ReturnType<typeof busy>) => talking.hangup("caller")],
    ["setAvailability", ({ sim }: ReturnType<typeof busy>) => sim.users.get("bob").setAvailability("busy")],
    ["advance", ({ sim }: ReturnType<typeof busy>) => sim.advance("PT1M")],
    ["advanceTo", ({ sim }: ReturnType<typeof busy>) => sim.advanceTo(startMs + 1)],
    ["step", ({ sim }: ReturnType<typeof busy>) => sim.step()],
    ["runUntil", ({ sim }: ReturnType<typeof busy>) => sim.runUntil("call.ended")],
    ["runUntilIdle", ({ sim }: ReturnType<typeof busy>) => sim.runUntilIdle()],
    ["fork", ({ sim }: ReturnType<typeof busy>) => sim.fork()],
    ["on", ({ sim }: ReturnType<typeof busy>) => sim.on("call.ended", () => {})],
  ])("makes %s throw a CommandError", (_name, act) => {
    const parts = busy();
    parts.sim.dispose();
    expect(thrownBy(() => act(parts))).toMatchObject({
      name: "CommandError",
      code: "disposed",
      message: "this simulator was disposed: create another",
    });
    expect(parts.heard).toEqual([]);
  });

  test("makes asynchronous time methods reject with that error", async () => {
    const { sim } = busy();
    sim.dispose();
    await expect(sim.advanceAsync("PT1M")).rejects.toMatchObject({ code: "disposed" });
    await expect(sim.runUntilIdleAsync()).rejects.toMatchObject({ code: "disposed" });
  });

  test("keeps events and records readable", () => {
    const { sim, talking } = busy();
    sim.dispose();
    expect(sim.events).toHaveLength(4);
    expect(talking.status).toBe("accepted");
  });

  test("may be called twice", () => {
    const { sim } = busy();
    sim.dispose();
    expect(() => sim.dispose()).not.toThrow();
  });

  test("stops an advance at the instant when a listener calls it", () => {
    const { sim } = busy();
    sim.on("call.not_answered", () => sim.dispose());
    sim.advance("PT1H");
    expect(stream(sim).at(-1)).toBe("30000 call.not_answered");
    expect(sim.timestamp).toBe(startMs + 30_000);
  });

  test("does not affect other simulators", () => {
    const { sim } = busy();
    const fork = sim.fork();
    sim.dispose();
    fork.advance("PT1M");
    expect(stream(fork).at(-1)).toBe("30000 call.not_answered");
  });
});

describe("using", () => {
  test("disposes at the end of the block", () => {
    let kept: Simulator;
    {
      using sim = createSimulator({ organisation: office });
      sim.advance(1);
      kept = sim;
    }
    expect(thrownBy(() => kept.advance(1))).toMatchObject({ code: "disposed" });
  });

  test("works by Symbol.dispose", () => {
    const sim = createSimulator({ organisation: office });
    sim[Symbol.dispose]();
    expect(thrownBy(() => sim.advance(1))).toMatchObject({ code: "disposed" });
  });
});
