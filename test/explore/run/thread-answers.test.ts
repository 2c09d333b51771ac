import { pbkdf2, scrypt } from "node:crypto";
import { describe, expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import type { Simulator } from "../../../src/index.ts";
import { twoAtOnce as scenario, url } from "../missed-call.ts";

const deviations = { kinds: ["overlapping"] } as const;

/** Work of another thread: the first takes much longer than the second. */
const ways: readonly (readonly [string, (isLong: boolean) => Promise<unknown>])[] = [
  ["WebCrypto", (isLong) => crypto.subtle.digest("SHA-256", new Uint8Array(isLong ? 20_000_000 : 1))],
  [
    "pbkdf2",
    (isLong) =>
      new Promise((resolve, reject) => {
        const iterations = isLong ? 20_000 : 1;
        pbkdf2("a", "b", iterations, 32, "sha256", (error, key) => (error ? reject(error) : resolve(key)));
      }),
  ],
  [
    "scrypt, after a turn of the event loop",
    async (isLong) => {
      if (!isLong) await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve, reject) => {
        const cost = isLong ? 1 << 14 : 2;
        scrypt("a", "b", 32, { cost }, (error, key) => (error ? reject(error) : resolve(key)));
      });
    },
  ],
];

/** Notes calls after work of another thread, and counts them by reading before it and writing after it. */
const appWith = (work: (isLong: boolean) => Promise<unknown>) => (sim: Simulator) => {
  const app = { count: 0, ended: [] as string[] };
  sim.network.route(url, async ({ body }) => {
    const { id } = JSON.parse(body).data.call;
    const before = app.count;
    await work(id === "call-1");
    app.count = before + 1;
    app.ended.push(id);
    return 204;
  });
  return app;
};
type App = ReturnType<ReturnType<typeof appWith>>;

describe("Handlers that overlap while another thread works", () => {
  test.each(ways)(
    "end in the order in which they asked it, by %s, and lose what they race for",
    async (_, work) => {
      const { failures } = await exploreReport({
        ...{ scenario, deviations, app: appWith(work) },
        eventually: {
          "the first ends first": (_: Simulator, { ended }: App) => ended[0] === "call-1",
          "both are counted": (_: Simulator, { count }: App) => count === 2,
        },
      });
      expect(
        failures.map(({ property, smallest }) => [property, smallest.deviations.map(({ is }) => is)]),
      ).toEqual([["both are counted", ["overlapping"]]]);
    },
  );

  test("get all answers, though the code that takes one of them throws", async () => {
    const failing = (isLong: boolean) =>
      new Promise((resolve) => {
        pbkdf2("a", "b", 10, 32, "sha256", () => {
          resolve(undefined);
          if (isLong) throw new Error("boom");
        });
      });
    const { failures } = await exploreReport({
      ...{ scenario, deviations, app: appWith(failing) },
      eventually: { "both have ended": (_: Simulator, { ended }: App) => ended.length === 2 },
    });
    expect(failures.map(({ message }) => message)).toEqual([expect.stringContaining("boom")]);
  });

  test("get what the thread refuses", async () => {
    const refused = async () => {
      await expect(crypto.subtle.importKey("raw", new Uint8Array(3), "AES-GCM", false, [])).rejects.toThrow();
    };
    const { failures } = await exploreReport({
      ...{ scenario, deviations, app: appWith(refused) },
      eventually: { "the first ends first": (_: Simulator, { ended }: App) => ended[0] === "call-1" },
    });
    expect(failures).toEqual([]);
  });
});
