import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vitest/config";

/**
 * Lets tests import the sources as modules that Node loads itself. Vitest would compile each source again for each lane, one by
 * one, which takes most of the time of a few tests. Test files are Vitest's. While it watches, so are the sources, or it would
 * not see them change.
 */

const root = fileURLToPath(new URL("../", import.meta.url));
/** Where the compiled sources of a folder are, in the same folders as the sources. */
const outOf = (folder: string) => join(folder, "node_modules/.cache/compiled-sources");
const out = outOf(root);
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
      isDone ??= vitest.config.watch || isBorrowed() ? Promise.resolve(false) : compileSources(root);
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

/** Whether the packages are another folder's, whose compiled sources are not these. */
const isBorrowed = () =>
  realpathSync(join(root, "node_modules")) !== join(realpathSync(root), "node_modules");

/** Whether a path from the root is compiled. The page is compiled by its build alone. */
const isCompiledPath = (path: string) =>
  /^(src|machines)[/\\].*\.(tsx?|mjs)$/.test(path) && !/[/\\](build|page)[/\\]/.test(path);

const isSource = (path: string) => path.startsWith(root) && isCompiledPath(path.slice(root.length));

const compiledPath = (source: string) => join(out, compiledName(source.slice(root.length)));
const compiledName = (path: string) => path.replace(/\.(tsx?|mjs)$/, ".js");

/**
 * Compiles the sources of a folder that are not what was compiled last. Times of files say nothing, since a copy has new
 * ones: `made-of.json` has a hash of what each was made of.
 * @param folder with `src`, `machines`, what is `beside` them, and the `settings`
 */
export async function compileSources(folder: string): Promise<true> {
  const made = outOf(folder);
  const madeOf = join(made, "made-of.json");
  mkdirSync(made, { recursive: true });
  for (const name of beside) link(join(made, name), relative(made, join(folder, name)));
  const before: Readonly<Record<string, string>> = existsSync(madeOf)
    ? JSON.parse(readFileSync(madeOf, "utf8"))
    : {};
  const now = hashesOf(folder);
  const isMade = (path: string) => now[path] === before[path] && existsSync(join(made, compiledName(path)));
  const old = Object.keys(now).filter((path) => !isMade(path));
  const gone = Object.keys(before).filter((path) => now[path] === undefined);
  if (old.length === 0 && gone.length === 0) return true;
  for (const path of gone) rmSync(join(made, compiledName(path)), { force: true });
  // it says that the modules are modules, and the version
  replace(join(made, "package.json"), readFileSync(join(folder, "package.json")));
  if (old.length > 0) await compileFiles(folder, old);
  replace(madeOf, JSON.stringify(now));
  return true;
}

/** A hash of each source and of what decides how it is compiled, by its path. */
function hashesOf(folder: string): Record<string, string> {
  const how = settings.map((path) => readFileSync(join(folder, path), "utf8")).join("\n");
  const paths = ["src", "machines"].flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, encoding: "utf8" }).map(
      (path) => `${name}/${path.replaceAll("\\", "/")}`,
    ),
  );
  const hashOf = (path: string) =>
    createHash("sha256")
      .update(how)
      .update(readFileSync(join(folder, path)))
      .digest("base64url");
  return Object.fromEntries(paths.filter(isCompiledPath).map((path) => [path, hashOf(path)]));
}

async function compileFiles(folder: string, paths: readonly string[]): Promise<void> {
  // loading it takes as long as compiling
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: paths.map((path) => join(folder, path)),
    outdir: outOf(folder),
    outbase: folder,
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
}

/** Other lanes may compile and load it meanwhile. */
function replace(path: string, contents: string | Uint8Array): void {
  writeFileSync(`${path}.${process.pid}`, contents);
  renameSync(`${path}.${process.pid}`, path);
}

/** Links to a relative path: where a folder is moved or copied, it leads to what is there, not to where it came from. */
function link(at: string, target: string): void {
  const isLink = lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (isLink && readlinkSync(at) === target) return;
  rmSync(at, { force: true });
  try {
    symlinkSync(target, at, "junction");
  } catch (error) {
    // another lane has just made it
    if ((error as { code?: string }).code !== "EEXIST") throw error;
  }
}
