import { deviationText } from "../../core/scenario/deviations.ts";
import { isOfCorpus, type WorldOutcome } from "../run/outcome.ts";

/**
 * The line of a world in OpenPBTStats, the format of observations that Hypothesis and Tyche share: what the test was given, how
 * it came out, and by which features worlds can be compared.
 * @param run the exploration's title, and the real time at which it began, seconds since the Unix epoch
 */
export function statisticsLine(
  outcome: WorldOutcome,
  { property, startedS }: { readonly property: string; readonly startedS: number },
): string {
  const { order, deviations, failures, held, steps, requests } = outcome;
  const [first] = failures;
  const kinds = [...new Set(deviations.map(({ is }) => is))].sort();
  const line = {
    type: "test_case",
    run_start: startedS,
    property,
    status: first === undefined ? "passed" : "failed",
    status_reason: failures.map(({ property: name, message }) => `${name}: ${message}`).join("\n"),
    representation: deviations.map(deviationText).join("\n") || "no deviations",
    arguments: { deviations: deviations.map(deviationText) },
    how_generated: isOfCorpus(outcome) ? "from the corpus" : "in the order of all worlds",
    features: {
      deviations: deviations.length,
      kinds: kinds.join(", "),
      steps,
      requests,
      held: held.join(", "),
    },
    timing: {},
    coverage: null,
    metadata: { world: order },
  };
  return `${JSON.stringify(line)}\n`;
}
