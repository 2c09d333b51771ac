import * as nodeCrypto from "node:crypto";
import { randomBytes, randomFillSync, randomInt } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { customAlphabet } from "nanoid";
import { afterAll, describe, expect, test } from "vitest";
import { playWorld } from "../../../src/explore/explore.ts";
import { exploreReport } from "../../../src/explore/index.ts";
import type { Simulator } from "../../../src/index.ts";
import { givenUp as scenario, url } from "../missed-call.ts";

interface Row {
  readonly id: unknown;
  readonly call: string;
}

/** An app that keeps what it is told below an id. */
const appWith =
  (makeId: () => unknown, keep: (rows: Row[], row: Row) => void = (rows, row) => rows.push(row)) =>
  (sim: Simulator) => {
    const rows: Row[] = [];
    sim.network.route(url, async ({ body }) => {
      const event = JSON.parse(body) as { readonly data: { readonly call: { readonly id: string } } };
      keep(rows, { id: await makeId(), call: event.data.call.id });
      return 204;
    });
    return { rows };
  };

/** Bytes by each way in which an app draws them. */
const sources: Readonly<Record<string, (count: number) => Uint8Array | Promise<Uint8Array>>> = {
  randomBytes: (count) => randomBytes(count),
  "crypto.randomBytes": (count) => nodeCrypto.randomBytes(count),
  "randomBytes with a callback": (count) =>
    new Promise((resolve, reject) => {
      randomBytes(count, (error, bytes) => (error ? reject(error) : resolve(bytes)));
    }),
  randomFillSync: (count) => randomFillSync(new Uint8Array(count)),
  getRandomValues: (count) => crypto.getRandomValues(new Uint8Array(count)),
  randomUUID: (count) => Buffer.from(crypto.randomUUID().slice(0, 2 * Math.min(count, 4)), "hex"),
  randomInt: (count) => Uint8Array.from({ length: count }, () => randomInt(256)),
  "Math.random": (count) => Uint8Array.from({ length: count }, () => Math.floor(Math.random() * 256)),
};

/** What short ids are made of them. */
const forms: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  hex: (bytes) => Buffer.from(bytes).toString("hex"),
  digits: (bytes) => String(numberOf(bytes) % 1e6).padStart(6, "0"),
  number: (bytes) => numberOf(bytes) % 10_000,
  "prefix-number": (bytes) => `T-${numberOf(bytes) % 10_000}`,
  base36: (bytes) => numberOf(bytes).toString(36).slice(0, 6),
  letters: (bytes) => [...bytes].map((each) => "ABCDEFGH"[each % 8]).join(""),
};

const numberOf = (bytes: Uint8Array) => bytes.reduce((sum, each) => (sum * 256 + each) % 2 ** 40, 0);

const anyId = fc
  .record({
    source: fc.constantFrom(...Object.keys(sources)),
    form: fc.constantFrom(...Object.keys(forms)),
    count: fc.integer({ min: 2, max: 8 }),
  })
  .map(({ source, form, count }) => ({
    name: `${form} of ${count} bytes by ${source}`,
    make: async () => forms[form]?.((await sources[source]?.(count)) ?? new Uint8Array()),
  }));

const runs = { numRuns: 40 * Number(process.env.RUNS ?? 1), seed: Number(process.env.SEED ?? 51) };

