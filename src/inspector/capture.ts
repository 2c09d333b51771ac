import type { ImportResult } from "../capture/import.ts";
import { readInstantMs } from "../core/foundation/instants.ts";
import type { CaptureSource, StepReference } from "./data.ts";

/** What a page says of a capture that was imported. */
export function toCaptureSource({
  scenario,
  verdict,
  hasStandIns,
  requests,
  explained,
  assumed,
  unexplained,
  problems,
  drift,
}: ImportResult): CaptureSource {
  const startMs = readInstantMs(scenario.options.start, ["start"]);
  const counts = new Map<string, number>();
  const references = scenario.steps.map(({ atMs = 0, command }): StepReference => {
    const key = `${atMs} ${command}`;
    const nth = (counts.get(key) ?? 0) + 1;
    counts.set(key, nth);
    return { at: atMs, command, nth };
  });
  const referenceTo = (step: number | undefined) => (step === undefined ? undefined : references[step - 1]);
  return {
    verdict,
    hasStandIns,
    requests,
    explained,
    assumed: assumed.map(({ what, step }) => ({ what, step: referenceTo(step) })),
    unexplained: unexplained.map(({ timestamp, step, line, event, because, nearest, follows }) => ({
      at: Math.max(0, timestamp - startMs),
      step: referenceTo(step),
      ...{ line, event, because, nearest, follows },
    })),
    problems,
    differences: Object.values(drift).reduce((sum, items) => sum + items.length, 0),
  };
}
