import type { World } from "../catalogue/modules.ts";
import type { Cast, Happenings, RoleName } from "../services/machine-types.ts";
import { afterCallHappenings, analysisFacts } from "./after-call.ts";
import { callFacts, callHappenings } from "./calls.ts";
import { conversationFacts, conversationHappenings } from "./conversations.ts";
import { peopleFacts, peopleHappenings } from "./people.ts";
import { type FactLines, type HappeningLines, type Lines, play } from "./reaction.ts";
import { requestHappenings, webhookFacts } from "./requests.ts";

/**
 * What the platform does, and in which order. For each fact of a machine, each happening and each answer of a data
 * action there is a list of lines, which are played from top to bottom. Every event is published by one of them. The order
 * of the event stream is the order of the lines that `publish`, unless a run assumes that events come late or in another
 * order: see `publishing/`.
 *
 * A line may lead to further facts and happenings. Their lists are played before the next line, and may change what it
 * finds; the line says which lists with `leadsTo`. A condition is judged once, before its lines.
 */
const facts: FactLines = {
  ...callFacts,
  ...peopleFacts,
  ...conversationFacts,
  ...analysisFacts,
  ...webhookFacts,
};

const happenings: HappeningLines = {
  ...callHappenings,
  ...peopleHappenings,
  ...conversationHappenings,
  ...afterCallHappenings,
  ...requestHappenings,
};

/** Plays what follows from a fact of a machine. */
export function playFact<R extends RoleName>(
  p: World,
  role: R,
  about: Cast[R]["about"],
  fact: Cast[R]["fact"],
): void {
  const byType: Readonly<Record<string, Lines<Cast[R]["about"], Cast[R]["fact"]>>> = facts[role];
  const lines = byType[fact.type];
  if (lines === undefined) throw new Error(`the score has no lines for ${fact.type} of the ${role} machine`);
  play(lines, p, about, fact);
}

/** Plays what follows from something that no machine tells. */
export function playHappening<What extends keyof Happenings>(
  p: World,
  what: What,
  of: Happenings[What],
): void {
  p.engine.tracer?.happened?.(what, of);
  play(happenings[what], p, of, undefined);
}
