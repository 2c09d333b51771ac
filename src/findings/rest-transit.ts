import type { Deviation } from "../core/engine/deviations.ts";
import { InputError } from "../core/foundation/errors.ts";
import type { Simulator } from "../core/simulator/simulator.ts";

/** Whether a deviation hits an app's request on its way to the REST API, unseen by the platform. */
export function isInTransit({ what, is }: Pick<Deviation, "what" | "is">): boolean {
  return what === "rest" && is === "duplicated";
}

/** A deviation as it is named now: until version 0.2 a refused request to the REST API was called lost. */
export function withCurrentName(deviation: Deviation): Deviation {
  return deviation.what === "rest" && deviation.is === "lost" ? { ...deviation, is: "refused" } : deviation;
}

/**
 * Carries an app's requests to the REST API, and duplicates those for which that is planned.
 */
export class RestTransit {
  private readonly remaining: Deviation[];
  private readonly arrivals = new Map<string, number>();

  constructor(
    private readonly simulator: Pick<Simulator, "timestamp" | "startTimestamp">,
    planned: readonly Deviation[],
  ) {
    this.remaining = [...planned];
  }

  /** Sends a request to the REST API, twice if that is planned. */
  async send(request: Request, serve: (request: Request) => Promise<Response>): Promise<Response> {
    const { timestamp, startTimestamp } = this.simulator;
    const [at, { pathname }] = [timestamp - startTimestamp, new URL(request.url)];
    const key = `${at} ${request.method} ${pathname}`;
    const nth = (this.arrivals.get(key) ?? 0) + 1;
    const index = this.remaining.findIndex((each) => {
      const [method, path = ""] = each.of.split(" ");
      // the address of the API may have a path of its own in front
      const isSame = method === request.method && pathname.endsWith(path);
      return isSame && each.at === at && (each.nth ?? 1) === nth;
    });
    const [deviation] = index < 0 ? [] : this.remaining.splice(index, 1);
    this.arrivals.set(key, deviation === undefined ? nth : nth + 1);
    if (deviation === undefined) return serve(request);
    const copy = request.clone();
    await serve(request);
    return serve(copy);
  }

  /** @throws {InputError} if the app did not send a request that was planned to be doubled */
  mustHaveMatchedAll(): void {
    const [first] = this.remaining;
    if (first === undefined) return;
    throw new InputError(
      ["deviations"],
      `your app does not send ${first.of} ${first.at / 1_000} s after the start`,
    );
  }
}
