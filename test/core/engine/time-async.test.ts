import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { CommandError, createSimulator, InputError, LimitError, type Simulator } from "../../../src/index.ts";
import { caller, dial, office, startMs, stream } from "../../helpers.ts";

/** A simulator in which two calls ring, one until 30 s, one until 40 s. */
function ringing() {
  const sim = createSimulator({ organisation: office, ids: "counter" });
  sim.calls.inbound({ from: caller, to: dial.alice });
  sim.advance("PT10S");
  sim.calls.inbound({ from: caller, to: dial.carol });
  return sim;
}

/** Notes when an asynchronous listener of every unanswered call begins and ends. */
function listenSlowly(sim: Simulator): string[] {
  const notes: string[] = [];
  sim.on("call.not_answered", async ({ data }) => {
    notes.push(`${sim.timestamp - startMs} ${data.call.id} begins`);
    await setImmediate();
    notes.push(`${sim.timestamp - startMs} ${data.call.id} ends`);
  });
  return notes;
}

const bothOneAfterTheOther = [
  "30000 call-1 begins",
  "30000 call-1 ends",
  "40000 call-2 begins",
  "40000 call-2 ends",
];

describe("awaiting listeners before time goes on", () => {
  test("advanceAsync awaits them, then ends exactly at now + duration", async () => {
    const sim = ringing();
    const notes = listenSlowly(sim);
    await sim.advanceAsync("PT1M");
    expect(notes).toEqual(bothOneAfterTheOther);
    expect(sim.timestamp).toBe(startMs + 70_000);
  });

  test("advanceToAsync awaits them, then ends exactly at the instant", async () => {
    const sim = ringing();
    const notes = listenSlowly(sim);
    await sim.advanceToAsync(startMs + 40_000);
    expect(notes).toEqual(bothOneAfterTheOther);
    expect(sim.timestamp).toBe(startMs + 40_000);
  });

  test("runUntilAsync awaits them, then returns the event", async () => {
    const sim = ringing();
    const notes = listenSlowly(sim);
    const event = await sim.runUntilAsync(
      ({ type, data }) => type === "call.not_answered" && "call" in data && data.call.id === "call-2",
    );
    expect(notes).toEqual(bothOneAfterTheOther);
    expect(event).toBe(sim.events.at(-1));
  });

  test("runUntilIdleAsync awaits them", async () => {
    const sim = ringing();
    const notes = listenSlowly(sim);
    await sim.runUntilIdleAsync();
    expect(notes).toEqual(bothOneAfterTheOther);
    expect(sim.timestamp).toBe(startMs + 40_000);
  });

  test("stepAsync awaits them for the one item that it returns", async () => {
    const sim = ringing();
    const notes = listenSlowly(sim);
    expect(await sim.stepAsync()).toMatchObject({ recordId: "call-1", dueTimestamp: startMs + 30_000 });
    expect(notes).toEqual(["30000 call-1 begins", "30000 call-1 ends"]);
  });

  test("includes listeners of events from other listeners' commands, all at the same instant", async () => {
    const sim = ringing();
    const second = sim.calls.get("call-2");
    const notes: string[] = [];
    sim.on("call.not_answered", async () => {
      await setImmediate();
      second.answer("carol");
    });
    sim.on("call.answered", async () => {
      await setImmediate();
      second.hangup("carol");
    });
    sim.on("call.ended", async () => {
      await setImmediate();
      notes.push(`done at ${sim.timestamp - startMs}`);
    });
    await sim.advanceAsync("PT1M");
    expect(stream(sim).at(-1)).toBe("30000 call.ended");
    expect(notes).toEqual(["done at 30000"]);
  });

  test("runs their commands at the instant of the event, even after an await", async () => {
    const sim = ringing();
    sim.on("call.not_answered", async ({ data }) => {
      if (data.call.id !== "call-1") return;
      await setImmediate();
      sim.calls.get("call-2").answer("carol");
    });
    await sim.advanceAsync("PT1M");
    expect(stream(sim).slice(2, 4)).toEqual(["30000 call.not_answered", "30000 call.answered"]);
  });

  test("is not done by the synchronous methods", () => {
    const sim = ringing();
    const notes = listenSlowly(sim);
    sim.advance("PT1M");
    expect(notes).toEqual(["30000 call-1 begins", "40000 call-2 begins"]);
  });
});

describe("errors", () => {
  test("advanceAsync rejects with a listener's rejection and stays at its instant", async () => {
    const sim = ringing();
    sim.on("call.not_answered", async () => {
      await setImmediate();
      throw new Error("broken");
    });
    await expect(sim.advanceAsync("PT1M")).rejects.toThrow(new Error("broken"));
    expect(sim.timestamp).toBe(startMs + 30_000);
    expect(sim.pending()).toHaveLength(1);
  });

  test("advanceAsync waits for the other listeners before it rejects", async () => {
    const sim = ringing();
    sim.on("call.not_answered", () => Promise.reject(new Error("broken")));
    const notes = listenSlowly(sim);
    await expect(sim.advanceAsync("PT20S")).rejects.toThrow("broken");
    expect(notes).toEqual(["30000 call-1 begins", "30000 call-1 ends"]);
  });

  test("advanceAsync rejects with an AggregateError if listeners throw at once and later", async () => {
    const sim = ringing();
    sim.on("call.not_answered", () => Promise.reject(new Error("later")));
    sim.on("call.not_answered", () => {
      throw new Error("at once");
    });
    const error = await sim.advanceAsync("PT20S").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AggregateError);
    expect((error as AggregateError).errors).toEqual([new Error("at once"), new Error("later")]);
  });

  test("runUntilAsync rejects with a LimitError if there is no such event", async () => {
    await expect(ringing().runUntilAsync("call.ended")).rejects.toThrow(LimitError);
  });

  test("runUntilIdleAsync rejects with a LimitError if the limit comes first", async () => {
    await expect(ringing().runUntilIdleAsync({ within: 1 })).rejects.toThrow(LimitError);
  });

  test("advanceToAsync rejects an instant in the past", async () => {
    await expect(ringing().advanceToAsync(startMs)).rejects.toThrow(InputError);
  });

  test("advanceAsync rejects an invalid duration", async () => {
    await expect(ringing().advanceAsync("soon")).rejects.toThrow(InputError);
  });
});

describe("one time method at a time", () => {
  test("a second asynchronous advance is refused while the first runs, which continues", async () => {
    const sim = ringing();
    const notes = listenSlowly(sim);
    const first = sim.advanceAsync("PT1M");
    await expect(sim.advanceAsync("PT1M")).rejects.toThrow(CommandError);
    await first;
    expect(notes).toEqual(bothOneAfterTheOther);
  });

  test("a synchronous advance is refused while an asynchronous one runs", async () => {
    const sim = ringing();
    listenSlowly(sim);
    const first = sim.advanceAsync("PT1M");
    expect(() => sim.advance(1)).toThrow(
      /^time is already moving, and waits for the handler of call\.not_answered at \S+time-async\.test\.ts:\d+:\d+: a handler may issue commands but not let time pass, and an asynchronous advance must be awaited before the next$/,
    );
    await first;
    expect(sim.timestamp).toBe(startMs + 70_000);
  });

  test("advancing is possible again after a rejected advance", async () => {
    const sim = ringing();
    const fail = () => Promise.reject(new Error("broken"));
    sim.on("call.not_answered", fail);
    await sim.advanceAsync("PT1M").catch(() => {});
    sim.off("call.not_answered", fail);
    await sim.advanceAsync("PT1M");
    expect(sim.timestamp).toBe(startMs + 90_000);
  });
});
