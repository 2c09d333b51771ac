/** A transition by the event that it takes. */
export interface DeclaredTransition {
  /** A type of event, `*` for any, or `call.*` for `call` and every type that begins with `call.`. */
  readonly eventType: string;
}

export function isWildcard(descriptor: string): boolean {
  return descriptor === "*" || descriptor.endsWith(".*");
}

/** Whether a descriptor matches a type of event, by XState's rules. */
export function matches(descriptor: string, type: string): boolean {
  if (descriptor === type || descriptor === "*") return true;
  if (!descriptor.endsWith(".*")) return false;
  const prefix = descriptor.slice(0, -2);
  if (prefix.split(".").includes("*")) return false; // only the last word may be a wildcard
  return type === prefix || type.startsWith(`${prefix}.`);
}

/** The candidates of one state for an event, most specific first, as they are tried. */
export function matchingInOrder<T extends DeclaredTransition>(declared: readonly T[], type: string): T[] {
  return declared
    .filter(({ eventType }) => matches(eventType, type))
    .sort((a, b) => specificity(b, type) - specificity(a, type));
}

function specificity({ eventType }: DeclaredTransition, type: string): number {
  return eventType === type ? Number.POSITIVE_INFINITY : eventType.length;
}

/** Whether a type is reserved by XState. Of these, only timers send events from outside. */
export function isReserved(type: string): boolean {
  return type === "*" || (type.startsWith("xstate.") && !type.startsWith("xstate.after."));
}

export function reservedError(machineId: string, type: string): Error {
  return new Error(`the ${machineId} machine cannot be sent ${type}: XState reserves that type`);
}
