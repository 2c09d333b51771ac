/**
 * The page without its data, which the build writes into `dist`. Read at first use: it is a megabyte, and most
 * programs that import this make no page.
 */
let template: string | undefined;

export function readTemplate(): string {
  template ??= find();
  return template;
}

/** Whether the template exists. A clone that was not built has none. */
export function hasTemplate(): boolean {
  return template !== undefined || place() !== undefined;
}

function find(): string {
  const url = place();
  if (url === undefined)
    throw new Error("the inspector's page is not built: run `npm run build:page` in a clone of ringback");
  return process.getBuiltinModule("node:fs").readFileSync(url, "utf8");
}

/** The template's path: beside this file in the build, in `dist` from the sources. */
function place(): URL | undefined {
  const fs = process.getBuiltinModule("node:fs");
  return ["./inspect.html", "../../dist/inspect.html"]
    .map((path) => new URL(path, import.meta.url))
    .find((url) => fs.existsSync(url));
}
