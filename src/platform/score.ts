import type { World } from "./capabilities.ts";
import type { Cast, RoleName, Told } from "./cast.ts";
import { afterCallTold, analysisFacts } from "./score/after-call.ts";
import { callFacts, callsTold } from "./score/calls.ts";
import { conversationFacts, conversationsTold } from "./score/conversations.ts";
import { type FactLines, type Lines, play, type ToldLines } from "./score/lines.ts";
import { peopleFacts, peopleTold } from "./score/people.ts";
import { requestsTold, webhookFacts } from "./score/requests.ts";

/**
 * What the platform does, and in which order. For each fact of a machine, each thing told and each answer of a data
 * action there is a list of lines, which are played from top to bottom. Every event is published by one of them, so the
 * order of the event stream is the order of the lines that `publish`.
 *
 * A line may lead to further facts and things told. Their lists are played before the next line, and may change what it
 * finds; the line says which lists with `leadsTo`. A condition is judged once, before its lines.
 */
const facts: FactLines = {
  ...callFacts,
  ...peopleFacts,
  ...conversationFacts,
  ...analysisFacts,
  ...webhookFacts,
};

const told: ToldLines = {
  ...callsTold,
  ...peopleTold,
  ...conversationsTold,
  ...afterCallTold,
  ...requestsTold,
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
export function playTold<What extends keyof Told>(p: World, what: What, of: Told[What]): void {
  p.engine.tracer?.told?.(what);
  play(told[what], p, of, undefined);
}
