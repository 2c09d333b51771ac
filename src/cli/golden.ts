import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sha256 } from "@noble/hashes/sha2.js";
import { inChunks } from "../core/foundation/chunks.ts";
import { toHex } from "../core/network/hmac.ts";
import { jsonLines } from "../core/platform/declare/event-stream.ts";
import type { PlatformEvent } from "../core/platform/declare/events.ts";
import { eventText } from "../core/scenario/compare.ts";
import type { ScenarioRun } from "../core/scenario/run.ts";
import { readTextFile, writeText } from "./disk.ts";
import type { CommandFailure } from "./failures.ts";
import type { ScenarioFile } from "./scenario-files.ts";

/**
 * The golden files of a scenario. If they stand beside the scenario, its stream is compared with them, byte for byte:
 *
 * - `NAME.golden.jsonl`: the whole stream.
 * - `NAME.golden.txt`: a line for each event, with its offset, its type and the fields that the scenario is about.
 * - `streams.sha256`, one for the folder: a digest of each whole stream, so that no change goes unseen.
 */
const endings = { full: ".golden.jsonl", short: ".golden.txt" } as const;
const DIGESTS = "streams.sha256";

const UPDATE = "if the change is intended, run again with --update; --format jsonl shows the whole stream";

/** The golden file of a scenario, `01-name.golden.jsonl` for `01-name.yaml`. */
export function goldenPath(path: string, form: keyof typeof endings): string {
  return `${withoutExtension(path)}${endings[form]}`;
}

/** A run that is compared. */
export type ComparedRun = Omit<ScenarioRun, "refused">;

/**
 * Compares a run with the golden files that are there.
 * @returns what differs
 */
export function goldenProblems(file: ScenarioFile, run: ComparedRun): CommandFailure[] {
  const streams = { full: () => jsonLines(run.simulator.events), short: () => shortStream(file, run) };
  const problems = (["full", "short"] as const).flatMap((form) => {
    const path = goldenPath(file.path, form);
    return existsSync(path) ? goldenProblem(path, streams[form]()) : [];
  });
  return problems.length > 0 ? problems : digestProblem(file.path, run);
}

/** Writes the golden files that exist again. If there is none, writes the whole stream. @returns what was written */
export function updateGolden(file: ScenarioFile, run: ComparedRun): string[] {
  const [full, short] = [goldenPath(file.path, "full"), goldenPath(file.path, "short")];
  const written: string[] = [];
  const write = (path: string, chunks: Iterable<string>) => {
    writeText(path, chunks);
    written.push(path);
  };
  if (existsSync(short)) write(short, inChunks(shortStream(file, run)));
  if (existsSync(full) || !existsSync(short)) write(full, inChunks(jsonLines(run.simulator.events)));
  const digests = join(dirname(file.path), DIGESTS);
  if (!existsSync(digests)) return written;
  const name = basename(withoutExtension(file.path));
  const others = linesOf(digests).filter((line) => nameInDigest(line) !== name);
  const lines = [...others, digestLine(file.path, run)].sort((a, b) => (a.slice(64) < b.slice(64) ? -1 : 1));
  write(digests, [`${lines.join("\n")}\n`]);
  return written;
}

/** The fields of a record that every short line shows, if the record has them. */
const alwaysShown: Mask = { id: true, status: true, outcome: true, availability: { status: true } };

/** Which fields to show: all of a value, or the named ones. In a list, of each item. */
type Mask = true | { readonly [key: string]: Mask };

/** The part of an event that its scenario is about: the fields that any `match` names, and those that say where it is. */
export function shownData(event: PlatformEvent, expect: ScenarioFile["scenario"]["expect"] = []): object {
  const named = expect
    .flatMap(({ match }) => (match === undefined ? [] : [readMask(match)]))
    .reduce(mergeMasks, {});
  const records = Object.entries(event.data).map(([kind, record]) => {
    const own = named === true ? true : (named[kind] ?? {});
    return [kind, applyMask(record, mergeMasks(alwaysShown, own))];
  });
  return Object.fromEntries(records);
}

