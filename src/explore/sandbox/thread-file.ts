/**
 * The file that a thread starts with. It is beside the module that starts it, in the sources and in each build.
 * @param own the path or URL of that module
 * @param ending the ending of the file in the sources
 */
export function threadFile(own: string, name: string, ending: "ts" | "mjs"): URL | string {
  const [, folder = "", ownEnding = "js"] = /^(.*[/\\]).*\.(\w+)$/.exec(own) ?? [];
  // the CommonJS build starts the ES module too
  const endings: Readonly<Record<string, string>> = { ts: ending, cjs: "js" };
  const file = `${folder}${name}.${endings[ownEnding] ?? ownEnding}`;
  return file.startsWith("file:") ? new URL(file) : file;
}
