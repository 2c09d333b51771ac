import { expect, test } from "vitest";
import { createSimulator } from "../../../src/index.ts";
import { Recording } from "../../../src/inspector/model/recording.ts";

/** How the page says on which phone someone answers, and which phones then stop. */

test("separates the phone that answers from those that stop", () => {
  const sim = createSimulator();
  sim.calls.inbound({ from: "+6421555001", to: "+6495550102" }).answer("bob");
  const answer = Recording.from(sim.journal()).rows.find(({ kind }) => kind === "answer");
  expect(answer).toMatchObject({
    subject: "Bob Tane",
    verb: "answers",
    detail: "on mobile; desktop and desk stop",
  });
});

test("says of one person on which phones they ring, and that they stop", () => {
  const sim = createSimulator();
  sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  sim.runUntil("call.not_answered");
  const { rows } = Recording.from(sim.journal());
  expect(rows.find(({ kind }) => kind === "ring")).toMatchObject({
    subject: "Alice Ng",
    verb: "rings",
    detail: "on mobile, desktop",
  });
  expect(rows.find(({ subject }) => subject === "Nobody")).toMatchObject({
    verb: "answered in time",
    detail: "Alice Ng stops",
  });
});
