import { expect, test } from "vitest";
import { Floor } from "./floor.ts";
import { playCalls } from "./plain-call.ts";

test("the bench's baseline makes the same events as a simulator", () => {
  const floor = Floor.check(playCalls);
  floor.call();
  expect(floor.events).toHaveLength(7);
});