function* shortStream({ scenario }: ScenarioFile, { simulator, events }: ComparedRun): Generator<string> {
  for (const event of events) {
    const data = JSON.stringify(shownData(event, scenario.expect));
    yield `${eventText(event, simulator.startTimestamp)} ${data}\n`;
  }
}

function readMask(match: unknown): Mask {
  if (typeof match !== "object" || match === null) return true;
  if (Array.isArray(match)) return match.length === 0 ? true : match.map(readMask).reduce(mergeMasks);
  const masks = Object.entries(match).map(([key, value]) => [key, readMask(value)]);
  return Object.keys(match).length === 0 ? true : Object.fromEntries(masks);
}

function mergeMasks(one: Mask, other: Mask): Mask {
  if (one === true || other === true) return true;
  const both = { ...one };
  for (const [key, mask] of Object.entries(other)) both[key] = mergeMasks(both[key] ?? {}, mask);
  return both;
}

function applyMask(value: unknown, mask: Mask): unknown {
  if (mask === true || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => applyMask(each, mask));
  const shown = Object.entries(value).flatMap(([key, each]) => {
    const own = Object.hasOwn(mask, key) ? mask[key] : undefined;
    return own === undefined ? [] : [[key, applyMask(each, own)]];
  });
  return Object.fromEntries(shown);
}

/** Says where the stream differs from the golden file. */
function goldenProblem(path: string, stream: Iterable<string>): CommandFailure[] {
  const golden = readTextFile(path).replaceAll("\r\n", "\n");
  let [line, from, actual] = [1, 0, ""];
  for (const each of stream) {
    if (!golden.startsWith(each, from)) {
      actual = each.trimEnd();
      break;
    }
    line++;
    from += each.length;
  }
  if (actual === "" && from === golden.length) return [];
  const [expected = ""] = golden.slice(from).split("\n", 1);
  const cause = [
    "the stream differs from the golden file (`--update` writes the file again)",
    `  expected ${excerpt(expected, actual)}`,
    `  actual   ${excerpt(actual, expected)}`,
    "",
  ];
  return [{ cause: cause.join("\n"), place: `${path}:${line}`, next: UPDATE }];
}

/** The part of a long line around the first difference from the other. */
function excerpt(line = "", other = ""): string {
  if (line === "") return "(nothing)";
  let first = 0;
  while (first < line.length && line[first] === other[first]) first++;
  const from = Math.max(0, first - 40);
  return `${from > 0 ? "..." : ""}${line.slice(from, from + 100)}${line.length > from + 100 ? "..." : ""}`;
}

function digestProblem(path: string, run: ComparedRun): CommandFailure[] {
  const digests = join(dirname(path), DIGESTS);
  if (!existsSync(digests)) return [];
  const lines = linesOf(digests);
  if (lines.includes(digestLine(path, run))) return [];
  const at = lines.findIndex((line) => nameInDigest(line) === basename(withoutExtension(path)));
  if (at < 0)
    return [
      { cause: `no digest of ${basename(path)} (\`--update\` writes it)\n`, place: digests, next: UPDATE },
    ];
  const cause = `the stream of ${basename(path)} differs from its digest; \`--format jsonl\` shows all of it, \`--update\` writes the digest again\n`;
  return [{ cause, place: `${digests}:${at + 1}`, next: UPDATE }];
}

/** As `sha256sum` writes it. */
function digestLine(path: string, run: ComparedRun): string {
  const [hash, encoder] = [sha256.create(), new TextEncoder()];
  for (const chunk of inChunks(jsonLines(run.simulator.events))) hash.update(encoder.encode(chunk));
  return `${toHex(hash.digest())}  ${basename(withoutExtension(path))}`;
}

/** The name after the digest and two spaces. */
function nameInDigest(line: string): string {
  return line.slice(66);
}

function linesOf(path: string): string[] {
  return readTextFile(path).split(/\r?\n/).filter(Boolean);
}

function withoutExtension(path: string): string {
  return path.replace(/\.(ya?ml|json)$/, "");
}
