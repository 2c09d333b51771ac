import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { importCapture } from "../../src/capture/index.ts";
import { parseScenario, runScenario } from "../../src/index.ts";
import { isWhole, runsOf } from "../counts.ts";
import { captured, edited, jsonl, type Line, secret } from "./support.ts";

/** Captures by an attacker: a line that cannot be read is a problem, and the others are imported. */

const lines = captured("01");
const first = lines[0] as Line;
const alone = await importCapture(jsonl(lines));

const line = (body: unknown) => JSON.stringify({ receivedAt: 1, headers: {}, body });
const text = (body: string) => line(body);

/** Lines, each with the message of its problem. */
const attacks: readonly (readonly [what: string, line: string, message: RegExp])[] = [
  ["is not JSON", "{", /^expected a request as JSON/],
  ["is a list", "[]", /^expected a request in the format jsonl, got a list of 0 items$/],
  ["is a number", "1e999", /^expected a request in the format jsonl, got a number$/],
  ["is of prototype names", '{"__proto__":{"body":"{}"},"constructor":1}', /got an object with 2 fields$/],
  ["has a body that is null", text("null"), /^expected a body that is an object, got null/],
  ["has a body that is a list", text("[1]"), /^expected a body that is an object, got list/],
  ["has a body that is text", text('"hi"'), /^expected a body that is an object, got text/],
  ["has a body that is a number", text("7"), /^expected a body that is an object, got number/],
  [
    "has a body of prototype names",
    text('{"__proto__":{"type":"call.ended"}}'),
    /^expected an event with a type/,
  ],
  ["has a type that is an object", line({ type: {}, id: "x" }), /^expected an event with a type/],
  [
    "has a type of a million characters",
    line({ type: "x".repeat(1e6), id: "x" }),
    /^expected an event's type of at most 200 characters, got 1000000$/,
  ],
  [
    "has an id of a million characters",
    line({ type: "call.ended", id: "x".repeat(1e6) }),
    /^expected an event's id of at most 200 characters$/,
  ],
  [
    "says no time",
    JSON.stringify({ headers: {}, body: { type: "call.ended", id: "x", data: {} } }),
    /^the event has no time/,
  ],
  [
    "has terminal escapes",
    text("\u001b]0;owned\u0007\u202ecod.exe"),
    /^expected a body in JSON, got 18 characters that are no JSON$/,
  ],
];

type Holder = Record<string, unknown>;

/** The paths of all values in a body. */
function placesIn(value: unknown, keys: readonly string[]): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => [
    [...keys, key],
    ...placesIn(below, [...keys, key]),
  ]);
}

/** The object at the end of a path; undefined if the body has none there. */
function holderIn(body: unknown, keys: readonly string[]): Holder | undefined {
  const found = keys.slice(0, -1).reduce<unknown>((value, key) => (value as Holder | undefined)?.[key], body);
  return typeof found === "object" && found !== null ? (found as Holder) : undefined;
}

describe("importCapture", () => {
  test.each(attacks)("lists a line that %s as a problem and imports the others", async (_, bad, message) => {
    const { problems, ...result } = await importCapture(
      `${jsonl(lines.slice(0, 3))}${bad}\n${jsonl(lines.slice(3))}`,
    );
    expect(problems).toEqual([{ line: 4, message: expect.stringMatching(message) }]);
    expect(problems[0]?.message).not.toMatch(/\p{Cc}|\p{Cf}/u);
    expect(problems[0]?.message.length).toBeLessThan(300);
    expect(result).toMatchObject({ verdict: "possible", requests: 7, explained: 7, yaml: alone.yaml });
  });

  const megabytes = isWhole ? 100 : 17;
  test(`lists a line of ${megabytes} MB as a problem and imports the others`, async () => {
    async function* pieces() {
      yield jsonl(lines.slice(0, 3));
      for (let count = 0; count < megabytes; count++) yield "x".repeat(1_000_000);
      yield `\n${jsonl(lines.slice(3))}`;
    }
    const { problems, yaml } = await importCapture(pieces());
    expect(problems).toEqual([
      { line: 4, message: `expected a line of at most 16000000 characters, got ${megabytes}000000` },
    ]);
    expect(yaml).toBe(alone.yaml);
  });

  test("lists requests with wrong signatures as problems and imports the others", async () => {
    const forged = lines.map((each, index) => (index === 2 ? { ...each, body: `${each.body} ` } : each));
    const more = [
      ...forged,
      lines[2] as Line,
      { ...first, headers: { ...first.headers, "x-service-signature": "" } },
    ];
    const { problems, verdict, explained } = await importCapture(jsonl(more), { secret });
    expect(problems).toEqual([
      { line: 3, message: expect.stringContaining("the signature does not match") },
      { line: 9, message: expect.stringContaining("the signature does not match") },
    ]);
    expect({ verdict, explained }).toEqual({ verdict: "possible", explained: 7 });
  });
});

