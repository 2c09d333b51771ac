/**
 * `npm run build:types`: writes the declarations of every entry into `dist`. TypeScript 7 writes one for each file, and tsup
 * puts them together, in 7 seconds of CPU: tsup alone, which has TypeScript 6 work out each file's types twice, takes 80.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsup";
import { entries } from "./javascript.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Our files import each other by the name of the source; declarations look for the name of what runs. */
const ownImport = /((?:from|import)\s*\(?\s*"\.{1,2}\/[^"]+)\.tsx?(")/g;

/**
 * What only a class itself uses. With it, types of two copies of the package would not be assignable to each other, such as one
 * of a test and one of a helper in another package.
 */
const privateMember =
  /^[ \t]+(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s+)?(?:#private|(?:private|protected) (?!constructor\b)[^\n]*);\n/gm;

/** A part of a declaration file that a package wrote, by the marks of its bundler. */
const packagePart = /^\/\/#region [\s\S]*?^\/\/#endregion\n/gm;

// in the project, or the declarations would not find their packages; what lies in node_modules tsup leaves alone
const temporary = mkdtempSync(join(root, ".declarations-"));
try {
  writeDeclarations();
  await build({
    config: false,
    silent: true,
    outDir: join(root, "dist"),
    format: ["esm", "cjs"],
    entry: Object.fromEntries(
      Object.entries(entries).map(([name, path]) => [name, join(temporary, path.replace(".ts", ".d.ts"))]),
    ),
    dts: { only: true, resolve: ["valibot"], compilerOptions: { ignoreDeprecations: "6.0" } },
  });
  shareDeclarations();
} finally {
  rmSync(temporary, { recursive: true });
}

function writeDeclarations(): void {
  const project = join(temporary, "tsconfig.json");
  const settings = {
    extends: "../tsconfig.json",
    compilerOptions: {
      ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, stripInternal: true },
      ...{ rootDir: "..", outDir: "." },
    },
    include: [],
    files: Object.values(entries).map((path) => `../${path}`),
  };
  writeFileSync(project, JSON.stringify(settings));
  const compiler = join(root, "node_modules/typescript-native/bin/tsc");
  // `npm run test:types` checks the sources; a compiler in Go that collects no garbage takes a quarter less
  execFileSync(process.execPath, [compiler, "--singleThreaded", "--noCheck", "--project", project], {
    stdio: "inherit",
    env: { GOGC: "off", GOMEMLIMIT: "2GiB", ...process.env },
  });
  for (const file of readdirSync(temporary, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".d.ts")) continue;
    const path = join(temporary, file);
    const text = readFileSync(path, "utf8").replace(ownImport, "$1.js$2");
    writeFileSync(path, text.replaceAll(privateMember, ""));
  }
}

/**
 * Has the declarations for `import` take those for `require`, in place of a second copy of all: half a megabyte.
 */
function shareDeclarations(): void {
  const dist = join(root, "dist");
  for (const file of readdirSync(dist)) if (file.endsWith(".d.ts")) rmSync(join(dist, file));
  for (const file of readdirSync(dist).filter((name) => name.endsWith(".d.cts"))) {
    const path = join(dist, file);
    writeFileSync(path, shortened(readFileSync(path, "utf8")));
  }
  for (const [name, source] of Object.entries(entries)) {
    const path = join(dist, `${name}.d.cts`);
    const own = exportingOnlyTypes(listExportedTypes(source), readFileSync(path, "utf8"));
    writeFileSync(path, own);
    // what widens a module, or has a class of another package, must be read where that one is imported
    const isOfImporter = own.includes("declare module") || own.includes("from 'msw'");
    const text = isOfImporter ? own : `export * from "./${name}.cjs";\n`;
    writeFileSync(join(dist, `${name}.d.ts`), text);
  }
}

/** The names that an entry exports as types: by `export type { … } from`, or by `type` before the name. */
function listExportedTypes(source: string): Set<string> {
  const lists = readFileSync(join(root, source), "utf8").matchAll(/^export (type )?\{([^}]*)\}/gm);
  return new Set(
    [...lists].flatMap(([, type, names = ""]) =>
      [...names.matchAll(type === undefined ? /\btype (\w+)/g : /(\w+),?/g)].map(([, name = ""]) => name),
    ),
  );
}

/** Exports a class as a type where its entry does: tsup exports the class itself, which nobody can import at run time. */
function exportingOnlyTypes(types: ReadonlySet<string>, declarations: string): string {
  return declarations.replaceAll(/^export \{.*\}/gm, (list) =>
    list.replaceAll(/(?<=[{,] )(?:[\w$]+ as )?(\w+)(?=,| \})/g, (name, exported: string) =>
      types.has(exported) ? `type ${name}` : name,
    ),
  );
}

/** Leaves out what no reader of our types needs: the packages' own comments, and most of the indentation. A tenth. */
function shortened(declarations: string): string {
  const ofPackage = (part: string) => part.replaceAll(/^[ \t]*\/\*\*[\s\S]*?\*\/\n|^\/\/#.*\n/gm, "");
  return declarations
    .replaceAll(packagePart, ofPackage)
    .replaceAll(/^(?: {4})+/gm, (spaces) => "\t".repeat(spaces.length / 4));
}
