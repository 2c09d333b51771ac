import * as v from "valibot";
import { InputError } from "../../core/foundation/errors.ts";
import { readInput } from "../../core/foundation/input-schemas.ts";
import type { PublicCallRecord } from "../../core/generated/records.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import type { Check, SometimesCheck } from "../run/explored-app.ts";

/** Ready-made properties, to be spread into the options of `explore`. */
export interface ReadyProperties<T> {
  /** What is read whenever the app has done its work; undefined for properties that only look at the end. */
  readonly settled?: Readonly<Record<string, Check<T>>>;
  /** What must hold once everything is quiet. */
  readonly eventually: Readonly<Record<string, Check<T>>>;
  /** At least one world must have what the properties are about, or they would hold without being tested. */
  readonly sometimes: Readonly<Record<string, SometimesCheck<T>>>;
}

/**
 * Reads what an app shows, which may come from another language.
 * @throws {Error} with each value that is wrong, by its place
 */
export function readShown<const S extends v.GenericSchema>(schema: S, shown: unknown): v.InferOutput<S> {
  try {
    return readInput(schema, shown);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new Error(`what the app shows cannot be read: ${error.message}`);
  }
}

/**
 * What several properties read of an app, one right after the other: it is read for the first of them, which alone fails if
 * that fails.
 */
export class SharedReading<K extends object, Shown> {
  /** What the first property read, for each of the others until it takes it; undefined if that could not be read. */
  private readonly taken = new WeakMap<K, Map<string, Shown | undefined>>();

  /** @param others the properties behind the first one */
  constructor(private readonly others: readonly string[]) {}

  /** Reads for all properties. @param world what they are judged of */
  async first(world: K, read: () => Promise<Shown>): Promise<Shown> {
    const keep = (shown: Shown | undefined) =>
      this.taken.set(world, new Map(this.others.map((name) => [name, shown])));
    keep(undefined);
    const shown = await read();
    keep(shown);
    return shown;
  }

  /** What the first property has read, or reads it if that one was not judged. @returns undefined if the first one fails */
  async again(world: K, name: string, read: () => Promise<Shown>): Promise<Shown | undefined> {
    const kept = this.taken.get(world);
    if (kept?.has(name) !== true) return read();
    const shown = kept.get(name);
    kept.delete(name);
    return shown;
  }
}

/** Something that an app may not have. */
export function orAbsent<const S extends v.GenericSchema>(schema: S) {
  return v.pipe(
    v.nullish(schema),
    v.transform((given) => given ?? undefined),
  );
}

/**
 * The calls by which apps are judged. Left out are blocked calls, which never rang, and calls of withheld numbers, which
 * an app may leave out.
 */
export function judgedCalls(sim: Simulator): PublicCallRecord[] {
  return sim.calls
    .list()
    .map(({ record }) => record)
    .filter(isJudged);
}

export function isJudged({ contactNumber, status }: PublicCallRecord): boolean {
  return contactNumber !== null && status !== "blocked";
}

/**
 * Compares the calls that an app shows with those that it must show. Blocked calls and those of withheld numbers may be
 * missing, but not there twice, nor if they are not due.
 * @param isDue whether it must show a call
 * @param verb what a message says of a call that the app shows twice: `is there`, `is logged`
 * @param why why a call may be missing, as a clause
 * @throws {Error} saying what is missing, repeated or wrong
 */
export function mustShowCalls(
  sim: Simulator,
  shown: readonly string[],
  isDue: (call: PublicCallRecord) => boolean,
  verb = "is there",
  why?: (id: string) => string | undefined,
): void {
  const isShown = new Set(shown);
  const mustBeThere = new Set(judgedCalls(sim).map(({ id }) => id));
  const due = sim.calls
    .list()
    .filter(({ id, record }) => isDue(record) && (mustBeThere.has(id) || isShown.has(id)));
  mustBeSame(
    shown,
    due.map(({ id }) => id),
    verb,
    why,
  );
}

/** Compares two lists in any order, with repeats. @throws {Error} saying what is missing, repeated or wrong */
export function mustBeSame(
  shown: readonly string[],
  expected: readonly string[],
  verb = "is there",
  why: (missing: string) => string | undefined = () => undefined,
): void {
  const missing = without(expected, shown);
  const more = new Set(without(shown, expected));
  const wrong = [...more].filter((each) => !expected.includes(each));
  const parts = [
    ...(missing.length > 0 ? [`${missing.join(", ")} ${missing.length > 1 ? "are" : "is"} missing`] : []),
    ...missing.flatMap((each) => why(each) ?? []),
    ...[...more]
      .filter((each) => expected.includes(each))
      .map((each) => `${each} ${verb} ${times(shown.filter((other) => other === each).length)}`),
    ...(wrong.length > 0 ? [`${wrong.join(", ")} must not be there`] : []),
  ];
  if (parts.length > 0) throw new Error(parts.join("; "));
}

const times = (count: number) => (count === 2 ? "twice" : `${count} times`);

/** The items of the first list without those of the second, each of which takes one away. */
function without(all: readonly string[], some: readonly string[]): string[] {
  const left = [...some];
  return all.filter((each) => {
    const index = left.indexOf(each);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
