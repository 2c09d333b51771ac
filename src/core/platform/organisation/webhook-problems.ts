import type { Problem } from "../../foundation/errors.ts";
import { show } from "../../foundation/show.ts";
import { nearest } from "../../foundation/suggestions.ts";
import { endpointUrlProblem } from "../../network/endpoint-url.ts";
import { askable } from "./webhook.ts";

/** What a simulator allows of webhooks. */
export interface WebhookRules {
  /** Whether webhooks may be at local and private hosts. */
  readonly allowsLocal: boolean;
  /** The types of events that the dialect declares besides the documented ones. */
  readonly declaredTypes: readonly string[];
}

/** Finds problems of a webhook that its schema cannot: they depend on the simulator's options. */
export function webhookProblems(
  { allowsLocal, declaredTypes }: WebhookRules,
  { url, events }: { readonly url?: string | undefined; readonly events?: readonly string[] | undefined },
): Problem[] {
  const problem = url && endpointUrlProblem(url, allowsLocal);
  return [...(problem ? [{ keys: ["url"], message: problem }] : []), ...typeProblems(declaredTypes, events)];
}

/** Finds types of events, among those that a webhook asks for, that neither the documentation nor the dialect names. */
export function typeProblems(declaredTypes: readonly string[], events: readonly string[] = []): Problem[] {
  const choices = [...askable, ...declaredTypes];
  return events.flatMap((type, index) => {
    if (choices.includes(type)) return [];
    const suggestion = nearest(type, choices);
    const message = `expected one of ${choices.join(", ")}, got ${show(type)}`;
    return [
      { keys: ["events", index], message, choices, ...(suggestion === undefined ? {} : { suggestion }) },
    ];
  });
}
