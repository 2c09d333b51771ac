import { Refused, type Tree } from "./tree.ts";

const CHANGES = "CHANGELOG.md";

/** A kind of thing that can be added: `npm run new KIND ARGUMENTS`. */
export interface Kind {
  /** Its arguments, as the usage shows them. */
  readonly usage: string;
  readonly about: string;
  /**
   * Makes the changes.
   * @returns what is left to say, each line as `file: what`
   * @throws {Refused} if a name is bad or exists
   */
  add(tree: Tree, ...args: string[]): readonly string[];
}

/** @throws {Refused} if a name does not have the form of its kind */
export function check(what: string, given: string | undefined, form: RegExp, example: string): string {
  if (given === undefined) throw new Refused(`${what} is missing, such as ${example}`);
  if (!form.test(given)) throw new Refused(`"${given}" is no ${what}: expected a form such as ${example}`);
  return given;
}

/** @throws {Refused} if it is none of them */
export function oneOf(what: string, given: string | undefined, known: readonly string[]): string {
  if (given !== undefined && known.includes(given)) return given;
  const problem = given === undefined ? `${what} is missing` : `"${given}" is no ${what}`;
  throw new Refused(`${problem}; expected one of: ${known.join(", ")}`);
}

export const camelCase = /^[a-z][a-zA-Z\d]*$/;

/** `parkCall` as `ParkCall`. */
export function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** `parkCall` as `park call`. */
export function spoken(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll("-", " ");
}

/** `parkCall` as `Park call`. */
export function title(name: string): string {
  return pascal(spoken(name));
}

/** `park call` as somebody does it: `parks call`. */
export function doing(name: string): string {
  const [verb = "", ...rest] = spoken(name).split(" ");
  return [/(s|x|z|ch|sh)$/.test(verb) ? `${verb}es` : `${verb}s`, ...rest].join(" ");
}

/** Words that somebody must put better: `test/documentation.test.ts` refuses what they begin with. */
export function toSay(what: string): string {
  return `TO SAY: ${what}`;
}

/**
 * Notes an addition among the changes of the next version.
 * @param does what a consumer can do with it, such as `ask`
 * @returns what is left to say of it
 */
export function noteChange(tree: Tree, what: string, does: string): string {
  const at = /^## Unreleased\n\n### Added\n\n/m.exec(tree.read(CHANGES));
  if (at === null) throw new Refused(`${CHANGES}: begin it with "## Unreleased" and "### Added"`);
  tree.insert(CHANGES, at.index + at[0].length, `- ${what}: ${toSay(`what a consumer can ${does} now`)}.\n`);
  return `${CHANGES}: what a consumer can ${does} now`;
}
