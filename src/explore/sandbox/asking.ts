import { letAskBy, type UseKind } from "../../core/engine/whose-code.ts";
import {
  endedWorld,
  isOfDependency,
  isOfProperty,
  questionOfCaller,
  type WorldContext,
  wholeWorld,
  worldOfCaller,
} from "./world-context.ts";

/** Notes that the app of a world asks something outside its process. @returns undefined if it may not, since it ends before that */
type Gate = (of: string, as: UseKind) => object | undefined;

const gates = new WeakMap<WorldContext, Gate>();
/** What is asked by code that no restart concerns. */
export const ofNobody: object = {};

/** From now on, the app of the world that begins asks a file or a service only if the gate lets it. */
export function setGate(gate: Gate): void {
  const world = worldOfCaller();
  if (world !== undefined) gates.set(wholeWorld(world), gate);
}

/**
 * Called before code asks something outside the process.
 * @param of the function by which it asks
 * @param as how it asks
 * @returns undefined if it may not ask any more: it belongs to an app that ends here
 */
export function askNow(of: string, as: UseKind = "place"): object | undefined {
  const seen = worldOfCaller();
  if (seen === undefined || endedWorld() !== undefined) return ofNobody;
  if (isOfProperty() || isOfDependency() || questionOfCaller() !== undefined) return ofNobody;
  const gate = gates.get(wholeWorld(seen));
  return gate === undefined ? ofNobody : gate(of, as);
}

/** The functions of `node:fs` that change nothing. */
const reads = new Set(
  "access createReadStream lstat opendir readFile readdir readlink realpath stat".split(" "),
);

/** The same, of a function of `node:fs`. @param as how it asks if it changes something */
export function askFile(name: string, as: UseKind = "place"): object | undefined {
  return askNow(name, reads.has(name) ? "reading" : as);
}

letAskBy((of, as) => askNow(of, as) !== undefined);
