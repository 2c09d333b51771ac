import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, inject, test } from "vitest";
import { captured, jsonl } from "../capture/support.ts";
import { failing, folderWith, misspelt, passing, ringback, ringbackEnds, ringbackOn } from "./support.ts";

const fullDisk = "/dev/full";

/** The error of the command for a file in a folder of its own. */
function saidOf(make: (path: string) => void, ...command: readonly string[]) {
  const path = join(folderWith(), "a.yaml");
  make(path);
  const { code, out, err } = ringback(...command, path);
  return { code, out, err: err.replace(path, "a.yaml") };
}

describe("a wrong scenario", () => {
  test("is shown with every problem, each with its lines and a mark", () => {
    const text = `scenario: T
steps:
  - { at: PT0S, inbound: { as: c1, from: +6421555001, to: "+6495550100" } }
  - { at: PT6S, anser: { call: c1, by: alice } }
`;
    const folder = folderWith({ "a.yaml": text });
    expect(ringback("run", join(folder, "a.yaml")).err.replaceAll(`${folder}/`, "")).toMatchInlineSnapshot(`
      "ringback: a.yaml:3:42: steps[0].inbound.from: expected a phone number in E.164, such as "+6495550100", a short code of 3 to 8 digits, or "anonymous", got 6421555001; put it in quotes: "+6421555001"
        2 | steps:
      > 3 |   - { at: PT0S, inbound: { as: c1, from: +6421555001, to: "+6495550100" } }
          |                                          ^^^^^^^^^^^
        4 |   - { at: PT6S, anser: { call: c1, by: alice } }

      a.yaml:4:17: steps[1].anser: unknown step "anser"; did you mean "answer"?
        3 |   - { at: PT0S, inbound: { as: c1, from: +6421555001, to: "+6495550100" } }
      > 4 |   - { at: PT6S, anser: { call: c1, by: alice } }
          |                 ^^^^^
      "
    `);
  });

  test("is shown without control characters and direction marks, which JSON holds as codes", () => {
    const odd = "st\u009b2J\u202e\u0085eps";
    const write = (path: string) => writeFileSync(path, `scenario: T\nsteps: []\n${odd}: []\n`);
    expect(saidOf(write, "check").err).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}/u);
    const { out } = saidOf(write, "check", "--json");
    expect(out).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}/u);
    expect(JSON.parse(out).failures[0].cause).toContain(odd);
  });

  test("shows only the part of a long line around the problem", () => {
    const long = `{ "scenario": "${"x".repeat(300)}", "steps": [], "ids": "roman" }`;
    const { err } = saidOf((path) => writeFileSync(path, long), "check");
    const [, row = "", mark = ""] = err.split("\n");
    expect(row.length).toBeLessThan(120);
    expect(row.slice(mark.indexOf("^"), mark.lastIndexOf("^") + 1)).toBe('"roman"');
  });

  test("has colours on a terminal, and the same text", () => {
    const folder = folderWith({ "a.yaml": misspelt });
    const { err } = ringbackOn({ isTerminal: true }, "run", folder);
    expect(err).toContain("\u001b[31m^^^^^\u001b[39m");
    expect(stripVTControlCharacters(err)).toBe(ringback("run", folder).err);
  });
});

