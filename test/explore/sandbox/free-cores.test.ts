import os from "node:os";
import { afterEach, expect, test, vi } from "vitest";
import { FreeCores } from "../../../src/explore/sandbox/free-cores.ts";

afterEach(() => vi.restoreAllMocks());

test.each([
  ["its own core, if the others work", [0, 0], 1],
  ["its own and one that is idle", [1_000, 0], 2],
  ["one that is idle more than half of the time", [600, 0], 2],
  ["not one that works more than half of the time", [400, 0], 1],
  ["its own and all that are idle together", [500, 900, 700, 1_000], 4],
])("A thread may use %s", (_, idle, count) => {
  const cpus = vi.spyOn(os, "cpus");
  const at = (ms: number, part: number) =>
    cpus.mockReturnValueOnce(
      idle.map((each) => ({
        ...{ model: "any", speed: 0 },
        times: { user: ms - each * part, nice: 0, sys: 0, idle: each * part, irq: 0 },
      })),
    );
  at(0, 0);
  const free = new FreeCores();
  at(1_000, 1);
  expect(free.count()).toBe(count);
});

test("All threads may run if the system does not report idle times", () => {
  vi.spyOn(os, "cpus").mockReturnValue([]);
  expect(new FreeCores().count()).toBe(Number.POSITIVE_INFINITY);
});

test("Idle times older than a second do not count", () => {
  const cpus = vi.spyOn(os, "cpus");
  const at = (user: number, idle: number) =>
    cpus.mockReturnValueOnce([{ model: "any", speed: 0, times: { user, nice: 0, sys: 0, idle, irq: 0 } }]);
  at(0, 0);
  const free = new FreeCores();
  at(1_001, 0);
  expect(free.count()).toBe(1);
  at(1_001, 500);
  expect(free.count()).toBe(2);
});
