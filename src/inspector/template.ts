/**
 * The page without its data, and the importer of playgrounds, which the build writes into `dist`. Read at first use: the
 * page is a megabyte, and most programs that import this module never make one.
 */
const texts = new Map<string, string>();

const TEMPLATE = "inspect.html";

export function readTemplate(): string {
  return textOf(TEMPLATE);
}

/** The script that imports captures in the worker of a playground. */
export function readImporter(): string {
  return textOf("page-importer.js");
}

/** Whether the template exists. A clone that was not built has none. */
export function hasTemplate(): boolean {
  return texts.has(TEMPLATE) || urlOf(TEMPLATE) !== undefined;
}

function textOf(name: string): string {
  const known = texts.get(name);
  if (known !== undefined) return known;
  const url = urlOf(name);
  if (url === undefined)
    throw new Error("the inspector's page is not built: run `npm run build:page` in a clone of ringback");
  const text = process.getBuiltinModule("node:fs").readFileSync(url, "utf8");
  texts.set(name, text);
  return text;
}

/** The path of a part: beside this file in the build, in `dist` from the sources. */
function urlOf(name: string): URL | undefined {
  const fs = process.getBuiltinModule("node:fs");
  return [`./${name}`, `../../dist/${name}`]
    .map((path) => new URL(path, import.meta.url))
    .find((url) => fs.existsSync(url));
}
