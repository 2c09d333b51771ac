import { STATEMENT } from "../../core/engine/postgres-refusals.ts";
import { asyncModule } from "../../core/foundation/async-hooks.ts";
import { isOwnOrOfNode } from "../../findings/code-place.ts";
import { askNow } from "./asking.ts";
import { callingNow } from "./call-sites.ts";

/**
 * Uses of a database that is in the process of the app. Nothing outside the process tells of them, but the promises that its package makes
 * and waits for while others call it. An app may restart where the package first waits: it has done nothing yet.
 */

/** The package that a file belongs to. */
export const packageOf = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/;
/** What the names of packages have that are in the process of the app. */
const inProcess = /(?:^|[^a-z])(?:duckdb|pglite|sqlite3?)(?:[^a-z]|$)/i;
/** How far up the stack the code is at most that calls a package. */
const FRAMES = 30;

/** By what a promise is waited for: `await` asks for both, and the second only if the first is none of Node's. */
export type AwaitStep = "constructor" | "then";

/** A package that waits for a promise. */
interface PackageWaits {
  readonly promise: object;
  readonly door: AwaitStep;
  /** Whose code calls it: a life of an app, or a world. */
  readonly owner: object;
}

/** What the package has waited for last. */
interface Begun extends Pick<PackageWaits, "promise" | "door"> {
  /** The piece of work in which it did. */
  readonly work: number | undefined;
  /** How many of its own functions were called. */
  readonly depth: number;
  readonly mayGoOn: boolean;
}

let begun: Begun | undefined;
/** The call of a package that was seen last. It is no place if it never waits. */
let called: { readonly work: number | undefined; readonly name: string; isKnown: boolean } | undefined;
/** The transactions in which calls of somebody's code wait. */
const open = new WeakMap<object, Set<object>>();

const pieceOfWork = () => asyncModule?.executionAsyncId?.();

/** Notes that a package has made a promise. One use may make many. */
export function noteCall(name: string): void {
  if (!inProcess.test(name)) return;
  const work = pieceOfWork();
  if (called?.work === work) return;
  endCall();
  if (findCall() !== undefined) called = { work, name, isKnown: false };
}

/** The last call of a package has returned, or has done so before. */
export function endCall(): void {
  if (called === undefined || called.isKnown) return;
  called.isKnown = true;
  askNow(called.name, "other");
}

/** Whether a package goes on that waits: its use begins there, and its app may end before. */
export function mayGoOn(name: string, { promise, door, owner }: PackageWaits): boolean {
  if (!inProcess.test(name)) return true;
  const work = pieceOfWork();
  const before = begun?.work === work ? begun : undefined;
  // the other half of one `await`
  if (before?.promise === promise && before.door !== door) return before.mayGoOn;
  const call = findCall();
  if (call === undefined) return true;
  // a function of the package that waits for the one which has waited
  if (before !== undefined && call.depth < before.depth) return before.mayGoOn;
  if (called !== undefined && called.work === work) called.isKnown = true;
  const isPart = call.isOfCallback || (open.get(owner)?.size ?? 0) > 0;
  const isLet = askNow(STATEMENT, isPart ? "part" : "place") !== undefined;
  begun = { work, promise, door, depth: call.depth, mayGoOn: isLet };
  return isLet;
}

/** Notes that a package waits for what the code of others does in a transaction. @param then the function of promises */
export function noteTransaction(
  owner: object,
  promise: object,
  then: (this: object, fulfilled: () => void, rejected: () => void) => unknown,
): void {
  const ofOwner = open.get(owner) ?? new Set();
  open.set(owner, ofOwner);
  if (ofOwner.has(promise)) return;
  ofOwner.add(promise);
  const end = () => void ofOwner.delete(promise);
  then.call(promise, end, end);
}

/** How others call a package in this piece of work; undefined if nobody does. */
function findCall(): { readonly depth: number; readonly isOfCallback: boolean } | undefined {
  const files = callingNow(FRAMES).filter(
    (file) => file !== "" && !file.startsWith("wasm:") && !isOwnOrOfNode(file),
  );
  const isOfDatabase = (file: string) => inProcess.test(packageOf.exec(file)?.[1] ?? "");
  const depth = files.findIndex((file) => !isOfDatabase(file));
  return depth < 0 ? undefined : { depth, isOfCallback: files.slice(depth).some(isOfDatabase) };
}
