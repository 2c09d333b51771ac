import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sha256 } from "@noble/hashes/sha2.js";
import { toHex } from "../network/hmac.ts";
import type { PlatformEvent } from "../platform/events.ts";
import { eventText } from "../scenario/compare.ts";
import type { ScenarioRun } from "../scenario/run.ts";
import { readText, writeText } from "./disk.ts";
import type { ScenarioFile } from "./files.ts";

/**
 * The files that a scenario's stream is compared with, byte for byte. Each is compared when it stands beside the scenario:
 *
 * - `NAME.golden.jsonl`: the whole stream.
 * - `NAME.golden.txt`: a line for each event, with its offset, its type and the fields that the scenario is about.
 * - `streams.sha256`, one for the folder: a digest of each whole stream, so that no change goes unseen.
 */
const endings = { full: ".golden.jsonl", short: ".golden.txt" } as const;
const DIGESTS = "streams.sha256";

/** The golden file of a scenario, `01-name.golden.jsonl` for `01-name.yaml`. */
export function goldenPath(path: string, form: keyof typeof endings): string {
  return `${nameOf(path)}${endings[form]}`;
}

/**
 * Compares a run with the golden files that are there.
 * @returns what differs, to print
 */
export function goldenProblems(file: ScenarioFile, run: ScenarioRun): string[] {
  const texts = { full: () => run.simulator.events.toJSONL(), short: () => shortStream(file, run) };
  const problems = (["full", "short"] as const).flatMap((form) => {
    const path = goldenPath(file.path, form);
    return existsSync(path) ? goldenProblem(path, texts[form]()) : [];
  });
  return problems.length > 0 ? problems : digestProblem(file.path, texts.full);
}

/** Writes those that are there anew. Where there is none, the whole stream. */
export function updateGolden(file: ScenarioFile, run: ScenarioRun): void {
  const stream = run.simulator.events.toJSONL();
  const [full, short] = [goldenPath(file.path, "full"), goldenPath(file.path, "short")];
  if (existsSync(short)) writeText(short, [shortStream(file, run)]);
  if (existsSync(full) || !existsSync(short)) writeText(full, [stream]);
  const digests = join(dirname(file.path), DIGESTS);
  if (!existsSync(digests)) return;
  const name = basename(nameOf(file.path));
  const others = linesOf(digests).filter((line) => nameIn(line) !== name);
  const lines = [...others, digestLine(file.path, stream)].sort((a, b) =>
    a.slice(64) < b.slice(64) ? -1 : 1,
  );
  writeText(digests, [`${lines.join("\n")}\n`]);
}

/** The fields of a record that a short line shows of every event, if the record has them. */
const always: Mask = { id: true, status: true, outcome: true, availability: { status: true } };

/** Which fields to show: all of a value, or those named. Lists are looked through. */
type Mask = true | { readonly [key: string]: Mask };

/** What a scenario is about in an event: of each record what its `match`es name anywhere, and what says where it stands. */
export function shownData(event: PlatformEvent, expect: ScenarioFile["scenario"]["expect"] = []): object {
  const named = expect
    .flatMap(({ match }) => (match === undefined ? [] : [maskOf(match)]))
    .reduce(merged, {});
  const records = Object.entries(event.data).map(([kind, record]) => {
    const own = named === true ? true : (named[kind] ?? {});
    return [kind, masked(record, merged(always, own))];
  });
  return Object.fromEntries(records);
}

function shortStream({ scenario }: ScenarioFile, { simulator, events }: ScenarioRun): string {
  return events
    .map((event) => {
      const data = JSON.stringify(shownData(event, scenario.expect));
      return `${eventText(event, simulator.startTimestamp)} ${data}\n`;
    })
    .join("");
}

function maskOf(match: unknown): Mask {
  if (typeof match !== "object" || match === null) return true;
  if (Array.isArray(match)) return match.length === 0 ? true : match.map(maskOf).reduce(merged);
  const masks = Object.entries(match).map(([key, value]) => [key, maskOf(value)]);
  return Object.keys(match).length === 0 ? true : Object.fromEntries(masks);
}

function merged(one: Mask, other: Mask): Mask {
  if (one === true || other === true) return true;
  const both = { ...one };
  for (const [key, mask] of Object.entries(other)) both[key] = merged(both[key] ?? {}, mask);
  return both;
}

function masked(value: unknown, mask: Mask): unknown {
  if (mask === true || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => masked(each, mask));
  const shown = Object.entries(value).flatMap(([key, each]) => {
    const own = Object.hasOwn(mask, key) ? mask[key] : undefined;
    return own === undefined ? [] : [[key, masked(each, own)]];
  });
  return Object.fromEntries(shown);
}

/** Says where the bytes leave the golden file. */
function goldenProblem(path: string, stream: string): string[] {
  const golden = readText(path);
  if (golden === stream) return [];
  const [expected, actual] = [golden.split("\n"), stream.split("\n")];
  const line = expected.findIndex((each, index) => each !== actual[index]);
  const at = line < 0 ? expected.length : line;
  const problem = [
    `${path}:${at + 1}: the stream's bytes differ from the golden file (\`--update\` writes it anew)`,
    `  expected ${excerpt(expected[at], actual[at])}`,
    `  actual   ${excerpt(actual[at], expected[at])}`,
    "",
  ];
  return [problem.join("\n")];
}

/** The part of a long line around where it leaves the other. */
function excerpt(line = "", other = ""): string {
  if (line === "") return "(nothing)";
  let first = 0;
  while (first < line.length && line[first] === other[first]) first++;
  const from = Math.max(0, first - 40);
  return `${from > 0 ? "..." : ""}${line.slice(from, from + 100)}${line.length > from + 100 ? "..." : ""}`;
}

/** @param textOf the stream, asked for only where there are digests */
function digestProblem(path: string, textOf: () => string): string[] {
  const digests = join(dirname(path), DIGESTS);
  if (!existsSync(digests)) return [];
  const stream = textOf();
  const lines = linesOf(digests);
  if (lines.includes(digestLine(path, stream))) return [];
  const at = lines.findIndex((line) => nameIn(line) === basename(nameOf(path)));
  const problem =
    at < 0
      ? `${digests}: no digest of ${basename(path)} (\`--update\` writes it)`
      : `${digests}:${at + 1}: the stream of ${basename(path)} differs from what it was; \`--format jsonl\` shows all of it, ` +
        "`--update` writes the digest anew";
  return [`${problem}\n`];
}

/** As `sha256sum` writes it. */
function digestLine(path: string, stream: string): string {
  return `${toHex(sha256(new TextEncoder().encode(stream)))}  ${basename(nameOf(path))}`;
}

/** What stands after the digest and two spaces. */
function nameIn(line: string): string {
  return line.slice(66);
}

function linesOf(path: string): string[] {
  return readText(path).split("\n").filter(Boolean);
}

function nameOf(path: string): string {
  return path.replace(/\.(ya?ml|json)$/, "");
}
