import { nodeModule } from "../../core/foundation/node-module.ts";
import type { EventType } from "../../core/platform/declare/events.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { matchers } from "../matchers.ts";
import type { DataMatch, MatcherContext, MatcherResult, RingbackMatchers } from "../matching.ts";

/**
 * The assertions that `t.assert` has: the matchers of `ringback/vitest`, with the simulator, or the event, before their own arguments. Each has
 * an opposite, such as `notToBeIdle`.
 */
export type RingbackAssertions = Assertions & {
  [Name in keyof Assertions as `not${Capitalize<Name>}`]: Assertions[Name];
};

type Assertions = {
  [Name in keyof RingbackMatchers]: (tested: Tested<Name>, ...given: Given<Name>) => void;
};

type Tested<Name extends keyof RingbackMatchers> = Name extends "toBePossible" ? object : Simulator;

type Given<Name extends keyof RingbackMatchers> = Name extends "toHaveEmitted"
  ? OfEvent
  : Name extends "toHaveDelivered"
    ? [url: string, ...event: OfEvent]
    : Parameters<RingbackMatchers[Name]>;

/** A type of event, and a part of the data of such an event. */
type OfEvent = { [Type in EventType]: [type: Type, match?: DataMatch<Type>] }[EventType];

type Matcher = (this: MatcherContext, ...given: readonly unknown[]) => MatcherResult;
export type Assertion = (...given: readonly unknown[]) => void;

interface Assert {
  readonly AssertionError: new (options: {
    readonly message: string;
    readonly operator: string;
    readonly stackStartFn: Assertion;
  }) => Error;
}

/**
 * The assertions by their names.
 * @param testNow what the test is called that runs, and its file
 */
export function assertionsFor(
  testNow: () => MatcherContext,
): readonly (readonly [name: string, Assertion])[] {
  // each takes what is tested first, then arguments of its own
  const all = Object.entries(matchers) as unknown as [string, Matcher][];
  return all.flatMap(([name, matcher]) => {
    const opposite = `not${name[0]?.toUpperCase()}${name.slice(1)}`;
    return [
      [name, assertion(name, matcher, true, testNow)],
      [opposite, assertion(opposite, matcher, false, testNow)],
    ] as const;
  });
}

function assertion(
  name: string,
  matcher: Matcher,
  shouldPass: boolean,
  testNow: () => MatcherContext,
): Assertion {
  return function assert(...given) {
    const { pass, message } = matcher.apply(testNow(), [...given]);
    if (pass === shouldPass) return;
    const { AssertionError } = nodeModule<Assert>("node:assert") as Assert;
    throw new AssertionError({ message: message(), operator: name, stackStartFn: assert });
  };
}
