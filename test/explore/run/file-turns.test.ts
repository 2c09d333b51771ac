import { execFileSync } from "node:child_process";
import fs, { readFile } from "node:fs";
import * as promises from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { twoAtOnce as scenario } from "../missed-call.ts";
import { mustLoseInOrder } from "./overlapping-handlers.ts";

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
const long = " ".repeat(4_000_000);
fs.writeFileSync(at("long"), long);
fs.writeFileSync(at("short"), "");
afterAll(() => fs.rmSync(folder, { recursive: true }));

describe("Handlers that overlap while they read files", () => {
  test.each(ways)("end in the order in which they asked, by %s, and lose what they race for", (_, read) =>
    mustLoseInOrder((isFirst) => read(at(isFirst ? "long" : "short"))),
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
        // written in parts
        promises.appendFile(at("a"), long),
        promisify(fs.appendFile)(at("a"), "2"),
        promisify(fs.appendFile)(at("a"), "3"),
      ]);
      await promises.cp(at("a"), at("b"));
      await promisify(fs.copyFile)(at("b"), at("c"));
      await promises.rm(at("b"));
      seen.push(await missing, (await promises.readFile(at("c"), "utf8")) === `${long}23`);
      seen.push(await promises.readdir(folder));
      await promises.rm(at("c"));
      await promises.rm(at("a"));
    },
  });
  expect(failures).toEqual([]);
  expect(seen.slice(0, 3)).toEqual(["ENOENT", true, ["a", "c", "long", "short"]]);
  expect([fs.readFile, fs.promises.readFile]).toEqual(before);
});

/** What an app's use of files gives, and what fails. */
async function used(use: () => Promise<unknown>): Promise<[unknown, readonly unknown[]]> {
  let seen: unknown;
  const { failures } = await exploreReport({
    ...{ scenario, deviations: 0 },
    async app() {
      seen = await use();
    },
  });
  return [seen, failures];
}

/** A function in place of Node's that calls others of Node's, and calls back later. */
const appendLater = (file: string, _data: string, done: () => void) =>
  fs.stat(file, () => fs.stat(file, () => done()));

test("A file function that a test has replaced does what it does, and others go on", async () => {
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(fs, "writeFile").mockImplementation(() => {});
  vi.spyOn(fs, "appendFile").mockImplementation(appendLater as never as typeof fs.appendFile);
  vi.spyOn(fs.promises, "writeFile").mockImplementation(() => {
    throw new Error("no disk");
  });
  vi.spyOn(fs.promises, "appendFile").mockImplementation((() => {}) as never as typeof promises.appendFile);
  const use = async () => {
    fs.writeFile(at("a"), "", () => {});
    expect(() => fs.promises.writeFile(at("a"), "")).toThrow("no disk");
    expect(fs.promises.appendFile(at("a"), "")).toBeUndefined();
    await promisify(fs.appendFile)(at("a"), "");
    return promises.readFile(at("short"), "utf8");
  };
  expect(await used(use)).toEqual(["", []]);
});

test("What waits for a stream or for the other end of a pipe keeps no other file waiting", async () => {
  const hasPipes = process.platform !== "win32";
  if (hasPipes) execFileSync("mkfifo", [at("pipe")]);
  async function* source() {
    yield `read ${await promises.readFile(at("short"), "utf8")}`;
  }
  const use = async () => {
    await promises.writeFile(at("a"), source());
    const piped = hasPipes
      ? await Promise.all([promises.readFile(at("pipe"), "utf8"), promises.writeFile(at("pipe"), "piped")])
      : ["piped"];
    const seen = [await promises.readFile(at("a"), "utf8"), piped[0]];
    await promises.rm(at("a"));
    return seen;
  };
  expect(await used(use)).toEqual([["read ", "piped"], []]);
  fs.rmSync(at("pipe"), { force: true });
});

test("What Node refuses at once is thrown to the app, also while it reads another file", async () => {
  const use = async () => {
    const read = promises.readFile(at("long"));
    const done = () => {};
    const wrong = { a: 1 } as never as string;
    expect(() => fs.writeFile(at("none"), wrong, done)).toThrow(TypeError);
    expect(() => fs.readFile(wrong, done)).toThrow(TypeError);
    expect(() => fs.readFile("a\0b", done)).toThrow(TypeError);
    expect(() => fs.rename(at("none"), wrong, done)).toThrow(TypeError);
    // Node calls the first of these
    const given = [at("short"), done, done] as never as Parameters<typeof fs.access>;
    fs.access(...given);
    return (await read).length;
  };
  expect(await used(use)).toEqual([long.length, []]);
});

test("Streams of files are read and written part by part, in the order in which an app asks", async () => {
  let order: string[] = [];
  const write = async (name: string, part: string) => {
    const stream = fs.createWriteStream(at(name), "utf8");
    for (const nth of [1, 2]) {
      await new Promise((resolve) => stream.write(part, resolve));
      order.push(`${name}${nth}`);
    }
    await new Promise<void>((resolve) => stream.end(resolve));
  };
  const read = async (name: string) => {
    for await (const part of fs.createReadStream(at(name), { encoding: "utf8", highWaterMark: 2_000_000 }))
      order.push(`${name} ${part.length}`);
  };
  const use = async () => {
    order = [];
    await Promise.all([write("a", long.slice(0, 2_000_000)), write("b", "-")]);
    await Promise.all([read("a"), read("b")]);
    await expect(read("none")).rejects.toThrow("ENOENT");
    for (const name of ["a", "b"]) await promises.rm(at(name));
    return order;
  };
  expect(await used(use)).toEqual([["a1", "b1", "a2", "b2", "a 2000000", "b 2", "a 2000000"], []]);
});
