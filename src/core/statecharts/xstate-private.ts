import type { EventObject } from "xstate";
import { isObject } from "../foundation/values.ts";

/**
 * The one door to private parts of XState's machines. They may change in another release, so the compiler checks the
 * shape of everything that it reads, and refuses unknown shapes; XState itself then runs the machine.
 */

/** The compiler does not support a part of the machine, which the message names. */
export class Unsupported extends Error {
  override readonly name = "Unsupported";
}

/** A function of a machine. It gets the context, the event and more. */
export type MachineFunction = (args: object, params: unknown) => unknown;

export function isFunction(value: unknown): value is MachineFunction {
  return typeof value === "function";
}

/** Reads a field by name, even if XState does not declare it. */
export function readField(value: object, name: string): unknown {
  return Reflect.get(value, name);
}

/** @throws {Unsupported} if the value is not an object with a type */
export function asEvent(event: unknown, where: string): EventObject {
  if (!isEvent(event)) throw new Unsupported(`${where}: ${JSON.stringify(event)} is not an event`);
  return event;
}

function isEvent(value: unknown): value is EventObject {
  return isObject(value) && typeof readField(value, "type") === "string";
}

/**
 * Refuses an object with a missing or an unknown field.
 * @param where the object's place in the machine
 * @param optional fields that may be missing
 */
export function expectFields(
  where: string,
  value: object,
  known: readonly string[],
  optional: readonly string[] = [],
): void {
  const names = Object.keys(value);
  const more = names.find((name) => !known.includes(name) && !optional.includes(name));
  if (more !== undefined) throw new Unsupported(`${where}: the field "${more}"`);
  const missing = known.find((name) => !names.includes(name));
  if (missing !== undefined) throw new Unsupported(`${where}: without the field "${missing}"`);
}
