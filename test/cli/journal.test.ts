import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { createSimulator, replay } from "../../src/index.ts";
import { serve } from "../../src/server/index.ts";
import { stateText } from "../properties/play.ts";
import { controlOf, served } from "../server/support.ts";
import { folderWith, ringback } from "./support.ts";

/** The file of a server that ran three calls. */
async function writtenJournal() {
  const file = `${folderWith()}/run.jsonl`;
  const { server } = await served({}, { journal: file });
  const control = controlOf(server.url);
  for (const last of [1, 2, 3]) {
    await control.post("commands/inbound", { from: `+642155500${last}`, to: "+6495550100" });
    await control.post("advance", { duration: "PT10M" });
  }
  await server.close();
  const text = readFileSync(file, "utf8");
  return { file, text, lines: text.split("\n").slice(0, -1) };
}

function damaged(file: string, lines: readonly string[], end = "\n") {
  writeFileSync(file, lines.join("\n") + end);
}

const swapped = (lines: readonly string[]) => [
  ...lines.slice(0, 3),
  ...[lines[4], lines[3]].map(String),
  ...lines.slice(5),
];

describe("ringback journal check", () => {
  test("prints the facts of an undamaged journal", async () => {
    const { file, lines } = await writtenJournal();
    const { code, out } = ringback("journal", "check", file);
    expect(out).toBe(`ok     ${file}  ${lines.length} lines, 4 entries, until 2026-07-01T00:30:00.000Z\n`);
    expect(code).toBe(0);
  });

  test.each<[string, (lines: readonly string[]) => readonly string[], string]>([
    [
      "changed",
      (lines) => lines.map((line) => line.replace('"from":"+6421555001"', '"from":"+6421555009"')),
      "line 4 was changed: its checksum differs",
    ],
    ["removed", (lines) => lines.toSpliced(3, 1), "line 4 was written as line 5: line 4 is missing"],
    [
      "removed in numbers",
      (lines) => lines.toSpliced(2, 2),
      "line 3 was written as line 5: lines 3 to 4 are missing",
    ],
    ["doubled", (lines) => lines.toSpliced(3, 0, String(lines[2])), "line 4 repeats line 3"],
    ["swapped", swapped, "line 4 was written as line 5: line 4 is below it"],
    ["garbage", (lines) => lines.toSpliced(3, 0, "\u0007 not a line"), "line 4 is not JSON"],
    [
      "without its checksum",
      (lines) => lines.map((line, at) => (at === 3 ? line.replace(/,"n".*/, "}") : line)),
      "line 4 has no checksum",
    ],
    ["without its first line", (lines) => lines.slice(1), "line 1 was written as line 2: line 1 is missing"],
    ["changed in its first line", (lines) => ["{", ...lines.slice(1)], "line 1 is not JSON"],
    ["zero in its first line", (lines) => ["\0".repeat(100), ...lines.slice(1)], "line 1 is not JSON"],
    [
      "without the checksum of its first line",
      (lines) => lines.with(0, String(lines[0]).replace(/,"n":1,.*/, "}")),
      "line 1 has no checksum",
    ],
  ])("names the first line of a journal that is %s", async (_name, damage, problem) => {
    const { file, lines } = await writtenJournal();
    damaged(file, damage(lines));
    const { code, err } = ringback("journal", "check", file);
    expect(err).toContain(`ringback: ${file}: ${problem}; `);
    expect(code).toBe(1);
    expect(() => replay(readFileSync(file, "utf8"))).toThrow(`journal: ${problem}`);
  });

  test.each([
    ["a line that is cut off", '{"atMs":17828'],
    ["bytes of zero, as after a power failure", "\0".repeat(5_000)],
    ["a cut-off line and bytes of zero", `{"atMs":17${"\0".repeat(20)}`],
  ])("accepts a journal that ends in %s", async (_name, tail) => {
    const { file, text } = await writtenJournal();
    writeFileSync(file, text + tail);
    expect(ringback("journal", "check", file).code).toBe(0);
    expect(ringback("replay", file, "--format", "jsonl").out).toBe(replay(text).events.toJSONL());
  });

  test("accepts a journal that an editor saved with a mark at its beginning and other line ends", async () => {
    const { file, text, lines } = await writtenJournal();
    writeFileSync(file, `\ufeff${lines.join("\r\n")}\r\n`);
    expect(ringback("journal", "check", file).code).toBe(0);
    expect(ringback("replay", file, "--format", "jsonl").out).toBe(replay(text).events.toJSONL());
  });

  test("accepts a journal whose second line was cut: its run is at the start", async () => {
    const { file, lines } = await writtenJournal();
    writeFileSync(file, `${lines[0]}\n${lines[1]?.slice(0, 20)}`);
    expect(ringback("journal", "check", file).out).toContain(
      "1 line, 0 entries, until 2026-07-01T00:00:00.000Z",
    );
    expect(replay(readFileSync(file, "utf8")).events).toHaveLength(0);
  });

  test("refuses a file whose lines have no checksums", async () => {
    const { file, lines } = await writtenJournal();
    damaged(
      file,
      lines.map((line) => line.replace(/,"n":\d+,"crc":"[0-9a-f]{8}"\}$/, "}")),
    );
    expect(ringback("journal", "check", file).err).toContain("line 1 has no checksum");
    expect(() => replay(readFileSync(file, "utf8"))).toThrow(/^journal: line 1 has no checksum$/);
  });

  test("reads a journal in one piece", () => {
    const file = `${folderWith({ "run.json": JSON.stringify(createSimulator().journal()) })}/run.json`;
    expect(ringback("journal", "check", file)).toMatchObject({ code: 0, out: `ok     ${file}  one piece\n` });
  });

  test("prints JSON for programs", async () => {
    const { file, lines } = await writtenJournal();
    expect(JSON.parse(ringback("journal", "check", "--json", file).out)).toEqual({
      ok: true,
      failures: [],
      lines: lines.length,
      runs: 1,
      commands: 4,
      until: "2026-07-01T00:30:00.000Z",
    });
    damaged(file, lines.toSpliced(3, 1));
    const { ok, failures } = JSON.parse(ringback("journal", "check", "--json", file).out);
    expect({ ok, failures }).toMatchObject({
      ok: false,
      failures: [{ place: `${file}:4`, next: `npx ringback journal salvage ${file} -o <new file>` }],
    });
  });

  test("shows escapes of a terminal in a file that is no journal by their codes", () => {
    const file = `${folderWith({ "red.txt": "\u001b[31mred" })}/red.txt`;
    expect(ringback("journal", "check", file)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^ringback: .*: journal: expected JSON: Unexpected token '\\u001b', /),
    });
  });

  test("says in one sentence that a journal is nested too deep", () => {
    const deep = `{"ringback":1,"options":${"[".repeat(200_000)}${"]".repeat(200_000)},"entries":[],"end":{}}`;
    const file = `${folderWith({ "deep.json": deep })}/deep.json`;
    const { code, err } = ringback("journal", "check", file);
    expect(err).toBe(`ringback: ${file}: journal: expected JSON of at most 200 levels\n`);
    expect(code).toBe(1);
    expect(ringback("run", file)).toMatchObject({ code: 2, err });
  });
});

