import type { Problem } from "../../engine/errors.ts";
import { endpointUrlProblem } from "../../network/endpoint-url.ts";

/** Finds problems of a webhook's URL that its schema cannot. */
export function webhookProblems(
  allowsLocal: boolean,
  { url }: { readonly url?: string | undefined },
): Problem[] {
  const problem = url && endpointUrlProblem(url, allowsLocal);
  return problem ? [{ keys: ["url"], message: problem }] : [];
}
