import type { Simulator } from "../../core/simulator/simulator.ts";
import type { Check } from "./explored-app.ts";

/** Throws if the property cannot hold: what the platform told an app is too little to show what is so. */
export type ToldCheck = (simulator: Simulator) => void;

/** Marks a ready-made property. By a shared key, as an app may load another copy of this package. */
const toldCheckKey = Symbol.for("ringback.told");

/** A property that also knows whether any app could hold it in a world. */
export function withToldCheck<T>(check: Check<T>, told: ToldCheck): Check<T> {
  return Object.assign((simulator: Simulator, app: T) => check(simulator, app), { [toldCheckKey]: told });
}

/** Whether no app could hold a property in a world. Only ready-made properties can tell. */
export function isUntold<T>(check: Check<T>, simulator: Simulator): boolean {
  const { [toldCheckKey]: told } = check as { readonly [toldCheckKey]?: ToldCheck };
  try {
    told?.(simulator);
    return false;
  } catch {
    return true;
  }
}
