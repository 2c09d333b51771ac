import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { importCapture } from "../../src/capture/index.ts";
import {
  createSimulator,
  parseScenario,
  runScenario,
  type Scenario,
  type Simulator,
} from "../../src/index.ts";
import { alwaysAsync } from "./support.ts";

/** Whatever `importCapture` writes plays, and where it says "possible", it sends these requests and no others. */

const url = "https://crm.test/hooks";

/** What an app gets of a run, as lines of a capture. */
function capturedOf(play: (sim: Simulator) => void, scenario?: Scenario): string[] {
  const sim = createSimulator({ ids: "nanoid", ...scenario?.options });
  const lines: string[] = [];
  sim.network.route(url, ({ headers, body }) => {
    lines.push(JSON.stringify({ receivedAt: sim.timestamp, headers, body, status: 204 }));
    return 204;
  });
  play(sim);
  return lines;
}

/** How many requests arrive in a run of a scenario. */
const arrivalsIn = (scenario: Scenario) =>
  runScenario(scenario).simulator.network.requests.filter(({ arrivedAt }) => arrivedAt !== null).length;

const answered = (sim: Simulator) => {
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  sim.advance("PT5S");
  call.answer("alice");
  sim.advance("PT60S");
  call.hangup("caller");
  sim.runUntilIdle();
};

describe("An imported scenario sends as many requests as came", () => {
  test("of two webhooks on one URL, whose requests come at one instant", async () => {
    const lines = capturedOf((sim) => {
      for (const _ of [1, 2]) sim.webhooks.create({ url, events: ["call.ended"] });
      answered(sim);
    });
    const { verdict, scenario } = await importCapture(lines.join("\n"));
    expect([verdict, lines.length, arrivalsIn(scenario)]).toEqual(["possible", 2, 2]);
  });

  test("of which a line occurs twice", async () => {
    const lines = capturedOf((sim) => {
      sim.webhooks.create({ url, events: ["call.ended"] });
      answered(sim);
    });
    const { verdict, scenario } = await importCapture([...lines, ...lines].join("\n"));
    expect([verdict, arrivalsIn(scenario)]).toEqual(["possible", 1]);
  });

  test("of which two of one instant came twice", async () => {
    const lines = capturedOf((sim) => {
      sim.webhooks.create({ url, events: ["call.hungup"] });
      answered(sim);
    });
    const again = lines.map((line) => ({
      ...JSON.parse(line),
      receivedAt: JSON.parse(line).receivedAt + 1_000,
    }));
    const { verdict, scenario } = await importCapture(
      [...lines, ...again.map((each) => JSON.stringify(each))].join("\n"),
    );
    expect([verdict, arrivalsIn(scenario)]).toEqual(["possible", 4]);
  });
});

const types = ["call.started", "call.answered", "call.hungup", "call.ended"] as const;
/** What the network does to the attempts of an answered call; several may be at one instant. */
const mishaps = fc.uniqueArray(
  fc.record({
    of: fc.constantFrom("PT0S call.started", "PT5S call.answered", "PT65S call.hungup", "PT65S call.ended"),
    nth: fc.constantFrom(1, 1, 2),
    is: fc.constantFrom("lost", "unanswered", "duplicated", "duplicated, after: PT1S"),
  }),
  { maxLength: 3, selector: ({ of, nth }) => `${of} ${nth}` },
);

test("Whatever is imported plays, and sends what came where it is possible", async () => {
  await alwaysAsync(
    200,
    fc.record({ mishaps, events: fc.subarray([...types], { minLength: 1 }), isTwice: fc.boolean() }),
    async ({ mishaps: planned, events, isTwice }) => {
      const lines = capturedOf((sim) => {
        for (const _ of isTwice ? [1, 2] : [1]) sim.webhooks.create({ url, events });
        for (const { of, nth, is } of planned) {
          const [offset = "", type = ""] = of.split(" ");
          const [kind = "", after] = is.split(", after: ");
          const more = after === undefined ? {} : { after };
          sim.command("deviate", { what: "attempt", at: offset, of: type, nth, is: kind as "lost", ...more });
        }
        answered(sim);
      });
      fc.pre(lines.length > 0);
      const { verdict, yaml } = await importCapture(lines.join("\n"));
      const arrivals = arrivalsIn(parseScenario(yaml));
      // a line that occurs twice may be one request
      if (verdict === "possible") expect(arrivals).toBe(new Set(lines).size);
    },
  );
});
