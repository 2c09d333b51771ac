import { InputError } from "../engine/errors.ts";

/** A scenario's text, the organisations that it may name, and which hosts it may. */
export interface ScenarioText {
  readonly text: string;
  readonly organisations: Readonly<Record<string, string>>;
  /** Endpoints may be at local and private hosts. */
  readonly allowLocal: boolean;
}

/** A scenario that failed once, and is kept. */
export interface CorpusFile extends ScenarioText {
  readonly path: string;
}

/** What is used of Node's `fs`. */
interface FileSystem {
  existsSync(path: string): boolean;
  mkdirSync(path: string, options: { readonly recursive: true }): void;
  readFileSync(path: string, encoding: "utf8"): string;
  readdirSync(path: string): string[];
  writeFileSync(path: string, text: string, options: { readonly flag: "wx" }): void;
}

/** What is used of Node's `path`. */
interface Paths {
  join(...parts: string[]): string;
  dirname(path: string): string;
  resolve(path: string): string;
}

/** Node's modules, where this runs on Node: nothing else here needs them, so that the rest runs in browsers. */
function modules(keys: readonly string[]) {
  const load = (globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }).process
    ?.getBuiltinModule;
  if (load === undefined)
    throw new InputError([...keys], "files can be read on Node alone: give what parseScenario returns");
  return {
    fs: load("node:fs") as FileSystem,
    path: load("node:path") as Paths,
    url: load("node:url") as { pathToFileURL(path: string): URL },
  };
}

/** A scenario's file, with the organisations beside it. @throws {InputError} when there is none */
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

/** The texts of the organisations that the scenarios of a folder may name. */
function organisationsIn(scenarios: string): Record<string, string> {
  const { fs, path } = modules(["scenario"]);
  const folder = path.join(scenarios, "organisations");
  if (!fs.existsSync(folder)) return {};
  return Object.fromEntries(
    yamlFiles(fs, folder).map((name) => [withoutEnding(name), read(fs, path.join(folder, name))]),
  );
}

/** The scenarios of a folder, by name; none where there is no such folder yet. */
export function readCorpus(folder: string, allowLocal: boolean): CorpusFile[] {
  const { fs, path } = modules(["corpus"]);
  if (!fs.existsSync(folder)) return [];
  const organisations = organisationsIn(folder);
  return yamlFiles(fs, folder).map((name) => ({
    path: path.join(folder, name),
    text: read(fs, path.join(folder, name)),
    organisations,
    allowLocal,
  }));
}

/**
 * Keeps a scenario in a folder, unless it is there already. Nothing is overwritten.
 * @param about what the file is named after
 * @returns its path
 */
export function writeCorpus(folder: string, about: string, text: string): string {
  const { fs, path } = modules(["corpus"]);
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
    if (read(fs, file) === text) return file;
  }
}

/** The address of a module's file, to import it. @throws {InputError} when there is none */
export function moduleUrl(file: string): string {
  const { fs, path, url } = modules(["with"]);
  if (!fs.existsSync(file)) throw new InputError(["with"], `there is no file ${file}`);
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
