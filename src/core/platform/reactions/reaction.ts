import type { Raise } from "../base/core-services.ts";
import type { DomainEvents, MachineName, MachineTypes } from "../base/machine-types.ts";
import type { Services } from "../catalogue/services.ts";
import type { Assumptions, ChoiceName } from "../declare/assumptions.ts";
import type { EventData, EventType } from "../declare/events.ts";

/** The language in which the score is written. */

/** One thing that follows. Declared as a method, so that a line that needs less fits a list that gives more. */
export type Reaction<Of, Fact = unknown> = { play(p: Services, of: Of, fact: Fact): void }["play"];
export type Reactions<Of, Fact = unknown> = readonly Reaction<Of, Fact>[];
export type Condition<Of, Fact = unknown> = { judge(p: Services, of: Of, fact: Fact): boolean }["judge"];

/** The lines of each fact of each machine. */
export type FactReactions = {
  readonly [R in MachineName]: {
    readonly [T in MachineTypes[R]["fact"]["type"]]: Reactions<
      MachineTypes[R]["about"],
      Extract<MachineTypes[R]["fact"], { readonly type: T }>
    >;
  };
};
/** The lines of each happening. */
export type DomainEventReactions = { readonly [What in keyof DomainEvents]: Reactions<DomainEvents[What]> };

/** What has lines of its own: a fact by its machine, such as `call.closed`, or a happening. */
export type Trigger =
  | { readonly [R in MachineName]: `${R}.${MachineTypes[R]["fact"]["type"]}` }[MachineName]
  | keyof DomainEvents;

/** Weak and private, so that a reaction which a test declares is gone with that test. */
const declaredTriggers = new WeakMap<object, readonly Trigger[]>();

/**
 * Says what a line leads to: the lists to read on at, each of which may be played before the line that comes next.
 * `test/core/platform/reactions.test.ts` compares this with what lines lead to in many runs.
 */
export function triggers<Of, Fact>(leads: readonly Trigger[], line: Reaction<Of, Fact>): Reaction<Of, Fact> {
  declaredTriggers.set(line, leads);
  return line;
}

/** What a reaction says by `triggers`; empty if it says nothing. */
export function triggersOf(reaction: object): readonly Trigger[] {
  return declaredTriggers.get(reaction) ?? [];
}

/** Plays lines from top to bottom. */
export function runReactions<Of, Fact>(lines: Reactions<Of, Fact>, p: Services, of: Of, fact: Fact): void {
  const { tracer } = p.engine;
  if (tracer?.line === undefined) for (const line of lines) line(p, of, fact);
  else for (const line of lines) tracer.line(line, () => line(p, of, fact));
}

/**
 * Makes the class of `raise` from all lists of domain events: it has a method for each event, which tells the tracer and
 * runs the event's reactions.
 */
export function raiserOf(all: DomainEventReactions): new (services: Services) => Raise {
  class Raiser {
    constructor(readonly services: Services) {}
  }
  for (const [name, reactions] of Object.entries<Reactions<never>>(all))
    Object.assign(Raiser.prototype, {
      [name](this: Raiser, of: never) {
        this.services.engine.tracer?.happened?.(name, of);
        runReactions(reactions, this.services, of, undefined);
      },
    });
  // TypeScript does not see the methods that the loop adds
  return Raiser as unknown as new (
    services: Services,
  ) => Raise;
}

/** Plays lines if a condition holds. */
export function onlyIf<Of, Fact>(
  is: Condition<Of, Fact>,
  ...lines: Reactions<NoInfer<Of>, NoInfer<Fact>>
): Reaction<Of, Fact> {
  return (p, of, fact) => {
    if (is(p, of, fact)) runReactions(lines, p, of, fact);
  };
}

/** Plays one list of lines if a condition holds, otherwise another. */
export function ifElse<Of, Fact>(
  is: Condition<Of, Fact>,
  these: Reactions<NoInfer<Of>, NoInfer<Fact>>,
  those: Reactions<NoInfer<Of>, NoInfer<Fact>>,
): Reaction<Of, Fact> {
  return (p, of, fact) => runReactions(is(p, of, fact) ? these : those, p, of, fact);
}

/**
 * Plays the lines of the value that an assumption has: what the platform does where its documentation is silent.
 * Each value has its own list, so what another platform would do stands beside what ours does.
 */
export function byAssumption<Name extends ChoiceName, Of, Fact>(
  name: Name,
  lines: { readonly [Value in Assumptions[Name]]: Reactions<Of, Fact> },
): Reaction<Of, Fact> {
  return (p, of, fact) => runReactions(lines[p.settings.assume[name]], p, of, fact);
}

/** Emits an event: appends it to the log and starts its deliveries. */
export function publish<Type extends EventType, Of, Fact>(
  type: Type,
  data: (p: Services, of: Of, fact: Fact) => EventData[Type],
): Reaction<Of, Fact> {
  return triggers(["eventPublished"], (p, of, fact) => p.publishing.publish(type, data(p, of, fact)));
}

/** Emits an event whose payload is made when it is first read, from the present version of its record. */
export function publishLater<Type extends EventType, Of>(
  type: Type,
  note: (p: Services, of: Of) => () => EventData[Type],
): Reaction<Of> {
  return triggers(["eventPublished"], (p, of) => p.publishing.publish(type, note(p, of)));
}
