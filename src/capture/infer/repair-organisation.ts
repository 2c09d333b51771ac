import { InputError, type Keys } from "../../core/foundation/errors.ts";
import { copyValue } from "../../core/foundation/runtime-globals.ts";
import { isRecord } from "../../core/foundation/values.ts";
import type { OrganisationInput } from "../../core/generated/inputs.ts";
import { readOrganisation } from "../../core/platform/organisation/organisation.ts";

/** Makes up a value for a required field. Undefined: leave the field out. */
type MakeUp = (key: string, holder: Readonly<Record<string, unknown>>) => unknown;

/**
 * Makes an organisation valid, since captures may hold anything: two users with one extension, a malformed address. Invalid
 * values are left out, or made up if they are required.
 * @param assumed receives a sentence for each change
 */
export function repairOrganisation(
  organisation: OrganisationInput,
  makeUp: MakeUp,
  assumed: string[],
): OrganisationInput {
  let result = organisation;
  const repairs = new Map<string, number>();
  for (;;) {
    const problems = findProblems(result);
    if (problems.length === 0) return result;
    const copy = copyValue(result);
    for (const keys of problems) {
      const path = keys.join(".");
      const count = repairs.get(path) ?? 0;
      repairs.set(path, count + 1);
      repair(copy, keys, count, makeUp, assumed);
    }
    result = withoutHoles(copy) as OrganisationInput;
  }
}

function findProblems(organisation: OrganisationInput): readonly Keys[] {
  try {
    readOrganisation(organisation);
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems.map(({ keys }) => keys);
  }
}

/** Repairs the value at a path; if that did not help, replaces the item around it, then the list. */
function repair(root: unknown, keys: Keys, count: number, makeUp: MakeUp, assumed: string[]): void {
  const [holder, key] = findHolder(root, count === 0 ? keys : keys.slice(0, Math.max(1, 3 - count)));
  if (holder === undefined || key === undefined) return;
  const value = Array.isArray(holder) ? undefined : makeUp(String(key), holder);
  holder[key] = value;
  const id = holder.id ?? holder.number;
  assumed.push(
    `${keys.join(".")}${typeof id === "string" ? ` of ${id}` : ""} is ${value === undefined ? "left out" : "made up"}; the captured value is not valid`,
  );
}

/** The object and key at the end of a path, or as far along it as the value goes. */
function findHolder(
  root: unknown,
  keys: Keys,
): [Record<string | number, unknown> | undefined, Keys[number]?] {
  let holder: unknown = root;
  for (const [depth, key] of keys.entries()) {
    const below = (holder as Record<string | number, unknown>)[key];
    if (depth === keys.length - 1 || typeof below !== "object" || below === null)
      return [holder as Record<string | number, unknown>, key];
    holder = below;
  }
  return [undefined];
}

/** Removes the items and fields that were set to undefined. */
function withoutHoles(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined).map(withoutHoles);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, below]) =>
      below === undefined ? [] : [[key, withoutHoles(below)]],
    ),
  );
}
