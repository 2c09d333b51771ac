import fs, { readFile } from "node:fs";
import * as promises from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import type { Simulator } from "../../../src/index.ts";
import { twoAtOnce as scenario, url } from "../missed-call.ts";

/** Ways to read a file. */
const ways: readonly (readonly [string, (file: string) => Promise<unknown>])[] = [
  [
    "a callback",
    (file) =>
      new Promise<void>((resolve, reject) =>
        readFile(file, (error) => (error === null ? resolve() : reject(error))),
      ),
  ],
  ["a promise", (file) => promises.readFile(file)],
  ["a function that it promisifies", (file) => promisify(fs.readFile)(file)],
];

const folder = fs.mkdtempSync(join(tmpdir(), "file-turns-"));
const at = (name: string) => join(folder, name);
fs.writeFileSync(at("long"), " ".repeat(4_000_000));
fs.writeFileSync(at("short"), "");
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** Counts calls by reading a file before it and writing the count after it. That of the first call takes much longer. */
const appWith = (read: (file: string) => Promise<unknown>) => (sim: Simulator) => {
  const app = { count: 0, ended: [] as string[] };
  sim.network.route(url, async ({ body }) => {
    const { id } = JSON.parse(body).data.call;
    const before = app.count;
    await read(at(id === "call-1" ? "long" : "short"));
    app.count = before + 1;
    app.ended.push(id);
    return 204;
  });
  return app;
};
type App = ReturnType<ReturnType<typeof appWith>>;

describe("Handlers that overlap while they read files", () => {
  test.each(ways)(
    "end in the order in which they asked, by %s, and lose what they race for",
    async (_, read) => {
      const { failures } = await exploreReport({
        ...{ scenario, app: appWith(read), deviations: { kinds: ["overlapping"] } },
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
});

test("A file function of an app does what it did: its errors, what it refuses at once, and those that call each other", async () => {
  const before = [fs.readFile, fs.promises.readFile];
  const seen: unknown[] = [];
  const { failures } = await exploreReport({
    ...{ scenario, deviations: 0 },
    async app() {
      const missing = promises.readFile(at("none")).catch(({ code }: NodeJS.ErrnoException) => code);
      expect(() => fs.readFile(at("none"), undefined as never)).toThrow(TypeError);
      await Promise.all([
        promisify(fs.appendFile)(at("a"), "1"),
        promises.appendFile(at("a"), "2"),
        promisify(fs.appendFile)(at("a"), "3"),
      ]);
      await promises.cp(at("a"), at("b"));
      await promisify(fs.copyFile)(at("b"), at("c"));
      await promises.rm(at("b"));
      seen.push(await missing, await promises.readFile(at("c"), "utf8"), await promises.readdir(folder));
      await promises.rm(at("c"));
      await promises.rm(at("a"));
    },
  });
  expect(failures).toEqual([]);
  expect(seen.slice(0, 3)).toEqual(["ENOENT", "123", ["a", "c", "long", "short"]]);
  expect([fs.readFile, fs.promises.readFile]).toEqual(before);
});
