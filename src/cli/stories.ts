import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../core/foundation/errors.ts";
import { counted } from "../core/platform/declare/words.ts";
import { demoOrganisation } from "../core/platform/organisation/demo.ts";
import { parseScenario } from "../core/scenario/parse.ts";
import { runScenario } from "../core/scenario/run.ts";
import { withExpect } from "../core/scenario/write-expect.ts";
import { readPhoneNumber } from "../phone-numbers/index.ts";
import { transitionsOfPeople } from "../stories/coverage.ts";
import { Covering, type Goal, listGoals } from "../stories/covering.ts";
import { furtherActs } from "../stories/further-acts.ts";
import { type StoryBound, StoryTeller } from "../stories/story-teller.ts";
import { storyText } from "../stories/story-text.ts";
import { storyTitle } from "../stories/story-words.ts";
import { unreachable } from "../stories/unreachable.ts";
import { jsonOption, optionText, wholeNumberFrom } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { writeNew } from "./disk.ts";
import { UsageError } from "./failures.ts";
import { allFirstScenarios, type FirstScenario, scenarioWithCallTo } from "./first-scenarios.ts";
import type { CommandOutput } from "./output.ts";
import { findScenarios, organisationsBeside, readScenario } from "./scenario-files.ts";

/** `ringback stories` writes the fewest scenarios that show everything that can become of a call. */

interface StoriesFlags {
  readonly acts?: number;
  readonly who?: readonly string[];
  readonly targets?: readonly string[];
  readonly calls?: number;
  readonly all?: boolean;
  readonly output?: string;
}

/** How many acts a story has at most: of one beginning, and of all. */
const USUAL_ACTS = { one: 3, all: 2 };

/** `ringback stories`. */
export const storiesCommand: CommandRow = {
  name: "stories",
  group: "scenarios",
  summary: "write the fewest scenarios that show everything that can become of a call",
  mayChange: true,
  declare: (command, output, exit) => {
    command
      .argument(
        "[from]",
        "a number of the demo organisation, or a scenario to which people add: a file, or a lesson by number such as 01",
      )
      .option(
        "--acts <n>",
        `how many things people do more in a story at most; default: ${USUAL_ACTS.one}, with --all ${USUAL_ACTS.all}`,
        wholeNumberFrom(1),
      )
      .option("--who <users...>", "who may act; default: whom the call rings, and one colleague")
      .option("--targets <names...>", "whom they may also hand a call to: extensions, outside numbers")
      .option("--calls <n>", "how many calls there may be", wholeNumberFrom(1))
      .option("--all", "from each number: calls in, out and inside, redirects and messages")
      .option("-o, --output <folder>", "where to write the scenarios; default: only list them")
      .addOption(jsonOption())
      .action((from: string | undefined, flags: StoriesFlags) => exit(stories(from, flags, output)));
  },
};

/** A story that is to be written. */
interface Candidate {
  readonly text: string;
  readonly acts: number;
  readonly organisations: FirstScenario["organisations"];
}

/** @returns the exit code: 0 */
function stories(from: string | undefined, flags: StoriesFlags, output: CommandOutput): number {
  const covering = new Covering<Candidate>();
  let told = 0;
  for (const first of firstScenarios(from, flags)) {
    const { text, organisations } = first;
    for (const story of makeTeller(first, flags).stories()) {
      told++;
      const { acts } = story;
      covering.add(listGoals(story), () => ({ text: storyText(text, story), acts, organisations }));
    }
  }
  const needed = covering.fewest().sort((a, b) => a.story.acts - b.story.acts);
  const files = needed.map(({ story, onlyHere }, index) =>
    writeStory(story, onlyHere, String(index + 1).padStart(String(needed.length).length, "0")),
  );
  if (flags.output !== undefined) writeFiles(flags.output, files);
  return report(files, { told, goals: covering.goals, acts: actsOf(flags) }, output);
}

/** @throws {UsageError} for people that the organisation does not have */
function makeTeller(first: FirstScenario, flags: StoriesFlags): StoryTeller {
  const { text, organisations } = first;
  const scenario = parseScenario(text, { organisations, phoneNumbers: readPhoneNumber });
  try {
    return new StoryTeller(scenario, chooseBound(first, flags));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // `people.who[0]`, which the command calls `--who`
    const [{ keys, message }] = error.problems as [InputError["problems"][number]];
    throw keys[0] === "people"
      ? new UsageError(message, optionText(String(keys[1])))
      : new UsageError(error.message);
  }
}

