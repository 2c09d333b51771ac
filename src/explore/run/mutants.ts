import { isPromise } from "../../core/foundation/values.ts";
import { treeText, type ValueTree } from "../../core/narration/app-state.ts";
import { accepted } from "../../core/network/answer.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import type { Received } from "../../findings/explain.ts";
import { typeOf } from "./webhook-requests.ts";

/** What a changed platform does with every webhook request for one event type. */
export type MutantKind = "dropped" | "duplicated" | "delayed";

/** A platform that is changed in one way, and whether a property noticed. */
export interface Mutant {
  /** The type of event. */
  readonly type: string;
  /** What the platform does with each request. */
  readonly is: MutantKind;
  /** The first property that failed, or the app's defect; undefined if nothing noticed. */
  readonly noticedBy: string | undefined;
  /**
   * How the app came to the same state without the usual event: the requests that it made besides, or what it received;
   * undefined if something noticed, if its state ended otherwise, or if the event never changes it.
   */
  readonly recoveredBy: string | undefined;
}

/** One change of the platform. */
export type Mutation = Pick<Mutant, "type" | "is">;

export const mutantKinds: readonly MutantKind[] = ["dropped", "duplicated", "delayed"];

/** How late a delayed event arrives, ms: longer than an app waits. */
const DELAY_MS = 3_600_000;

/**
 * Changes the platform of one run. It takes the webhooks' requests as answered 200, whatever the app hears.
 * @returns a function that ends the change
 */
export function mutate(simulator: Simulator, { type, is }: Mutation): () => void {
  const { engine } = simulator.services;
  const askEndpoint = (asked: object, ask: () => unknown) => {
    const request = asked as RequestRecord;
    if (typeOf(request) !== type) return ask();
    if (is === "dropped") return accepted;
    if (is === "delayed") {
      engine.loop.callBack(DELAY_MS, () => ask());
      return accepted;
    }
    const first = ask();
    return isPromise(first) ? first.then(() => ask()) : ask();
  };
  return engine.probes.attach({ askEndpoint });
}

/** How an app came to its state in one world. */
export interface Course {
  readonly trace: readonly Received[];
  /** The app's state once it was built; undefined if it cannot be shown. */
  readonly firstState: ValueTree | undefined;
  /** The app's state in the end; undefined if it cannot be shown. */
  readonly state: ValueTree | undefined;
  /** The app's own requests to the REST API, such as `GET /calls`. */
  readonly asked: readonly string[];
}

/**
 * How an app comes to the state that it has without the change, if it does.
 * @returns undefined if it ends in another state, or if events of the type do not change its state
 */
export function findRecovery({ type, is }: Mutation, plain: Course, changed: Course): string | undefined {
  const more = changed.asked.filter((each, index) => !hasAsked(plain.asked, changed.asked, each, index));
  if (plain.state === undefined) return more.length === 0 ? undefined : listed(more);
  const [before, after] = [plain.state, changed.state && treeText(changed.state)];
  if (treeText(before) !== after || !movesOf(plain).some(({ of }) => of === type)) return undefined;
  if (more.length > 0) return listed(more);
  // it may have learnt it from requests that it makes in any case
  if (changed.asked.length > 0 && changed.trace.at(-1)?.state !== after) return listed(changed.asked);
  const last = movesOf(changed).at(-1);
  if (last === undefined) return undefined;
  if (last.of !== type) return last.of;
  return is === "duplicated" ? "the second one changes nothing" : "it comes in the end";
}

/** Whether a request to the REST API was also made in the other world, as many times as up to here. */
function hasAsked(
  plain: readonly string[],
  changed: readonly string[],
  what: string,
  index: number,
): boolean {
  const times = changed.slice(0, index + 1).filter((each) => each === what).length;
  return plain.filter((each) => each === what).length >= times;
}

function listed(requests: readonly string[]): string {
  return [...new Set(requests)].join(" and ");
}

/** What changed the app's state. */
function movesOf({ trace, firstState }: Course): Received[] {
  const first = firstState && treeText(firstState);
  return trace.filter(({ state }, index) => state !== (index === 0 ? first : trace[index - 1]?.state));
}

/** The part of a report about mutants: those that nothing noticed, in words. */
export function mutantsText(mutants: readonly Mutant[]): string[] {
  const changes = `${mutants.length} changes of the platform`;
  if (mutants.length === 0)
    return [
      "mutants: none, since the world without deviations fails, or has no webhook that tells of anything",
    ];
  const unnoticed = mutants.filter((each) => each.noticedBy === undefined && each.recoveredBy === undefined);
  const recovered = mutants.filter(({ recoveredBy }) => recoveredBy !== undefined);
  if (unnoticed.length + recovered.length === 0) return [`mutants: properties noticed all of ${changes}`];
  const noticed = mutants.length - unnoticed.length - recovered.length;
  return [
    `mutants: of ${changes}, properties noticed ${noticed}, the app recovered from ${recovered.length}, and nothing noticed ${unnoticed.length}`,
    ...recovered.map((each) => `  recovered from: ${changeText(each)}: ${each.recoveredBy}`),
    ...unnoticed.map((each) => `  unnoticed: ${changeText(each)}`),
  ];
}

function changeText({ type, is }: Mutation): string {
  if (is === "dropped") return `${type} never comes`;
  return `every ${type} comes ${is === "duplicated" ? "twice" : "an hour late"}`;
}
