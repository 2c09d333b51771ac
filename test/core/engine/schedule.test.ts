import { describe, expect, test } from "vitest";
import { createSimulator, InputError, LimitError, RunawayError, replay } from "../../../src/index.ts";
import { startMs, stateOf, stream, thrownBy } from "../../helpers.ts";

const janeCalls = { from: "+6421555001", to: "+6495550100" };

describe("sim.schedule", () => {
  test("calls back at its virtual instant, with every time method", () => {
    for (const move of [
      (sim: ReturnType<typeof createSimulator>) => sim.advance("PT1M"),
      (sim: ReturnType<typeof createSimulator>) => sim.advanceTo(startMs + 60_000),
      (sim: ReturnType<typeof createSimulator>) => sim.runUntilIdle(),
      (sim: ReturnType<typeof createSimulator>) => sim.step(),
    ]) {
      const sim = createSimulator();
      const called: number[] = [];
      sim.schedule("PT20S", () => called.push(sim.timestamp - startMs));
      expect(called).toEqual([]);
      move(sim);
      expect(called).toEqual([20_000]);
    }
  });

  test("calls back after everything else due at its instant, in order of scheduling", () => {
    const sim = createSimulator();
    const told: string[] = [];
    sim.schedule("PT30S", () => told.push("first"));
    sim.schedule("PT30S", () => told.push("second"));
    sim.calls.inbound({ ...janeCalls, to: "+6495550104" });
    sim.on("*", (type) => told.push(type));
    sim.advance("PT30S");
    expect(told).toEqual(["call.not_answered", "first", "second"]);
  });

  test("lets the callback issue commands, whose events reach listeners at once", () => {
    const sim = createSimulator({ ids: "counter" });
    const call = sim.calls.inbound(janeCalls);
    const heard: string[] = [];
    sim.on("call.answered", () => heard.push("answered"));
    sim.schedule("PT6S", () => {
      call.answer("alice");
      heard.push("answer returned");
    });
    sim.advance("PT10S");
    expect(heard).toEqual(["answered", "answer returned"]);
    expect(stream(sim).slice(0, 2)).toEqual(["0 call.started", "6000 call.answered"]);
  });

  test("allows a callback to schedule itself again", () => {
    const sim = createSimulator();
    let count = 0;
    const tick = () => {
      count++;
      sim.schedule("PT1M", tick);
    };
    sim.schedule("PT1M", tick);
    sim.advance("PT10M");
    expect(count).toBe(10);
  });

  test("returns a function that cancels it", () => {
    const sim = createSimulator();
    let isCalled = false;
    const callOff = sim.schedule("PT1M", () => {
      isCalled = true;
    });
    callOff();
    callOff();
    sim.advance("PT2M");
    expect(isCalled).toBe(false);
    expect(sim.pending()).toEqual([]);
  });

  test("is listed by pending where it runs: by instant, and after everything else of its instant", () => {
    const sim = createSimulator();
    sim.schedule("PT30S", () => {});
    sim.schedule("PT10S", () => {});
    sim.calls.inbound({ ...janeCalls, to: "+6495550104" });
    sim.calls.inbound({ from: "+6421555002", to: "+6495550103" });
    const listed = sim.pending().map(({ dueTimestamp, purpose }) => [dueTimestamp - startMs, purpose]);
    expect(listed).toEqual([
      [10_000, "callback"],
      [30_000, "ring: ringTimeout"],
      [30_000, "ring: ringTimeout"],
      [30_000, "callback"],
    ]);
  });

  test("is listed by pending and keeps a run from being idle", () => {
    const sim = createSimulator();
    sim.schedule("PT1H", () => {});
    expect(sim.pending()).toEqual([
      {
        dueAt: "2026-07-01T01:00:00.000Z",
        dueTimestamp: startMs + 3_600_000,
        purpose: "callback",
        recordId: "sim.schedule",
      },
    ]);
    sim.runUntilIdle();
    expect(sim.timestamp).toBe(startMs + 3_600_000);
    sim.schedule("PT1H", () => {});
    expect(() => sim.runUntilIdle({ within: "PT1M" })).toThrow(LimitError);
  });

  test("records its commands in the journal, but not itself", () => {
    const sim = createSimulator({ ids: "counter" });
    const call = sim.calls.inbound(janeCalls);
    sim.schedule("PT6S", () => call.answer("alice"));
    sim.schedule("PT30S", () => call.hangup("caller"));
    sim.schedule("PT40S", () => {});
    sim.advance("PT1M");
    expect(sim.journal().entries.map(({ command }) => command)).toEqual(["inbound", "answer", "hangup"]);
    const again = replay(JSON.stringify(sim.journal()));
    expect(again.events.toJSONL()).toBe(sim.events.toJSONL());
    expect(again.timestamp).toBe(sim.timestamp);
    expect(sim.at(startMs + 20_000).calls.live()).toHaveLength(1);
  });

  test("is not copied to a fork", () => {
    const sim = createSimulator();
    let count = 0;
    sim.schedule("PT1M", () => count++);
    const fork = sim.fork();
    fork.advance("PT2M");
    expect([count, fork.pending()]).toEqual([0, []]);
    sim.advance("PT2M");
    expect(count).toBe(1);
  });

  test("lets the callback fork and dispose", () => {
    const sim = createSimulator();
    let forkedAt = 0;
    sim.schedule("PT1M", () => {
      forkedAt = sim.fork().timestamp;
      sim.dispose();
    });
    sim.schedule("PT2M", () => expect.unreachable());
    sim.advance("PT5M");
    expect(forkedAt).toBe(startMs + 60_000);
    expect(() => sim.schedule("PT1M", () => {})).toThrow(/disposed/);
  });

  test("does not let the callback move time", () => {
    const sim = createSimulator();
    sim.schedule("PT1M", () => sim.advance("PT1M"));
    expect(() => sim.advance("PT5M")).toThrow(/time is already moving/);
  });

  test("stops a callback that schedules itself without time passing", () => {
    const sim = createSimulator();
    const again = () => {
      sim.schedule(0, again);
    };
    sim.schedule("PT1M", again);
    expect(() => sim.advance("PT5M")).toThrow(RunawayError);
  });
});

