import type { Deviation } from "../../core/engine/deviations.ts";
import { deviationPoint } from "../../core/network/request-deviations.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import { InputError, type Simulator } from "../../index.ts";

/** The deviations of a request that a fork may begin with. */
export type RequestDeviation = "lost" | "unanswered" | "duplicated";

/** Deviations of a request to the REST API, which need a running app. */
export type RestDeviation = "503" | "429" | "slow" | "tokenExpired";

/** All deviations that can be tried if the page's server runs the app. */
export type AppDeviation = RequestDeviation | RestDeviation;

/** A request that a fork may change: an attempt of a delivery, another request to the app, or the row of a REST request. */
export type ForkableRequest =
  | { readonly delivery: string; readonly attempt: number }
  | { readonly request: string }
  | { readonly restRow: number };

/**
 * Why a deviation of a REST request makes no sense without the app; undefined if it does.
 * @param reads whether the request changes nothing at the platform
 */
export function restRefusal(reads: boolean, is: RequestDeviation): string | undefined {
  if (reads) return "it changes nothing at the platform, so without your app nothing would be different";
  if (is === "unanswered")
    return "the platform has processed it anyway, and only your app would notice that the answer is lost";
  return undefined;
}

/** The record of a request to the app. @throws {InputError} if the run has none like it */
export function findRequest(
  run: Simulator,
  asked: Exclude<ForkableRequest, { restRow: number }>,
): RequestRecord {
  const id =
    "request" in asked
      ? asked.request
      : run.webhooks.delivery(asked.delivery).attempts[asked.attempt - 1]?.requestId;
  const request = run.services.network.request(id ?? "");
  if (request === undefined) throw new InputError(["request"], "the run has no such request");
  if (request.duplicateOf !== null)
    throw new InputError(["request"], "it is the second copy of a duplicated request: choose the first");
  return request;
}

/** The deviation point of a request. */
export function requestPoint(
  run: Simulator,
  request: RequestRecord,
): Omit<Deviation, "is"> & { nth: number } {
  const { to: _, ...point } = findPoint(run, request);
  const isAlike = (each: RequestRecord) =>
    each.startedTimestamp === request.startedTimestamp && pointKey(findPoint(run, each)) === pointKey(point);
  const alike = [...run.services.network.requests()].filter(
    (each) => each.duplicateOf === null && isAlike(each),
  );
  return { ...point, nth: alike.findIndex(({ id }) => id === request.id) + 1 };
}

function findPoint(run: Simulator, request: RequestRecord) {
  const { recordId, startedTimestamp, why } = request;
  const webhook = why === "webhook" ? run.webhooks.delivery(recordId).webhookId : undefined;
  return deviationPoint(request, webhook, startedTimestamp - run.startTimestamp);
}

const pointKey = ({ what, of, webhook, number }: Omit<Deviation, "is">) =>
  `${what} ${of} ${webhook} ${number}`;
