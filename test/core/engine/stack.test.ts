import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { rootOf } from "../../../src/core/foundation/caller.ts";
import { createSimulator, type Simulator } from "../../../src/index.ts";
import { caller, dial, office, thrownBy } from "../../helpers.ts";

const newSimulator = () => createSimulator({ organisation: office, ids: "counter" });

/** The first line of the stack that names a place in the code. */
function firstPlace(error: unknown): string {
  return /^ +at .*$/m.exec((error as Error).stack ?? "")?.[0] ?? "";
}

describe("the stack of an error", () => {
  test.each<[string, (sim: Simulator) => unknown]>([
    [
      "a command that the state refuses",
      (sim) => sim.calls.inbound({ from: caller, to: dial.erin }).answer("erin"),
    ],
    ["arguments that are wrong", (sim) => sim.calls.inbound({ from: caller } as never)],
    ["a duration that is none", (sim) => sim.advance("a minute")],
    ["an event that does not come", (sim) => sim.runUntil("call.ended")],
    ["an unknown type of event", (sim) => sim.on("call.vanished" as never, () => {})],
    ["an option that is wrong", () => createSimulator({ seeed: 1 } as never)],
  ])("begins at the caller's line for %s", (_, act) => {
    const error = thrownBy(() => act(newSimulator()));
    expect(firstPlace(error)).toMatch(/test\/core\/engine\/stack\.test\.ts:\d+/);
    expect((error as Error).stack).toContain((error as Error).message);
  });

  test("begins at the line of the listener that issued the command", () => {
    const sim = newSimulator();
    sim.on("call.started", function inListener() {
      sim.calls.get("no call");
    });
    const error = thrownBy(() => sim.calls.inbound({ from: caller, to: dial.alice }));
    expect(firstPlace(error)).toContain("inListener");
  });

  test("has as many lines as Error.stackTraceLimit", () => {
    const usual = Error.stackTraceLimit;
    Error.stackTraceLimit = 2;
    const error = thrownBy(() => newSimulator().advance("a minute")) as Error;
    expect(Error.stackTraceLimit).toBe(2);
    Error.stackTraceLimit = usual;
    expect(error.stack?.match(/^ +at /gm)).toHaveLength(2);
  });
});

test.each([
  ["    at f (file:///home/me/ringback/src/core/foundation/caller.ts:1:2)", "file:///home/me/ringback/src/"],
  [
    "    at file:///C:/me/node_modules/ringback/dist/index.js:1:2",
    "file:///C:/me/node_modules/ringback/dist/",
  ],
  ["    at Object.<anonymous> (/home/@me/a (b)/dist/index.cjs:1:2)", "/home/@me/a (b)/dist/"],
  [
    "    at C:\\Users\\Jane Doe\\node_modules\\ringback\\dist\\index.cjs:1:2",
    "C:\\Users\\Jane Doe\\node_modules\\ringback\\dist\\",
  ],
  [
    "    at f (C:\\Program Files (x86)\\src\\core\\foundation\\caller.ts:1:2)",
    "C:\\Program Files (x86)\\src\\",
  ],
  ["rootOf@https://acme.test/ringback/index.js:1:2", "https://acme.test/ringback/"],
  ["    at eval (eval at f (/app.js:1:2), <anonymous>:1:1)", undefined],
])("the folder of the package is found on each system: %s", (line, folder) => {
  expect(rootOf(`Error: where\n${line}`)).toBe(folder);
});

describe("console.log of a simulator", () => {
  test("shows the state of the run", () => {
    const sim = newSimulator();
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT6S");
    expect(inspect(sim)).toBe(
      "Simulator of Acme at 2026-07-01T00:00:06.000Z, seed 1; 1 event, 1 live call, 1 scheduled; next at 2026-07-01T00:00:30.000Z: ring: ringTimeout of call-1",
    );
  });

  test("says when the simulator is disposed", () => {
    const sim = newSimulator();
    sim.dispose();
    expect(inspect(sim)).toMatch(/0 scheduled; disposed$/);
  });
});
