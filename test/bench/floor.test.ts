import { expect, test } from "vitest";
import { Floor } from "./floor.ts";
import { playCalls } from "./plain-call.ts";

test("the floor of the bench makes the events that a simulator makes", () => {
  const floor = Floor.check(playCalls);
  floor.call();
  expect(floor.events).toHaveLength(7);
});