describe("a callback that throws", () => {
  test("makes the time method throw its error, and time can continue from there", () => {
    const sim = createSimulator();
    const called: string[] = [];
    sim.schedule("PT1M", () => {
      throw new Error("broken");
    });
    sim.schedule("PT1M", () => called.push("second"));
    expect(() => sim.advance("PT5M")).toThrow("broken");
    expect(sim.timestamp).toBe(startMs + 60_000);
    sim.advance("PT1S");
    expect(called).toEqual(["second"]);
  });

  test("does not prevent listeners from receiving the events of its commands", () => {
    const sim = createSimulator();
    const heard: string[] = [];
    sim.on("call.started", () => heard.push("started"));
    sim.schedule("PT1M", () => {
      sim.calls.inbound(janeCalls);
      throw new Error("broken");
    });
    expect(() => sim.advance("PT5M")).toThrow("broken");
    expect(heard).toEqual(["started"]);
  });
});

describe("a callback that returns a promise", () => {
  test("is awaited by the Async time methods before time goes on", async () => {
    const sim = createSimulator({ ids: "counter" });
    const call = sim.calls.inbound(janeCalls);
    sim.schedule("PT6S", async () => {
      await Promise.resolve();
      call.answer("alice");
    });
    await sim.advanceAsync("PT10S");
    expect(stream(sim).slice(0, 2)).toEqual(["0 call.started", "6000 call.answered"]);
  });

  test("makes the Async time methods reject with its error", async () => {
    const sim = createSimulator();
    sim.schedule("PT6S", () => Promise.reject(new Error("broken")));
    await expect(sim.runUntilIdleAsync()).rejects.toThrow("broken");
  });
});

describe("a duration that no date can hold", () => {
  test.each(["P300000Y", 1e300, { years: 300_000 }])(
    "is rejected before anything changes: %j",
    (duration) => {
      const sim = createSimulator();
      sim.calls.inbound(janeCalls);
      const before = stateOf(sim);
      for (const act of [
        () => sim.advance(duration),
        () => sim.schedule(duration, () => {}),
        () => sim.runUntil("call.ended", { within: duration }),
        () => sim.runUntilIdle({ within: duration }),
      ]) {
        const error = thrownBy(act);
        expect(error).toBeInstanceOf(InputError);
        expect((error as Error).message).toMatch(/^\w+: expected a duration that a date can hold, got /);
      }
      expect(() => sim.traffic({ to: "+6495550100", every: "PT1S", for: duration })).toThrow(
        /a date can hold/,
      );
      expect(stateOf(sim)).toEqual(before);
      sim.advance("PT1H");
      expect(stream(sim)).toContain("30000 call.not_answered");
    },
  );

  test("is rejected if the resulting instant is too late", () => {
    const sim = createSimulator({ start: 8.64e15 - 60_000 });
    expect(() => sim.advance("PT61S")).toThrow(/a date can hold/);
    sim.calls.inbound(janeCalls);
    sim.advance("PT60S");
    expect(sim.timestamp).toBe(8.64e15);
    expect(sim.pending().every(({ dueTimestamp }) => dueTimestamp <= 8.64e15)).toBe(true);
    expect(() => sim.runUntilIdle()).not.toThrow();
  });

  test("is rejected as an option and in a scenario's timing", () => {
    expect(() => createSimulator({ timing: { ringTimeout: "P300000Y" } })).toThrow(
      /^timing\.ringTimeout: expected a duration that a date can hold, got "P300000Y"$/,
    );
  });
});
