import { like } from "../../core/foundation/clock-doors.ts";
import { nodeModule } from "../../core/foundation/node-module.ts";
import type { AnyFunction } from "../../core/foundation/timer-functions.ts";
import { isOfPackage, isOwnOrOfNode } from "../../findings/code-place.ts";
import { callingFiles, FRAMES } from "./call-sites.ts";
import { endedWorld, isFollowed } from "./world-context.ts";
import { worldFunctions } from "./world-functions.ts";

/**
 * What code of a world draws by chance with the functions of `crypto`. These stay random, as names of files and databases must
 * differ from world to world. A run can be given what an earlier one drew, to tell chance from state that outlives a world.
 */

/** A drawn value: a number, a text, or the bytes of what was filled. */
export type RandomValue = number | string | Uint8Array;

const names = ["randomBytes", "randomFill", "randomFillSync", "randomInt", "randomUUID", "getRandomValues"];

/** The draws of one run, in order. */
export class RandomValues {
  private readonly drawn: RandomValue[] = [];

  /** @param given what it draws first; what does not fit the call that draws ends this */
  constructor(private given: readonly RandomValue[] = []) {}

  get all(): readonly RandomValue[] {
    return this.drawn;
  }

  /** Notes what was drawn, and returns what takes its place. */
  take(value: unknown): unknown {
    const bytes = readBytes(value);
    if (bytes === undefined && typeof value !== "number" && typeof value !== "string") return value;
    const given = this.given[this.drawn.length];
    const isFitting = bytes === undefined ? typeof given === typeof value : isAsLong(given, bytes);
    if (!isFitting) this.given = [];
    else if (bytes !== undefined) bytes.set(given as Uint8Array);
    const taken = isFitting && bytes === undefined ? given : value;
    this.drawn.push(bytes === undefined ? (taken as RandomValue) : bytes.slice());
    return taken;
  }
}

function isAsLong(given: RandomValue | undefined, bytes: Uint8Array): boolean {
  return given instanceof Uint8Array && given.length === bytes.length;
}

/** The memory of what was filled with random bytes. */
function readBytes(value: unknown): Uint8Array | undefined {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : undefined;
}

let current: RandomValues | undefined;

/** Memory of at least so many bytes that a package fills at once is a store for later, as nanoid and uuid have it: they take a part for each id. */
const LEAST_STORED = 256;
/** The stores that packages have filled for code of worlds, of which modules may take in later worlds. */
const stores = new Set<WeakRef<Uint8Array>>();
const known = new WeakSet<Uint8Array>();

/** Gives code of worlds these draws from now on; undefined for none. Stores of earlier worlds are empty meanwhile, so that each run draws anew. */
export function setRandomValues(draws: RandomValues | undefined): void {
  current = draws;
  for (const each of stores) {
    const store = each.deref();
    if (store === undefined) stores.delete(each);
    else if (draws === undefined) Reflect.deleteProperty(store, "length");
    else Reflect.defineProperty(store, "length", { configurable: true, value: 0 });
  }
}

/** Notes memory that code of a world fills. */
function noteFilled(memory: unknown): void {
  if (!(memory instanceof Uint8Array) || memory.byteLength < LEAST_STORED) return;
  // who else keeps as much may keep a secret, whose length it checks
  const by = callingFiles(FRAMES).find((file) => file !== "" && !isOwnOrOfNode(file));
  if (by === undefined || !isOfPackage(by)) return;
  // one that was used up is full again
  if (Object.hasOwn(memory, "length")) Reflect.deleteProperty(memory, "length");
  else if (!known.has(memory)) stores.add(new WeakRef(memory));
  known.add(memory);
}

/** Stands in front of the functions of `crypto`. Without draws, they do what they did. */
export const { replace: installRandomValues, putBack: uninstallRandomValues } = worldFunctions(() => [
  { place: globalThis.crypto as object | undefined, names, door },
  { place: nodeModule<object>("node:crypto"), names, door },
]);

function drawsOfCaller(): RandomValues | undefined {
  return current !== undefined && isFollowed() && endedWorld() === undefined ? current : undefined;
}

function door(before: AnyFunction): AnyFunction {
  return like(before, function (this: unknown, ...given: unknown[]) {
    if (isFollowed() && endedWorld() === undefined) noteFilled(given[0]);
    const draws = drawsOfCaller();
    if (draws === undefined) return Reflect.apply(before, this, given);
    const callback = given.at(-1);
    if (typeof callback !== "function") return draws.take(Reflect.apply(before, this, given));
    const drawn = (error: unknown, value: unknown) =>
      callback(error, error ? value : draws.take(value)) as unknown;
    return Reflect.apply(before, this, [...given.slice(0, -1), drawn]);
  });
}
