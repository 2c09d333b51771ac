import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "./scenario-files.ts";

/** An app to begin with, in each language. It serves all challenges. */

/** The languages, by the name that `--starter` takes. */
export const starterLanguages = ["javascript", "typescript", "python", "go", "java"] as const;
export type StarterLanguage = (typeof starterLanguages)[number];
/** In these the starter is a server; in JavaScript and TypeScript it is a module. */
export const serverLanguages = ["python", "go", "java"] as const;
type ServerLanguage = (typeof serverLanguages)[number];

const FOLDER = "docs/examples/challenges";

const files = {
  javascript: { called: "JavaScript", file: "receiver.mjs" },
  typescript: { called: "TypeScript", file: "receiver.ts" },
  python: { called: "Python", file: "receiver.py", runner: "python3" },
  go: { called: "Go", file: "receiver.go", runner: "go run" },
  java: { called: "Java", file: "Receiver.java", runner: "java" },
} satisfies Readonly<Record<StarterLanguage, object>>;

/** An app to begin with. */
export interface Starter {
  /** The name of its language, as people write it. */
  readonly called: string;
  /** The name under which it is saved. */
  readonly file: string;
  readonly text: string;
  /** The command that prints it into its file. */
  readonly print: string;
}

/** A starter that is a server, and the command that starts it. */
export interface ServerStarter extends Starter {
  readonly start: string;
}

/** The app to begin with in a language. */
export function starterIn(language: StarterLanguage): Starter {
  const { called, file } = files[language];
  const text = readFileSync(join(packageFolder(FOLDER), file), "utf8");
  return { called, file, text, print: `npx ringback challenge --starter ${language} > ${file}` };
}

/** The starter that is a server in a language. */
export function serverIn(language: ServerLanguage): ServerStarter {
  const { file, runner } = files[language];
  return { ...starterIn(language), start: `${runner} ${file} 8000` };
}
