import { describe, expect, test } from "vitest";
import { merge } from "../../../src/core/platform/passthrough/passthrough.ts";
import { createSimulator, replay } from "../../../src/index.ts";
import { caller, dial, office } from "../../helpers.ts";

/** The passthrough parameters that a call stores when it gets these. */
function stored(passthroughParameters: unknown) {
  const sim = createSimulator({ organisation: office });
  return sim.calls.inbound({
    from: caller,
    to: dial.alice,
    passthroughParameters: passthroughParameters as never,
  }).record.passthroughParameters;
}

/** Parameters with this many bytes in all, including 3 for the name. */
const ofBytes = (bytes: number) => ({ "x-a": "v".repeat(bytes - 3) });

describe("the passthrough parameters of a call", () => {
  test("are empty by default", () => {
    expect(stored(undefined)).toEqual({});
  });

  test("are those with a name that starts with x-, prefix included", () => {
    expect(stored({ "x-order": "42", order: "43", "X-Order": "44", "y-x-": "45", x: "46" })).toEqual({
      "x-order": "42",
    });
  });

  test.each([42, true, null, {}, ["42"], undefined])(
    "exclude the value %j, which is not a string",
    (value) => {
      expect(stored({ "x-order": "42", "x-other": value })).toEqual({ "x-order": "42" });
    },
  );

  test.each(["\u0000", "\n", "\t", "\u001b", "\u007f", "\u0085"])(
    "exclude the control character %j in name or value",
    (character) => {
      expect(stored({ "x-a": `b${character}`, [`x-${character}c`]: "d", "x-e": "f" })).toEqual({
        "x-e": "f",
      });
    },
  );

  test("exclude half of a surrogate pair", () => {
    expect(stored({ "x-a": "\ud83d", "x-b": "\ud83d\ude00" })).toEqual({ "x-b": "\ud83d\ude00" });
  });

  test("may be empty text, and text of any script", () => {
    const parameters = { "x-empty": "", "x-日本": "電話 ☎", "x-mark": "100% & more=yes" };
    expect(stored(parameters)).toEqual(parameters);
  });

  test("are on every event of the call, the recording's included, and in its record", () => {
    const sim = createSimulator({ organisation: { ...office, features: { transcription: true } } });
    const call = sim.calls.inbound({
      from: caller,
      to: dial.bob,
      passthroughParameters: { "x-order": "42" },
    });
    call.decline("bob");
    call.leaveVoicemail({ duration: "PT5S" });
    sim.runUntilIdle();
    const onEvents = sim.events
      .for(call.id)
      .map(({ data }) => "call" in data && data.call.passthroughParameters);
    expect(onEvents).toEqual(Array(7).fill({ "x-order": "42" }));
    expect(call.record.passthroughParameters).toEqual({ "x-order": "42" });
  });

  test("are frozen", () => {
    expect(Object.isFrozen(stored({ "x-order": "42" }))).toBe(true);
  });

  test("are the same in a replay", () => {
    const sim = createSimulator({ organisation: office });
    sim.calls.inbound({ from: caller, to: dial.alice, passthroughParameters: "x-name=J%C3%BCrgen&y=1" });
    expect(replay(JSON.stringify(sim.journal())).events.toJSONL()).toBe(sim.events.toJSONL());
  });
});

describe("a query string", () => {
  test("is URL-decoded, names and values", () => {
    expect(stored("x-name=J%C3%BCrgen+K&x%2Dorder=4%202&plain=1")).toEqual({
      "x-name": "Jürgen K",
      "x-order": "4 2",
    });
  });

  test("may start with a question mark", () => {
    expect(stored("?x-order=42")).toEqual({ "x-order": "42" });
  });

  test("drops entries that do not decode to UTF-8 text", () => {
    expect(stored("x-bad=%FF&x-good=1")).toEqual({ "x-good": "1" });
  });

  test("drops entries that decode to control characters", () => {
    expect(stored("x-bad=a%0D%0Ab&x-good=1")).toEqual({ "x-good": "1" });
  });

  test("is decoded once, and the values of an object are not decoded at all", () => {
    expect(stored("x-mark=%2525")).toEqual({ "x-mark": "%25" });
    expect(stored({ "x-mark": "%25" })).toEqual({ "x-mark": "%25" });
  });
});

describe("the limit of 1000 bytes", () => {
  test("accepts 1000", () => {
    expect(stored(ofBytes(1_000))).toEqual(ofBytes(1_000));
  });

  test("discards all parameters at 1001, and the call proceeds", () => {
    expect(stored({ ...ofBytes(998), "x-b": "" })).toEqual({});
  });

  test("counts names and values in UTF-8", () => {
    const parameters = { "x-é": "日".repeat(332) };
    expect(stored(parameters)).toEqual(parameters);
    expect(stored({ "x-é": `${"日".repeat(332)}v` })).toEqual({});
  });

  test("counts a query string after decoding", () => {
    expect(stored(`x-a=${"%61".repeat(997)}`)).toEqual({ "x-a": "a".repeat(997) });
  });

  test("does not count ignored entries", () => {
    expect(stored({ ...ofBytes(1_000), other: "v", "x-n": 5 })).toEqual(ofBytes(1_000));
  });
});

describe("merge", () => {
  test("adds new names and overrides existing ones", () => {
    expect(merge({ "x-a": "1", "x-b": "2" }, { "x-b": "3", "x-c": "4" })).toEqual({
      "x-a": "1",
      "x-b": "3",
      "x-c": "4",
    });
  });

  test("ignores invalid entries", () => {
    expect(merge({ "x-a": "1" }, { "x-a": 2, b: "3" })).toEqual({ "x-a": "1" });
  });

  test("accepts a merged set of 1000 bytes", () => {
    expect(merge(ofBytes(996), { "x-b": "1" })).toEqual({ ...ofBytes(996), "x-b": "1" });
  });

  test("leaves the stored parameters unchanged at 1001 merged bytes", () => {
    expect(merge(ofBytes(997), { "x-b": "1" })).toEqual(ofBytes(997));
  });

  test("counts only the new length of an overridden value", () => {
    expect(merge(ofBytes(1_000), { "x-a": "1" })).toEqual({ "x-a": "1" });
  });

  test("leaves the stored parameters unchanged if no new value is valid", () => {
    for (const nothing of [null, undefined, 5, []])
      expect(merge({ "x-a": "1" }, nothing)).toEqual({ "x-a": "1" });
  });
});
