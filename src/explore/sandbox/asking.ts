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

/** What lets the app of a world ask something outside its process. */
interface Gate {
  /** Notes that it asks. @returns undefined if it may not, since it ends before that */
  ask(of: string, as: UseKind): object | undefined;
  /** Notes that it hears of a refusal. */
  refused(): void;
}

const gates = new WeakMap<WorldContext, Gate>();
/** What is asked by code that no restart concerns. */
export const ofNobody: object = {};

/** From now on, the app of the world that begins asks a file or a service only if the gate lets it. */
export function setGate(gate: Gate): void {
  const world = worldOfCaller();
  if (world !== undefined) gates.set(wholeWorld(world), gate);
}

/** What decides for the code that runs now; undefined if it may ask what it likes. */
function gateOfCaller(): Gate | undefined {
  const seen = worldOfCaller();
  if (seen === undefined || endedWorld() !== undefined) return undefined;
  if (isOfProperty() || isOfDependency() || questionOfCaller() !== undefined) return undefined;
  return gates.get(wholeWorld(seen));
}

/** Whether the code that runs now may ask something before which its app ends. */
export function isGated(): boolean {
  return gateOfCaller() !== undefined;
}

/**
 * Called before code asks something outside the process.
 * @param of the function by which it asks
 * @param as how it asks
 * @returns undefined if it may not ask any more: it belongs to an app that ends here
 */
export function askNow(of: string, as: UseKind = "place"): object | undefined {
  const gate = gateOfCaller();
  return gate === undefined ? ofNobody : gate.ask(of, as);
}

/** The functions of `node:fs` that change nothing. */
const reads = new Set(
  "access createReadStream lstat opendir readFile readdir readlink realpath stat".split(" "),
);

/** The same, of a function of `node:fs`. @param as how it asks if it changes something */
export function askFile(name: string, as: UseKind = "place"): object | undefined {
  return askNow(name, reads.has(name) ? "reading" : as);
}

letAskBy(
  (of, as) => askNow(of, as) !== undefined,
  () => gateOfCaller()?.refused(),
);
