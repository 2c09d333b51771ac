import type { EventObject } from "xstate";

/**
 * What the compiler reads of a machine is partly private to XState, and another release may change it. So everything is
 * looked at before it is used, and whatever has another shape than the known one is refused.
 */

/** The compiler does not know how to compile a machine. The message says what of it. */
export class Unknown extends Error {
  override readonly name = "Unknown";
}

/** A function of a machine, of its context and event and more. */
export type MachineFunction = (args: object, params: unknown) => unknown;

export function isFunction(value: unknown): value is MachineFunction {
  return typeof value === "function";
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** A field by name, which XState may or may not declare. */
export function fieldOf(value: object, name: string): unknown {
  return Reflect.get(value, name);
}

/** @throws {Unknown} for what is not an object with a type */
export function asEvent(event: unknown, where: string): EventObject {
  if (!isEvent(event)) throw new Unknown(`${where}: ${JSON.stringify(event)} is not an event`);
  return event;
}

function isEvent(value: unknown): value is EventObject {
  return isObject(value) && typeof fieldOf(value, "type") === "string";
}

/**
 * Refuses an object that has fields other than the known ones, or lacks one of them.
 * @param where the object's place in the machine
 * @param optional fields that it may have
 */
export function expectFields(
  where: string,
  value: object,
  known: readonly string[],
  optional: readonly string[] = [],
): void {
  const names = Object.keys(value);
  const more = names.find((name) => !known.includes(name) && !optional.includes(name));
  if (more !== undefined) throw new Unknown(`${where}: the field "${more}"`);
  const missing = known.find((name) => !names.includes(name));
  if (missing !== undefined) throw new Unknown(`${where}: without the field "${missing}"`);
}
