import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type CommandError, createSimulator, type Simulator } from "../../../src/index.ts";
import { caller, dial, office, startMs, stream, thrownBy } from "../../helpers.ts";

const newSimulator = () => createSimulator({ organisation: office, ids: "counter" });
const toAlice = { from: caller, to: dial.alice };

describe("on and off", () => {
  test("on calls back with every event of its type only", () => {
    const sim = newSimulator();
    const heard: unknown[] = [];
    sim.on("call.answered", (event) => heard.push(event));
    sim.calls.inbound(toAlice).answer("alice");
    expect(heard).toEqual(sim.events.ofType("call.answered"));
    expect(heard[0]).toBe(sim.events[1]);
  });

  test("on * calls back with the type and the event, for all events", () => {
    const sim = newSimulator();
    const heard: unknown[] = [];
    sim.on("*", (type, event) => heard.push([type, event]));
    sim.calls.inbound(toAlice).answer("alice");
    expect(heard).toEqual(sim.events.map((event) => [event.type, event]));
    expect(heard).toHaveLength(3);
  });

  test("off removes one handler", () => {
    const sim = newSimulator();
    const heard: string[] = [];
    const first = () => heard.push("first");
    sim.on("call.started", first);
    sim.on("call.started", () => heard.push("second"));
    sim.off("call.started", first);
    sim.calls.inbound(toAlice);
    expect(heard).toEqual(["second"]);
  });

  test("off without a handler removes all handlers of the type", () => {
    const sim = newSimulator();
    const heard: string[] = [];
    sim.on("call.started", () => heard.push("first"));
    sim.on("call.started", () => heard.push("second"));
    sim.on("*", (type) => heard.push(type));
    sim.off("call.started");
    sim.calls.inbound(toAlice);
    expect(heard).toEqual(["call.started"]);
  });

  test("off * removes a handler of on *", () => {
    const sim = newSimulator();
    const heard: string[] = [];
    const listen = (type: string) => heard.push(type);
    sim.on("*", listen);
    sim.off("*", listen);
    sim.calls.inbound(toAlice);
    expect(heard).toEqual([]);
  });

  test("a handler that removes itself does not affect the next handler", () => {
    const sim = newSimulator();
    const heard: string[] = [];
    const once = () => {
      heard.push("once");
      sim.off("call.started", once);
    };
    sim.on("call.started", once);
    sim.on("call.started", () => heard.push("always"));
    sim.calls.inbound(toAlice);
    sim.calls.inbound(toAlice);
    expect(heard).toEqual(["once", "always", "always"]);
  });

  test("a handler does not receive earlier events", () => {
    const sim = newSimulator();
    sim.calls.inbound(toAlice);
    const heard: string[] = [];
    sim.on("*", (type) => heard.push(type));
    sim.advance("PT30S");
    expect(heard).toEqual(["call.not_answered"]);
  });
});

function listen(sim: Simulator, type: "call.started" | "*", handler: () => void): void {
  if (type === "*") sim.on("*", handler);
  else sim.on(type, handler);
}

describe("order", () => {
  test("handlers receive events in log order, after the step that emitted them", () => {
    const sim = newSimulator();
    const heard: string[] = [];
    sim.on("*", (type) =>
      heard.push(
        `${type} of ${sim.events.length}, alice ${sim.users.get("alice").record.availability.status}`,
      ),
    );
    const call = sim.calls.inbound(toAlice);
    call.answer("alice");
    expect(heard).toEqual([
      "call.started of 1, alice available",
      "call.answered of 3, alice busy",
      "user.availability.updated of 3, alice busy",
    ]);
  });

  test("handlers of the type receive an event before those of *", () => {
    const sim = newSimulator();
    const heard: string[] = [];
    sim.on("*", () => heard.push("*"));
    sim.on("call.started", () => heard.push("call.started"));
    sim.calls.inbound(toAlice);
    expect(heard).toEqual(["call.started", "*"]);
  });

  test.each(["call.started", "*"] as const)(
    "a handler that one of %s adds gets the next event first",
    (type) => {
      const sim = newSimulator();
      const heard: string[] = [];
      const add = () => {
        sim.off("call.started", add);
        sim.off("*", add);
        sim.on("call.started", () => heard.push("added"));
        sim.on("*", (next) => heard.push(`added to *: ${next}`));
      };
      listen(sim, type, add);
      sim.calls.inbound(toAlice).answer("alice");
      expect(heard).toEqual(["added to *: call.answered", "added to *: user.availability.updated"]);
    },
  );

  test.each(["call.started", "*"] as const)(
    "a handler that one of %s removes still gets this event",
    (type) => {
      const sim = newSimulator();
      const heard: string[] = [];
      const ofType = () => heard.push("removed");
      const ofAny = (next: string) => heard.push(`removed from *: ${next}`);
      const remove = () => {
        sim.off("call.started", ofType);
        sim.off("*", ofAny);
      };
      listen(sim, type, remove);
      sim.on("call.started", ofType);
      sim.on("*", ofAny);
      sim.calls.inbound(toAlice).answer("alice");
      expect(heard).toEqual(["removed", "removed from *: call.started"]);
    },
  );
});

