import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The project's sources as the compiler sees them, read once. Pages about the code are made from them. */

export const root = fileURLToPath(new URL("../..", import.meta.url));

let shared: ts.Program | undefined;

export function program(): ts.Program {
  if (shared === undefined) {
    const path = `${root}tsconfig.json`;
    const config = ts.parseJsonConfigFileContent(
      ts.readConfigFile(path, ts.sys.readFile).config,
      ts.sys,
      root,
    );
    const files = config.fileNames.filter((file) => /\/(src|machines)\//.test(file));
    shared = ts.createProgram(files, config.options);
    // it tells each node its parent
    shared.getTypeChecker();
  }
  return shared;
}

/** Every file under `src` and `machines`. */
export function sourceFiles(): ts.SourceFile[] {
  return program()
    .getSourceFiles()
    .filter((file) => !file.isDeclarationFile && !file.fileName.includes("/node_modules/"))
    .sort((one, other) => (one.fileName < other.fileName ? -1 : 1));
}

/** The files of a folder, or one file, read without what they import: for their syntax alone. */
export function parsedFiles(path: string): ts.SourceFile[] {
  const full = `${root}${path}`;
  const paths = path.endsWith(".ts") ? [full] : ts.sys.readDirectory(full, [".ts"]).sort();
  return paths.map((file) =>
    ts.createSourceFile(file, ts.sys.readFile(file) ?? "", ts.ScriptTarget.Latest, true),
  );
}