/** The file of a server that compacts, and the journal of the whole run. */
/** The journal of a run that was compacted, once for all that read it or damage a copy. */
let written: ReturnType<typeof writeCompacted> | undefined;

async function compactedJournal() {
  written ??= writeCompacted();
  const { text, sim } = await written;
  const file = `${folderWith({ "run.jsonl": text })}/run.jsonl`;
  return { file, text, lines: text.split("\n").slice(0, -1), sim: sim.fork() };
}

async function writeCompacted() {
  const file = `${folderWith()}/run.jsonl`;
  const { server, sim } = await served({}, { journal: file, compact: 20 });
  const { post } = controlOf(server.url);
  for (let index = 0; index < 50; index++)
    await post("commands/inbound", { from: `+64215550${index + 10}`, to: "+6495550100" });
  await post("advance", { duration: "PT5S" });
  await post("commands/answer", { call: "call-50", by: "alice" });
  await post("advance", { duration: "PT1M" });
  await server.close();
  return { text: readFileSync(file, "utf8"), sim };
}

describe("A compacted journal", () => {
  test("replays from its snapshot to the same end, and has only the lines since", async () => {
    const { text, lines, sim } = await compactedJournal();
    expect(lines.length).toBeLessThan(25);
    const again = replay(text);
    expect(stateText(again)).toBe(stateText(sim));
    again.calls.get("call-50").hangup("alice");
    sim.calls.get("call-50").hangup("alice");
    expect(stateText(again)).toBe(stateText(sim));
  });

  test("says that earlier instants are gone", async () => {
    const { file, text } = await compactedJournal();
    const gone = "from a snapshot at 2026-07-01T00:00:00.000Z on: earlier instants are gone";
    expect(ringback("journal", "check", file).out).toContain(gone);
    expect(JSON.parse(ringback("journal", "check", "--json", file).out)).toMatchObject({
      since: "2026-07-01T00:00:00.000Z",
    });
    expect(ringback("replay", file).out).toContain(
      "the journal was compacted at 0:00.000: earlier instants are gone",
    );
    const sim = replay(text);
    sim.advance("PT1M");
    sim.compact();
    expect(() => sim.at(sim.timestamp - 1)).toThrow(
      /^at: expected an instant from .*: the journal was compacted there, and earlier instants are gone$/,
    );
    expect(sim.at(sim.timestamp).timestamp).toBe(sim.timestamp);
  });

  test("is checked and salvaged like any other", async () => {
    const { file, lines } = await compactedJournal();
    damaged(file, lines.toSpliced(-2, 1));
    const missing = lines.length - 1;
    expect(ringback("journal", "check", file).err).toContain(
      `line ${missing} was written as line ${lines.length}: line ${missing} is missing`,
    );
    expect(ringback("journal", "salvage", file, "-o", `${file}.saved`).code).toBe(0);
    expect(replay(readFileSync(`${file}.saved`, "utf8")).calls.list()).toHaveLength(50);
    damaged(
      file,
      lines.map((line) => line.replace("+6421555010", "+6421555999")),
    );
    expect(ringback("journal", "check", file).err).toContain("line 1 was changed");
    expect(ringback("journal", "salvage", file, "-o", `${file}.none`)).toMatchObject({
      code: 2,
      err: expect.stringContaining("nothing before it can be recovered"),
    });
  });

  test("continues in the same file, and is compacted again", async () => {
    const { file, sim } = await compactedJournal();
    const journal = replay(readFileSync(file, "utf8")).journal();
    const resumed = { path: file, journal };
    const server = await serve(replay(journal), { journal: file, resumed, compact: 20 });
    const { post } = controlOf(server.url);
    await post("commands/hangup", { call: "call-50", by: "alice" });
    for (let index = 0; index < 30; index++)
      await post("commands/inbound", { from: `+64215560${index + 10}`, to: "+6495550100" });
    await server.close();
    const again = replay(readFileSync(file, "utf8"));
    expect(stateText(again)).toBe(stateText(server.simulator));
    expect(again.events.toJSONL()).toContain(sim.events.toJSONL());
    expect(again.calls.list()).toHaveLength(80);
    expect(readdirSync(dirname(file))).toEqual(["run.jsonl"]);
  });

  test("with another layout, or with a malformed snapshot, is refused with the reason", async () => {
    const { text } = await compactedJournal();
    const journal = replay(text).journal();
    const having = (change: object) =>
      ({ ...journal, snapshot: { ...journal.snapshot, ...change } }) as typeof journal;
    expect(() => replay(having({ layout: 99 }))).toThrow(
      "journal.snapshot: snapshot layout 99 is not supported (this version reads 3)",
    );
    for (const state of [null, {}, { engine: {} }, [], "x"])
      expect(() => replay(having({ state }))).toThrow("journal.snapshot: is damaged");
  });

  test("begins anew after a reset", async () => {
    const file = `${folderWith()}/run.jsonl`;
    const { server, control } = await served({}, { journal: file, compact: 5 });
    for (let index = 0; index < 12; index++)
      await control.post("commands/inbound", { from: `+64215550${index + 10}`, to: "+6495550100" });
    await control.post("reset", { seed: 9 });
    await control.post("commands/inbound", { from: "+6421555001", to: "+6495550100" });
    await server.close();
    const again = replay(readFileSync(file, "utf8"));
    expect([again.seed, again.calls.list().length]).toEqual([9, 1]);
  });
});

