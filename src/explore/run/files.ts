import { InputError } from "../../core/foundation/errors.ts";
import { nodeModule } from "../../core/foundation/node-module.ts";
import { mustFollowRules } from "../../core/simulator/compatibility.ts";
import { EditableScenario } from "./write-scenario.ts";

/** A scenario's text, the organisations that it may name, and whether its hosts may be local. */
export interface ScenarioText {
  readonly text: string;
  readonly organisations: Readonly<Record<string, string>>;
  /** Whether endpoints may be at local and private hosts. */
  readonly allowLocal: boolean;
}

/** A scenario that failed before and was kept. */
export interface CorpusFile extends ScenarioText {
  readonly path: string;
}

/** The functions of Node's `fs` that are used. */
interface FileSystem {
  existsSync(path: string): boolean;
  mkdirSync(path: string, options: { readonly recursive: true }): void;
  readFileSync(path: string, encoding: "utf8"): string;
  readdirSync(path: string): string[];
  statSync(path: string): { isDirectory(): boolean };
  writeFileSync(path: string, text: string, options: { readonly flag: "wx" }): void;
}

/** The functions of Node's `path` that are used. */
interface Paths {
  join(...parts: string[]): string;
  dirname(path: string): string;
  resolve(path: string): string;
}

/** Node's modules, if this runs on Node. Only this file needs them, so the rest also runs in browsers. */
function modules(keys: readonly string[]) {
  const fs = nodeModule<FileSystem>("node:fs");
  const path = nodeModule<Paths>("node:path");
  const url = nodeModule<{ pathToFileURL(path: string): URL }>("node:url");
  if (fs === undefined || path === undefined || url === undefined)
    throw new InputError([...keys], "files can be read only on Node: pass what parseScenario returns");
  return { fs, path, url };
}

/** Reads a scenario's file and the organisations beside it. @throws {InputError} if there is no such file */
export function readFiles(file: string, allowLocal: boolean): ScenarioText {
  const { fs, path } = modules(["scenario"]);
  if (!fs.existsSync(file)) {
    const [line = "", ...more] = file.split("\n");
    if (more.length > 0)
      throw new InputError(["scenario"], `there is no file ${line}…; for text use parseScenario(text)`);
    throw new InputError(["scenario"], `there is no file ${file}`);
  }
  return { text: read(fs, file), organisations: organisationsIn(path.dirname(file)), allowLocal };
}

/** The organisations that a folder's scenarios may name. */
function organisationsIn(scenarios: string): Record<string, string> {
  const { fs, path } = modules(["scenario"]);
  const folder = path.join(scenarios, "organisations");
  if (!fs.existsSync(folder)) return {};
  return Object.fromEntries(
    yamlFiles(fs, folder).map((name) => [withoutEnding(name), read(fs, path.join(folder, name))]),
  );
}

/**
 * The scenarios of a folder, sorted by name. Empty if the folder does not exist.
 * @throws {InputError} naming a file that was written with other rules, and what changed since
 */
export function readCorpus(folder: string, allowLocal: boolean): CorpusFile[] {
  const { fs, path } = modules(["corpus"]);
  if (!fs.existsSync(folder)) return [];
  const organisations = organisationsIn(folder);
  return yamlFiles(fs, folder).map((name) => {
    const file = path.join(folder, name);
    if (fs.statSync(file).isDirectory())
      throw new InputError(["corpus"], `${file} is a folder, expected a scenario: rename or move it`);
    const text = read(fs, file);
    mustFollowRules(rulesIn(text), `corpus file, ${file},`, ["corpus"]);
    return { path: file, text, organisations, allowLocal };
  });
}

/** The version of the rules in a kept scenario; undefined if the text names none. */
export function rulesIn(text: string): number | undefined {
  const rules = /^rules: *(\d+)/m.exec(text)?.[1];
  return rules === undefined ? undefined : Number(rules);
}

/**
 * Writes a scenario into a folder, unless it is there already. Never overwrites a file.
 * @param about the words from which the file's name is made
 * @returns its path
 */
export function writeCorpus(folder: string, about: string, scenario: string): string {
  const { fs, path } = modules(["corpus"]);
  const { text } = EditableScenario.of(scenario).withRules();
  fs.mkdirSync(folder, { recursive: true });
  const slug =
    about
      .toLowerCase()
      .replaceAll(/[^a-z\d]+/g, "-")
      .replaceAll(/^-|-$/g, "") || "failure";
  for (let number = 1; ; number++) {
    const file = path.join(folder, `${slug.slice(0, 60)}${number === 1 ? "" : `-${number}`}.yaml`);
    if (!fs.existsSync(file)) {
      fs.writeFileSync(file, text, { flag: "wx" });
      return file;
    }
    if (read(fs, file).replaceAll("\r\n", "\n") === text) return file;
  }
}

/** The URL by which a module's file is imported. @param keys the option that names it @throws {InputError} if there is no such file */
export function moduleUrl(file: string, keys: readonly string[]): string {
  const { fs, path, url } = modules(keys);
  if (!fs.existsSync(file)) throw new InputError([...keys], `there is no file ${file}`);
  return url.pathToFileURL(path.resolve(file)).href;
}

function yamlFiles(fs: FileSystem, folder: string): string[] {
  return fs
    .readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .sort();
}

function read(fs: FileSystem, file: string): string {
  return fs.readFileSync(file, "utf8");
}

function withoutEnding(name: string): string {
  return name.replace(/\.ya?ml$/, "");
}
