import { shortClock } from "../../src/core/foundation/clock.ts";
import type { Scenario } from "../../src/index.ts";
import { capital, listedWithAnd } from "../../src/inspector/model/question-words.ts";
import { actWords, durationWords } from "./act-words.ts";
import { nameOf } from "./near-runs.ts";
import type { RecordedRun } from "./recorded-run.ts";

/** What a lesson tells before its question: who there is, and what people do. Nothing that the platform does. */
export interface Situation {
  /** `Sales rings Bob and Carol first, then Lobby.` */
  readonly people: readonly string[];
  /** What is done, in order: `Jane Smith calls Sales.` */
  readonly acts: readonly Act[];
}

/** One step of the script in words. */
interface Act {
  /** `At 0:25`; empty for the start. */
  readonly when: string;
  /** `Lobby answers.` */
  readonly what: string;
}

export function situationOf(scenario: Scenario, run: RecordedRun): Situation {
  return { people: people(scenario, run), acts: scenario.steps.map((step) => actOf(step, scenario, run)) };
}

/** From here on people say how long after the start, rather than a time with seconds, ms. */
const LATE_FROM_MS = 600_000;

/** A sentence with its capital letter. An address at its beginning has none. */
export const sentenceCase = (sentence: string): string =>
  /^[\w-]+\.[\w-]+\.\w/.test(sentence) ? sentence : capital(sentence);

type Step = Scenario["steps"][number];

function actOf(step: Step, { steps }: Scenario, run: RecordedRun): Act {
  const words = actWords(step, run);
  const what = `${words.replace(/^(?:A|An|The) /, (article) => article.toLowerCase())}${/[.?!][’"]$/.test(words) ? "" : "."}`;
  if (step.on !== undefined) {
    const { type, plusMs, of } = step.on;
    const event = `${type}${of === undefined ? "" : ofWhich(of, steps)}`;
    return {
      when: plusMs === 0 ? `On ${event},` : `${capital(durationWords(plusMs))} after ${event},`,
      what,
    };
  }
  const atMs = step.atMs ?? 0;
  if (atMs === 0) return { when: "", what: sentenceCase(what) };
  const isLate = atMs >= LATE_FROM_MS && atMs % 60_000 === 0;
  return { when: isLate ? `After ${durationWords(atMs)},` : `At ${shortClock(atMs)}`, what };
}

const beginsCall = new Set(["inbound", "outbound", "internal"]);

/** Which call an event is of, where the script begins several. */
function ofWhich(of: string, steps: readonly Step[]): string {
  const names = steps.filter(({ command }) => beginsCall.has(command)).map(({ as }) => as);
  const place = names.indexOf(of);
  return place < 0 || names.length < 2 ? "" : ` of the ${ordinals[place] ?? "last"} call`;
}

/** The users, devices and teams that the script names. */
function people({ options, steps }: Scenario, run: RecordedRun): string[] {
  const organisation = options.organisation;
  if (organisation === undefined) return [];
  const { numbers = [], users = [], devices = [], teams = [] } = organisation;
  const named = new Set(steps.flatMap(({ args }) => Object.values(args)).map(String));
  const isNamed = (each: { id: string; extension?: string | undefined; email?: string | undefined }) =>
    [each.id, each.extension, each.email].some((key) => key !== undefined && named.has(key)) ||
    numbers.some(({ number, owner }) => owner === each.id && named.has(number));
  const calledTeams = teams.filter(isNamed);
  const usesPhones = run.bars.some(({ kind }) => kind === "ring" || kind === "talk" || kind === "voicemail");
  return [
    ...calledTeams.map((team) => teamSentence(team, run)),
    ...users.filter((user) => usesPhones && user.endpoints !== undefined && isNamed(user)).map(userSentence),
    ...devices.filter(isNamed).map(({ displayName }) => `${displayName} is a phone that belongs to nobody.`),
  ];
}

type Organisation = NonNullable<Scenario["options"]["organisation"]>;
type Team = NonNullable<Organisation["teams"]>[number];
type User = NonNullable<Organisation["users"]>[number];

const ordinals = ["first", "second", "third", "fourth"];

/** `The first choices of Sales are Bob and Carol, the second is Lobby.` */
function teamSentence({ displayName, members = [] }: Team, run: RecordedRun): string {
  const byPriority = new Map<number, string[]>();
  for (const member of members) {
    const id = "user" in member ? member.user : "device" in member ? member.device : "";
    const priority = member.priority ?? 1;
    byPriority.set(priority, [...(byPriority.get(priority) ?? []), nameOf(run, String(id))]);
  }
  const tiers = [...byPriority].sort(([one], [other]) => one - other).map(([, names]) => names);
  if (tiers.length === 1) return `The team ${displayName} is ${listedWithAnd(tiers[0] ?? [])}.`;
  const parts = tiers.map((names, index) => {
    const isOne = names.length === 1;
    const choice =
      `${ordinals[index] ?? "next"} ${index > 0 ? "" : isOne ? "choice " : "choices "}`.trimEnd();
    const of = index === 0 ? ` of ${displayName}` : "";
    return `the ${choice}${of} ${isOne ? "is" : "are"} ${listedWithAnd(names)}`;
  });
  return capital(`${parts.join(", ")}.`);
}

/** `Bob has three phones (mobile, desktop and desk) and voicemail.` */
function userSentence({ displayName, endpoints = [], voicemail, status }: User): string {
  const name = displayName.split(" ")[0] ?? displayName;
  const phones = endpoints.map((each) => (typeof each === "string" ? each : each.id));
  const count =
    ["no phone", "one phone", "two phones", "three phones"][phones.length] ?? `${phones.length} phones`;
  const which = phones.length === 0 ? "" : ` (${listedWithAnd(phones)})`;
  const suspended = status === "suspended" ? " is suspended, and" : "";
  const hasVoicemail =
    voicemail === undefined ? "" : voicemail === false ? " and no voicemail" : " and voicemail";
  return `${name}${suspended} has ${count}${which}${hasVoicemail}.`;
}
