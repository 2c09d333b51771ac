import { nodeModule } from "../core/foundation/node-module.ts";

/**
 * The page without its data, and the importer of playgrounds, which the build writes into `dist`. Read at first use: the
 * page is a megabyte, and most programs that import this module never make one.
 */
const texts = new Map<string, string>();

const TEMPLATE = "inspect.html";

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

/** The lessons of a playground, as JSON. */
export function readLessons(): string {
  return readText("page-lessons.json");
}

/** The phones of a server, a whole page. */
export function readDesk(): string {
  return readText("desk.html");
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
  return hasTemplate() ? (readDesk().match(/@font-face\{[^}]*\}/g) ?? []).join("") : "";
}

interface Files {
  readFileSync(path: string, encoding: "utf8"): string;
}

interface Paths {
  dirname(path: string): string;
  join(...parts: string[]): string;
  basename(path: string): string;
}

/** @throws {Error} what keeps the file from being read */
function readText(name: string): string {
  const known = texts.get(name);
  if (known !== undefined) return known;
  const fs = nodeModule<Files>("node:fs");
  if (fs === undefined) throw new Error("the inspector's page is read from a file: make it in Node");
  try {
    const text = fs.readFileSync(pathOf(name), "utf8");
    texts.set(name, text);
    return text;
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

/** The path of a part: beside this file in the build, in `dist` from the sources. */
function pathOf(name: string): string {
  const { dirname, join } = nodeModule<Paths>("node:path") as Paths;
  return join(dirname(ownPath()), isSource() ? "../../dist" : "", name);
}
