import { describe, expect, test } from "vitest";
import { createSimulator, parseScenario, runScenario } from "../../src/index.ts";
import { Recording } from "../../src/inspector/model/recording.ts";
import { whyAnswer, whyQuestions } from "../../src/inspector/model/why-not.ts";
import { lessonText } from "./pages.ts";

test("the reason why an event was not delivered gives the time of each attempt", () => {
  const sim = createSimulator({ webhooks: { schedule: ["PT0S", "PT31M"] } });
  sim.webhooks.create({ url: "https://crm.test/hook", events: ["call.started"] });
  sim.network.route("https://crm.test/", () => 503);
  sim.advance("PT30M");
  sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  sim.advance("P1D");

  const recording = Recording.from(sim.journal());
  const question = whyQuestions(recording, 0).find(({ id }) => id.startsWith("delivered "));
  const { causes } = whyAnswer(recording, 0, question?.id ?? "");

  expect(causes.map(({ text }) => text).filter((text) => text.startsWith("At "))).toEqual([
    "At 30:00. The endpoint answered 503.",
    "At 1:01:00. The endpoint answered 503.",
  ]);
});

test("the reason why nobody answered says when each phone rang and why it stopped", () => {
  const { simulator } = runScenario(parseScenario(lessonText("65")));
  const recording = Recording.from(simulator.journal());
  const { causes } = whyAnswer(recording, 0, "answered call-1");

  const [bob] = causes.filter(({ title }) => title === "Nobody answered Bob Tane's phones");
  expect(bob?.text).toBe(
    "They rang from 0:00 to 0:20; then it was the next tier's turn. They rang from 0:40 to 1:00; then the time of Sales was over.",
  );
  const rowsOfBob = [bob?.row, ...(bob?.repeatRows ?? [])].map((row) => recording.rows[row ?? -1]?.atMs);
  expect(rowsOfBob).toEqual([20_000, 60_000]);
  const [dave] = causes.filter(({ title }) => title === "Nobody answered Dave Okafor's phones");
  expect(dave?.text).toBe(
    "They rang from 1:00 to 1:20; then their turn was over, and came again. They rang from 1:20 to 1:40; then their turn was over, and came again. They rang from 1:40 to 2:00; then the time of Support was over.",
  );
});

describe("why not, at an instant", () => {
  const { simulator } = runScenario(parseScenario(lessonText("65")));
  const recording = Recording.from(simulator.journal());
  const at = (ms: number) => recording.rows.findLastIndex(({ atMs }) => atMs <= ms);
  const asked = (ms: number, question: string) => {
    const { causes, remedies } = whyAnswer(recording, at(ms), question);
    return {
      causes: causes.map(({ title, text }) => `${title}: ${text}`),
      enough: remedies.map(({ act }) => act.label),
    };
  };

  test("lists people, phones, events and webhooks that did nothing at the instant", () => {
    const questions = whyQuestions(recording, at(60_000)).filter(({ group }) => group === "At 1:00");
    expect(questions.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        "Bob Tane rings",
        "Bob Tane's desk rings",
        "call.answered",
        "crm.acme.test takes an event",
      ]),
    );
    // the call is with Dave
    expect(questions.map(({ text }) => text)).not.toContain("Dave Okafor rings");
  });

  test("explains why a person did not ring: where the call was, earlier rings, and remedies", () => {
    const { causes, enough } = asked(60_000, "person bob");
    expect(causes).toEqual([
      "Call A was with Support, of which Bob Tane is no member: ",
      "Bob Tane rang for it from 0:00 to 0:20, and did not answer: ",
      "Bob Tane rang for it from 0:40 to 1:00, and did not answer: ",
    ]);
    expect(enough).toEqual(["Bob Tane is in the first tier of Support"]);
  });

  test("explains that a phone was not registered, and that registering it is enough", () => {
    const sim = createSimulator();
    sim.users.get("bob").setEndpoint("desk", { registered: false });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550102" });
    sim.advance("PT10S");
    const own = Recording.from(sim.journal());
    const { causes, remedies } = whyAnswer(own, own.rows.length - 1, "phone bob/desk");
    expect(causes.map(({ title }) => title)).toContain("desk was not registered");
    expect(remedies.map(({ act }) => act.label)).toEqual(["desk is registered"]);
  });

  test("explains that a call was for somebody else", () => {
    const sim = createSimulator();
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    sim.advance("PT10S");
    const own = Recording.from(sim.journal());
    const { causes, remedies } = whyAnswer(own, own.rows.length - 1, "person bob");
    expect(causes.map(({ title }) => title)).toEqual(["Call A was for Alice Ng"]);
    expect(remedies).toEqual([]);
  });

  test("judges at the instant that is asked about, not at the beginning of the call", () => {
    const sim = createSimulator();
    sim.calls.inbound({ from: "+6421555002", to: "+6495550200" });
    sim.advance("PT30S");
    sim.calls.inbound({ from: "+6421555001", to: "+6495550104" }).answer("dave");
    sim.advance("PT60S");
    const own = Recording.from(sim.journal());
    const row = own.rows.findLastIndex(({ atMs }) => atMs <= 60_000);
    const question = whyQuestions(own, row, 0).find(({ text }) => text === "Dave Okafor rings, for call A");
    const { causes } = whyAnswer(own, row, question?.id ?? "");
    expect(causes.map(({ title }) => title)).toEqual([
      "Dave Okafor was on call B, since 0:30",
      "Call A waited in the queue of Support",
    ]);
  });

  test("explains which states kept an event from coming, and which act brings it", () => {
    const { causes, enough } = asked(60_000, "event call.answered");
    expect(causes).toContainEqual(expect.stringMatching(/^Call A: the call was offered: Since 0:00/));
    expect(causes.at(-1)).toBe("It never came: No call.answered is in the run.");
    expect(enough).toEqual(["Dave Okafor answers"]);
  });

  test("says that an event came at the instant that is asked about", () => {
    const { causes } = asked(0, "event call.started");
    expect(causes).toContain("It came at 0:00: That is this instant.");
    expect(causes).not.toContainEqual(expect.stringMatching(/^It never came/));
  });

  test("explains whether a webhook was enabled, and which deliveries were waiting", () => {
    const { causes } = asked(60_000, "webhook webhook-1");
    expect(causes).toEqual([
      "The webhook was enabled: Since the start. It takes call.started, call.not_answered, call.ended.",
      "call.started was not delivered yet: Attempt 1, 0:00: status 503. The next attempt is at 2:49.",
    ]);
  });

  test("finds that enabling a webhook is enough", () => {
    const sim = createSimulator();
    const { id } = sim.webhooks.create({ url: "https://crm.test/", events: ["call.started"] });
    sim.webhooks.update(id, { enabled: false });
    sim.advance("PT10S");
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    sim.advance("PT1S");
    const own = Recording.from(sim.journal());
    const row = own.rows.findIndex(({ atMs }) => atMs === 10_000);
    const { causes, remedies } = whyAnswer(own, row, `webhook ${id}`);
    expect(causes[0]?.title).toBe("The webhook was disabled");
    expect(remedies.map(({ act }) => act.label)).toEqual(["The webhook is enabled"]);
  });
});
