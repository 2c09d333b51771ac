import type { DomainEvents, MachineName, MachineTypes } from "../base/machine-types.ts";
import type { Services } from "../catalogue/services.ts";
import { afterCallReactions, analysisFactReactions } from "./after-call.ts";
import { callFactReactions, callReactions } from "./calls.ts";
import { conversationFactReactions, conversationReactions } from "./conversations.ts";
import { peopleFactReactions, peopleReactions } from "./people.ts";
import {
  type DomainEventReactions,
  type FactReactions,
  makeRaiser,
  type Reactions,
  runReactions,
} from "./reaction.ts";
import { requestReactions, webhookFactReactions } from "./requests.ts";

/**
 * What the platform does, and in which order. Each fact of a machine, each domain event and each answer of a data action
 * has a list of reactions, which run from top to bottom. They publish every event, so the order of the event stream is
 * the order of the reactions that `publish`, unless a run assumes that events come late or in another order: see
 * `publishing/`.
 *
 * A reaction may bring about further facts and domain events. Their lists run before the next reaction, and may change
 * what it finds; the reaction declares them by `triggers`.
 */
const facts: FactReactions = {
  ...callFactReactions,
  ...peopleFactReactions,
  ...conversationFactReactions,
  ...analysisFactReactions,
  ...webhookFactReactions,
};

const domainEvents = {
  ...callReactions,
  ...peopleReactions,
  ...conversationReactions,
  ...afterCallReactions,
  ...requestReactions,
} satisfies DomainEventReactions;

/** Runs the reactions to a fact of a machine. */
export function reactToFact<R extends MachineName>(
  p: Services,
  machine: R,
  about: MachineTypes[R]["about"],
  fact: MachineTypes[R]["fact"],
): void {
  const byType: Readonly<Record<string, Reactions<MachineTypes[R]["about"], MachineTypes[R]["fact"]>>> =
    facts[machine];
  const reactions = byType[fact.type];
  if (reactions === undefined)
    throw new Error(`no reactions are declared for ${fact.type} of the ${machine} machine`);
  runReactions(reactions, p, about, fact);
}

/** Raises the domain events of a run. */
export const Raiser = makeRaiser(domainEvents);

/** A method for each domain event. "Go to definition" on it leads to the event's list. */
type Methods = {
  readonly [What in keyof typeof domainEvents]: (of: DomainEvents[What]) => void;
};

declare module "../base/core-services.ts" {
  interface Raise extends Methods {}
}
