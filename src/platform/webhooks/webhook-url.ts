import type { Problem } from "../../engine/errors.ts";
import { endpointUrlProblem } from "../../network/endpoint-url.ts";

/** What is wrong with a webhook's URL beside its shape. */
export function webhookProblems(
  allowsLocal: boolean,
  { url }: { readonly url?: string | undefined },
): Problem[] {
  const problem = url && endpointUrlProblem(url, allowsLocal);
  return problem ? [{ keys: ["url"], message: problem }] : [];
}
