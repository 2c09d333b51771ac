import { describe, expect, test } from "vitest";
import {
  type AssumptionsInput,
  createSimulator,
  InputError,
  parseScenario,
  replay,
  runScenario,
  type SimulatorOptions,
} from "../../../src/index.ts";
import { caller, dial, office, stream } from "../../helpers.ts";

const observed = (options: SimulatorOptions = {}) =>
  createSimulator({ organisation: office, ids: "counter", profile: "observed", ...options });

/** What `observed` assumes, given by name. */
const assume: AssumptionsInput = {
  notAnswered: "perTeam",
  startedTarget: "people",
  answeredStatus: "started",
  eventDelay: "PT1.5S",
  partyIds: "entry",
  bodyText: "compact",
};

describe("The profile observed", () => {
  test("sets assumptions and the time for which a voicemail's URL is valid", () => {
    const { options } = observed();
    const named = createSimulator({ organisation: office, ids: "counter", assume }).options;
    expect(options).toMatchObject({ profile: "observed", assume: named.assume });
    expect(options.timing).toEqual({ ...named.timing, recordingUrlLifetime: 6 * 3_600_000 });
    expect(named).not.toHaveProperty("profile");
  });

  test("yields to what is given explicitly, name by name", () => {
    const { options } = observed({
      assume: { answeredStatus: "accepted", eventDelay: "none" },
      timing: { recordingUrlLifetime: "PT1H" },
      dialect: { serviceName: "acme", events: ["call.note.created"] },
    });
    expect(options.assume).toMatchObject({
      answeredStatus: "accepted",
      eventDelay: 0,
      notAnswered: "perTeam",
    });
    expect(options.timing.recordingUrlLifetime).toBe(3_600_000);
    expect(options.dialect).toMatchObject({ serviceName: "acme", events: ["call.note.created"] });
  });

  test("lets webhooks ask for seven more types of events", () => {
    const events: string[] = ["call.ended", "call.highlight.recording_available"];
    const sim = observed();
    expect(sim.webhooks.create({ url: "https://a.test/", events }).events).toEqual(events);
    const plain = createSimulator({ organisation: office });
    expect(() => plain.webhooks.create({ url: "https://a.test/", events })).toThrow(
      /got "call\.highlight\.recording_available"/,
    );
  });

  test("is one of the known profiles", () => {
    expect(() => createSimulator({ profile: "real" as "observed" })).toThrow(InputError);
    expect(() => createSimulator({ profile: "real" as "observed" })).toThrow(
      'profile: expected one of observed, got "real"',
    );
  });

  test("is kept by forks, by a start over and by a replay", () => {
    const sim = observed();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT5S");
    call.answer("alice");
    const others = [sim.fork(), replay(sim.journal()), replay(JSON.stringify(sim.journal()))];
    sim.runUntilIdle();
    for (const other of others) {
      other.runUntilIdle();
      expect(other.events.toJSONL()).toBe(sim.events.toJSONL());
      expect(other.options).toEqual(sim.options);
    }
    expect(sim.restart().options).toEqual(sim.options);
  });

  test("can be changed by a start over, where what was given explicitly stays", () => {
    const sim = createSimulator({ organisation: office, assume: { abandoned: "ended" } });
    const other = sim.restart({ profile: "observed" });
    expect(other.options).toEqual(
      createSimulator({ organisation: office, profile: "observed", assume: { abandoned: "ended" } }).options,
    );
    expect(other.restart({ profile: undefined }).options).toEqual(sim.options);
  });

  test("makes the events of the assumptions that it sets", () => {
    const play = (options: SimulatorOptions) => {
      const sim = createSimulator({ organisation: office, ids: "counter", ...options });
      sim.calls.inbound({ from: caller, to: dial.sales });
      sim.runUntilIdle();
      return sim;
    };
    const byProfile = play({ profile: "observed" });
    expect(byProfile.events.toJSONL()).toBe(play({ assume }).events.toJSONL());
    expect(stream(byProfile)).not.toEqual(stream(play({})));
  });

  test("names the target in call.started for calls to people and devices, not to teams", () => {
    const targets = Object.entries(dial).map(([name, to]) => {
      const sim = observed();
      sim.calls.inbound({ from: caller, to });
      sim.advance("PT2S");
      return [name, sim.events.ofType("call.started")[0]?.data.call.directoryTarget?.type];
    });
    expect(Object.fromEntries(targets)).toMatchObject({
      alice: "user",
      lobby: "device",
      sales: undefined,
    });
  });
});

describe("A scenario's profile", () => {
  const text = (head: string) =>
    `scenario: s\n${head}steps:\n  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550103" } }\n`;

  test("stands in its head, where the assumptions of the head win", () => {
    const { options } = parseScenario(text("profile: observed\nassume: { eventDelay: none }\n"));
    expect(options).toMatchObject({
      profile: "observed",
      assume: { eventDelay: 0, answeredStatus: "started" },
    });
    expect(runScenario(parseScenario(text("profile: observed\n"))).simulator.options.profile).toBe(
      "observed",
    );
  });

  test("may be given by who reads it, unless the head names one", () => {
    const { options } = parseScenario(text("assume: { eventDelay: none }\n"), { profile: "observed" });
    expect(options).toMatchObject({
      profile: "observed",
      assume: { eventDelay: 0, answeredStatus: "started" },
    });
  });

  test("is refused with its place if it is unknown", () => {
    expect(() => parseScenario(text("profile: real\n"))).toThrow(/line 2, column \d+: profile: expected/);
  });
});
