import type { Problem } from "../../engine/errors.ts";
import type { Platform } from "../platform.ts";
import { webhookUrlProblem } from "./webhook-url.ts";

/** What is wrong with a webhook that its shape does not say: whether local hosts are allowed, the platform knows. */
export function webhookProblems(
  { settings }: Platform,
  { url }: { readonly url?: string | undefined },
): Problem[] {
  if (url === undefined) return [];
  const problem = webhookUrlProblem(url, settings.allowLocalWebhooks);
  return problem === undefined ? [] : [{ keys: ["url"], message: `${problem}, got ${JSON.stringify(url)}` }];
}
