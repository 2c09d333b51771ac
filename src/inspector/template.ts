import { nodeModule } from "../core/foundation/node-module.ts";
import { toScriptText } from "./data.ts";
import { type Exercise, type LessonText, lessonName } from "./lesson.ts";
import { FONTS_MARK } from "./placeholders.ts";

/**
 * The page without its data, and the importer of playgrounds, which the build writes into `dist`, and the lessons. Read at first
 * use: the page is a megabyte, and most programs that import this module never make one.
 */
const texts = new Map<string, string>();

const TEMPLATE = "inspect.html";
const LESSONS = "scenarios";

export function readTemplate(): string {
  return readText(TEMPLATE);
}

/** The script that imports captures in the worker of a playground. */
export function readImporter(): string {
  return readText("page-importer.js");
}

/** The script of a playground's editor. */
export function readEditor(): string {
  return readText("page-editor.js");
}

/** The lessons of a playground, as JSON that an element of a page may hold. */
export function readLessons(): string {
  const known = texts.get(LESSONS);
  if (known !== undefined) return known;
  const { asked, files } = reading((fs) => {
    const folder = pathOf(LESSONS);
    const join = (name: string) => `${folder}/${name}`;
    const asked: Readonly<Record<string, Asked>> = JSON.parse(fs.readFileSync(join("lessons.json"), "utf8"));
    const names = fs.readdirSync(folder).filter((name) => name.endsWith(".yaml"));
    return { asked, files: names.sort().map((name) => [name, fs.readFileSync(join(name), "utf8")] as const) };
  });
  const lessons = files.map(([file, text]): LessonText => {
    const own = asked[lessonName(file)];
    if (own === undefined) throw new Error(`${file}: scenarios/lessons.json has no question for it`);
    const { asks: question, exercise } = own;
    // the first line is for editors, which find the schema beside the file
    const shown = text.replace(/^# yaml-language-server:.*\n/, "");
    return { name: file.replace(/\.yaml$/, ""), text: shown, question, exercise };
  });
  const read = toScriptText(lessons);
  texts.set(LESSONS, read);
  return read;
}

/** What `lessons.json` says of a lesson, as far as playgrounds show it. */
interface Asked {
  readonly asks: string;
  readonly exercise: Exercise;
}

/** The phones of a server, a whole page. Its fonts are packed once, in the template. */
export function readDesk(): string {
  return readText("desk.html").replace(FONTS_MARK, () => fontRules());
}

/** Whether the template can be read. A clone that was not built has none, nor does a program that may read no files. */
export function hasTemplate(): boolean {
  try {
    return readTemplate() !== "";
  } catch {
    return false;
  }
}

/** The rules of a style sheet that hold the fonts of all pages; empty where there is no template. */
export function fontRules(): string {
  return hasTemplate() ? (readTemplate().match(/@font-face\{[^}]*\}/g) ?? []).join("") : "";
}

interface Files {
  readFileSync(path: string, encoding: "utf8"): string;
  readdirSync(path: string): string[];
}

interface Paths {
  dirname(path: string): string;
  join(...parts: string[]): string;
  basename(path: string): string;
}

/** @throws {Error} what keeps the file from being read */
function readText(name: string): string {
  const text = texts.get(name) ?? reading((fs) => fs.readFileSync(pathOf(name), "utf8"));
  texts.set(name, text);
  return text;
}

function reading<T>(read: (fs: Files) => T): T {
  const fs = nodeModule<Files>("node:fs");
  if (fs === undefined) throw new Error("the inspector's page is read from a file: make it in Node");
  try {
    return read(fs);
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`the inspector's page cannot be read: ${message}${writeRemedy(error)}`);
  }
}

function writeRemedy(error: unknown): string {
  const { code } = error as { readonly code?: string };
  if (code === "ERR_ACCESS_DENIED") return "; start Node with --allow-fs-read for ringback's folder";
  if (code !== "ENOENT") return "";
  return isSource()
    ? "; `npm run build:page` makes it"
    : "; install ringback again, since this is a part of it";
}

/** The path of this file. A required file has no URL of its own, and in jsdom another is made up for it. */
function ownPath(): string {
  const url = import.meta.url;
  if (typeof __filename === "string" && !url.startsWith("file:")) return __filename;
  return nodeModule<{ fileURLToPath(url: string): string }>("node:url")?.fileURLToPath(url) ?? "";
}

/** Whether this runs from the sources, and not from the build. */
function isSource(): boolean {
  return nodeModule<Paths>("node:path")?.basename(ownPath()).startsWith("template.") === true;
}

/** The path of a part: beside this file in the build, in `dist` from the sources. The scenarios are beside `dist`. */
function pathOf(name: string): string {
  const { dirname, join } = nodeModule<Paths>("node:path") as Paths;
  const dist = join(dirname(ownPath()), isSource() ? "../../dist" : "");
  return join(dist, name === LESSONS ? ".." : "", name);
}