describe("commands from handlers", () => {
  test("run at once, with their effect on the next line", () => {
    const sim = newSimulator();
    const statuses: string[] = [];
    sim.on("call.started", ({ data }) => {
      const call = sim.calls.get(data.call.id);
      call.answer("alice");
      statuses.push(call.status);
    });
    sim.calls.inbound(toAlice);
    expect(statuses).toEqual(["accepted"]);
  });

  test("append their events after the remaining events of the step", () => {
    const sim = newSimulator();
    sim.on("call.answered", ({ data }) => sim.calls.get(data.call.id).hangup("caller"));
    sim.calls.inbound(toAlice).answer("alice");
    expect(stream(sim)).toEqual([
      "0 call.started",
      "0 call.answered",
      "0 user.availability.updated",
      "0 call.hungup",
      "0 call.hungup",
      "0 user.availability.updated",
      "0 call.ended",
    ]);
  });

  test("reach all handlers after the remaining events of the step", () => {
    const sim = newSimulator();
    const heard: string[] = [];
    sim.on("call.answered", ({ data }) => sim.calls.get(data.call.id).hangup("caller"));
    sim.on("*", (type) => heard.push(type));
    sim.calls.inbound(toAlice).answer("alice");
    expect(heard).toEqual(sim.events.map(({ type }) => type));
  });

  test("run at the instant of a timer's event", () => {
    const sim = newSimulator();
    sim.on("call.not_answered", () => void sim.calls.inbound({ from: caller, to: dial.carol }));
    sim.calls.inbound(toAlice);
    sim.advance("PT45S");
    expect(stream(sim)).toEqual(["0 call.started", "30000 call.not_answered", "30000 call.started"]);
    expect(sim.pending()[0]?.dueTimestamp).toBe(startMs + 60_000);
  });

  test("throw a CommandError inside the handler, which may catch it", () => {
    const sim = newSimulator();
    const codes: unknown[] = [];
    sim.on("call.answered", ({ data }) => {
      codes.push((thrownBy(() => sim.calls.get(data.call.id).answer("alice")) as CommandError).code);
    });
    sim.calls.inbound(toAlice).answer("alice");
    expect(codes).toEqual(["not_ringing"]);
  });
});

describe("handlers that throw", () => {
  const broken = () => {
    throw new Error("broken");
  };

  test("do not prevent other handlers from receiving that event and the next", () => {
    const sim = newSimulator();
    const heard: string[] = [];
    const call = sim.calls.inbound(toAlice);
    sim.on("call.answered", broken);
    sim.on("call.answered", () => heard.push("the same type"));
    sim.on("*", (type) => heard.push(type));
    expect(() => call.answer("alice")).toThrow("broken");
    expect(heard).toEqual(["the same type", "call.answered", "user.availability.updated"]);
  });

  test("make the command throw their error, but keep its effects", () => {
    const sim = newSimulator();
    sim.on("call.started", broken);
    expect(() => sim.calls.inbound(toAlice)).toThrow(new Error("broken"));
    expect(sim.calls.live().map(({ id }) => id)).toEqual(["call-1"]);
    expect(sim.journal().entries).toHaveLength(1);
  });

  test("stop an advance at their instant, with the rest still due", () => {
    const sim = newSimulator();
    sim.calls.inbound(toAlice);
    sim.advance("PT10S");
    sim.calls.inbound({ from: caller, to: dial.carol });
    sim.on("call.not_answered", broken);
    expect(() => sim.advance("PT1H")).toThrow("broken");
    expect(sim.timestamp).toBe(startMs + 30_000);
    sim.off("call.not_answered", broken);
    sim.advance("PT1H");
    expect(stream(sim).at(-1)).toBe("40000 call.not_answered");
  });

  test("make the command throw an AggregateError if two throw", () => {
    const sim = newSimulator();
    sim.on("call.started", broken);
    sim.on("*", () => {
      throw new RangeError("also broken");
    });
    const error = thrownBy(() => sim.calls.inbound(toAlice));
    expect(error).toBeInstanceOf(AggregateError);
    expect((error as AggregateError).errors).toEqual([new Error("broken"), new RangeError("also broken")]);
    expect((error as AggregateError).message).toBe("2 listeners or endpoints threw: broken; also broken");
  });
});

describe("forbidden actions of handlers", () => {
  test.each([
    ["advance", (sim: ReturnType<typeof newSimulator>) => sim.advance(1)],
    ["advanceTo", (sim: ReturnType<typeof newSimulator>) => sim.advanceTo(sim.timestamp)],
    ["step", (sim: ReturnType<typeof newSimulator>) => sim.step()],
    ["runUntil", (sim: ReturnType<typeof newSimulator>) => sim.runUntil("call.ended")],
    ["runUntilIdle", (sim: ReturnType<typeof newSimulator>) => sim.runUntilIdle()],
    ["fork", (sim: ReturnType<typeof newSimulator>) => sim.fork()],
  ])("%s is refused with a CommandError, in a command and in a time method", (_name, act) => {
    const sim = newSimulator();
    sim.on("*", () => void act(sim));
    const refused = { name: "CommandError", code: "not_allowed" };
    expect(thrownBy(() => sim.calls.inbound(toAlice))).toMatchObject(refused);
    expect(thrownBy(() => sim.advance("PT1M"))).toMatchObject(refused);
    expect(stream(sim)).toEqual(["0 call.started", "30000 call.not_answered"]);
  });

  test("an asynchronous advance is refused too", async () => {
    const sim = newSimulator();
    const refusals: unknown[] = [];
    sim.on("call.started", () => void sim.advanceAsync(1).catch((error: unknown) => refusals.push(error)));
    sim.calls.inbound(toAlice);
    await setImmediate();
    expect(refusals).toMatchObject([{ name: "CommandError", code: "not_allowed" }]);
  });
});
