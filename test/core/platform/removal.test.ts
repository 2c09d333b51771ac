import { describe, expect, test } from "vitest";
import { createSimulator, replay, type SimulatorOptions } from "../../../src/index.ts";
import { caller, dial, office, startMs, stateOf, thrownBy } from "../../helpers.ts";

/** A recorded call of 10 s: its recording exists at 15 s, its transcript at 40 s, its analysis at 70 s. */
function recorded(retain: SimulatorOptions["retain"] = {}) {
  const organisation = { ...office, features: { recording: true, transcription: true, analysis: true } };
  const sim = createSimulator({ organisation, ids: "counter", retain });
  const call = sim.calls.inbound({ from: caller, to: dial.alice });
  call.answer("alice");
  sim.advance("PT10S");
  call.hangup("caller");
  return { sim, call };
}

/** A voicemail of 10 s at Bob's, which ends at 15 s. */
function voicemail() {
  const organisation = { ...office, features: { transcription: true } };
  const sim = createSimulator({ organisation, ids: "counter" });
  const call = sim.calls.inbound({ from: caller, to: dial.bob });
  call.decline("bob");
  call.leaveVoicemail({ duration: "PT10S", transcript: "Call me." });
  sim.runUntil("call.ended");
  return { sim, call };
}

describe("removing a recording", () => {
  test("removes it from the call's record and advances lastModified, but keeps its transcript", () => {
    const { sim, call } = recorded();
    sim.advance("PT2M");
    expect(sim.recordings.get(call.id, "recording-1")).toEqual(call.record.recordings[0]);
    const mark = sim.events.mark();
    sim.recordings.remove(call.id, "recording-1");
    expect(call.record.recordings).toEqual([]);
    expect(call.record.lastModifiedTimestamp).toBe(startMs + 130_000);
    expect(sim.transcripts.list().map(({ recordingId }) => recordingId)).toEqual(["recording-1"]);
    expect(sim.events.since(mark)).toEqual([]);
  });

  test("before it is transcribed prevents the transcript", () => {
    const { sim, call } = recorded();
    sim.runUntil("call.recording.available");
    sim.recordings.remove(call.id, "recording-1");
    sim.runUntilIdle();
    expect(sim.transcripts.list()).toEqual([]);
    expect(sim.events.ofType("transcript.created")).toEqual([]);
    expect(sim.events.ofType("content_analysis.completed")).toHaveLength(1);
  });

  test("of a voicemail still sends the e-mail on time, without a transcript", () => {
    const { sim, call } = voicemail();
    sim.runUntil("call.recording.available");
    sim.recordings.remove(call.id, call.record.recordings[0]?.id ?? "");
    sim.runUntilIdle();
    const email = sim.notifications.find(({ kind }) => kind === "voicemailEmail");
    expect(email?.createdTimestamp).toBe(startMs + 45_000);
    expect(email?.body).not.toContain("Call me.");
  });

  test.each([
    ["an unknown call", "call-9", "recording-1"],
    ["a recording of no call", "call-1", "recording-9"],
  ])("is refused for %s and changes nothing", (_what, callId, id) => {
    const { sim } = recorded();
    sim.advance("PT10S");
    const before = stateOf(sim);
    for (const act of [() => sim.recordings.remove(callId, id), () => sim.recordings.get(callId, id)])
      expect(thrownBy(act)).toMatchObject({ name: "CommandError", code: "not_found" });
    expect(stateOf(sim)).toEqual(before);
  });

  test("works once, then answers not_found", () => {
    const { sim, call } = recorded();
    sim.advance("PT10S");
    sim.recordings.remove(call.id, "recording-1");
    expect(() => sim.recordings.remove(call.id, "recording-1")).toThrow(
      'call call-1 has no recording "recording-1"; it has: none',
    );
    const analyse = () =>
      sim.analysis.create({ analyzer: "x", content: { recordings: [{ id: "recording-1" }] } });
    expect(thrownBy(analyse)).toMatchObject({ code: "not_found" });
  });
});

