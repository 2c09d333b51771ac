import * as v from "valibot";
import { durationMs } from "../../foundation/instants.ts";
import { show } from "../../foundation/show.ts";

const MIN_CLOSE_MS = 600_000;
const MAX_CLOSE_MS = 180 * 86_400_000;

/** Keeps the duration as it was written, since the API returns durations as text. */
const sayCloseTimer = ({ input }: { input: unknown }) =>
  `expected an ISO 8601 duration from PT600S to P180D, got ${show(input)}`;
export const closeTimer = v.pipe(
  v.string(sayCloseTimer),
  v.metadata({ pattern: "^P" }),
  v.check((value) => {
    const ms = durationMs(value) ?? 0;
    return Number.isInteger(ms) && ms >= MIN_CLOSE_MS && ms <= MAX_CLOSE_MS;
  }, sayCloseTimer),
);
