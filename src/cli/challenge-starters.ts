import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ownFolder } from "./scenario-files.ts";

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
  return { file, text: readFileSync(join(ownFolder(FOLDER), file), "utf8") };
}
