import { InputError } from "../../core/foundation/errors.ts";
import { nodeModule } from "../../core/foundation/node-module.ts";
import { LONGEST_BYTES } from "../../testing/failure-name.ts";
import { CORPUS_FOLDER, KEPT_ENDING, resultsFolder } from "../../testing/failure-page.ts";
import type { KeptTest } from "./kept-test.ts";

/** The environment variable that names a scenario to be played in place of an exploration. */
export const WORLD = "RINGBACK_WORLD";

type Environment = Readonly<Record<string, string | undefined>>;

/** The parts of Node's `fs` that are used. */
interface Files {
  existsSync(path: string): boolean;
  readdirSync(path: string): string[];
  readFileSync(path: string, encoding: "utf8"): string;
}

/** How scenarios end that failures leave. */
const ENDING = ".yaml";
/** The longest end of a world's name in a command, in characters. */
const LONGEST_END = 40;
/** The longest name without a checksum, which may end as another does, in characters: the last have a number behind it. */
const LONGEST_EXACT = LONGEST_BYTES + "-99".length;

/** A world as a command names it: of one that a failure left, its name, or the end of a long one, with its checksum. */
export function shortWorld(file: string, env: Environment): string {
  const folder = corpusFolder({});
  const path = file.replaceAll("\\", "/").replace(/^\.\//, "");
  // who pastes the command may have named another folder for one command only
  if (env.RINGBACK_RESULTS || !path.startsWith(folder) || !path.endsWith(ENDING)) return file;
  const name = path.slice(folder.length, -ENDING.length);
  if (name.includes("/") || name.length <= LONGEST_EXACT) return name;
  const end = name.slice(-LONGEST_END);
  return end.slice(end.indexOf("-") + 1);
}

/** A world that is played in place of an exploration. */
interface NamedWorld {
  readonly file: string;
  /** Whether its failure is one of forged requests; undefined if it is no world that a failure left. */
  readonly isForged: boolean | undefined;
}

/**
 * The world that a variable names: the path of its file, or the end of the name of one that a failure left.
 * @throws {InputError} if there is none, or several, or what the failure left is damaged
 */
export function namedWorldIn(world: string, env: Environment): NamedWorld {
  const file = worldFile(world, env);
  const fs = nodeModule<Files>("node:fs");
  const about = file.endsWith(ENDING) ? `${file.slice(0, -ENDING.length)}${KEPT_ENDING}` : undefined;
  if (about === undefined || fs?.existsSync(about) !== true) return { file, isForged: undefined };
  const kept = objectIn(fs.readFileSync(about, "utf8")) as Pick<KeptTest, "isForged"> | undefined;
  if (kept === undefined)
    throw new InputError(["scenario"], `${about} is damaged: expected what a failure left; explore again`);
  return { file, isForged: kept.isForged };
}

/** The object of a file in JSON; undefined if it is damaged. */
export function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    // the error of JSON.parse quotes the file: who calls names it instead
    return undefined;
  }
}

/**
 * The file of a world: its path, or the end of the name of one that a failure left.
 * @throws {InputError} if there is none, or several
 */
function worldFile(world: string, env: Environment): string {
  const fs = nodeModule<Files>("node:fs");
  if (fs === undefined || fs.existsSync(world)) return world;
  const folder = corpusFolder(env);
  const all = fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [];
  const whole = `${world}${ENDING}`;
  const found = all.includes(whole) ? [whole] : all.filter((name) => name.endsWith(whole));
  if (found.length === 1) return `${folder}${found[0]}`;
  const problem =
    found.length === 0
      ? `there is no file ${world}, which ${WORLD} names, and no scenario in ${folder} whose name ends so`
      : `${WORLD} names ${world}, and ${folder} has ${found.join(" and ")}: name one`;
  throw new InputError(["scenario"], problem);
}

function corpusFolder(env: Environment): string {
  return `${resultsFolder(env)}/${CORPUS_FOLDER}/`;
}
