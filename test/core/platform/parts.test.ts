import { expect, it } from "vitest";
import { endOfRings, endOfVoicemail, timers, workingHours } from "../../../src/core/platform/base/timers.ts";
import type { PartDefinition } from "../../../src/core/platform/parts/define-part.ts";
import { defaultTiming, ownMachines, parts } from "../../../src/core/platform/parts/parts.ts";
import { createSimulator } from "../../../src/index.ts";

const list: readonly PartDefinition[] = parts;

it("Parts declare different tables, machines, tasks and durations", () => {
  for (const key of ["tables", "machines", "tasks", "timing"] as const) {
    const names = list.flatMap((part) => Object.keys(part[key] ?? {}));
    expect(names).toEqual([...new Set(names)]);
    expect(names.length).toBeGreaterThan(5);
  }
});

it("A machine has its own id as its name", () => {
  for (const [name, { machine }] of Object.entries(ownMachines)) expect(machine.id).toBe(name);
});

it("Every timer of the lists in which events name timers has its words", () => {
  for (const purpose of [...endOfRings, ...endOfVoicemail, ...workingHours])
    expect(timers).toHaveProperty([purpose]);
});

it("A simulator has the default durations in the order of the parts", () => {
  expect(Object.keys(createSimulator().options.timing)).toEqual(Object.keys(defaultTiming));
});
