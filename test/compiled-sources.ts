import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vitest/config";

/**
 * Lets tests import the sources as modules that Node loads itself. Vitest would compile each source again for each lane, one by
 * one, which takes most of the time of a few tests. Test files are Vitest's. While it watches, so are the sources, or it would
 * not see them change.
 */

const root = fileURLToPath(new URL("../", import.meta.url));
/** Where the compiled sources are, in the same folders as the sources. */
const out = join(root, "node_modules/.cache/compiled-sources");
/** What sources look for beside their folder. */
const beside = ["scenarios", "dist"];
/** A change of these changes how sources are compiled. */
const settings = ["tsconfig.json", "package-lock.json", "test/compiled-sources.ts"];

declare module "vitest" {
  interface ProvidedContext {
    /** The arguments with which Node starts `ringback` from the sources. */
    fromSources: readonly string[];
    /** The folder of `src` for what is imported in other processes, compiled unless tests are watched, and the ending of its files. */
    sources: { readonly folder: string; readonly ending: "js" | "ts" };
  }
}

const command = join(root, "src/cli/main.ts");
let isDone: Promise<boolean> | undefined;

export const compiledSources = (): Plugin => {
  let isCompiled = false;
  return {
    name: "compiled sources",
    enforce: "pre",
    async configureVitest({ vitest, project }) {
      isDone ??= vitest.config.watch ? Promise.resolve(false) : compile();
      isCompiled = await isDone;
      project.provide("fromSources", isCompiled ? [compiledPath(command)] : ["--import", "tsx", command]);
      project.provide(
        "sources",
        isCompiled ? { folder: join(out, "src"), ending: "js" } : { folder: join(root, "src"), ending: "ts" },
      );
    },
    resolveId(source, importer) {
      if (!isCompiled) return undefined;
      const path = source.startsWith(".") && importer ? resolve(dirname(importer), source) : source;
      return isSource(path) ? compiledPath(path) : undefined;
    },
  };
};

/** The page is compiled by its build alone. */
function isSource(path: string): boolean {
  return (
    /\.(tsx?|mjs)$/.test(path) &&
    (path.startsWith(join(root, "src/")) || path.startsWith(join(root, "machines/"))) &&
    !/[/\\](build|page)[/\\]/.test(path.slice(root.length))
  );
}

const compiledPath = (source: string) => join(out, source.slice(root.length).replace(/\.(tsx?|mjs)$/, ".js"));

/** Compiles the sources that are newer than what was made of them. */
async function compile(): Promise<true> {
  const changed = Math.max(...settings.map((path) => statSync(join(root, path)).mtimeMs));
  const isOld = (source: string) => {
    const made = statSync(compiledPath(source), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return made < changed || made < statSync(source).mtimeMs;
  };
  const old = ["src", "machines"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) =>
        join(root, folder, path),
      ),
    )
    .filter((path) => isSource(path) && isOld(path));
  if (old.length === 0) return true;
  mkdirSync(out, { recursive: true });
  // it says that the modules are modules, and the version
  replace(join(out, "package.json"), readFileSync(join(root, "package.json")));
  for (const name of beside) if (!existsSync(join(out, name))) link(name);
  // loading it takes as long as compiling
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: old,
    outdir: out,
    outbase: root,
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    packages: "external",
    sourcemap: "inline",
    sourcesContent: false,
    logLevel: "error",
    plugins: [
      {
        name: "each file by itself",
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\./ }, ({ path }) => ({
            path: path.replace(/\.tsx?$/, ".js"),
            external: true,
          })),
      },
    ],
  });
  for (const { path, contents } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    replace(path, contents);
  }
  return true;
}

/** Other lanes may compile and load it meanwhile. */
function replace(path: string, contents: Uint8Array): void {
  writeFileSync(`${path}.${process.pid}`, contents);
  renameSync(`${path}.${process.pid}`, path);
}

function link(name: string): void {
  try {
    symlinkSync(join(root, name), join(out, name), "junction");
  } catch (error) {
    if ((error as { code?: string }).code !== "EEXIST") throw error;
  }
}