describe("a file that is not a scenario ends with one sentence and exit code 2", () => {
  test.each<[string, (path: string) => void, RegExp]>([
    [
      "a pipe",
      (path) => spawnSync("mkfifo", [path]),
      /^ringback: a\.yaml: this is a pipe or a device, expected a file\n$/,
    ],
    [
      "a file without end",
      (path) => {
        writeFileSync(path, "");
        truncateSync(path, 2 ** 40);
      },
      /^ringback: a\.yaml: this file is longer than 256 MB, the most that can be read\n$/,
    ],
    [
      "something binary",
      (path) => writeFileSync(path, Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 1)),
      /^ringback: a\.yaml: this is binary, expected text in UTF-8\n$/,
    ],
    [
      "a text in UTF-16",
      (path) => writeFileSync(path, `\uFEFF${passing}`, "utf16le"),
      /^ringback: a\.yaml: this text is in UTF-16: save it as UTF-8\n$/,
    ],
  ])("%s", (_, make, sentence) => {
    for (const command of ["run", "check", "replay"]) {
      const { code, out, err } = saidOf(make, command);
      expect({ code, out }).toEqual({ code: 2, out: "" });
      const note = /^ringback: `ringback replay` is now .*\n/;
      expect(command === "replay" ? err.replace(note, "") : err).toMatch(sentence);
    }
  });

  test("a device", () => {
    const { code, err } = ringback("run", "/dev/zero");
    expect({ code, err }).toEqual({
      code: 2,
      err: "ringback: /dev/zero: this is a pipe or a device, expected a file\n",
    });
  });

  test("for an empty file the error says what a scenario contains", () => {
    const { code, err } = saidOf((path) => writeFileSync(path, ""), "run");
    expect(code).toBe(2);
    expect(err).toMatch(
      /^ringback: a\.yaml:1:1: the file is empty, expected \{ scenario, steps, \.\.\. \}\n/,
    );
  });

  test("a text with Windows line ends and a byte-order mark is a scenario", () => {
    const { code } = saidOf(
      (path) => writeFileSync(path, `\uFEFF${passing.replaceAll("\n", "\r\n")}`),
      "run",
    );
    expect(code).toBe(0);
  });
});

describe("-o", () => {
  test("writes the output without colours", () => {
    const folder = folderWith({ "a.yaml": passing });
    const target = join(folder, "a.txt");
    const { code, out } = ringbackOn({ isTerminal: true }, "run", join(folder, "a.yaml"), "-o", target);
    expect({ code, out }).toEqual({ code: 0, out: "" });
    expect(readFileSync(target, "utf8")).toBe(ringback("run", join(folder, "a.yaml")).out);
  });

  test("writes streams and results, and keeps the exit code", () => {
    const folder = folderWith({ "a.yaml": failing });
    const target = join(folder, "out");
    expect(ringback("run", folder, "--json", "-o", target).code).toBe(1);
    expect(JSON.parse(readFileSync(target, "utf8"))).toMatchObject({ scenarios: [{ passed: false }] });
    ringback("run", folder, "--format", "jsonl", "-o", target);
    expect(readFileSync(target, "utf8").split("\n")).toHaveLength(3);
  });

  test.each([
    [
      "a folder that is missing",
      (folder: string) => join(folder, "no/out"),
      /no\/out: the folder \S+\/no does not exist\n$/,
    ],
    ["a folder", (folder: string) => folder, /: this is a folder, expected a file\n$/],
    [
      "a path through a file",
      (folder: string) => join(folder, "a.yaml/out"),
      /a part of this path is a file/,
    ],
  ])("rejects %s in one sentence", (_, target, problem) => {
    const folder = folderWith({ "a.yaml": passing });
    const { code, out, err } = ringback("run", join(folder, "a.yaml"), "-o", target(folder));
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(problem);
    expect(err.trim().split("\n")).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(["a.yaml"]);
  });
});

