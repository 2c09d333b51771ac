import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A receiver to begin with, in each language. It serves all challenges. */

/** The languages, by the name that `--starter` takes. */
export const starterLanguages = ["typescript", "python"] as const;
export type StarterLanguage = (typeof starterLanguages)[number];

const FOLDER = "docs/examples/challenges";

/** The files, each saved under its own name. */
const files: Readonly<Record<StarterLanguage, string>> = {
  typescript: "receiver.ts",
  python: "receiver.py",
};

/** The name of a starter's file, and its text. */
export function starterIn(language: StarterLanguage): { readonly file: string; readonly text: string } {
  const file = files[language];
  return { file, text: readFileSync(join(folderOfStarters(), file), "utf8") };
}

/** In the package and in a clone. */
function folderOfStarters(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const candidates = ["..", "../.."].map((up) => join(here, up, FOLDER));
  return candidates.find((each) => existsSync(each)) ?? FOLDER;
}
