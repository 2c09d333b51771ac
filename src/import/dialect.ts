import type { DialectInput } from "../platform/settings.ts";

/** The parts of a dialect that captures are read with. */
export type CaptureDialect = DialectInput & {
  /** Reads a body as it was sent: returns the wrapper as the simulator writes it. */
  readonly read?: ((body: unknown) => unknown) | undefined;
  /** Event types that the dialect knows besides ours. */
  readonly events?: readonly string[] | undefined;
};
