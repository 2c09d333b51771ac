import type { Raise } from "../base/core-services.ts";
import type { DomainEvents, MachineName, MachineTypes } from "../base/machine-types.ts";
import type { Services } from "../catalogue/services.ts";
import type { Assumptions, ChoiceName } from "../declare/assumptions.ts";
import type { EventData, EventType } from "../declare/events.ts";

/** How the lists of reactions are declared. In a reaction, `p` is the platform's services. */

/**
 * One thing that follows from a fact or a domain event. Declared as a method, so that a reaction that reads less of its
 * subject fits a list that offers more.
 */
export type Reaction<Of, Fact = unknown> = { run(p: Services, of: Of, fact: Fact): void }["run"];
export type Reactions<Of, Fact = unknown> = readonly Reaction<Of, Fact>[];
export type Condition<Of, Fact = unknown> = { holds(p: Services, of: Of, fact: Fact): boolean }["holds"];

/** The reactions to each fact of each machine. */
export type FactReactions = {
  readonly [R in MachineName]: {
    readonly [T in MachineTypes[R]["fact"]["type"]]: Reactions<
      MachineTypes[R]["about"],
      Extract<MachineTypes[R]["fact"], { readonly type: T }>
    >;
  };
};
/** The reactions to each domain event. */
export type DomainEventReactions = { readonly [What in keyof DomainEvents]: Reactions<DomainEvents[What]> };

/** What has a list of reactions: a fact by its machine, such as `call.closed`, or a domain event. */
export type Trigger =
  | { readonly [R in MachineName]: `${R}.${MachineTypes[R]["fact"]["type"]}` }[MachineName]
  | keyof DomainEvents;

/** Weak and private, so that a reaction which a test declares is gone with that test. */
const declaredTriggers = new WeakMap<object, readonly Trigger[]>();

/**
 * Declares which lists a reaction may run before the next reaction of its own list. A reader continues there.
 * `test/core/platform/reactions.test.ts` compares this with many runs.
 */
export function triggers<Of, Fact>(
  triggered: readonly Trigger[],
  reaction: Reaction<Of, Fact>,
): Reaction<Of, Fact> {
  declaredTriggers.set(reaction, triggered);
  return reaction;
}

/** What a reaction declares by `triggers`; empty without it. */
export function triggersOf(reaction: object): readonly Trigger[] {
  return declaredTriggers.get(reaction) ?? [];
}

/** Runs reactions from top to bottom. */
export function runReactions<Of, Fact>(
  reactions: Reactions<Of, Fact>,
  p: Services,
  of: Of,
  fact: Fact,
): void {
  const { tracer } = p.engine;
  if (tracer?.reaction === undefined) for (const reaction of reactions) reaction(p, of, fact);
  else for (const reaction of reactions) tracer.reaction(reaction, () => reaction(p, of, fact));
}

/**
 * Makes the class of `raise` from all lists of domain events: it has a method for each event, which tells the tracer and
 * runs the event's reactions.
 */
export function makeRaiser(all: DomainEventReactions): new (services: Services) => Raise {
  class Raiser {
    constructor(readonly services: Services) {}
  }
  for (const [name, reactions] of Object.entries<Reactions<never>>(all))
    Object.assign(Raiser.prototype, {
      [name](this: Raiser, of: never) {
        this.services.engine.tracer?.domainEvent?.(name, of);
        runReactions(reactions, this.services, of, undefined);
      },
    });
  // TypeScript does not see the methods that the loop adds
  return Raiser as unknown as new (
    services: Services,
  ) => Raise;
}

/** Runs reactions if a condition holds. */
export function onlyIf<Of, Fact>(
  condition: Condition<Of, Fact>,
  ...reactions: Reactions<NoInfer<Of>, NoInfer<Fact>>
): Reaction<Of, Fact> {
  return (p, of, fact) => {
    if (condition(p, of, fact)) runReactions(reactions, p, of, fact);
  };
}

/** Runs one list of reactions if a condition holds, otherwise another. The condition is tested once, before them. */
export function ifElse<Of, Fact>(
  condition: Condition<Of, Fact>,
  whenTrue: Reactions<NoInfer<Of>, NoInfer<Fact>>,
  whenFalse: Reactions<NoInfer<Of>, NoInfer<Fact>>,
): Reaction<Of, Fact> {
  return (p, of, fact) => runReactions(condition(p, of, fact) ? whenTrue : whenFalse, p, of, fact);
}

/**
 * Runs the reactions for the value of an assumption: what the platform does where its documentation is silent. Each
 * value has its own list, so that the alternatives stand side by side.
 */
export function byAssumption<Name extends ChoiceName, Of, Fact>(
  name: Name,
  reactionsByValue: { readonly [Value in Assumptions[Name]]: Reactions<Of, Fact> },
): Reaction<Of, Fact> {
  return (p, of, fact) => runReactions(reactionsByValue[p.settings.assume[name]], p, of, fact);
}

/** Publishes an event: appends it to the log and starts its deliveries. */
export function publish<Type extends EventType, Of, Fact>(
  type: Type,
  data: (p: Services, of: Of, fact: Fact) => EventData[Type],
): Reaction<Of, Fact> {
  return triggers(["eventPublished"], (p, of, fact) => p.publishing.publish(type, data(p, of, fact)));
}

/** Publishes an event whose payload is made on its first read, from the present version of its record. */
export function publishLater<Type extends EventType, Of>(
  type: Type,
  note: (p: Services, of: Of) => () => EventData[Type],
): Reaction<Of> {
  return triggers(["eventPublished"], (p, of) => p.publishing.publish(type, note(p, of)));
}
