import type { Deviation } from "../core/engine/deviations.ts";
import { InputError } from "../core/foundation/errors.ts";
import type { Simulator } from "../core/simulator/simulator.ts";

/** The connection broke before the answer came. To the app it looks like a failed `fetch`. */
export class ConnectionLost extends TypeError {
  constructor() {
    super("fetch failed", { cause: new Error("the connection was lost") });
  }
}

const transitKinds: ReadonlySet<string> = new Set(["lost", "unanswered", "duplicated"]);

/** Whether a deviation hits an app's request or its answer between the app and the REST API, unseen by the platform. */
export function isInTransit({ what, is }: Pick<Deviation, "what" | "is">): boolean {
  return what === "rest" && transitKinds.has(is);
}

/**
 * Carries an app's requests to the REST API, and loses or duplicates those for which that is planned. It counts only
 * requests that reach the platform, since no record has the others.
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

  /** Sends a request to the REST API, or does to it what is planned. @throws {ConnectionLost} */
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
    if (deviation?.is === "lost") throw new ConnectionLost();
    this.arrivals.set(key, deviation?.is === "duplicated" ? nth + 1 : nth);
    const copy = deviation?.is === "duplicated" ? request.clone() : undefined;
    const answer = await serve(request);
    if (deviation?.is === "unanswered") throw new ConnectionLost();
    return copy === undefined ? answer : serve(copy);
  }

  /** @throws {InputError} if the app did not send a request that was planned to be lost or doubled */
  mustHaveMatchedAll(): void {
    const [first] = this.remaining;
    if (first === undefined) return;
    throw new InputError(
      ["deviations"],
      `your app does not send ${first.of} ${first.at / 1_000} s after the start`,
    );
  }
}
