import { describe, expect, test } from "vitest";
import { importCapture } from "../../src/capture/index.ts";
import type { Scenario } from "../../src/core/scenario/scenario.ts";
import { parseScenario, runScenario, type Simulator } from "../../src/index.ts";
import { someOf } from "../counts.ts";
import { captured, importable, jsonl, type Line, lesson, received, withReceiver } from "./support.ts";

/** The app in imported scenarios. */
const hook = "https://imported.test/hooks";

/** A lesson with deviations of its webhook's requests. */
function deviating(name: string, deviations: string): Scenario {
  const written = parseScenario(`scenario: s\nsteps: []\ndeviations:\n${deviations}`).deviations;
  const scenario = withReceiver(lesson(name));
  return { ...scenario, deviations: written, expect: undefined, expectAttempts: undefined };
}

/** When each event arrived and was sent, with its type. */
function arrived(lines: readonly Line[]): string[] {
  return lines
    .map(({ receivedAt, headers, body }) => {
      const { type } = JSON.parse(body);
      return `${receivedAt} ${headers["x-service-timestamp"]} ${type}`;
    })
    .sort();
}

function arrivedIn(simulator: Simulator): string[] {
  return arrived(
    simulator.network.requests
      .filter(({ to, arrivedTimestamp }) => to === hook && arrivedTimestamp !== null)
      .map(({ arrivedTimestamp, headers, body }) => ({
        receivedAt: arrivedTimestamp ?? 0,
        headers: { ...headers } as Record<string, string>,
        body: body ?? "",
      })),
  );
}

/**
 * Whether lines show what happened to an event: it arrived in the end, on time or later than the tolerance. If nothing
 * arrived, the run invents the event.
 */
function isVisible(lines: readonly Line[], eventId: string): boolean {
  const lateMs = lines.map(({ receivedAt, headers }) => receivedAt - Number(headers["x-service-timestamp"]));
  const hasCome = lines.some(({ body }) => JSON.parse(body).id === eventId);
  return hasCome && lateMs.every((ms) => ms === 0 || ms >= 2_000);
}

/** Deviations of an attempt. */
const kinds = [
  ...["lost", "refused", "rejected", "unanswered", "duplicated, after: PT3S"],
  ...["late, by: 1", "late, by: 2", "late, by: 3", "outage"],
];

const withEvents = importable().filter((name) => captured(name).length > 1);

describe("importCapture", () => {
  test.each([
    ["a lost first attempt", "lost", "- { attempt: PT5S call.answered, is: lost }"],
    ["a refused attempt, as lost", "lost", "- { attempt: PT5S call.answered, is: refused }"],
    ["a rejected attempt, as lost", "lost", "- { attempt: PT5S call.answered, is: rejected }"],
    ["a lost answer", "unanswered", "- { attempt: PT5S call.answered, is: unanswered }"],
    [
      "a request that comes twice",
      "duplicated",
      "- { attempt: PT5S call.answered, is: duplicated, after: PT3S }",
    ],
    ["a request that comes late", "late", "- { attempt: PT5S user.availability.updated, is: late, by: 1 }"],
    [
      "two lost attempts in a row",
      "lost",
      "- { attempt: PT5S call.answered, is: lost }\n- { attempt: PT174.08S call.answered, number: 2, is: lost }",
    ],
    ["the second of two hang-ups", "lost", "- { attempt: PT90S call.hungup, nth: 2, is: lost }"],
  ])("writes %s as a deviation", async (_, kind, deviations) => {
    const { simulator } = runScenario(deviating("10", deviations));
    const lines = received(simulator);
    const result = await importCapture(jsonl(lines), { redact: false });
    expect(result.deviations.map(({ is }) => is)).toContain(kind);
    expect(result).toMatchObject({ verdict: "possible", explained: lines.length });
    expect(arrivedIn(runScenario(parseScenario(result.yaml)).simulator)).toEqual(arrived(lines));
  });

  test.each(someOf(withEvents))(
    "writes each kind of deviation in lesson %s so that the same requests arrive again",
    async (name) => {
      const { events, options } = runScenario(withReceiver(lesson(name))).simulator;
      const startMs = Date.parse(options.start);
      // the first, one in the middle, and the last
      for (const place of new Set([0, events.length >> 1, events.length - 1])) {
        const event = events[place];
        if (event === undefined) continue;
        const { type, createdTimestamp } = event;
        const alike = events.filter(
          (each) => each.type === type && each.createdTimestamp === createdTimestamp,
        );
        const nth = alike.length > 1 ? `, nth: ${alike.indexOf(event) + 1}` : "";
        const attempt = `attempt: PT${(createdTimestamp - startMs) / 1_000}S ${type}${nth}`;
        for (const is of kinds) {
          // later on, an outage is often no more than a refused attempt
          if (is === "outage" && place > 0) continue;
          const { simulator } = runScenario(deviating(name, `- { ${attempt}, is: ${is} }`));
          const lines = received(simulator);
          if (!isVisible(lines, event.id)) continue;
          const result = await importCapture(jsonl(lines), { redact: false });
          const what = `${attempt} is ${is}`;
          expect([what, result.verdict, result.explained]).toEqual([what, "possible", lines.length]);
          const again = arrivedIn(runScenario(parseScenario(result.yaml)).simulator);
          expect([what, again]).toEqual([what, arrived(lines)]);
        }
      }
    },
  );

  test.each([
    ["is a month ahead", (ms: number) => ms + 31 * 86_400_000],
    ["runs a thousand times slower, as while a simulator sends to it", (ms: number) => ms / 1_000],
  ])("writes no deviations if the app's clock %s", async (_, clock) => {
    const lines = received(runScenario(withReceiver(lesson("10"))).simulator);
    const skewed = lines.map((line) => ({ ...line, receivedAt: clock(line.receivedAt) }));
    const result = await importCapture(jsonl(skewed), { redact: false });
    expect(result).toMatchObject({ verdict: "possible", deviations: [] });
    expect(result.yaml).toBe((await importCapture(jsonl(lines), { redact: false })).yaml);
  });

  test("writes attempts at other times than the default as a schedule", async () => {
    const { options, ...scenario } = deviating("10", "- { attempt: PT5S call.answered, is: lost }");
    const { simulator } = runScenario({
      ...scenario,
      options: { ...options, webhooks: { schedule: ["PT0S", "PT7S"] } },
    });
    const lines = received(simulator);
    const { yaml } = await importCapture(jsonl(lines), { redact: false });
    expect(arrivedIn(runScenario(parseScenario(yaml)).simulator)).toEqual(arrived(lines));
  });
});