const folder = mkdtempSync(path.join(tmpdir(), "ringback-ids-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = path.join(folder, "node_modules", "ids", "index.mjs");
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(
  file,
  `import { randomFillSync } from "node:crypto";
export const stored = new Uint8Array(256);
let place = stored.length;
// as uuid does it
export const byUuid = () => {
  if (place > stored.length - 2) {
    randomFillSync(stored);
    place = 0;
  }
  place += 2;
  return Buffer.from(stored.slice(place - 2, place)).toString("hex");
};`,
);
const { byUuid, stored }: { byUuid(): string; stored: Uint8Array } = await import(pathToFileURL(file).href);

describe("Short random values that an app keeps", () => {
  test("are no difference between two runs of a world", async () => {
    await fc.assert(
      fc.asyncProperty(anyId, async ({ name, make }) => {
        const report = await exploreReport({ subject: appWith(make), scenario, deviations: 0 });
        expect(report.passed, `${name}\n${report.toText()}`).toBe(true);
      }),
      runs,
    );
  });

  test("hide no state that outlives a world, which is named without them", async () => {
    await fc.assert(
      fc.asyncProperty(anyId, async ({ name, make }) => {
        const seen = new Set<string>();
        const keep = (rows: Row[], row: Row) => {
          if (!seen.has(row.call)) rows.push(row);
          seen.add(row.call);
        };
        const report = await exploreReport({ subject: appWith(make, keep), scenario, deviations: 0 });
        expect(
          report.failures.map(({ property }) => property),
          name,
        ).toEqual(["deterministic"]);
      }),
      runs,
    );
  });

  test("hide no number that goes on from world to world", async () => {
    let next = 1;
    const subject = appWith(() => `${randomBytes(3).toString("hex")}-${next++}`);
    const report = await exploreReport({ subject, scenario, deviations: 0 });
    expect(report.failures.map(({ property }) => property)).toEqual(["deterministic"]);
  });

  test.each([
    ["of nanoid", customAlphabet("0123456789", 6)],
    ["of one that fills the same bytes anew", byUuid],
  ])("that a package keeps for many ids, as those %s, are no difference", async (_, make) => {
    for (let time = 0; time < 3; time++) {
      const report = await exploreReport({ subject: appWith(make), scenario, deviations: 0 });
      expect(report.passed, report.toText()).toBe(true);
    }
    expect(Object.hasOwn(stored, "length")).toBe(false);
  });

  test("that an app keeps as its secret have their length in each world", async () => {
    let secret: Uint8Array | undefined;
    const subject = appWith(() => {
      secret ??= crypto.getRandomValues(new Uint8Array(256));
      return secret.length;
    });
    const report = await exploreReport({ subject, scenario, deviations: 0 });
    expect(report.failures).toEqual([]);
  });

  test("of which a module counts on from world to world are named with what helps", async () => {
    const makeSubject = () => {
      let pool = new Uint8Array();
      let at = 0;
      return appWith(() => {
        if (pool.length === 0) pool = crypto.getRandomValues(new Uint8Array(512));
        at += 2;
        return Buffer.from(pool.subarray(at - 2, at)).toString("hex");
      });
    };
    const explored = { scenario, deviations: 0 } as const;
    const { failures } = await exploreReport({ ...explored, subject: makeSubject() });
    expect(failures.map(({ property }) => property)).toEqual(["deterministic"]);
    expect(failures[0]?.message).toMatch(/a short id of nanoid.*[.] Leave it out of `show`$/);
    const show = ({ rows }: { readonly rows: Row[] }) => rows.map(({ call }) => call);
    expect((await exploreReport({ ...explored, subject: makeSubject(), show })).failures).toEqual([]);
  });

  test("may stand in what a property says, and in a world that is played twice", async () => {
    const subject = appWith(() => randomBytes(2).toString("hex"));
    const eventually = {
      "no row": (_: Simulator, { rows }: { readonly rows: Row[] }) => {
        if (rows.length > 0) throw new Error(`row ${rows[0]?.id}`);
      },
    };
    const report = await exploreReport({ subject, scenario, deviations: 0, eventually });
    expect(report.failures.map(({ property }) => property)).toEqual(["no row"]);
    const { failures } = await playWorld({ subject, scenario });
    expect(failures).toEqual([]);
  });

  test("are others in each world", async () => {
    const ids = new Set<unknown>();
    const subject = appWith(() => {
      const id = randomBytes(16).toString("hex");
      ids.add(id);
      return id;
    });
    const report = await exploreReport({ subject, scenario, deviations: { kinds: ["lost"] } });
    expect(ids.size).toBeGreaterThanOrEqual(report.worlds);
  });
});
