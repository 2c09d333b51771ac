import { describe, expect, test } from "vitest";
import { fromPlain, type Kind, toPlain } from "../../../src/core/foundation/plain.ts";

class Point {
  constructor(readonly x: number) {}
}

const point: Kind<Point> = {
  name: "point",
  is: (value): value is Point => value instanceof Point,
  save: ({ x }) => ({ x }),
  load: (saved) => new Point((saved as { x: number }).x),
};

/** Through the text of a file. */
function again(value: unknown): unknown {
  return fromPlain(JSON.parse(JSON.stringify(toPlain(value, [point]))), [point]);
}

describe("A value that is written as JSON and read again", () => {
  test.each<[string, unknown]>([
    ["plain data", { a: [1, "two", null, true, { b: [] }], c: {} }],
    ["undefined, in objects and lists", { a: undefined, b: [undefined] }],
    ["numbers that JSON does not know", [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0]],
    [
      "maps and sets",
      new Map<unknown, unknown>([
        ["a", new Set([1, { b: 2 }])],
        [{ key: 1 }, undefined],
      ]),
    ],
    ["objects of a known kind", { at: [new Point(3)] }],
    ["keys that look like its own marks", { $: ["map", 3], deep: { $: { $: 1 } } }],
    ["a key named __proto__", JSON.parse('{"__proto__":{"a":1},"b":2}')],
  ])("equals the original: %s", (_name, value) => {
    expect(again(value)).toStrictEqual(value);
    expect(JSON.stringify(again(value))).toBe(JSON.stringify(value));
  });

  test("keeps one shared object shared, and two equal objects apart", () => {
    const record = { id: "a", parts: [new Point(1)] };
    const read = again({ one: record, other: [record], alike: { ...record } }) as {
      one: unknown;
      other: [unknown];
      alike: { parts: unknown };
    };
    expect(read.other[0]).toBe(read.one);
    expect(read.alike).not.toBe(read.one);
    expect(read.alike.parts).toBe((read.one as typeof record).parts);
  });

  test("is frozen at every level", () => {
    const read = again({ deep: [{ a: 1 }] }) as { deep: [object] };
    for (const part of [read, read.deep, read.deep[0]]) expect(Object.isFrozen(part)).toBe(true);
  });
});

describe("A value that cannot be written", () => {
  const cycle: { in: object[] } = { in: [] };
  cycle.in.push(cycle);

  test.each<[string, unknown]>([
    ["a function cannot be saved, at calls.c1.end", { calls: new Map([["c1", { end: () => {} }]]) }],
    ["a Date cannot be saved, at made.0", { made: [new Date(0)] }],
    ["a symbol cannot be saved, at name", { name: Symbol("a") }],
    ["a bigint cannot be saved, at count", { count: 1n }],
    ["an object inside itself cannot be saved, at in.0", cycle],
  ])("causes an error that names its path: %s", (message, value) => {
    expect(() => toPlain(value, [])).toThrow(message);
  });

  test("is refused on reading if it has an unknown kind or a dangling reference", () => {
    expect(() => fromPlain({ shared: [], value: { $: ["point", 1] } }, [])).toThrow("unknown kind point");
    expect(() => fromPlain({ shared: [], value: { $: ["ref", 0] } }, [])).toThrow(
      "no shared object has the index 0",
    );
  });
});
