import type { Problem } from "../../engine/errors.ts";
import { endpointUrlProblem } from "../../network/endpoint-url.ts";
import type { Platform } from "../platform.ts";

/** What is wrong with a webhook's URL beside its shape. */
export function webhookProblems(
  { settings }: Platform,
  { url }: { readonly url?: string | undefined },
): Problem[] {
  const problem = url && endpointUrlProblem(url, settings.allowLocal);
  return problem ? [{ keys: ["url"], message: problem }] : [];
}
