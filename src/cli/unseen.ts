import { existsSync } from "node:fs";
import { stringify } from "yaml";
import { iso } from "../core/foundation/instants.ts";
import { printable } from "../core/foundation/printable.ts";
import { withWrittenDurations } from "../core/foundation/written-input.ts";
import { eventKeys } from "../core/platform/catalogue/event-keys.ts";
import { counted } from "../core/platform/declare/words.ts";
import { organisationSchema } from "../core/platform/organisation/schema.ts";
import { parseScenario } from "../core/scenario/parse.ts";
import { createUnannounced } from "../core/simulator/simulator.ts";
import { readPhoneNumber } from "../phone-numbers/index.ts";
import { StoryTeller } from "../stories/story-teller.ts";
import { storyText } from "../stories/story-text.ts";
import { storyTitle } from "../stories/story-words.ts";
import { organisationText } from "../testing/received-notes.ts";
import { jsonOption } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { readTextFile } from "./disk.ts";
import { UsageError } from "./failures.ts";
import type { CommandOutput } from "./output.ts";
import {
  type FirstStep,
  lastNotedRun,
  type MergedEndpoint,
  mergedEndpoints,
  mustBeWhole,
} from "./unseen-notes.ts";

/** `ringback unseen` says what the endpoints of the last test run could have got and did not. */

interface UnseenFlags {
  readonly partial?: boolean;
  readonly failOn?: string;
}

/** `ringback unseen`. */
export const unseenCommand: CommandRow = {
  name: "unseen",
  group: "app",
  summary: "say what your tests' endpoints could have got and did not, each with the story that brings it",
  mayChange: true,
  declare: (command, output, exit) => {
    command
      .option("--partial", "also after a run of only some test files or tests")
      .option(
        "--fail-on <file>",
        "end with 1 if something is unseen that is not in this file, which has lines as this command prints them",
      )
      .addOption(jsonOption())
      .action((flags: UnseenFlags) => exit(unseen(flags, output)));
  },
};

/** Something that an endpoint could have got and did not. */
interface Unseen {
  readonly url: string;
  /** The kind of event, or "a second attempt of" a type. */
  readonly what: string;
  /** What happens then, as a sentence; of a second attempt, what brings it. */
  readonly story: string;
  /** The story as a scenario; undefined for a second attempt. */
  readonly scenario?: string;
}

/** @returns the exit code: 0, or 1 if something is unseen that `--fail-on` does not have */
function unseen(flags: UnseenFlags, output: CommandOutput): number {
  const run = lastNotedRun();
  if (flags.partial !== true) mustBeWhole(run);
  const known = flags.failOn === undefined ? undefined : knownIn(flags.failOn);
  const kinds = new PossibleKinds();
  const found = mergedEndpoints(run.notes).flatMap((endpoint) => findUnseen(endpoint, kinds));
  const fresh = known === undefined ? [] : found.filter((each) => !known.has(lineOf(each)));
  const ran = {
    when: iso(run.atMs),
    files: new Set(run.notes.flatMap(({ file }) => file ?? [])).size,
    servers: run.notes.filter(({ file }) => file === null).length,
    simulators: run.notes.reduce((total, { simulators }) => total + simulators, 0),
  };
  if (output.isJson) {
    const failures = fresh.map((each) => ({ cause: lineOf(each), place: flags.failOn ?? null }));
    output.out(output.result(failures, { ...ran, unseen: found }));
  } else output.out(writeText(ran, known === undefined ? found : fresh, known !== undefined));
  return fresh.length > 0 ? 1 : 0;
}

function findUnseen({ url, got, again, types, begins }: MergedEndpoint, kinds: PossibleKinds): Unseen[] {
  const isAsked = ({ type }: Told) => types.includes("*") || types.includes(type);
  const missing = new Map<string, Told>();
  for (const begin of begins)
    for (const [what, told] of kinds.from(begin))
      if (
        isAsked(told) &&
        !(what in got) &&
        told.acts < (missing.get(what)?.acts ?? Number.POSITIVE_INFINITY)
      )
        missing.set(what, told);
  const events = [...missing]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, { title, scenario }]) => ({ url, what, story: title, scenario }));
  const received = [...new Set(Object.keys(got).map((key) => key.split(" ")[0] as string))].sort();
  const attempts = received
    .filter((type) => !(type in again))
    .map((type) => ({
      ...{ url, what: `a second attempt of ${type}` },
      story: `sim.network.fault(${JSON.stringify(url)}, { status: 503, times: 1 })`,
    }));
  return [...events, ...attempts];
}

