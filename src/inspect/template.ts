/**
 * The page without its data, which the build writes beside the other files of `dist`. Read when it is first asked for:
 * it is a megabyte, and most who import this never make a page.
 */
let template: string | undefined;

export function readTemplate(): string {
  template ??= find();
  return template;
}

/** From the build it lies beside this file, from the sources in `dist`. */
function find(): string {
  const fs = process.getBuiltinModule("node:fs");
  for (const place of ["./inspect.html", "../../dist/inspect.html"]) {
    const url = new URL(place, import.meta.url);
    if (fs.existsSync(url)) return fs.readFileSync(url, "utf8");
  }
  throw new Error("the inspector's page is not built: run `npm run build:page` in a clone of ringback");
}
