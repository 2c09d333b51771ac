import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSimulator, type PublicCallRecord } from "../../src/index.ts";
import { carelessRun, options, reflexes, run } from "./arbitraries.ts";
import { finish, Player, played } from "./play.ts";
import { checkEnd, checkState, StreamRules, staysOf } from "./rules.ts";
import { always, typesIn } from "./support.ts";

describe("Whatever is done", () => {
  it("the event stream keeps its rules, call by call", () => {
    always(350, fc.tuple(options, run), ([given, moves]) => {
      const { sim, play } = Player.on(createSimulator(given));
      const rules = new StreamRules(sim);
      for (const move of moves) {
        play(move);
        rules.catchUp();
      }
      finish(sim, () => rules.catchUp());
    });
  });

  it("records, people, teams and what is scheduled agree with each other after each step", () => {
    always(350, fc.tuple(options, run), ([given, moves]) => {
      const player = Player.on(createSimulator(given));
      const { sim } = player;
      checkState(sim);
      for (const move of moves) player.playByStep(move, () => checkState(sim));
      finish(sim, () => checkState(sim));
    });
  });

  it("every call closes, has all its artefacts, and people are told of it once", () => {
    always(350, fc.tuple(options, run), ([given, moves]) => {
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
        expect(typesIn(drawn)).toEqual(types);
    });
  });
});

describe("The runs that all of this is tried on", () => {
  it("reach every command, event, ending, reason and end of a dial, and refusal", () => {
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
        for (const team of sim.teams.list()) if (team.waiting().length > 1) seen.add("queue");
      }
      finish(sim);
      for (const { command } of sim.journal().entries) seen.add(`> ${command}`);
      for (const { type } of sim.events) seen.add(type);
      for (const { returnTo } of sim.calls.returns) seen.add(`returned to ${returnTo}`);
      for (const { record } of sim.calls.list()) look(record, seen);
    }
    expect([...seen].sort()).toEqual(everything.sort());
  });
});

function look(record: PublicCallRecord, seen: Set<string>): void {
  seen.add(`${record.status}/${record.outcome?.status} ${record.outcome?.reason ?? ""}`);
  for (const { outcome, reason } of record.parties.flatMap(({ dials }) => dials))
    seen.add(`dial ${outcome}`).add(`dialled as ${reason}`);
  if (record.isConference) seen.add("conference");
  if (record.parties.some((party) => staysOf(record, party) > 1)) seen.add("came back");
  if (record.isInternal && record.voicemail !== null) seen.add("internal voicemail");
  if (record.outcome?.status === "answered" && record.voicemail !== null)
    seen.add("voicemail after the answer");
  if (Object.keys(record.passthroughParameters).length > 0) seen.add("passthrough");
}

const everything = [
  ...["inbound", "outbound", "internal", "redirect", "connectApplication", "dialLink"].map(
    (name) => `> ${name}`,
  ),
  ...["answer", "decline", "hangup", "move", "transfer", "add", "leaveVoicemail"].map((name) => `> ${name}`),
  ...["setAvailability", "setEndpoint", "setTeamMember", "removeTeamMember"].map((name) => `> ${name}`),
  ...["setUserStatus", "note", "assignContact"].map((name) => `> ${name}`),
  ...["contact.shared", "call.contact_assigned_with_add", "call.contact_assigned_with_update"],
  ...["call.started", "call.answered", "call.not_answered", "call.hungup", "call.ended"],
  ...["call.recording.available", "call.transcript.created", "call.transcription_completed"],
  ...["call.tariffed", "content_analysis.completed"],
  ...["user.availability.updated", "team.availability.updated", "transcript.created"],
  ...["ended/answered ", "abandoned/abandoned callerHungUp"],
  ...["timeout", "declined", "unavailable", "noAvailableMembers", "voicemail", "sentToVoicemail"].map(
    (reason) => `missed/missed ${reason}`,
  ),
  ...["timeout", "busy", "rejected", "cancelled"].map((reason) => `missed/unanswered ${reason}`),
  ...["dial answered", "dial answeredElsewhere", "dial timeout", "dial declined"],
  ...["dial withdrawn", "dial failed", "passthrough", "queue", "conference", "came back"],
  ...["direct", "teamOffer", "redirect", "transfer", "conference", "outbound"].map(
    (reason) => `dialled as ${reason}`,
  ),
  ...["internal voicemail", "voicemail after the answer"],
  ...["returned to flow", "returned to taskQueue", "returned to postEndpoint"],
  ...["busy", "call_closed", "invalid_argument", "not_allowed", "not_connected", "not_found"],
  ...["not_in_voicemail", "not_ringing", "unknown_number", "InputError"],
];