/** How many things people do in the stories at most. */
const ACTS = 2;

/** The story with the fewest acts in which a kind of event comes. */
interface Told {
  readonly type: string;
  readonly acts: number;
  readonly title: string;
  readonly scenario: string;
}

/** The kinds of events that can come after a beginning, each told once. */
class PossibleKinds {
  private readonly known = new Map<string, ReadonlyMap<string, Told>>();
  private readonly demo = organisationText(createUnannounced({}).services.settings.organisation);

  from(begin: FirstStep): ReadonlyMap<string, Told> {
    const key = JSON.stringify(begin);
    const told = this.known.get(key) ?? this.tell(begin);
    this.known.set(key, told);
    return told;
  }

  private tell({ organisation, step }: FirstStep): ReadonlyMap<string, Told> {
    const isDemo = JSON.stringify(organisation) === this.demo;
    const steps = [{ at: "PT0S", ...withText(step) }];
    const written = { organisation: withWrittenDurations(organisationSchema, organisation) };
    const text = stringify({ scenario: "A call", ...(isDemo ? {} : written), steps });
    const scenario = parseScenario(text, { phoneNumbers: readPhoneNumber });
    const told = new Map<string, Told>();
    // those with the fewest acts come first
    for (const story of new StoryTeller(scenario, { acts: ACTS, merge: "state" }).stories()) {
      const fresh = story.simulator.events.flatMap((event) =>
        eventKeys(event).flatMap((what) => (told.has(what) ? [] : [{ what, type: event.type }])),
      );
      if (fresh.length === 0) continue;
      const title = storyTitle(story.simulator.narration());
      const of = { acts: story.acts, title, scenario: storyText(text, story, title) };
      for (const { what, type } of fresh) told.set(what, { type, ...of });
    }
    return told;
  }
}

/** The step with a text of its own where a message needs one: notes have none. */
function withText(step: object): object {
  return Object.fromEntries(
    Object.entries(step).map(([command, args]) => [
      command,
      command === "receiveMessage" ? { ...(args as object), text: "Hello" } : (args as object),
    ]),
  );
}

/** The same without the story, as a file of known ones has it. */
const lineOf = ({ url, what }: Unseen) => `never: ${what} at ${url}`;

/** @throws {UsageError} if there is no such file, or a line of it is none of this command's */
function knownIn(path: string): ReadonlySet<string> {
  if (!existsSync(path))
    throw new UsageError("no such file; `npx ringback unseen | grep ^never > FILE` begins one", path);
  const lines = readTextFile(path)
    .split(/\r?\n/)
    .map((line) => (line.split(" <- ")[0] ?? "").trim());
  const wrong = lines.findIndex(
    (line) => line !== "" && !line.startsWith("#") && !line.startsWith("never: "),
  );
  if (wrong >= 0)
    throw new UsageError('expected a line that begins with "never: ", or with "#"', `${path}:${wrong + 1}`);
  return new Set(lines);
}

/** What a run had. */
interface Ran {
  readonly when: string;
  readonly files: number;
  readonly servers: number;
  readonly simulators: number;
}

function writeText(
  { when, files, servers, simulators }: Ran,
  found: readonly Unseen[],
  isCompared: boolean,
): string {
  const sources = [
    ...(files > 0 || servers === 0 ? [counted(files, "test file")] : []),
    ...(servers > 0 ? [counted(servers, "server")] : []),
    counted(simulators, "simulator"),
  ];
  const rows = [
    `the last run: ${when}, ${sources.join(", ")}`,
    ...found.map((each) => `${lineOf(each)} <- ${each.story}`),
    `${counted(found.length, "thing")} that ${isCompared ? "the list does not have and " : ""}no test has seen; --json has each story as a scenario`,
  ];
  return rows.map((row) => `${printable(row)}\n`).join("");
}
