/** A property that does not hold in a world, or something that the subject must never do. */
export interface Broken {
  /** The property's name, or what the subject did, such as `the subject hangs`. */
  readonly property: string;
  readonly message: string;
}

/** What is thrown inside a world to end it. */
export class WorldBroken extends Error implements Broken {
  override readonly name = "WorldBroken";

  constructor(
    readonly property: string,
    message: string,
  ) {
    super(message);
  }
}

/** A property as failures name it: a subject's own defects have names of their own. */
export const subjectDefects = {
  threw: "the subject throws",
  hangs: "the subject hangs",
  leavesPromise: "the subject leaves a promise behind",
  restless: "the subject never comes to rest",
} as const;

/** What was thrown, in words and without the colours of a terminal. */
export function wordsOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes that colour a terminal begin with one
  return text.replace(/\u001b\[[\d;]*m/g, "");
}

/** By what failures are grouped: the property and its message without numbers. */
export function fingerprintOf({ property, message }: Broken): string {
  return `${property}: ${message
    .replace(/((?<![\w-])[-+])?\d+(\.\d+)?/g, "#")
    .replace(/\s+/g, " ")
    .trim()}`;
}
