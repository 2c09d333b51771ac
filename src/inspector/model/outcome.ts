import type { RequestRecord } from "../../core/records/request.ts";
import type { Outcome } from "./types.ts";

/** The result of a request. */
export function requestResult({
  answer,
  failure,
}: Pick<RequestRecord, "failure"> & { readonly answer: { readonly status: number } | null }): Outcome {
  if (answer !== null) {
    const isGood = answer.status >= 200 && answer.status < 300;
    return { kind: isGood ? "delivered" : "failed", text: String(answer.status) };
  }
  if (failure === null) return { kind: "pending", text: "under way" };
  if (failure === "lost" || failure === "timeout")
    return { kind: "lost", text: failure === "lost" ? "lost" : "no answer" };
  return { kind: "failed", text: failure };
}
