import { describe, expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { createSimulator, InputError, type Simulator } from "../../../src/index.ts";
import { inspectHtml } from "../../../src/inspector/index.ts";
import "../../../src/testing/vitest/index.ts";
import { Recording } from "../../../src/inspector/model/recording.ts";
import { thrownBy } from "../../helpers.ts";

const hooks = "https://crm.acme.test/hooks";

/** An app that lists whom to call back, and says so. */
function missedCalls(sim: Simulator) {
  const missed: string[] = [];
  sim.network.route(hooks, async ({ body }) => {
    await null;
    missed.push(JSON.parse(body).data.call.contactNumber);
    return 204;
  });
  sim.show(() => ({ missed }));
  return { forget: () => missed.splice(0) };
}

/** What a matcher says that fails. */
function saidOf(sim: Simulator): string {
  return String(thrownBy(() => expect(sim).toHaveEmitted("call.tariffed")));
}

/** Two calls that nobody answers. */
async function missedTwice() {
  const sim = createSimulator();
  const app = missedCalls(sim);
  sim.webhooks.create({ url: hooks, events: ["call.not_answered"] });
  for (const from of ["+6421555001", "+6421555002"]) {
    sim.calls.inbound({ from, to: "+6495550101" });
    await sim.advanceAsync("PT60S");
  }
  return { sim, app };
}

const first = '{missed: ["+6421555001"]}';
const both = '{missed: ["+6421555001", "+6421555002"]}';

describe("The state of an app, as `sim.show` gives it", () => {
  test("is printed with a failing test, with the instant since when it holds", async () => {
    const { sim } = await missedTwice();
    expect(saidOf(sim)).toContain(`\n\nYour app, since 1m 30s: ${both}\n\nSeed: `);
  });

  test("is on the page of the run wherever it changed", async () => {
    const { sim, app } = await missedTwice();
    app.forget();
    const [, text = ""] = /"states":(\[.*?\}\])/.exec(inspectHtml(sim)) ?? [];
    const states = JSON.parse(text);
    expect(states).toEqual([
      { at: 0, state: "{missed: []}" },
      { at: 30_000, state: first },
      { at: 90_000, state: both },
      { at: 120_000, state: "{missed: []}" },
    ]);
    const { rows } = Recording.from(sim.journal(), { states });
    const told = rows.filter(({ subject }) => subject === "Your app");
    expect(told.map(({ atMs, verb }) => `${atMs} ${verb}`)).toEqual([
      "0 begins",
      "30000 changes",
      "90000 changes",
      "120000 changes",
    ]);
  });

  test("is shown by an exploration without the option `show`", async () => {
    const report = await exploreReport({
      scenario: (sim) => void sim.calls.inbound({ from: "+6421555001", to: "+6495550101" }),
      subject: (sim) => {
        const app = missedCalls(sim);
        sim.webhooks.create({ url: hooks, events: ["call.not_answered"] });
        return app;
      },
      eventually: { "nobody is missed": () => false },
      deviations: 0,
    });
    expect(report.failures[0]?.smallest.received).toMatchObject([{ of: "call.not_answered", state: first }]);
  });

  test("says why it cannot be shown if the function throws, and the run goes on", () => {
    const sim = createSimulator();
    sim.show(() => {
      throw new Error("not yet open");
    });
    sim.advance("PT1M");
    expect(saidOf(sim)).toContain("Your app, since 0s: cannot be shown: not yet open\n");
  });

  test("is not copied to forks", () => {
    const sim = createSimulator();
    sim.show(() => "here");
    expect(saidOf(sim.fork())).not.toContain("Your app");
  });

  test("must be a function", () => {
    expect(thrownBy(() => createSimulator().show("missed" as never))).toBeInstanceOf(InputError);
  });
});
