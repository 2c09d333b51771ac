import { isPromise } from "../engine/promises.ts";
import type { RequestRecord } from "../records/request.ts";
import type { Simulator } from "../simulator.ts";

/** What a changed platform does with every webhook request for one event type. */
export type MutantKind = "dropped" | "duplicated" | "delayed";

/** A platform that is changed in one way, and whether a property noticed. */
export interface Mutant {
  /** The type of event. */
  readonly type: string;
  /** What the platform does with each request. */
  readonly is: MutantKind;
  /** The first property that failed, or the subject's defect; undefined if nothing noticed. */
  readonly noticedBy: string | undefined;
}

/** A change before it is known who notices. */
export type Mutation = Pick<Mutant, "type" | "is">;

export const mutantKinds: readonly MutantKind[] = ["dropped", "duplicated", "delayed"];

/** How late a delayed event is handled, ms. Later than anyone would wait. */
const DELAY_MS = 3_600_000;

const accepted = { status: 200, headers: {}, body: "", after: 0 };

/** The event type of an attempt's request; undefined for any other request. */
export function typeOf({ why, subject }: Pick<RequestRecord, "why" | "subject">): string | undefined {
  return why === "webhook" ? subject.split(", attempt ")[0] : undefined;
}

/** Changes the platform of one run. It takes the webhooks' requests as answered 200, whatever the subject hears. */
export function mutate(simulator: Simulator, { type, is }: Mutation): void {
  const { engine, network } = simulator.inside;
  network.between = (request, ask) => {
    if (typeOf(request) !== type) return ask();
    if (is === "dropped") return accepted;
    if (is === "delayed") {
      engine.loop.callBack(DELAY_MS, ask);
      return accepted;
    }
    const first = ask();
    return isPromise(first) ? first.then(ask) : ask();
  };
}

/** The part of a report about mutants: those that nothing noticed, in words. */
export function mutantsText(mutants: readonly Mutant[]): string[] {
  const unnoticed = mutants.filter(({ noticedBy }) => noticedBy === undefined);
  const changes = `${mutants.length} changes of the platform`;
  if (mutants.length === 0)
    return [
      "mutants: none, since the world without deviations fails, or has no webhook that tells of anything",
    ];
  if (unnoticed.length === 0) return [`mutants: properties noticed all of ${changes}`];
  return [
    `mutants: of ${changes}, no property noticed these ${unnoticed.length}:`,
    ...unnoticed.map((each) => `  ${sentenceOf(each)}`),
  ];
}

function sentenceOf({ type, is }: Mutation): string {
  if (is === "dropped") return `${type} never comes: nothing checks what it is for`;
  if (is === "duplicated") return `every ${type} comes twice: the integration copes, or nothing checks it`;
  return `every ${type} comes an hour late: the integration copes, or nothing checks it`;
}
