import { describe, expect, test } from "vitest";
import { createSimulator, type Simulator } from "../../../src/index.ts";

/** Passes any value, as a program in JavaScript can. */
const loosely = (sim: Simulator) => sim as unknown as Record<string, (...args: unknown[]) => unknown>;

describe("A missing callback", () => {
  test("is rejected by schedule", () => {
    expect(() => loosely(createSimulator()).schedule?.("PT1S")).toThrow(
      "schedule: expected a function, got nothing",
    );
  });

  test("is rejected by on", () => {
    expect(() => loosely(createSimulator()).on?.("call.started")).toThrow(
      "on: expected a function, got nothing",
    );
  });
});

describe("A route", () => {
  const route = (prefix: unknown, answer?: unknown) =>
    createSimulator().network.route(prefix as string, answer as number);

  test("without an answer is rejected", () => {
    expect(() => route("https://crm.test/")).toThrow(
      "route: expected a function, a status or { status, headers, body, after }, got nothing",
    );
  });

  test.each(["/hooks", "crm.test", 1, undefined])(
    "for %j is rejected, since no URL starts like this",
    (prefix) => {
      expect(() => route(prefix, 200)).toThrow(/^route: expected the start of a URL, such as /);
    },
  );

  test.each(["", "http", "https://", "https://crm."])("for %j is accepted", (prefix) => {
    const sim = createSimulator();
    sim.network.route(prefix, 200);
    expect(sim.network.routes).toEqual([prefix]);
  });
});

test("The error for a misspelt event type suggests the correct one before it lists all", () => {
  expect(() => createSimulator().runUntil("call.strated" as never)).toThrow(
    /^runUntil: got "call.strated"; did you mean "call.started"\? Expected one of the event types /,
  );
});
