import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { MendFirst } from "./failures.ts";

/**
 * The lists in which everything stands that files of certain folders declare. `npm run generate` writes what a list lacks:
 * behind the last one of the same folder, else at the list's end. They are ordinary sources: an editor follows each line to its
 * declaration, and a line that is moved stays where it is.
 */

const platform = "src/core/platform";

/** What a file declares. */
interface Declared {
  readonly name: string;
  /** The file, from the root. */
  readonly file: string;
  readonly text: string;
}

interface List {
  /** The file of the list, from the root. */
  readonly path: string;
  /** The names that one file declares for the list. */
  readonly declaration: RegExp;
  /** Which files may declare for it. */
  readonly files: RegExp;
  /** What is imported for a declaration. */
  imports?(declared: Declared): string;
  /** Adds a line for it. `after`: the names that the list has of the same folder. */
  add(text: string, declared: Declared, after: readonly string[]): string;
}

/** Adds a line behind the last of some lines, else before the end of the list. */
function addLine(text: string, line: string, after: readonly string[], end: string): string {
  const lines = text.split("\n");
  const last = lines.findLastIndex((each) =>
    after.some((name) => each === `  ${name},` || each.endsWith(`: ${name},`)),
  );
  const at = last === -1 ? lines.findLastIndex((each) => each.startsWith(end)) : last + 1;
  return [...lines.slice(0, at), line, ...lines.slice(at)].join("\n");
}

const addName =
  (end: string) =>
  (text: string, { name }: Declared, after: readonly string[]) =>
    addLine(text, `  ${name},`, after, end);

/** Adds a name where the alphabet puts it, in each list of names of the text. */
function addSorted(text: string, { name }: Declared): string {
  return text.replace(/\{\n((?: {2}\w+,\n)+)\}/g, (_, names: string) => {
    const lines = [...names.trimEnd().split("\n"), `  ${name},`];
    return `{\n${lines.sort((a, b) => a.localeCompare(b, "en")).join("\n")}\n}`;
  });
}

/** Adds events or operations to the resource of their folder. */
function addToResource(text: string, { name, file }: Declared): string {
  const key = basename(dirname(file)).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const declares = `${name.endsWith("Events") ? "events" : "operations"}: ${name}`;
  const known = text.replace(new RegExp(`^( {2}${key}: \\{.*) \\},$`, "m"), `$1, ${declares} },`);
  return known === text ? addLine(text, `  ${key}: { ${declares} },`, [], "} as const satisfies") : known;
}

const capital = (text: string) => text.replace(/^\w/, (letter) => letter.toUpperCase());

/** Adds the field of an API to the class `Simulator`. Its words are those of the API, behind its name. */
function addToSimulator(text: string, { name, file, text: declaration }: Declared): string {
  const words = /\/\*\* `sim\.(\w+)`: (.*) \*\/\nexport (?:interface|class) \w+Api\b/.exec(declaration);
  if (words === null)
    throw new Error(`${file}: expected "/** \`sim.x\`: what it is. */" above the API's type`);
  const [, field, about = ""] = words;
  const made = name === capital(name) ? `new ${name}(this.services)` : `${name}(this.services)`;
  const lines = `  /** ${capital(about)} */\n  readonly ${field}: ${capital(name)} = ${made};`;
  return addLine(text, lines, [], "  readonly #engine");
}

const inFolders = /^src\/core\/platform\/[\w-]+\/[\w-]+\.ts$/;

