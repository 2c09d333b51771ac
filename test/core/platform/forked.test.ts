import { describe, expect, test } from "vitest";
import { forkState } from "../../../src/core/platform/declare/service.ts";

describe("A state that is copied for a fork", () => {
  test("has its own maps, sets, lists and objects", () => {
    const state = {
      count: 1,
      names: ["a"],
      by: new Map([["a", new Set([1])]]),
      all: new Set([1]),
      in: { deep: [1] },
    };
    const copy = forkState(state);
    copy.count++;
    copy.names.push("b");
    copy.by.get("a")?.add(2);
    copy.all.add(2);
    copy.in.deep.push(2);
    expect(state).toEqual({
      ...{ count: 1, names: ["a"], by: new Map([["a", new Set([1])]]), all: new Set([1]), in: { deep: [1] } },
    });
  });

  test("freezes shared items of maps and lists", () => {
    const state = { due: new Map([["a", { by: "ann", ids: [1] }]]), list: [{ by: "ann" }] };
    const copy = forkState(state);
    for (const due of [state.due.get("a"), copy.due.get("a")]) {
      expect(() => Object.assign(due ?? {}, { by: "ben" })).toThrow(TypeError);
      expect(() => due?.ids.push(2)).toThrow(TypeError);
    }
    for (const [first] of [state.list, copy.list])
      expect(() => Object.assign(first ?? {}, { by: "ben" })).toThrow(TypeError);
  });

  test.each([
    [new Map([["a", new Map()]]), "Map"],
    [[new Set()], "Set"],
  ])("may not have mutable values in a map or a list: %s", (part, name) => {
    expect(() => forkState({ part })).toThrow(`a state has a ${name} in a map or a list`);
  });
});
