/** Where in a program something happens. */

/** `at f (/app.mjs:1:2)` or `at /app.mjs:1:2`. A folder may have parentheses in its name, as Windows has one. */
const FRAME = /(?:\(|^at (?:async )?)((?:file:|node:|\/|[A-Za-z]:[\\/])(?:(?!\), ).)*?):(\d+):\d+\)?$/;

/** The file and line of a stack's first frame that is not the simulator's or Node's own: `app.mjs:12`. */
export function codePlace(stack: string | undefined): string | undefined {
  for (const line of (stack ?? "").split("\n").slice(1)) {
    const [, url = "", number = ""] = FRAME.exec(line.trim()) ?? [];
    if (url !== "" && !isOwnOrOfNode(url)) return `${fileName(url)}:${number}`;
  }
  return undefined;
}

/** The files of a stack, the innermost first. */
export function filesIn(stack: string | undefined): string[] {
  return (stack ?? "").split("\n").flatMap((line) => FRAME.exec(line.trim())?.[1] ?? []);
}

/**
 * Where the user's code threw: the first frame of a stack that is none of the simulator's, Node's or an installed package's. If all
 * are, the first of a package.
 */
export function thrownAt(stack: string | undefined): string | undefined {
  const own = (stack ?? "").split("\n").filter((line) => !line.includes("node_modules"));
  return codePlace(["", ...own].join("\n")) ?? codePlace(stack);
}

/** The folder of the simulator: that of the sources, or of the build. */
export const ownFolder: string = folderOf(new Error("where").stack ?? "");

function folderOf(stack: string): string {
  const [, url = ""] = FRAME.exec((stack.split("\n")[1] ?? "").trim()) ?? [];
  return pathOf(url)
    .replace(/[^/\\]*$/, "")
    .replace(/([/\\])findings[/\\]$/, "$1");
}

function pathOf(url: string): string {
  return url.replace(/^file:\/\//, "");
}

/** Whether a file is the simulator's or Node's own. @param url its URL or path */
export function isOwnOrOfNode(url: string): boolean {
  return url.startsWith("node:") || (ownFolder !== "" && pathOf(url).startsWith(ownFolder));
}

/** Whether a file is of an installed package. @param url its URL or path */
export function isOfPackage(url: string): boolean {
  return /[/\\]node_modules[/\\]/.test(url);
}

/** Whether a file is of Vitest, which loads modules for its tests. @param url its URL or path */
export function isOfVitest(url: string): boolean {
  return /[/\\]node_modules[/\\](?:vitest|@vitest[/\\][^/\\]+|vite-node|birpc)[/\\]/.test(url);
}

function fileName(url: string): string {
  return url.replace(/[?#].*$/, "").replace(/^.*[/\\]/, "");
}