describe("-o that names a file", () => {
  test.each([
    ["run", "a.yaml", "./a.yaml"],
    ["run", "a.yaml", "link.yaml"],
    ["run", "a.yaml", "app.mjs", "--with", "app.mjs"],
    ["inspect", "a.yaml", "a.yaml"],
    ["play", "a.yaml", "a.yaml"],
    ["explore", "a.yaml", "a.yaml", "--with", "app.mjs"],
    ["inspect", "monday.jsonl", "monday.jsonl"],
    ["import", "monday.jsonl", "link.jsonl"],
  ])("keeps what it reads: %s %s -o %s", async (command, input, target, ...more) => {
    const capture = jsonl(captured("01"));
    const app = "export const app = () => ({}); export const always = { holds: () => {} };\n";
    const folder = folderWith({ "a.yaml": passing, "monday.jsonl": capture, "app.mjs": app });
    symlinkSync(join(folder, "a.yaml"), join(folder, "link.yaml"));
    symlinkSync(join(folder, "monday.jsonl"), join(folder, "link.jsonl"));
    const at = (name: string) => (name.startsWith("--") ? name : `${folder}/${name}`);
    const { code, out, err } = await ringbackEnds(command, at(input), "-o", at(target), ...more.map(at));
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(`${at(target)}: -o is the input`);
    const texts = ["a.yaml", "monday.jsonl", "app.mjs"].map((name) => readFileSync(at(name), "utf8"));
    expect(texts).toEqual([passing, capture, app]);
  });

  test.each(["run", "inspect"])("says that %s replaces one", async (command) => {
    const folder = folderWith({ "a.yaml": passing });
    const page = join(folder, "a.html");
    const args = [command, join(folder, "a.yaml"), "-o", page];
    expect((await ringbackEnds(...args)).err).toBe("");
    expect(await ringbackEnds(...args)).toMatchObject({ code: 0, err: `replaced ${page}\n` });
  });

  test("keeps a scenario that was edited after its import", async () => {
    const folder = folderWith({ "monday.jsonl": jsonl(captured("01")) });
    const file = join(folder, "monday.yaml");
    const args = ["import", join(folder, "monday.jsonl"), "-o", file];
    for (const _ of ["first", "again"]) expect((await ringbackEnds(...args)).code).toBe(0);
    appendFileSync(file, "# mine\n");
    const edited = readFileSync(file, "utf8");
    const { code, err } = await ringbackEnds(...args);
    expect({ code, err }).toEqual({
      code: 2,
      err: `ringback: ${file}: this file is there already, with another text: delete it, or name another\n`,
    });
    expect(readFileSync(file, "utf8")).toBe(edited);
  });
});

describe.runIf(existsSync(fullDisk))("a full disk ends with one sentence and exit code 2", () => {
  test("when writing a file", () => {
    const { code, err } = ringback("run", "01", "-o", fullDisk);
    expect({ code, err }).toEqual({ code: 2, err: "ringback: /dev/full: the disk is full\n" });
  });

  test("when writing to standard output", () => {
    const disk = openSync(fullDisk, "w");
    const { status, stderr } = spawnSync(process.execPath, [...inject("fromSources"), "run", "01"], {
      stdio: ["ignore", disk, "pipe"],
      encoding: "utf8",
    });
    closeSync(disk);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: "ringback: the output cannot be written: the disk is full\n",
    });
  });
});

describe("ringback init", () => {
  test("leaves no files if it cannot write", () => {
    const folder = folderWith();
    mkdirSync(join(folder, "scenarios"));
    writeFileSync(join(folder, "test"), "a file");
    const { code, err } = ringback("init", folder);
    expect(code).toBe(2);
    expect(err).toMatch(
      /^ringback: \S+\/test: (something with this name exists already|a part of this path)/,
    );
    expect(readdirSync(join(folder, "scenarios"))).toEqual(["calls-of-my-app.yaml"]);
  });
});

describe("a duration that no date can hold", () => {
  test("is a problem of the scenario, at its position", () => {
    const { err } = saidOf((path) => writeFileSync(path, `${passing}until: P300000Y\n`), "run");
    expect(err).toMatch(
      /^ringback: a\.yaml:7:8: until: expected a duration that a date can hold, got "P300000Y"\n/,
    );
  });

  test("may result from the start and a step's time", () => {
    const late = passing.replace("steps:", "start: +275759-01-01T00:00:00Z\nuntil: P90000Y\nsteps:");
    const { code, err } = saidOf((path) => writeFileSync(path, late), "run");
    expect(code).toBe(2);
    expect(err).toMatch(/^ringback: a\.yaml: .*expected an instant/);
  });
});

describe("a long diagram", () => {
  test("comes with a warning about the limit of its renderers", () => {
    const traffic = `scenario: Busy
until: PT2H
steps:
  - { at: PT0S, traffic: { to: "+6495550100", every: PT20S, for: PT2H } }
`;
    const path = join(folderWith({ "a.yaml": traffic }), "a.yaml");
    const { code, out, err } = ringback("run", path, "--format", "mermaid");
    expect(code).toBe(0);
    expect(out.length).toBeGreaterThan(50_000);
    expect(err).toMatch(
      /^ringback: this diagram has \d+ characters, and Mermaid draws 50000 unless its maxTextSize is raised/,
    );
    expect(ringback("run", "01", "--format", "mermaid").err).toBe("");
  });
});
