import { Patience } from "../../../src/findings/real-time.ts";

/** The setup of a world that is run without the explorer: it judges nothing, and no limit is near. */
export const withoutProperties = () => ({
  ...{ always: {}, settled: {}, eventually: {}, sometimes: {} },
  ...{
    patience: new Patience(60_000),
    steps: 10_000,
    clock: "virtual" as const,
    horizonMs: 900_000,
    leavesOutStates: false,
  },
});
