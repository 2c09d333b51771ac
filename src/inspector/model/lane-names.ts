import type { Lane } from "./types.ts";

/** The names in the heads of lanes: short ones, with a second line where two would be the same. */

/** The whole name of a directory entry, and its extension. */
export interface LaneEntry {
  readonly displayName: string;
  readonly extension: string;
}

/** The two lines of a lane's head. */
type HeadName = Pick<Lane, "short" | "secondLine">;

/**
 * Gives lanes short names that differ. Of people the first name, with the rest of the name below where two share it,
 * and the extension below where two share the whole name. Of numbers their ends (`…5001`), of hosts their first parts.
 * @param entryOf the entry of someone inside
 * @param hasStandIns whether names are stand-ins of an import: then extensions stand below all
 */
export function withShortNames(
  lanes: readonly Lane[],
  entryOf: (id: string) => LaneEntry | undefined,
  hasStandIns: boolean,
): Lane[] {
  const people = lanes.map((lane) => findPerson(lane, entryOf(lane.id)));
  const firsts = countTexts(people.map((person) => person?.first));
  const wholes = countTexts(people.map((person) => person?.whole));
  const hosts = countTexts(lanes.map((lane) => (lane.kind === "app" ? shortHost(lane) : undefined)));
  const ends = numberEnds(lanes.flatMap(({ id, name }) => (isNumber(name) ? [id] : [])));
  const nameHead = (lane: Lane, person: Person | undefined): HeadName => {
    if (lane.kind === "app") {
      const short = shortHost(lane);
      return { short: (hosts.get(short) ?? 0) > 1 ? lane.name : short };
    }
    if (isNumber(lane.name)) {
      const end = ends.get(lane.id);
      return { short: end === undefined ? lane.name : `…${end}` };
    }
    if (person === undefined) return { short: lane.short };
    const { first, rest, whole, secondLine } = person;
    if (hasStandIns)
      return { short: first, secondLine: secondLine.startsWith("…") ? secondLine : `ext. ${secondLine}` };
    if ((wholes.get(whole) ?? 0) > 1) return { short: first, secondLine };
    return (firsts.get(first) ?? 0) > 1 && rest !== ""
      ? { short: first, secondLine: rest }
      : { short: first };
  };
  return lanes.map((lane, index) => ({ ...lane, ...nameHead(lane, people[index]) }));
}

interface Person {
  readonly first: string;
  readonly rest: string;
  readonly whole: string;
  /** What tells two of the same name apart. */
  readonly secondLine: string;
}

function findPerson({ id, kind, name }: Lane, entry: LaneEntry | undefined): Person | undefined {
  if (kind === "app" || kind === "platform" || isNumber(name)) return undefined;
  const whole = entry?.displayName ?? name.replace(/, …\d+$/, "");
  const words = whole.split(" ");
  // titles name nobody: `Dr Kim`, `Prof. Dr. Kim`
  const firstWords = (TITLES.exec(whole)?.[0] ?? "").split(" ").length;
  const [first, others] = [words.slice(0, firstWords).join(" "), words.slice(firstWords)];
  const below = entry === undefined ? `…${id.slice(-4)}` : entry.extension;
  // a number is no surname: `User 1`
  const isNumbered = /^\d+$/.test(others.at(-1) ?? "");
  if (first === "" || isNumbered) return { first: whole, rest: "", whole, secondLine: below };
  return { first, rest: others.join(" "), whole, secondLine: below };
}

const TITLES = /^(?:(?:dr|miss|mr|mrs|ms|mx|prof|sir|med)\.? )+/i;

/** How often each text occurs. */
export function countTexts(texts: readonly (string | undefined)[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

const isNumber = (name: string) => /^\+\d/.test(name);

/** The end of each number: four digits, or as many as tell it apart from all others. One that needs all has none here. */
function numberEnds(all: readonly string[]): ReadonlyMap<string, string> {
  const ends = new Map<string, string>();
  let open = all;
  for (let length = 4; open.length > 0; length++) {
    const endOf = (number: string) => number.slice(-length);
    const counts = countTexts(all.map(endOf));
    open = open.filter((number) => length < number.length - 1);
    for (const number of open) if (counts.get(endOf(number)) === 1) ends.set(number, endOf(number));
    open = open.filter((number) => !ends.has(number));
  }
  return ends;
}

function shortHost({ name: host, short }: Lane): string {
  // the REST API and the app's state are no hosts
  if (short !== host) return short;
  const name = host.replace(/:\d+$/, "");
  return /^[\d.]+$|^localhost$/.test(name) ? host : (name.split(".")[0] ?? host);
}