describe("ringback journal salvage", () => {
  test("keeps the lines before the damage, and reports what was lost", async () => {
    const { file, lines } = await writtenJournal();
    damaged(
      file,
      lines.map((line, at) => (at === 5 ? "?" : line)),
    );
    const { code, out } = ringback("journal", "salvage", file, "-o", `${file}.saved`);
    const lost = lines.length - 5;
    expect(out).toContain(`lost   ${lost} line${lost === 1 ? "" : "s"}, from line 6 on, which is not JSON\n`);
    expect(code).toBe(0);
    expect(readFileSync(`${file}.saved`, "utf8")).toBe(`${lines.slice(0, 5).join("\n")}\n`);
    const kept = replay(readFileSync(`${file}.saved`, "utf8"));
    expect(kept.calls.list().map(({ record }) => record.contactNumber)).toEqual(["+6421555001"]);
  });

  test("writes a file from which a server continues", async () => {
    const { file, lines } = await writtenJournal();
    damaged(file, lines.slice(0, 4), '\n{"atMs"');
    const saved = `${file}.saved`;
    expect(ringback("journal", "salvage", file, "-o", saved).out).toContain(
      "lost   the last line, which was cut off",
    );
    const resumed = { path: saved, journal: replay(readFileSync(saved, "utf8")).journal() };
    const server = await serve(replay(resumed.journal), { journal: saved, resumed });
    server.simulator.advance("PT1M");
    await server.close();
    expect(ringback("journal", "check", saved).code).toBe(0);
  });

  test("overwrites no file, and refuses a file that is not a journal in lines", async () => {
    const { file } = await writtenJournal();
    expect(ringback("journal", "salvage", file, "-o", file)).toMatchObject({
      code: 2,
      err: `ringback: ${file}: this file exists, and is not overwritten\n`,
    });
    const other = `${folderWith({ "a.json": "{}" })}/a.json`;
    expect(ringback("journal", "salvage", other, "-o", `${other}.new`)).toMatchObject({
      code: 2,
      err: expect.stringContaining("expected a journal in lines"),
    });
  });
});