const actsOf = ({ acts, all = false }: StoriesFlags) => acts ?? (all ? USUAL_ACTS.all : USUAL_ACTS.one);

function chooseBound(first: FirstScenario, flags: StoriesFlags): StoryBound {
  const { mostActs = Number.POSITIVE_INFINITY } = first;
  const { who = first.who, targets = first.targets, calls } = flags;
  return {
    acts: Math.min(actsOf(flags), mostActs),
    merge: "state",
    actsAt: furtherActs,
    ...(who === undefined ? {} : { who }),
    ...(targets === undefined ? {} : { targets }),
    ...(calls === undefined ? {} : { calls }),
  };
}

/** @throws {UsageError} unless a number, a file or --all is given */
function firstScenarios(from: string | undefined, { all = false }: StoriesFlags): FirstScenario[] {
  if (all && from !== undefined) throw new UsageError("--all begins from each number: give no other", from);
  if (all) return allFirstScenarios();
  if (from === undefined) throw new UsageError("expected a number, the file of a scenario, or --all");
  if (!/^\+\d+$/.test(from)) {
    const [path = from, other] = findScenarios([from]);
    if (other !== undefined) throw new UsageError("this folder has several scenarios, expected one", from);
    const { text = "" } = readScenario(path);
    return [{ text, organisations: organisationsBeside(path) }];
  }
  const known = demoOrganisation.numbers?.map(({ number }) => number) ?? [];
  if (!known.includes(from))
    throw new UsageError(`the demo organisation does not have this number; it has ${known.join(", ")}`, from);
  return [scenarioWithCallTo(from)];
}

interface StoryFile {
  readonly name: string;
  readonly title: string;
  readonly acts: number;
  readonly onlyHere: readonly Goal[];
  readonly text: string;
}

/** Plays the story, and writes it with what it expects. @param number its place, for the file's name */
function writeStory(
  { text, acts, organisations }: Candidate,
  onlyHere: readonly Goal[],
  number: string,
): StoryFile {
  const options = { organisations, phoneNumbers: readPhoneNumber };
  const run = runScenario(parseScenario(text, options));
  const title = storyTitle(run.simulator.narration());
  const titled = text.replace(/^scenario: .*$/m, () => `scenario: ${JSON.stringify(title)}`);
  const why = `# Only here:\n${onlyHere.map((goal) => `#   ${goal}\n`).join("")}`;
  return {
    ...{ title, acts, onlyHere, name: `${number}-${slug(title)}.yaml` },
    text: `${why}${withExpect(titled, parseScenario(titled, options), run)}`,
  };
}

/** The longest name of a file without its number and ending. */
const LONGEST_NAME = 70;

function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/ \(\+\d+\)/g, "")
    .replaceAll(/[^a-z\d]+/g, "-")
    .slice(0, LONGEST_NAME)
    .replaceAll(/^-|-$/g, "");
}

/** @throws {UsageError} for a file that is there already, before any is written */
function writeFiles(folder: string, files: readonly StoryFile[]): void {
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of files)
    if (!writeNew(join(folder, name), text))
      throw new UsageError("this file is there already; give an empty folder", join(folder, name));
}

/** What all stories came to. */
interface ToldStories {
  readonly told: number;
  readonly goals: ReadonlySet<Goal>;
  /** How many acts a story had at most. */
  readonly acts: number;
}

function report(
  files: readonly StoryFile[],
  { told, goals, acts }: ToldStories,
  output: CommandOutput,
): number {
  const transitions = transitionsOfPeople();
  const missing = transitions.filter((each) => !goals.has(each));
  const why = (each: string) =>
    unreachable[each] ?? `No story here of at most ${counted(acts, "act")} gets there.`;
  if (output.isJson) {
    const scenarios = files.map(({ text: _, ...each }) => each);
    const reasons = Object.fromEntries(missing.map((each) => [each, why(each)]));
    output.out(output.result([], { scenarios, told, reached: [...goals].sort(), missing, reasons }));
    return 0;
  }
  for (const { name, onlyHere } of files)
    output.out(`${name}  (${counted(onlyHere.length, "thing")} only here)\n`);
  const reached = transitions.length - missing.length;
  output.out(
    `\n${counted(files.length, "scenario")} of ${counted(told, "story", "stories")}: ${reached} of ${transitions.length} transitions, and ${goals.size - reached} kinds of events\n`,
  );
  if (missing.length > 0) output.out("Not reached:\n");
  for (const each of missing) output.out(`  ${each} <- ${why(each)}\n`);
  return 0;
}
