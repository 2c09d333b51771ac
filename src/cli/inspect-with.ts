import { type Deviation, isSamePoint } from "../core/engine/deviations.ts";
import { InputError } from "../core/foundation/errors.ts";
import { list, object, readInput, wholeNumber } from "../core/foundation/input-schemas.ts";
import { deviate } from "../core/platform/network/commands/deviate.ts";
import { parseScenario } from "../core/scenario/parse.ts";
import type { JournalDocument } from "../core/simulator/options.ts";
import { type PlayedWorld, playWorld } from "../explore/explore.ts";
import { EditableScenario } from "../explore/run/write-scenario.ts";
import { nameOfProperty } from "../findings/property-failure.ts";
import type { AppRun, RunSource } from "../inspector/data.ts";
import { fill } from "../inspector/fill.ts";
import { type InspectableFailure, runOfFailure } from "../inspector/report.ts";
import { readPhoneNumber } from "../phone-numbers/index.ts";
import { type AppPage, ASK_PATH } from "../server/app-page.ts";
import { type AppFlags, readAppFlags } from "./app-flags.ts";
import { UsageError } from "./failures.ts";
import type { ReadFlags } from "./scenario-files.ts";

/** A scenario that is played for an app. */
export interface PlayableScenario {
  readonly name: string;
  readonly text: string;
  readonly organisations: Readonly<Record<string, string>>;
  /** The failure whose smallest world it is. */
  readonly failure?: InspectableFailure | undefined;
}

/** What a page asks for: a run, by its index, again with these deviations. */
const questionSchema = object({ run: wholeNumber(0), deviations: list(deviate.schema) });

/**
 * The page of scenarios that are played for an app, which plays them again whenever the page asks for other deviations.
 * @throws {UsageError} if one of them cannot be played
 */
export async function pageWithApp(
  title: string,
  scenarios: readonly PlayableScenario[],
  flags: AppFlags & ReadFlags,
): Promise<AppPage> {
  const { allowLocal = false } = flags;
  const { options, flags: named } = readAppFlags(flags, allowLocal);
  const play = ({ text, organisations }: PlayableScenario, added?: readonly Deviation[]) => {
    const scenario = parseScenario(text, { organisations, allowLocal, phoneNumbers: readPhoneNumber });
    return playWorld({ ...options, scenario, allowLocal, phoneNumbers: readPhoneNumber }, added);
  };
  const bases: PlayedWorld[] = [];
  const runs: RunSource[] = [];
  for (const each of scenarios) {
    const base = await play(each).catch((error: Error) => {
      throw new UsageError(error.message, each.name);
    });
    bases.push(base);
    runs.push(await makeRunSource(each, base, play));
  }
  const organisations = scenarios[0]?.organisations;
  // one world at a time, since all share the process or the server
  let last: Promise<unknown> = Promise.resolve();
  const answer = async (question: unknown): Promise<AppRun> => {
    const { run, deviations } = readInput(questionSchema, question, []);
    const [scenario, base] = [scenarios[run], bases[run]];
    if (scenario === undefined || base === undefined)
      throw new InputError(["run"], `there are ${scenarios.length} runs, got ${run}`);
    const world = await play(scenario, deviations);
    mustStartTheSame(base.journal, world.journal, Math.min(...deviations.map(({ at }) => at)));
    const { journal, received, failures } = world;
    return { journal, received, failures: failures.map(({ property, message }) => ({ property, message })) };
  };
  return {
    html: fill({
      version: 1,
      mode: "inspect",
      title,
      runs,
      organisations,
      app: { name: named, at: ASK_PATH },
    }),
    answer(question) {
      last = last.then(
        () => answer(question),
        () => answer(question),
      );
      return last;
    },
  };
}

type PlayForApp = (scenario: PlayableScenario, added?: readonly Deviation[]) => Promise<PlayedWorld>;

/** What the page shows of a world: its failure, or just its run. */
async function makeRunSource(
  scenario: PlayableScenario,
  base: PlayedWorld,
  play: PlayForApp,
): Promise<RunSource> {
  const { name, text, failure } = scenario;
  const { journal, received, deviations, failures } = base;
  const reported = failure && nameOfProperty(failure.property);
  const broken = failures.find(({ property }) => property === reported) ?? failures[0];
  if (broken === undefined) {
    const description = failure && "It failed when it was explored. It holds now.";
    return { name, journal, scenario: text, states: received, description };
  }
  const isSame = broken.property === reported;
  return runOfFailure(
    {
      ...{ property: broken.property, message: broken.message, difference: broken.difference },
      smallest: { scenario: text, deviations, journal, received },
      nearest: isSame ? failure?.nearest : await playNearest(scenario, base, broken.property, play),
    },
    failure?.replay ?? "",
  );
}

/** The same world without one of its deviations, in which the property holds. */
async function playNearest(
  scenario: PlayableScenario,
  { deviations }: PlayedWorld,
  property: string,
  play: PlayForApp,
): Promise<InspectableFailure["nearest"]> {
  const { text } = EditableScenario.of(scenario.text).withoutExpectations();
  for (const without of deviations) {
    const others = deviations.filter((each) => !isSamePoint(each, without));
    const { failures, journal, received } = await play({ ...scenario, text }, others);
    if (!failures.some((each) => each.property === property)) return { journal, received, without };
  }
  return undefined;
}

/** @throws {InputError} if a world differs from another before anything was changed in it */
function mustStartTheSame(one: JournalDocument, other: JournalDocument, untilMs: number): void {
  const [before, now] = [entriesBefore(one, untilMs), entriesBefore(other, untilMs)];
  const place = before.findIndex((entry, index) => entry !== now[index]);
  const [, at = "0"] = /^(\d+)/.exec(before[place] ?? now[before.length] ?? "") ?? [];
  if (place < 0 && now.length === before.length) return;
  throw new InputError(
    ["app"],
    `it differs from the recorded run from ${Number(at) / 1_000} s on, before anything was changed. It is not deterministic, or keeps something from one world to the next`,
  );
}

/** What came from outside until an instant, without the planned deviations. */
function entriesBefore({ entries, options }: JournalDocument, untilMs: number): string[] {
  const startMs = Date.parse(options.start);
  return entries
    .filter(({ command, atMs }) => command !== "deviate" && atMs - startMs < untilMs)
    .map(({ atMs, command, args }) => `${atMs - startMs} ${command} ${JSON.stringify(args)}`);
}
