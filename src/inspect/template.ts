/**
 * The page without its data, which the build writes beside the other files of `dist`. Read when it is first asked for:
 * it is a megabyte, and most who import this never make a page.
 */
let template: string | undefined;

export function readTemplate(): string {
  template ??= find();
  return template;
}

/** Whether there is one: a clone in which nothing was built has none. */
export function hasTemplate(): boolean {
  return template !== undefined || place() !== undefined;
}

function find(): string {
  const url = place();
  if (url === undefined)
    throw new Error("the inspector's page is not built: run `npm run build:page` in a clone of ringback");
  return process.getBuiltinModule("node:fs").readFileSync(url, "utf8");
}

/** From the build it lies beside this file, from the sources in `dist`. */
function place(): URL | undefined {
  const fs = process.getBuiltinModule("node:fs");
  return ["./inspect.html", "../../dist/inspect.html"]
    .map((path) => new URL(path, import.meta.url))
    .find((url) => fs.existsSync(url));
}
