import type { CoreServices } from "../base/core-services.ts";
import type { DomainEvents, MachineName, MachineTypes } from "../base/machine-types.ts";
import type { Services } from "../catalogue/services.ts";
import { afterCallReactions, analysisFactReactions } from "./after-call.ts";
import { callFactReactions, callReactions } from "./calls.ts";
import { conversationFactReactions, conversationReactions } from "./conversations.ts";
import { peopleFactReactions, peopleReactions } from "./people.ts";
import { type DomainEventReactions, type FactReactions, type Reactions, runReactions } from "./reaction.ts";
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

/** Plays what follows from something that no machine tells. */
export function reactToDomainEvent<What extends keyof DomainEvents>(
  p: Services,
  what: What,
  of: DomainEvents[What],
): void {
  p.engine.tracer?.happened?.(what, of);
  runReactions(happenings[what], p, of, undefined);
}

/** Raises domain events: one method for each, shared by all runs. */
class Raiser {
  constructor(readonly services: Services) {}
}
for (const what of Object.keys(happenings) as (keyof DomainEvents)[])
  Object.defineProperty(Raiser.prototype, what, {
    value(this: Raiser, of: never) {
      reactToDomainEvent(this.services, what, of);
    },
  });

export function raiserFor(services: Services): CoreServices["raise"] {
  // its methods are those of the prototype above
  return new Raiser(services) as unknown as CoreServices["raise"];
}
