import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSimulator } from "../../src/index.ts";
import { carelessRun, options, reflexes, run } from "./arbitraries.ts";
import { finish, Player, played } from "./play.ts";
import { checkEnd, checkState, StreamRules } from "./rules.ts";
import { always } from "./support.ts";

describe("Whatever is done", () => {
  it("the event stream keeps its rules, call by call", () => {
    always(700, fc.tuple(options, run), ([given, moves]) => {
      const { sim, play } = Player.on(createSimulator(given));
      const rules = new StreamRules(sim);
      for (const move of moves) {
        play(move);
        rules.catchUp();
      }
      finish(sim);
      rules.catchUp();
    });
  });

  it("records, people, teams and what is scheduled agree with each other between two moves", () => {
    always(700, fc.tuple(options, run), ([given, moves]) => {
      const { sim, play } = Player.on(createSimulator(given));
      checkState(sim);
      for (const move of moves) {
        play(move);
        checkState(sim);
      }
      finish(sim);
      checkState(sim);
    });
  });

  it("every call closes, has all its artefacts, and people are told of it once", () => {
    always(700, fc.tuple(options, run), ([given, moves]) => {
      const { sim } = played(given, moves);
      finish(sim);
      checkEnd(sim);
    });
  });

  it("all of this holds too while listeners issue commands", () => {
    always(300, fc.tuple(options, run, reflexes), ([given, moves, reflexes]) => {
      const player = Player.on(createSimulator(given));
      const { sim, play } = player;
      const rules = new StreamRules(sim);
      player.react(reflexes, 30);
      for (const move of moves) {
        play(move);
        rules.catchUp();
        checkState(sim);
      }
      finish(sim);
      rules.catchUp();
      checkEnd(sim);
    });
  });

  it("the run can be told as a timeline and as a diagram", () => {
    always(150, fc.tuple(options, run), ([given, moves]) => {
      const { sim } = played(given, moves);
      const types = sim.events.map(({ type }) => type);
      for (const drawn of [sim.events.toTimeline(), sim.events.toMermaid()])
        expect(drawn.match(/\b(call|user|team|transcript)\.[a-z_.]+(?=\s|<)/g) ?? []).toEqual(types);
    });
  });
});

describe("The runs that all of this is tried on", () => {
  it("reach every event, every ending, every end of a dial and every refusal", () => {
    const seen = new Set<string>();
    // a seed of its own: this is about the generators, and must not fail by bad luck
    for (const [given, moves] of fc.sample(fc.tuple(options, fc.oneof(run, carelessRun)), {
      numRuns: 1_000,
      seed: 1,
    })) {
      const { sim, play } = Player.on(createSimulator(given));
      for (const move of moves) {
        const refused = play(move);
        if (refused !== undefined) seen.add("code" in refused ? refused.code : refused.name);
      }
      finish(sim);
      for (const { type } of sim.events) seen.add(type);
      for (const { record } of sim.calls.list()) {
        seen.add(`${record.status}/${record.outcome?.reason ?? ""}`);
        for (const { outcome } of record.parties.flatMap(({ dials }) => dials)) seen.add(`dial ${outcome}`);
        if (record.connections.length > 2) seen.add("moved");
        if (Object.keys(record.passthroughParameters).length > 0) seen.add("passthrough");
      }
    }
    expect([...seen].sort()).toEqual(everything.sort());
  });
});

const everything = [
  ...["call.started", "call.answered", "call.not_answered", "call.hungup", "call.ended"],
  ...["call.recording.available", "call.transcript.created", "call.transcription_completed"],
  ...["user.availability.updated", "team.availability.updated", "transcript.created"],
  ...["ended/", "abandoned/callerHungUp"],
  ...["missed/timeout", "missed/declined", "missed/unavailable", "missed/voicemail"],
  ...["dial answered", "dial answeredElsewhere", "dial timeout", "dial declined"],
  ...["dial withdrawn", "dial failed", "moved", "passthrough"],
  ...["busy", "call_closed", "invalid_argument", "not_allowed", "not_connected", "not_found"],
  ...["not_in_voicemail", "not_ringing", "unknown_number", "InputError"],
];
