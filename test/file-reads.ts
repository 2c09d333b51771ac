import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { fileURLToPath } from "node:url";

/** A file or folder that was read, and the modules that were at work, from the root of the project. */
export interface FileRead {
  readonly path: string;
  readonly by: readonly string[];
}

const root = fileURLToPath(new URL("..", import.meta.url));
const names = ["readFileSync", "readdirSync"] as const;
const own = "test/file-reads.ts";

/** Notes which modules read which files of the project, until it is told to end. Packages and what they read do not count. */
export function noteReads(): { readonly reads: FileRead[]; end(): void } {
  const reads: FileRead[] = [];
  const real = Object.fromEntries(names.map((name) => [name, fs[name]]));
  const isNoted = (path: string) => path.startsWith(root) && !path.includes("/node_modules/");
  for (const name of names)
    Object.assign(fs, {
      [name](at: unknown, ...more: unknown[]) {
        const path = at instanceof URL ? fileURLToPath(at) : String(at);
        if (isNoted(path)) reads.push({ path: path.slice(root.length), by: modulesAtWork() });
        return Reflect.apply(real[name] as () => unknown, fs, [at, ...more]);
      },
    });
  syncBuiltinESMExports();
  return {
    reads,
    end() {
      Object.assign(fs, real);
      syncBuiltinESMExports();
    },
  };
}

/** The modules of the project on the stack, as sources. */
function modulesAtWork(): string[] {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = before;
  const paths = stack.split("\n").flatMap((line) => {
    const [, path = ""] = /(?:file:\/\/)?(\/[^():]+):\d+/.exec(line) ?? [];
    return path.startsWith(root) ? [path.slice(root.length)] : [];
  });
  const sources = paths.map((path) =>
    path.replace(/^node_modules\/\.cache\/compiled-sources\/(.*)\.js$/, "$1.ts"),
  );
  return [...new Set(sources)].filter((path) => path !== own && !path.startsWith("node_modules/"));
}
