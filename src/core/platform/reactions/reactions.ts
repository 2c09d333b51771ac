import type { DomainEvents, MachineName, MachineTypes } from "../base/machine-types.ts";
import type { Services } from "../catalogue/services.ts";
import { afterCallReactions, analysisFactReactions } from "./after-call.ts";
import { callFactReactions, callReactions } from "./calls.ts";
import { conversationFactReactions, conversationReactions } from "./conversations.ts";
import { peopleFactReactions, peopleReactions } from "./people.ts";
import {
  type DomainEventReactions,
  type FactReactions,
  type Reactions,
  raiserOf,
  runReactions,
} from "./reaction.ts";
import { requestReactions, webhookFactReactions } from "./requests.ts";

/**
 * What the platform does, and in which order. For each fact of a machine, each happening and each answer of a data
 * action there is a list of lines, which are played from top to bottom. Every event is published by one of them. The order
 * of the event stream is the order of the lines that `publish`, unless a run assumes that events come late or in another
 * order: see `publishing/`.
 *
 * A line may lead to further facts and happenings. Their lists are played before the next line, and may change what it
 * finds; the line says which lists with `leadsTo`. A condition is judged once, before its lines.
 */
const facts: FactReactions = {
  ...callFactReactions,
  ...peopleFactReactions,
  ...conversationFactReactions,
  ...analysisFactReactions,
  ...webhookFactReactions,
};

const happenings: DomainEventReactions = {
  ...callReactions,
  ...peopleReactions,
  ...conversationReactions,
  ...afterCallReactions,
  ...requestReactions,
};

/** Plays what follows from a fact of a machine. */
export function reactToFact<R extends MachineName>(
  p: Services,
  role: R,
  about: MachineTypes[R]["about"],
  fact: MachineTypes[R]["fact"],
): void {
  const byType: Readonly<Record<string, Reactions<MachineTypes[R]["about"], MachineTypes[R]["fact"]>>> =
    facts[role];
  const lines = byType[fact.type];
  if (lines === undefined) throw new Error(`the score has no lines for ${fact.type} of the ${role} machine`);
  runReactions(lines, p, about, fact);
}

/** Raises the domain events of a run. */
export const Raiser = raiserOf(happenings);

/** A method for each domain event of some lists. Its definition, for TypeScript, is the event's list. */
type MethodsFor<Lists> = {
  readonly [What in keyof Lists]: (of: DomainEvents[What & keyof DomainEvents]) => void;
};

declare module "../base/core-services.ts" {
  interface Raise
    extends MethodsFor<typeof callReactions>,
      MethodsFor<typeof peopleReactions>,
      MethodsFor<typeof conversationReactions>,
      MethodsFor<typeof afterCallReactions>,
      MethodsFor<typeof requestReactions> {}
}
