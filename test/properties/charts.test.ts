import fc from "fast-check";
import { describe, it } from "vitest";
import { machines } from "../../machines/index.ts";
import { by } from "../core/statecharts/any.ts";
import { SideBySide } from "../core/statecharts/side-by-side.ts";
import { ours, type Subject } from "../core/statecharts/subjects.ts";
import { testMachines } from "../core/statecharts/test-machines.ts";
import { expectListed } from "../lists.ts";
import { always } from "./support.ts";

/**
 * A compiled machine and XState, side by side: after every step the same state, context, status, output and actions in
 * the same order, and the same answer to whether each event is taken.
 */

const subjects = Object.entries({ ...ours, ...testMachines });

/** Plays each of these numbers as one event, or as a timer that runs out. */
function play(subject: Subject, [first, ...steps]: readonly (readonly number[])[]): void {
  const pair = new SideBySide(subject.machine, subject.input(by(first ?? [0])));
  for (const numbers of steps) {
    if (pair.isDone) return;
    const [kind = 0, ...draws] = numbers;
    pair.compareCan(subject.event(by(draws.toReversed()), pair.context));
    const timer = pair.timers[kind % 7];
    if (timer !== undefined) pair.fire(timer);
    else pair.send(subject.event(by(draws), pair.context));
  }
}

describe("A compiled machine behaves like XState", () => {
  const numbers = fc.array(fc.nat(), { minLength: 7, maxLength: 7 });
  const walk = fc.array(numbers, { minLength: 2, maxLength: 40, size: "max" });

  it.each(subjects)("at random: %s", (_, subject) => {
    always(400, walk, (steps) => play(subject, steps));
  });
});

it("the test covers each of our machines", () => {
  expectListed(
    "test/core/statecharts/subjects.ts, `ours`",
    Object.values(ours).map(({ machine }) => machine.id),
    Object.values(machines).map(({ id }) => id),
  );
});
