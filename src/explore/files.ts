import { InputError } from "../engine/errors.ts";

/** A scenario's text, and the organisations that it may name. */
export interface ScenarioText {
  readonly text: string;
  readonly organisations: Readonly<Record<string, string>>;
}

/** What is used of Node's `fs`. */
interface FileSystem {
  existsSync(path: string): boolean;
  readFileSync(path: string, encoding: "utf8"): string;
  readdirSync(path: string): string[];
}

/** What is used of Node's `path`. */
interface Paths {
  join(...parts: string[]): string;
  dirname(path: string): string;
}

/** Node's modules, where this runs on Node: nothing else here needs them, so that the rest runs in browsers. */
function modules(keys: readonly string[]): { readonly fs: FileSystem; readonly path: Paths } {
  const load = (globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }).process
    ?.getBuiltinModule;
  if (load === undefined)
    throw new InputError([...keys], "files can be read on Node alone: give what parseScenario returns");
  return { fs: load("node:fs") as FileSystem, path: load("node:path") as Paths };
}

/** A scenario's file, with the organisations beside it. @throws {InputError} when there is none */
export function readFiles(file: string): ScenarioText {
  const { fs, path } = modules(["scenario"]);
  if (!fs.existsSync(file)) throw new InputError(["scenario"], `there is no file ${file}`);
  const folder = path.join(path.dirname(file), "organisations");
  const organisations = fs.existsSync(folder)
    ? Object.fromEntries(
        yamlFiles(fs, folder).map((name) => [withoutEnding(name), read(fs, path.join(folder, name))]),
      )
    : {};
  return { text: read(fs, file), organisations };
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
