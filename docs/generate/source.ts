import ts from "typescript";
import { entries } from "./entries.ts";
import { root } from "./root.ts";

/** The project's sources as the compiler sees them, read once. Pages about the code are made from them. */

let shared: ts.Program | undefined;
let files: readonly ts.SourceFile[] | undefined;

/** What consumers import, and all that it imports. */
export function program(): ts.Program {
  if (shared === undefined) {
    const path = `${root}tsconfig.json`;
    const { config } = ts.readConfigFile(path, ts.sys.readFile);
    // the entries say which files there are
    const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
    const roots = Object.values(entries).map((file) => root + file);
    shared = ts.createProgram(roots, options, withoutForeignDocs(ts.createCompilerHost(options)));
    // it tells each node its parent
    shared.getTypeChecker();
  }
  return shared;
}

/** Reads no docstrings of other packages, which would take a quarter of the time. */
function withoutForeignDocs(host: ts.CompilerHost): ts.CompilerHost {
  const read = host.getSourceFile;
  host.getSourceFile = (file, given, ...more) => {
    const options = typeof given === "object" ? given : { languageVersion: given };
    const jsDocParsingMode = file.includes("/node_modules/")
      ? ts.JSDocParsingMode.ParseNone
      : ts.JSDocParsingMode.ParseAll;
    return read(file, { ...options, jsDocParsingMode }, ...more);
  };
  return host;
}

/** Lets go of what was read, which is a gigabyte. */
export function forgetProgram(): void {
  shared = undefined;
  files = undefined;
}

/** Every file under `src` and `machines`, as the compiler sees it or, if no entry imports it, for its syntax alone. */
export function sourceFiles(): readonly ts.SourceFile[] {
  files ??= ["src", "machines"]
    .flatMap((folder) => ts.sys.readDirectory(root + folder, [".ts", ".tsx"]))
    .sort()
    .map((path) => program().getSourceFile(path) ?? parsed(path));
  return files;
}

/**
 * The files of a folder, or one file, read without what they import: for their syntax alone.
 * @param endings of the files
 */
export function parsedFiles(path: string, endings: readonly string[] = [".ts"]): ts.SourceFile[] {
  const full = `${root}${path}`;
  const paths = path.endsWith(".ts") ? [full] : ts.sys.readDirectory(full, endings).sort();
  return paths.map(parsed);
}

function parsed(path: string): ts.SourceFile {
  return ts.createSourceFile(path, ts.sys.readFile(path) ?? "", ts.ScriptTarget.Latest, true);
}
