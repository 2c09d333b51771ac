import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { goldenPath } from "../../src/cli/golden.ts";
import { lessonQuestions } from "../../src/cli/scenario-files.ts";
import { runScenario, type Scenario, type Simulator } from "../../src/index.ts";
import { lessonName, lessonNumber } from "../../src/inspector/lesson.ts";
import { changedScenario, type Exercise, exercises } from "../generate/exercises.ts";
import { MendFirst } from "../generate/failures.ts";
import {
  lessonsFolder as folder,
  organisations,
  scenarioAt,
  scenariosIn,
} from "../generate/played-lessons.ts";
import { type Chapter, chapters } from "./chapters.ts";
import { makePrediction, type Prediction } from "./prediction.ts";
import { type RecordedRun, recordScenario } from "./recorded-run.ts";
import { type Situation, situationOf } from "./situation.ts";

/** What the pages need of a lesson. */
export interface Lesson {
  /** The file, such as `01-first-endpoint-wins.yaml`. */
  readonly file: string;
  /** The name, such as `first-endpoint-wins`, by which exercises and progress know it. */
  readonly name: string;
  /** The number by which the command line knows it, such as `01`. */
  readonly number: string;
  readonly chapter: Chapter;
  readonly text: string;
  /** The rule that the lesson shows, which answers its question. */
  readonly title: string;
  /** What to notice. */
  readonly description: string;
  readonly question: string;
  readonly exercise: Exercise;
  readonly scenario: Scenario;
  /** The event types that its page shows with all their fields, as its golden file does. Empty for most lessons. */
  readonly showsInFull: readonly string[];
  /** About how long it takes, minutes. */
  readonly minutes: number;
}

/** A lesson that was played, with its question. */
export interface PlayedLesson {
  readonly run: RecordedRun;
  /** The run of the lesson as its exercise changes it. */
  readonly changed: Simulator;
  readonly prediction: Prediction;
  readonly situation: Situation;
}

const questions = lessonQuestions();

/** All lessons, in the order of the course. @throws {MendFirst} with everything that is missing */
export function readCourse(): Lesson[] {
  const files = scenariosIn(folder);
  const names = files.map(lessonName);
  const placed = chapters.flatMap(({ lessons }) => lessons);
  const missing = names.flatMap((name) => [
    ...(questions[name] === undefined ? [`scenarios/questions.json: ${name} has no question`] : []),
    ...(exercises[name] === undefined ? [`scenarios/exercises.json: ${name} has no exercise`] : []),
    ...(placed.includes(name) ? [] : [`docs/learn/chapters.ts: ${name} is in no chapter`]),
  ]);
  const unknown = placed.filter((name) => !names.includes(name));
  missing.push(...unknown.map((name) => `docs/learn/chapters.ts: there is no lesson ${name}`));
  if (missing.length > 0) throw new MendFirst(missing.join("\n"));
  return chapters.flatMap((chapter) =>
    chapter.lessons.map((name) => readLesson(files[names.indexOf(name)] ?? "", chapter)),
  );
}

const played = new Map<string, PlayedLesson>();

/** Plays a lesson, its exercise and runs near it, once in each process. */
export function playLesson({ name, scenario, text, exercise, chapter }: Lesson): PlayedLesson {
  const known = played.get(name);
  if (known !== undefined) return known;
  const run = recordScenario(scenario);
  const changed = changedScenario(text, exercise, organisations);
  const made = {
    run,
    changed: runScenario(changed).simulator,
    prediction: makePrediction(scenario, run, changed, besides(name, chapter)),
    situation: situationOf(scenario, run),
  };
  played.set(name, made);
  return made;
}

/** The runs of the other lessons of a chapter, the nearest first. */
function* besides(name: string, { lessons }: Chapter): Generator<RecordedRun> {
  const place = lessons.indexOf(name);
  const distance = (other: string) => Math.abs(lessons.indexOf(other) - place);
  const files = scenariosIn(folder);
  for (const other of lessons.filter((each) => each !== name).sort((a, b) => distance(a) - distance(b))) {
    const file = files.find((each) => lessonName(each) === other);
    if (file !== undefined) yield recordScenario(scenarioAt(new URL(file, folder)));
  }
}

/** The parts of a lesson's script that tell what is done, without what is expected. Empty if nothing is. */
export function shownScript(text: string): string {
  const parts = [scriptPart(text, "organisation"), scriptPart(text, "steps")];
  return parts.filter((part) => part.includes("\n")).join("\n");
}

/** A part of a lesson's script, such as `steps`, with its first line. Empty if it has none. */
function scriptPart(text: string, key: "steps" | "organisation"): string {
  const [part = ""] = new RegExp(`^${key}:[^\\n]*\\n(?:(?: .*)?\\n)*`, "m").exec(text) ?? [];
  return part.trimEnd();
}

function readLesson(file: string, chapter: Chapter): Lesson {
  const text = readFileSync(new URL(file, folder), "utf8");
  const scenario = scenarioAt(new URL(file, folder));
  const { title, description, steps, expect = [] } = scenario;
  const name = lessonName(file);
  const isFull = existsSync(goldenPath(fileURLToPath(new URL(file, folder)), "full"));
  return {
    file,
    name,
    number: lessonNumber(file),
    chapter,
    text,
    title,
    description: description.trim().replaceAll(/\s+/g, " "),
    question: questions[name] ?? "",
    exercise: exercises[name] as Exercise,
    scenario,
    showsInFull: isFull ? expect.map(({ type }) => type) : [],
    minutes: Math.min(9, Math.max(3, Math.round(2 + expect.length / 4 + steps.length / 5))),
  };
}
