import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { goldenPath } from "../../src/cli/golden.ts";
import { runScenario, type Scenario, type Simulator } from "../../src/index.ts";
import { lessonName, lessonNumber } from "../../src/inspector/lesson.ts";
import { changedScenario, type Exercise, lessonTexts } from "../generate/exercises.ts";
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
import { type TimePicture, timePictureOf } from "./time-picture.ts";

/** What the pages need of a lesson. */
export interface Lesson {
  /** The file, such as `01-first-endpoint-wins.yaml`. */
  readonly file: string;
  /** The name, such as `first-endpoint-wins`, by which exercises and progress know it. */
  readonly name: string;
  /** The number by which the command line knows it, such as `01`. */
  readonly number: string;
  /** The chapter that it belongs to, or is an example of. */
  readonly chapter: Chapter;
  /** Its place in the chapter, 1 for the first; undefined for an example, which is not in the course. */
  readonly place: number | undefined;
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
  /** Its time, as far as its first question leaves it open. */
  readonly picture: TimePicture | undefined;
}

/** The lessons of the course, in its order. */
export function readCourse(): Lesson[] {
  return readLessons().filter(({ place }) => place !== undefined);
}

/** All lessons by chapters: those of the course, then its examples. @throws {MendFirst} with everything that is missing */
export function readLessons(): Lesson[] {
  const files = scenariosIn(folder);
  const names = files.map(lessonName);
  const placed = chapters.flatMap(namesOf);
  const missing = names.flatMap((name) => [
    ...(lessonTexts[name] === undefined
      ? [`scenarios/lessons.json: ${name} has no question and no exercise`]
      : []),
    ...(placed.includes(name)
      ? []
      : [`scenarios/lessons.json: ${name} is an example of no chapter: name one in \`exampleOf\``]),
  ]);
  const unknown = placed.filter((name) => !names.includes(name));
  missing.push(...unknown.map((name) => `docs/learn/chapters.ts: there is no lesson ${name}`));
  const strangers = Object.keys(lessonTexts).filter((name) => !names.includes(name));
  missing.push(...strangers.map((name) => `scenarios/lessons.json: there is no lesson ${name}`));
  const taught = chapters.flatMap(({ lessons }) => lessons);
  const misnamed = taught.filter(({ number, name }) => !files.includes(`${number}-${name}.yaml`));
  missing.push(
    ...misnamed.map(({ number, name }) => `docs/learn/chapters.ts: ${name} has not the number ${number}`),
  );
  if (missing.length > 0) throw new MendFirst(missing.join("\n"));
  return chapters.flatMap((chapter) =>
    namesOf(chapter).map((name, index) =>
      readLesson(
        files[names.indexOf(name)] ?? "",
        chapter,
        index < chapter.lessons.length ? index + 1 : undefined,
      ),
    ),
  );
}

/** The names of the lessons of a chapter, and of its examples, which have pages too, but no place in the course. */
function namesOf({ lessons, title }: Chapter): string[] {
  const examples = Object.keys(lessonTexts).filter((name) => lessonTexts[name]?.exampleOf === title);
  return [...lessons.map(({ name }) => name), ...examples];
}

/** Where a lesson stands in the course, such as `2.3`; `example` if it has no place there. */
export function placeOf({ chapter, place }: Lesson): string {
  return place === undefined ? "example" : `${chapters.indexOf(chapter) + 1}.${place}`;
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
    picture: timePictureOf(scenario, run),
  };
  played.set(name, made);
  return made;
}

/** The runs of the other lessons of a chapter, the nearest first. */
function* besides(name: string, chapter: Chapter): Generator<RecordedRun> {
  const lessons = namesOf(chapter);
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

function readLesson(file: string, chapter: Chapter, place: number | undefined): Lesson {
  const text = readFileSync(new URL(file, folder), "utf8");
  const scenario = scenarioAt(new URL(file, folder));
  const { title, description, steps, expect = [] } = scenario;
  const name = lessonName(file);
  const texts = lessonTexts[name];
  if (texts === undefined) throw new Error(`${file}: scenarios/lessons.json has no question for it`);
  const isFull = existsSync(goldenPath(fileURLToPath(new URL(file, folder)), "full"));
  return {
    file,
    name,
    number: lessonNumber(file),
    chapter,
    place,
    text,
    title,
    description: description.trim().replaceAll(/\s+/g, " "),
    question: texts.asks,
    exercise: texts.exercise,
    scenario,
    showsInFull: isFull ? expect.map(({ type }) => type) : [],
    minutes: Math.min(9, Math.max(3, Math.round(2 + expect.length / 4 + steps.length / 5))),
  };
}
