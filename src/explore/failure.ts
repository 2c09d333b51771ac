/** A property that does not hold in a world, or a defect of the subject. */
export interface Broken {
  /** The property's name, or the defect, such as `the subject hangs`. */
  readonly property: string;
  readonly message: string;
}

/** Thrown inside a world to end it. */
export class WorldBroken extends Error implements Broken {
  override readonly name = "WorldBroken";

  constructor(
    readonly property: string,
    message: string,
  ) {
    super(message);
  }
}

/** Defects of a subject, in the place of a property's name. */
export const subjectDefects = {
  threw: "the subject throws",
  hangs: "the subject hangs",
  leavesPromise: "the subject leaves a promise behind",
  restless: "the subject never comes to rest",
} as const;

/** The message of what was thrown, without the colours of a terminal. */
export function wordsOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes that colour a terminal begin with one
  return text.replace(/\u001b\[[\d;]*m/g, "");
}

/** The key by which failures are grouped: the property and its message without numbers. */
export function fingerprintOf({ property, message }: Broken): string {
  return `${property}: ${message
    .replace(/((?<![\w-])[-+])?\d+(\.\d+)?/g, "#")
    .replace(/\s+/g, " ")
    .trim()}`;
}
