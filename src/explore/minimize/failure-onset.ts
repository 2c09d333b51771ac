import type {
  Deviation,
  DeviationPicker,
  DeviationPoint,
  PossibleDeviation,
} from "../../core/engine/deviations.ts";
import { Randomness } from "../../core/foundation/random.ts";
import { isRestart } from "../../core/network/request-deviations.ts";
import { identityOf, type PropertyFailure } from "../../findings/property-failure.ts";
import type { Prepared } from "../run/prepare.ts";
import type { ExecutionRequest, WorldRun } from "../run/world-run.ts";

/** How often worlds fail that begin like the smallest one and then go on by chance. */
export interface FailureOnset {
  /** Up to when it is like the smallest one, ms from the start; undefined for a world without any of its deviations. */
  readonly at: number | undefined;
  /** The deviation at that time. */
  readonly deviation: Deviation | undefined;
  /** How many random worlds were run. */
  readonly worlds: number;
  /** How many of them failed. */
  readonly failing: number;
  /** The part of failing worlds lies between these, with 95 % confidence. */
  readonly between: readonly [number, number];
}

/** A failure, and how to run worlds. */
interface Failing {
  readonly failure: PropertyFailure;
  runIn(prepared: Prepared, deviations: readonly Deviation[], wanted: ExecutionRequest): Promise<WorldRun>;
}

/** How many random worlds to run for each prefix of the deviations. */
const SAMPLES = 200;
/** How likely something else happens at each deviation point after the prefix. */
const RATE = 0.1;

/**
 * Runs random worlds that begin like a failing one: without its deviations, with the first, with the first two, and so on.
 * Where the part of failing worlds jumps, the failure is decided.
 */
export async function failureOnset(
  { failure, runIn }: Failing,
  prepared: Prepared,
  deviations: readonly Deviation[],
): Promise<FailureOnset[]> {
  const found: FailureOnset[] = [];
  for (let size = 0; size <= deviations.length; size++) {
    const prefix = deviations.slice(0, size);
    let failing = 0;
    for (let sample = 0; sample < SAMPLES; sample++) {
      const chooser = pickAfter(prefix, new Randomness(`${size} ${sample}`));
      const { failures } = await runIn(prepared, prefix, { chooser });
      if (failures.some((each) => identityOf(each) === identityOf(failure))) failing++;
    }
    const deviation = prefix.at(-1);
    found.push({
      at: deviation?.at,
      deviation,
      worlds: SAMPLES,
      failing,
      between: interval(failing, SAMPLES),
    });
  }
  return found;
}

/** Picks at random at every deviation point after the last of some deviations. */
function pickAfter(prefix: readonly Deviation[], randomness: Randomness): DeviationPicker {
  const fromMs = Math.max(-1, ...prefix.map(({ at }) => at));
  return ({ at }: DeviationPoint, options: readonly PossibleDeviation[]) => {
    if (at <= fromMs || randomness.uniform("explain whether") >= RATE) return undefined;
    const usual = options.filter(({ is }) => !isRestart(is) && is !== "behind");
    return usual[Math.floor(randomness.uniform("explain which") * usual.length)];
  };
}

/** Wilson's interval for a share, with 95 % confidence. */
function interval(count: number, of: number): [number, number] {
  const z = 1.96;
  const share = count / of;
  const middle = (share + z ** 2 / (2 * of)) / (1 + z ** 2 / of);
  const half = (z / (1 + z ** 2 / of)) * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** `fails from here on: start 0 % → PT215S 3 % → PT225S 100 %`, and what the shares are of. */
export function failureOnsetText(since: readonly FailureOnset[]): string {
  const parts = since.map(({ at, failing, worlds, between: [low, high] }) => {
    const when = at === undefined ? "start" : `PT${at / 1_000}S`;
    return `${when} ${percent(failing / worlds)} (${percent(low)} to ${percent(high)})`;
  });
  return `fails from here on: ${parts.join(" → ")}, of ${SAMPLES} random worlds each`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
