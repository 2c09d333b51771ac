/** The groups of properties, and the other options without which a world may go another way. */
const replayed = [
  "always",
  "settled",
  "eventually",
  "sometimes",
  "show",
  "durable",
  "clock",
  "allowLocal",
  "phoneNumbers",
  "dialect",
  "profile",
  "patience",
  "steps",
];

/** How to replay a failure of a function that no scenario can express. */
const REPLAY_FUNCTION = "replay(smallest.journal) plays again what came from outside";

/** The options of an exploration, as far as they say how a failure is replayed. */
interface ReplayOptions {
  /** Whether forged requests are sent too; undefined if that does not matter. */
  readonly forged?: boolean | undefined;
  /** The module with the app, which has its properties too. */
  readonly with?: string;
  /** The command in place of a call of `explore`, with `FILE` for the scenario's file. */
  readonly replay?: string | undefined;
}

/**
 * How to replay a failure.
 * @param scenario its smallest scenario; undefined for a function that no scenario can express
 * @param kept the file that has the scenario
 */
export function replayText(
  options: ReplayOptions,
  scenario: string | undefined,
  kept: string | undefined,
): string {
  const { replay } = options;
  if (scenario === undefined) return replay ?? REPLAY_FUNCTION;
  const call = replay ?? writeCall(options);
  return kept === undefined ? `save it as FILE, then ${call}` : call.replaceAll("FILE", kept);
}

/** A call of `explore` that names what was given. */
function writeCall(options: ReplayOptions): string {
  const names = replayed.filter((name) => (options as Readonly<Record<string, unknown>>)[name] !== undefined);
  const name = "subject" in options && options.subject !== undefined ? "subject" : "app";
  const explored = options.with === undefined ? name : `with: ${JSON.stringify(options.with)}`;
  const forged = options.forged === undefined ? [] : [`forged: ${options.forged}`];
  return `explore({ ${['scenario: "FILE"', "deviations: 0", explored, ...names, ...forged].join(", ")} })`;
}
