/**
 * `npm run build:code` runs this behind tsup. It shortens the names inside functions, which saves a fifth; functions, classes
 * and methods keep theirs, which stack traces show. Then it writes each file that an entry needs once more, for `require`. So
 * entries share chunks there too: a class of an error is the same in all of them, and the simulator is written once. Each
 * file requires the others by name, which every loader knows, Jest's too.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TransformOptions, transformSync } from "esbuild";
import { minifySync } from "rolldown/utils";
import { required } from "./javascript.ts";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));

/** An import of another file of `dist`, as a statement or as a call. */
const ownImport = /(\bfrom\s*|\bimport\s*\(?\s*)"\.\/([\w-]+)\.js"/g;

/** Short, and in lines, or a stack trace would have none. */
const inLines: TransformOptions = {
  target: "es2022",
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 160,
};

// the importer is a part of the inspector's page
const built = new Set(readdirSync(dist).filter((name) => /\.js$/.test(name) && !name.startsWith("page-")));
for (const name of built) {
  const path = join(dist, name);
  const { code, errors } = minifySync(name, readFileSync(path, "utf8"), {
    compress: false,
    mangle: { toplevel: false, keepNames: true },
  });
  if (errors.length > 0) throw new Error(`${name}: ${errors.map(({ message }) => message).join("; ")}`);
  writeFileSync(path, transformSync(code, { ...inLines, format: "esm" }).code);
}

/** The files that entries need, by name without ending. */
function needed(): Set<string> {
  const names = new Set(Object.keys(required));
  for (const name of names)
    for (const [, , other = ""] of textOf(name).matchAll(ownImport))
      if (built.has(`${other}.js`)) names.add(other);
  return names;
}

function textOf(name: string): string {
  return readFileSync(join(dist, `${name}.js`), "utf8");
}

/** Where this file is, as `import.meta.url` says it in an ES module. */
const OWN_URL = "__own_url";
const ownUrl = `const ${OWN_URL}=require("node:url").pathToFileURL(__filename).href;`;

/** The same text with the others' files for `require`. What is loaded late is required too: Jest's loader runs no `import()`. */
function requiring(text: string): string {
  return text
    .replaceAll(/\bimport\("\.\/([\w-]+)\.js"\)/g, 'Promise.resolve().then(()=>require("./$1.cjs"))')
    .replaceAll(ownImport, '$1"./$2.cjs"');
}

/** esbuild's helper would export what a test has put on `Object.prototype`. */
function exportingOwnKeys(code: string): string {
  return code.replaceAll(/for\(var name in (all\d*)\)/g, "for(var name of Object.keys($1))");
}

for (const name of needed()) {
  const text = textOf(name);
  // a line may end within it
  const isAskedFor = /\bimport\s*\.\s*meta\b/.test(text);
  const { code } = transformSync(requiring(text), {
    ...inLines,
    format: "cjs",
    ...(isAskedFor ? { define: { "import.meta.url": OWN_URL }, banner: ownUrl } : {}),
  });
  writeFileSync(join(dist, `${name}.cjs`), exportingOwnKeys(code));
}
