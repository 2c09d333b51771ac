import { InputError } from "../core/foundation/errors.ts";
import type { Scenario } from "../core/scenario/scenario.ts";
import type { Simulator } from "../core/simulator/simulator.ts";
import { type People, type PersonKind, personKinds } from "./people-options.ts";

/** Who acts in stories, and on what. */
export interface Actors {
  /** Users, by id. */
  readonly users: readonly string[];
  /** Whom they may hand a call to or add besides each other. */
  readonly targets: readonly string[];
  readonly kinds: ReadonlySet<PersonKind>;
  /** The outside numbers that may call. */
  readonly callers: readonly string[];
  /** The number that they call; undefined if nobody calls from outside. */
  readonly number: string | undefined;
  /** How many calls there may be. */
  readonly calls: number;
  /** The outside number that users dial. */
  readonly outsider: string;
  /** The names by which the scenario mentions users and numbers. */
  readonly mentioned: ReadonlySet<unknown>;
}

/** The commands that begin a call. */
const callsBegin: ReadonlySet<string> = new Set(["inbound", "outbound", "internal", "redirect"]);

/** An outside number that no lesson has. */
const OUTSIDER = "+6421555009";

/**
 * Finds who acts.
 * @param start the simulator before the first step
 * @param unanswered the simulator after the scenario's first steps, once nothing is left to do
 * @throws {InputError} for a user that the organisation does not have
 */
export function listActors(
  scenario: Scenario,
  people: People,
  start: Simulator,
  unanswered: Simulator,
): Actors {
  const { steps } = scenario;
  const call = steps.find(({ command }) => command === "inbound")?.args as
    | { readonly from: string; readonly to: string }
    | undefined;
  const ownCalls = steps.filter(({ command }) => callsBegin.has(command)).length;
  return {
    users: people.who === undefined ? usualUsers(start, unanswered) : knownUsers(start, people.who),
    targets: people.targets ?? [],
    kinds: new Set(people.kinds ?? personKinds),
    callers: call === undefined ? [] : [call.from, OUTSIDER],
    number: call?.to,
    calls: people.calls ?? Math.max(1, ownCalls),
    outsider: OUTSIDER,
    mentioned: new Set(steps.flatMap(({ args }) => Object.values(args))),
  };
}

function knownUsers(start: Simulator, who: readonly string[]): string[] {
  const ids = start.users.list().map(({ id }) => id);
  for (const [index, id] of who.entries())
    if (!ids.includes(id))
      throw new InputError(["people", "who", index], `unknown user "${id}"; there are: ${ids.join(", ")}`);
  return [...who];
}

/** Whom the scenario's first calls ring while nobody answers, and one colleague if that is at most one user. */
function usualUsers(start: Simulator, unanswered: Simulator): string[] {
  const parties = unanswered.calls.list().flatMap(({ record }) => record.parties);
  const rung = new Set(
    parties.flatMap(({ type, entryId }) => (type === "user" && entryId !== undefined ? [entryId] : [])),
  );
  const active = start.users.list().filter(({ record }) => record.status === "active");
  const colleague = active.find(({ id }) => !rung.has(id));
  return [...rung, ...(rung.size < 2 && colleague !== undefined ? [colleague.id] : [])];
}
