import fc from "fast-check";
import { expect, test } from "vitest";
import { createSimulator, parseScenario, runScenario, type Simulator } from "../../src/index.ts";
import { toScenarioText } from "../../src/inspector/model/to-scenario.ts";
import { options, timings } from "./arbitraries.ts";
import { run } from "./moves/index.ts";
import { Step } from "./moves/time.ts";
import { Player } from "./play.ts";
import { always } from "./support.ts";

/** In a scenario timers that are due at the instant of a step come first. So they do here: no step leaves some of them. */
const moves = run.map((all) => all.filter((move) => !(move instanceof Step)));

function checkSaved({ sim }: { readonly sim: Simulator }): void {
  const scenario = parseScenario(toScenarioText(sim.journal(), "Saved"));
  expect(runScenario(scenario).simulator.events.toJSONL()).toBe(sim.events.toJSONL());
}

const ms = fc.constantFrom(0, 1, 999, 4_321, 30_000);
const drawn = fc.oneof(
  ms,
  ms.map((exponential) => ({ exponential })),
  ms.map((fixed) => ({ fixed })),
  ms.map((longest) => ({ uniform: [0, longest] as [number, number] })),
);
const acting = fc.record({
  options: fc.record({
    timing: timings,
    assume: fc.record({ eventDelay: fc.oneof(fc.constant("none" as const), drawn), dialLatency: drawn }),
    network: fc.record({ latency: drawn }),
    webhooks: fc.record({ schedule: ms.map((second) => [0, second]), failureLimit: fc.nat({ max: 3 }) }),
  }),
  user: fc.record({ answer: fc.record({ after: drawn }), talk: drawn, wrapUp: drawn }),
  caller: fc.record({ patience: drawn, voicemail: fc.record({ duration: drawn }) }),
  every: fc.constantFrom(4_321, { exponential: 9_000 }, { uniform: [1, 9_000] as [number, number] }),
  calls: fc.nat({ max: 3 }),
});

test("A run with people who act, alike calls and own durations, saved as a scenario, replays byte for byte", () => {
  always(100, acting, ({ options, user, caller, every, calls }) => {
    const sim = createSimulator(options);
    sim.webhooks.create({ url: "https://crm.test/hooks", events: ["*"] });
    sim.users.get("alice").behave(user);
    const made = Array.from({ length: calls }, () => {
      const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
      sim.advance(0);
      return call;
    });
    for (const call of made) call.note(`Note on ${call.id}`, { by: "alice" });
    sim.traffic({ to: "+6495550200", every, for: 20_000, behaviour: caller });
    sim.network.fault("https://crm.test/", { latency: 1_001 });
    sim.advance("PT2M");
    checkSaved({ sim });
  });
});

test("A run of any organisation, saved as a scenario, parses and replays byte for byte", () => {
  always(100, fc.tuple(options, moves), ([given, moves]) => {
    const player = Player.on(createSimulator(given));
    for (const move of moves) {
      player.play(move);
      player.sim.advance(0);
    }
    checkSaved(player);
  });
});

test("A run elsewhere, saved as a scenario, has the addresses that its events say", () => {
  const here = "http://127.0.0.1:8080";
  const sim = createSimulator({ urls: { api: here, auth: here, redirect: here }, retain: { events: 1 } });
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  sim.advance("PT1M");
  const urlsOf = () => parseScenario(toScenarioText(sim.journal(), "Saved")).options.urls;
  const usual = createSimulator().urls;
  expect(urlsOf()).toEqual({ ...usual, redirect: here });
  call.leaveVoicemail({ duration: "PT8S" });
  sim.advance("PT5M");
  expect(urlsOf()).toEqual({ ...usual, api: here, redirect: here });
});
