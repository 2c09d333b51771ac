import { pbkdf2, scrypt } from "node:crypto";
import { describe, expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import {
  bothHaveEnded,
  countsAfter,
  firstEndsFirst,
  mustLoseInOrder,
  overlapping,
} from "./overlapping-handlers.ts";

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

describe("Handlers that overlap while another thread works", () => {
  test.each(ways)("end in the order in which they asked it, by %s, and lose what they race for", (_, work) =>
    mustLoseInOrder(work),
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
      ...{ ...overlapping, app: countsAfter(failing) },
      eventually: { "both have ended": bothHaveEnded },
    });
    expect(failures.map(({ message }) => message)).toEqual([expect.stringContaining("boom")]);
  });

  test("get what the thread refuses", async () => {
    const refused = async () => {
      await expect(crypto.subtle.importKey("raw", new Uint8Array(3), "AES-GCM", false, [])).rejects.toThrow();
    };
    const { failures } = await exploreReport({
      ...{ ...overlapping, app: countsAfter(refused) },
      eventually: { "the first ends first": firstEndsFirst },
    });
    expect(failures).toEqual([]);
  });
});
