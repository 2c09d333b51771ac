import type { World } from "../catalogue/modules.ts";
import type { EventData, EventType } from "../declare/events.ts";
import type { Assumptions, ChoiceName } from "../declare/policies.ts";
import type { Cast, Happenings, RoleName } from "../services/machine-types.ts";

/** The language in which the score is written. */

/** One thing that follows. Declared as a method, so that a line that needs less fits a list that gives more. */
export type Line<Of, Fact = unknown> = { play(p: World, of: Of, fact: Fact): void }["play"];
export type Lines<Of, Fact = unknown> = readonly Line<Of, Fact>[];
export type Judge<Of, Fact = unknown> = { judge(p: World, of: Of, fact: Fact): boolean }["judge"];

/** The lines of each fact of each machine. */
export type FactLines = {
  readonly [R in RoleName]: {
    readonly [T in Cast[R]["fact"]["type"]]: Lines<
      Cast[R]["about"],
      Extract<Cast[R]["fact"], { readonly type: T }>
    >;
  };
};
/** The lines of each happening. */
export type HappeningLines = { readonly [What in keyof Happenings]: Lines<Happenings[What]> };

/** What has lines of its own: a fact by its machine, such as `call.closed`, or a happening. */
export type Heading =
  | { readonly [R in RoleName]: `${R}.${Cast[R]["fact"]["type"]}` }[RoleName]
  | keyof Happenings;

/** What each line leads to, if it leads to anything. */
export const declaredLeads = new Map<object, readonly Heading[]>();

/**
 * Says what a line leads to: the lists to read on at, each of which may be played before the line that comes next.
 * `test/core/platform/reactions.test.ts` compares this with what lines lead to in many runs.
 */
export function leadsTo<Of, Fact>(leads: readonly Heading[], line: Line<Of, Fact>): Line<Of, Fact> {
  declaredLeads.set(line, leads);
  return line;
}

/** Plays lines from top to bottom. */
export function play<Of, Fact>(lines: Lines<Of, Fact>, p: World, of: Of, fact: Fact): void {
  const { tracer } = p.engine;
  if (tracer?.line === undefined) for (const line of lines) line(p, of, fact);
  else for (const line of lines) tracer.line(line, () => line(p, of, fact));
}

/** Plays lines if a condition holds. */
export function when<Of, Fact>(
  is: Judge<Of, Fact>,
  ...lines: Lines<NoInfer<Of>, NoInfer<Fact>>
): Line<Of, Fact> {
  return (p, of, fact) => {
    if (is(p, of, fact)) play(lines, p, of, fact);
  };
}

/** Plays one list of lines if a condition holds, otherwise another. */
export function whether<Of, Fact>(
  is: Judge<Of, Fact>,
  these: Lines<NoInfer<Of>, NoInfer<Fact>>,
  those: Lines<NoInfer<Of>, NoInfer<Fact>>,
): Line<Of, Fact> {
  return (p, of, fact) => play(is(p, of, fact) ? these : those, p, of, fact);
}

/**
 * Plays the lines of the value that an assumption has: what the platform does where its documentation is silent.
 * Each value has its own list, so what another platform would do stands beside what ours does.
 */
export function assuming<Name extends ChoiceName, Of, Fact>(
  name: Name,
  lines: { readonly [Value in Assumptions[Name]]: Lines<Of, Fact> },
): Line<Of, Fact> {
  return (p, of, fact) => play(lines[p.settings.assume[name]], p, of, fact);
}

/** Emits an event: appends it to the log and starts its deliveries. */
export function publish<Type extends EventType, Of, Fact>(
  type: Type,
  data: (p: World, of: Of, fact: Fact) => EventData[Type],
): Line<Of, Fact> {
  return leadsTo(["eventPublished"], (p, of, fact) => p.publishing.publish(type, data(p, of, fact)));
}

/** Emits an event whose payload is made when it is first read, from the present version of its record. */
export function publishLater<Type extends EventType, Of>(
  type: Type,
  note: (p: World, of: Of) => () => EventData[Type],
): Line<Of> {
  return leadsTo(["eventPublished"], (p, of) => p.publishing.publish(type, note(p, of)));
}
