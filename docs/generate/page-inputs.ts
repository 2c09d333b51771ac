import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { build } from "esbuild";
import { root } from "./root.ts";

/**
 * What pages are made from, so that `npm run generate` makes only those of which something has changed. A page follows from
 * the modules that its generator loads, from what these read, and from the packages. Hashes of the contents decide, and all
 * paths are relative: the notes of a clone are true in a copy of it.
 */

/** What modules read, by their paths: files, and folders with all that is in them. A test compares it with what they read. */
export const readBy: Readonly<Record<string, readonly string[]>> = {
  "docs/generate/played-lessons.ts": ["scenarios", "test/transitions"],
  "docs/generate/coverage.ts": ["test/digest/reached.txt"],
  "docs/generate/exercises.ts": ["scenarios"],
  "docs/generate/challenges.ts": ["docs/challenges/attempts"],
  "docs/generate/skill.ts": ["README.md", "docs/exploring.md", "docs/guides/README.md"],
  "docs/generate/source.ts": ["src", "machines", "docs/generate", "tsconfig.json", "package.json"],
  "docs/generate/third-party.ts": ["package.json"],
  "docs/generate/scenarios-page.ts": ["docs/scenarios.md"],
  "docs/generate/not-imported.ts": ["docs/guides/turn-an-incident-into-a-test.md"],
  "docs/generate/reference/keys.ts": ["scenarios"],
  "docs/generate/reference/scenario.ts": ["scenarios"],
  "docs/learn/lessons.ts": ["scenarios"],
  "src/inspector/build/page.ts": ["src", "machines", "scenarios"],
};

/** What every page follows from: the packages, and how the sources are compiled. */
const always = ["package-lock.json", "tsconfig.json"];

/** Where the hashes of the last time stand. */
const notesFile = `${root}node_modules/.cache/generated-pages.json`;

/** Of a page that was made: the hash of what it was made from, and of its text. */
interface Note {
  readonly from: string;
  readonly text: string;
}

const hashOf = (...texts: (string | Uint8Array)[]) => {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${Buffer.byteLength(text)}:`).update(text);
  return hash.digest("base64url");
};

/** The module that lists all pages, and so loads all that any of them is made from. */
const LIST = "pages.ts";

/** Says which pages are as they would be made now. A generator is a module of `docs/generate`, by its path from there. */
export class PageInputs {
  private notes: Record<string, Note>;
  private readonly ofFiles = new Map<string, string>();

  private constructor(private readonly imports: Imports) {
    this.notes = existsSync(notesFile) ? JSON.parse(readFileSync(notesFile, "utf8")) : {};
  }

  /** Reads which modules the generators load. @returns nothing if that cannot be read now */
  static async read(): Promise<PageInputs | undefined> {
    const imports = await importsFrom(fromRoot(LIST)).catch(() => undefined);
    return imports && new PageInputs(imports);
  }

  /** The files that the pages of a generator are made from, sorted. */
  filesOf(generator: string): string[] {
    const modules = reachable(fromRoot(generator), this.imports);
    const read = modules.flatMap((module) => readBy[module] ?? []);
    return [...new Set([...always, ...modules, ...read.flatMap(filesIn)])].sort();
  }

  /** A hash of all that the pages of a generator are made from now. */
  hashOf(generator: string): string {
    const ofFile = (path: string) => {
      const known = this.ofFiles.get(path) ?? hashOf(readFileSync(root + path));
      this.ofFiles.set(path, known);
      return known;
    };
    return hashOf(process.version, ...this.filesOf(generator).flatMap((path) => [path, ofFile(path)]));
  }

  /** Whether a page is on disk as it was made, of what there is now. */
  isCurrent(path: string, generator: string): boolean {
    return this.isUntouched(path) && this.notes[path]?.from === this.hashOf(generator);
  }

  /** Whether nothing has changed that any page is made from, nor any page. */
  isAllCurrent(): boolean {
    const { [LIST]: list, ...pages } = this.notes;
    return list?.from === this.hashOf(LIST) && Object.keys(pages).every((path) => this.isUntouched(path));
  }

  private isUntouched(path: string): boolean {
    return existsSync(root + path) && this.notes[path]?.text === hashOf(readFileSync(root + path));
  }

  /** Notes that a page was made. @param from what `hashOf` said before */
  wasMade(path: string, text: string, from: string): void {
    this.notes[path] = { from, text: hashOf(text) };
    // others may be made from it
    this.ofFiles.delete(path);
  }

  /** Writes the notes. @param all the paths of all pages, if all of them are current now */
  write(all?: readonly string[]): void {
    const { [LIST]: _, ...notes } = this.notes;
    const kept = all === undefined ? notes : Object.fromEntries(all.map((path) => [path, notes[path]]));
    const list = all === undefined ? {} : { [LIST]: { from: this.hashOf(LIST), text: "" } };
    mkdirSync(dirname(notesFile), { recursive: true });
    writeFileSync(`${notesFile}.${process.pid}`, JSON.stringify({ ...kept, ...list }));
    renameSync(`${notesFile}.${process.pid}`, notesFile);
  }
}

const fromRoot = (generator: string) => `docs/generate/${generator}`;

/** A file, or all files in a folder, from the root. */
function filesIn(path: string): string[] {
  if (!statSync(root + path).isDirectory()) return [path];
  return readdirSync(root + path, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => relative(root, resolve(each.parentPath, each.name)).replaceAll("\\", "/"));
}

type Imports = Readonly<Record<string, { readonly imports: readonly { readonly path: string }[] }>>;

/** What each module imports, of all that a module needs. */
async function importsFrom(path: string): Promise<Imports> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [path],
    ...{ bundle: true, write: false, metafile: true, outdir: "out", logLevel: "silent" },
    ...{ platform: "node", format: "esm", packages: "external" },
  });
  return metafile.inputs;
}

/** A module and all that it needs. */
function reachable(from: string, imports: Imports): string[] {
  if (imports[from] === undefined) throw new Error(`${from} makes no page of docs/generate/${LIST}`);
  const found = new Set([from]);
  for (const path of found)
    for (const next of imports[path]?.imports ?? []) if (next.path in imports) found.add(next.path);
  return [...found];
}