describe("importCapture", () => {
  test("counts prototype names in bodies as drift, with no other effect", async () => {
    const named = ["__proto__", "constructor", "toString"];
    const bad = lines.map((each) => ({
      ...each,
      // in every object but the values that the caller's application gave
      body: each.body.replaceAll(
        /\{(?!\})/g,
        (brace) => `${brace}${named.map((name) => `"${name}":{"polluted":true},`).join("")}`,
      ),
    }));
    const { yaml, verdict, drift } = await importCapture(jsonl(bad));
    expect({ yaml, verdict }).toEqual({ yaml: alone.yaml, verdict: "possible" });
    expect(drift.fields.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["constructor", "toString", "field 1"]),
    );
    expect(({} as { polluted?: true }).polluted).toBeUndefined();
  });

  test("imports ids that are prototype names or terminal escapes, and writes no escapes", async () => {
    for (const name of ["__proto__", "constructor", "\u001b[2J\u009b\u202e\u0000 # \u{e0041}"]) {
      const bad = edited(lines, ({ data }) => {
        const { call, user } = data;
        if (user !== undefined) Object.assign(user, { id: name, displayName: name });
        if (data.party?.type === "user") Object.assign(data.party, { entryId: name, displayName: name });
        if (call === undefined) return;
        call.id = name;
        for (const each of call.parties)
          if (each.type === "user") Object.assign(each, { entryId: name, displayName: name });
      });
      for (const redact of [true, false]) {
        const { yaml, explained } = await importCapture(jsonl(bad), { redact });
        expect(yaml).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}/u);
        const { simulator } = runScenario(parseScenario(yaml));
        if (!redact) expect(simulator.options.organisation.users?.map(({ id }) => id)).toContain(name);
        expect(explained).toBe(7);
      }
    }
  });

  test("imports a conversation whose messages are null", async () => {
    const bad = edited(captured("47"), ({ data: { conversation } }) => {
      if (conversation !== undefined) conversation.messages = [null];
    });
    expect((await importCapture(jsonl(bad), { search: 1 })).requests).toBe(bad.length);
  });

  /** A place in the bodies of a lesson, and a value to put there. */
  const anywhere = fc.record({
    name: fc.constantFrom("01", "03", "17", "29", "43", "47"),
    line: fc.nat(),
    place: fc.nat(),
    value: fc.constantFrom<unknown>(
      ...["__proto__", "", "\u001b[2J\ny: 1 #", "+1", "2026-07-01T09:00:00.000Z"],
      ...[1e300, -1, 0, 1.5, 1e15, null, true, [], ["a"], {}, { a: 1 }],
    ),
    isEverywhere: fc.boolean(),
  });

  test("writes a valid scenario for any value in any place of a body", async () => {
    await fc.assert(
      fc.asyncProperty(anywhere, async ({ name, line, place, value, isEverywhere }) => {
        const all = captured(name);
        const index = line % all.length;
        const places = placesIn(JSON.parse(all[index]?.body ?? "").data, ["data"]);
        const keys = places[place % places.length] as string[];
        const bad = edited(all, (body, at) => {
          const holder = at === index || isEverywhere ? holderIn(body, keys) : undefined;
          if (holder !== undefined) holder[keys.at(-1) ?? ""] = value;
        });
        const result = await importCapture(jsonl(bad), { search: 4 });
        expect(result.requests).toBe(all.length);
        expect(result.scenario.title).toBe("Imported from a capture");
      }),
      { numRuns: runsOf(400) },
    );
  }, 600_000);

  test("imports the other lines after a body with 100,000 parties or levels", async () => {
    const wide = edited([first], ({ id, data: { call } }) => {
      void id;
      call.parties = Array.from({ length: runsOf(100_000) }, () => call.parties[0]);
    });
    const deep = `{"id":"deep","type":"call.ended","createdTimestamp":1782896400000,"data":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    const result = await importCapture(
      jsonl([...wide, ...lines.slice(1), { receivedAt: 1, headers: {}, body: deep }]),
    );
    expect(result.requests + result.problems.length).toBe(8);
  });
});

describe("importCapture", () => {
  const many = isWhole ? 100_000 : 1_000;
  test(`imports ${many} events of one call`, async () => {
    const started = JSON.parse(first.body);
    const more = Array.from({ length: many }, (_, index) => ({
      ...first,
      body: JSON.stringify({ ...started, id: `event-${index + 1_000}` }),
    }));
    const { requests, unexplained, verdict } = await importCapture(jsonl([...lines, ...more]));
    expect(requests).toBe(many + 7);
    expect(verdict).toBe("impossible");
    expect(unexplained).toMatchObject([{ law: "starts once", line: 8 }]);
  }, 600_000);

  const calls = isWhole ? 10_000 : 1_000;
  test(`imports ${calls} calls at one instant`, async () => {
    const started = first.body;
    const more = Array.from({ length: calls }, (_, index) => ({
      ...first,
      body: started
        .replaceAll('"call-1"', `"call-${index + 5}"`)
        .replace('"event-1"', `"event-${index + 100}"`),
    }));
    const { requests } = await importCapture(jsonl([...lines, ...more]));
    expect(requests).toBe(calls + 7);
  }, 600_000);
});
