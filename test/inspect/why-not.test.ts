import { expect, test } from "vitest";
import { createSimulator, parseScenario, runScenario } from "../../src/index.ts";
import { Recording } from "../../src/inspect/model/recording.ts";
import { whyAnswer, whyQuestions } from "../../src/inspect/model/why-not.ts";
import { lessonText } from "./pages.ts";

test("the reason why an event was not delivered gives the time of each attempt", () => {
  const sim = createSimulator({ webhooks: { schedule: ["PT0S", "PT31M"] } });
  sim.webhooks.create({ url: "https://crm.test/hook", events: ["call.started"] });
  sim.network.route("https://crm.test/", () => 503);
  sim.advance("PT30M");
  sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  sim.advance("P1D");

  const recording = Recording.of(sim.journal());
  const question = whyQuestions(recording, 0).find(({ id }) => id.startsWith("delivered "));
  const { causes } = whyAnswer(recording, 0, question?.id ?? "");

  expect(causes.map(({ text }) => text).filter((text) => text.startsWith("At "))).toEqual([
    "At 30:00. The endpoint answered 503.",
    "At 1:01:00. The endpoint answered 503.",
  ]);
});

test("the reason why nobody answered explains for each stopped ring whose time was over, and where", () => {
  const { simulator } = runScenario(parseScenario(lessonText("65")));
  const recording = Recording.of(simulator.journal());
  const { causes } = whyAnswer(recording, 0, "answered call-1");

  const [bob] = causes.filter(({ title }) => title === "Nobody answered Bob's phones");
  expect(bob?.text).toBe(
    "They rang from 0:00 to 0:20; then it was the next tier's turn. They rang from 0:40 to 1:00; then the time of Sales was over.",
  );
  const rowsOfBob = [bob?.row, ...(bob?.again ?? [])].map((row) => recording.rows[row ?? -1]?.atMs);
  expect(rowsOfBob).toEqual([20_000, 60_000]);
  const [dave] = causes.filter(({ title }) => title === "Nobody answered Dave's phones");
  expect(dave?.text).toBe(
    "They rang from 1:00 to 1:20; then their turn was over, and came again. They rang from 1:20 to 1:40; then their turn was over, and came again. They rang from 1:40 to 2:00; then the time of Support was over.",
  );
});