describe("removing a transcript", () => {
  test("removes it with its segments from its recording, and advances lastModified", () => {
    const { sim, call } = recorded();
    sim.advance("PT2M");
    sim.transcripts.remove("transcript-1");
    expect(sim.transcripts.list()).toEqual([]);
    for (const act of [
      () => sim.transcripts.get("transcript-1"),
      () => sim.transcripts.segments("transcript-1"),
    ])
      expect(thrownBy(act)).toMatchObject({ code: "not_found" });
    expect(call.record.recordings).toMatchObject([{ id: "recording-1", transcript: null }]);
    expect(sim.recordings.get(call.id, "recording-1").transcript).toBeNull();
    expect(call.record.lastModifiedTimestamp).toBe(startMs + 130_000);
  });

  test("of a voicemail removes its text from the call", () => {
    const { sim, call } = voicemail();
    sim.runUntilIdle();
    expect(call.record.voicemail?.transcription).toBe("Call me.");
    sim.transcripts.remove("transcript-1");
    expect(call.record.voicemail).toMatchObject({ duration: 10, transcription: null });
  });

  test("works after its recording was removed", () => {
    const { sim, call } = recorded();
    sim.advance("PT2M");
    sim.recordings.remove(call.id, "recording-1");
    sim.transcripts.remove("transcript-1");
    expect(sim.transcripts.list()).toEqual([]);
    expect(call.record.recordings).toEqual([]);
  });

  test("is refused for an unknown transcript", () => {
    expect(thrownBy(() => recorded().sim.transcripts.remove("transcript-1"))).toMatchObject({
      code: "not_found",
    });
  });
});

describe("removing an analysis", () => {
  test("that is pending stops it", () => {
    const { sim } = recorded();
    sim.runUntil("transcript.created");
    sim.analysis.remove("analysis-1");
    expect(sim.analysis.list()).toEqual([]);
    expect(sim.pending()).toEqual([]);
    expect(sim.events.ofType("content_analysis.completed")).toEqual([]);
    expect(thrownBy(() => sim.analysis.get("analysis-1"))).toMatchObject({ code: "not_found" });
  });

  test("that is completed removes it", () => {
    const { sim } = recorded();
    sim.runUntilIdle();
    sim.analysis.remove("analysis-1");
    expect(sim.analysis.list()).toEqual([]);
    expect(thrownBy(() => sim.analysis.remove("analysis-1"))).toMatchObject({ code: "not_found" });
  });

  test("that a call waits for lets retain.calls drop the call", () => {
    const { sim, call } = recorded({ calls: 0 });
    sim.runUntil("transcript.created");
    expect(call.status).toBe("ended");
    sim.analysis.remove("analysis-1");
    expect(sim.calls.list()).toEqual([]);
  });
});

test("removals are replayed and are shown in the timeline", () => {
  const { sim, call } = recorded();
  sim.runUntil("transcript.created");
  sim.analysis.remove("analysis-1");
  sim.transcripts.remove("transcript-1");
  sim.recordings.remove(call.id, "recording-1");
  const again = replay(sim.journal());
  expect(again.calls.get(call.id).record).toEqual(call.record);
  expect([...again.analysis.list(), ...again.transcripts.list()]).toEqual([]);
  for (const what of ["analysis", "transcript", "recording"])
    expect(sim.events.toTimeline()).toMatch(new RegExp(`the ${what}.* of the call of .* is removed`));
});

describe("retain.calls", () => {
  test("drops all records of a call, even a transcript whose recording was removed", () => {
    const { sim, call } = recorded({ calls: 1 });
    sim.advance("PT35S");
    sim.recordings.remove(call.id, "recording-1");
    sim.runUntilIdle();
    expect(sim.transcripts.list()).toHaveLength(1);
    sim.calls.inbound({ from: caller, to: dial.alice }).hangup("caller");
    expect(sim.transcripts.list()).toEqual([]);
    expect(sim.analysis.list()).toEqual([]);
    expect(thrownBy(() => sim.transcripts.segments("transcript-1"))).toMatchObject({ code: "not_found" });
  });

  test("drops in a fork only what the fork's own calls displace", () => {
    const { sim } = recorded({ calls: 1 });
    sim.runUntilIdle();
    const fork = sim.fork();
    fork.calls.inbound({ from: caller, to: dial.alice }).hangup("caller");
    expect([fork.transcripts.list(), fork.analysis.list()]).toEqual([[], []]);
    expect([sim.transcripts.list().length, sim.analysis.list().length]).toEqual([1, 1]);
  });
});