const lists: readonly List[] = [
  {
    path: "machines/index.ts",
    files: /^machines\/[\w-]+\.ts$/,
    declaration: /^export const (\w+) = setup\(/gm,
    add: addSorted,
  },
  {
    path: `${platform}/parts/parts.ts`,
    files: /\/parts\/[\w-]+\.ts$/,
    declaration: /^export const (\w+) = definePart\(/gm,
    add: addName("] as const satisfies"),
  },
  {
    path: `${platform}/catalogue/services.ts`,
    files: inFolders,
    declaration: /^export const (\w+) = defineService\(/gm,
    add: addName("} as const;"),
  },
  {
    path: `${platform}/catalogue/commands.ts`,
    files: /\/commands\/[\w-]+\.ts$/,
    declaration: /^export const (\w+) = defineCommand\(/gm,
    add: addName("} as const satisfies"),
  },
  {
    path: `${platform}/catalogue/resources.ts`,
    files: inFolders,
    declaration: /^export const (\w+)(?<=Events|[a-z]Operations) = /gm,
    add: addToResource,
  },
  {
    path: "src/core/simulator/simulator.ts",
    files: inFolders,
    declaration: /^export (?:class|function) (\w+Api)\b/gm,
    imports: ({ name }) => (name === capital(name) ? name : `type ${capital(name)}, ${name}`),
    add: addToSimulator,
  },
];

/** The sources in which something may be declared, from the root, sorted. */
function readSources(root: string): readonly { readonly file: string; readonly text: string }[] {
  return ["machines", platform].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((each) => each.endsWith(".ts"))
      .sort()
      .map((each) => `${folder}/${each.replaceAll("\\", "/")}`)
      .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") })),
  );
}

/** The names that a list imports of each file, by the file's path from the list's folder. */
function readImports(text: string): ReadonlyMap<string, readonly string[]> {
  const known = new Map<string, readonly string[]>();
  for (const [, names = "", path = ""] of text.matchAll(/^import (?:type )?\{([^}]*)\} from "([^"]+)";/gm))
    known.set(path, [...(known.get(path) ?? []), ...(names.match(/\w+/g) ?? [])]);
  return known;
}

/** Adds to a list what it lacks. @returns its text */
function completeList(
  { path, files, declaration, imports, add }: List,
  root: string,
  sources: ReturnType<typeof readSources>,
): string {
  let list = readFileSync(join(root, path), "utf8");
  for (const { file, text } of sources.filter((each) => files.test(each.file) && each.file !== path))
    for (const [, name = ""] of text.matchAll(declaration)) {
      const from = relative(dirname(path), file).replaceAll("\\", "/");
      const source = from.startsWith(".") ? from : `./${from}`;
      const known = readImports(list);
      if (known.get(source)?.includes(name)) continue;
      const siblings = [...known].flatMap(([other, names]) =>
        dirname(other) === dirname(source) ? names : [],
      );
      const declared = { name, file, text };
      const added = add(list, declared, siblings);
      if (added === list) throw new Error(`${path}: no place for ${name} of ${file} was found`);
      const line = `import { ${imports?.(declared) ?? name} } from "${source}";\n`;
      list = added.replace(/^(?:import [^;]*;\n)+/m, (all) => all + line);
    }
  return list;
}

/** The lists that lack something, with what they should be: the text by the path. */
export function completeLists(root: string): ReadonlyMap<string, string> {
  const sources = readSources(root);
  const made = lists.map((list) => [list.path, completeList(list, root, sources)] as const);
  return new Map(made.filter(([path, text]) => text !== readFileSync(join(root, path), "utf8")));
}

/**
 * Writes what the lists lack, with imports in their order.
 * @returns the paths of those that it changed
 * @throws {MendFirst} what Biome refuses in them; then all are as they were
 */
export function writeLists(root: string): readonly string[] {
  const lacking = completeLists(root);
  const paths = [...lacking.keys()];
  if (paths.length === 0) return paths;
  const before = paths.map((path) => [join(root, path), readFileSync(join(root, path))] as const);
  for (const [path, text] of lacking) writeFileSync(join(root, path), text);
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  try {
    const run = [biome, "check", "--write", ...paths];
    execFileSync(process.execPath, run, { cwd: root, stdio: "pipe", encoding: "utf8" });
  } catch (error) {
    for (const [file, text] of before) writeFileSync(file, text);
    const { stderr, message } = error as Error & { readonly stderr?: string };
    throw new MendFirst(`${paths.join(", ")}: Biome refuses what is to be added:\n${stderr || message}`);
  }
  return paths;
}
