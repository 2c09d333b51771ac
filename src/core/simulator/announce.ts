/**
 * The global hook by which a test adapter learns of new simulators. A symbol, since several copies of the package may be
 * loaded.
 */
export const createdKey: unique symbol = Symbol.for("ringback.made");

/** Notifies the test adapter, which prints the simulator when a test fails. */
export function announce<Sim>(simulator: Sim): Sim {
  (globalThis as { [createdKey]?: (simulator: Sim) => void })[createdKey]?.(simulator);
  return simulator;
}
