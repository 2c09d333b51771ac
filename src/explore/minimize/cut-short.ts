import { identityOf, isDefect, type PropertyFailure } from "../../findings/property-failure.ts";

/** What a run shows of how a world fails. */
interface Run {
  readonly failures: readonly PropertyFailure[];
}

/** How often a run is played again that the app ended by throwing. */
const MAX_AGAIN = 12;

/**
 * Plays runs again that an error of the app ended before they could show the failure that is looked for. If that error comes and
 * goes, such a run does not say that a property holds.
 */
export class CutShort {
  /** The errors that came each time. */
  private readonly steady = new Set<string>();
  /** The errors that another run of the same world had not. */
  private readonly unsteady = new Set<string>();

  /**
   * @param sought the identity of the failure that is looked for
   * @returns the first run, or one after it, that no error ended that comes and goes
   */
  async whole<R extends Run>(sought: string, first: R, play: () => Promise<R>): Promise<R> {
    const ended = identityOfEnd(first, sought);
    if (ended === undefined || this.steady.has(ended)) return first;
    let run = first;
    for (let again = 0; again < MAX_AGAIN; again++) {
      run = await play();
      const end = identityOfEnd(run, sought);
      if (end !== ended) this.unsteady.add(ended);
      if (end === undefined) return run;
    }
    if (!this.unsteady.has(ended)) this.steady.add(ended);
    return run;
  }
}

function identityOfEnd(run: Run, sought: string): string | undefined {
  const error = errorThatEnds(run, sought);
  return error && identityOf(error);
}

/** The error of the app that ended a run; undefined if none did, or the run shows what is looked for. */
export function errorThatEnds({ failures }: Run, sought: string): PropertyFailure | undefined {
  if (failures.some((each) => identityOf(each) === sought)) return undefined;
  return failures.find(({ property, error }) => error !== undefined && isDefect(property));
}
