import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The blocks of code in the documentation. */

export const root = fileURLToPath(new URL("..", import.meta.url));

/** A page, as text. */
export const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Every page of the README, the changelog and `docs`, by its path from the root. */
export const allPages = ["README.md", "CHANGELOG.md", ...pagesIn("docs")];

function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .sort();
}

/** Its requests need a server: `test/server/docs.test.ts` makes them. */
const served = "docs/server.md";

export interface Block {
  /** `docs/webhooks.md:12`. */
  readonly place: string;
  readonly language: string;
  readonly text: string;
  /** The heading above it. */
  readonly heading: string;
}

export function blocksOf(path: string): Block[] {
  const page = read(path);
  return [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ({ index, 1: language = "", 2: text = "" }) => {
      const before = page.slice(0, index);
      const headings = [...before.matchAll(/^#+ (.+)$/gm)];
      return {
        place: `${path}:${before.split("\n").length}`,
        language,
        text,
        heading: headings.at(-1)?.[1] ?? "",
      };
    },
  );
}

/** The blocks of the pages that are written by hand. */
export const blocks: readonly Block[] = allPages
  .filter((path) => path !== served && !read(path).startsWith("<!-- Made from"))
  .flatMap(blocksOf);

/** A block's place and its text. */
export type Program = readonly [place: string, text: string];

const programsOf = (all: readonly Block[], ...languages: string[]): Program[] =>
  all.filter(({ language }) => languages.includes(language)).map(({ place, text }) => [place, text]);

export const blocksIn = (...languages: string[]): Program[] => programsOf(blocks, ...languages);

/** The programs of the pages that are written by hand. */
export const programs: readonly Program[] = [...blocksIn("ts", "js"), ...programsOf(blocksOf(served), "ts")];

/** The README's programs fail, as the README says. */
export const failing = programs.filter(([place]) => place.startsWith("README.md"));

/** The other programs for Vitest. */
export const passing = programs.filter(
  (program) => program[1].includes('from "vitest"') && !failing.includes(program),
);

/** Modules that a command is given by `--with`. They are JavaScript. */
export const apps = programs.filter(([, text]) => /^export function app/m.test(text));

/** The `@example`s of the API, by the page that shows them. */
export const apiExamples = allPages
  .filter((path) => path.startsWith("docs/api/"))
  .map((path) => [path, blocksOf(path).filter(({ language }) => language === "ts")] as const)
  .filter(([, shown]) => shown.length > 0);
