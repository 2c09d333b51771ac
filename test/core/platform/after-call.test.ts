import { describe, expect, test } from "vitest";
import {
  createSimulator,
  type OrganisationInput,
  replay,
  type SimulatorOptions,
} from "../../../src/index.ts";
import { caller, dial, office, startMs, stream, thrownBy } from "../../helpers.ts";

type Features = NonNullable<OrganisationInput["features"]>;
type Routes = NonNullable<OrganisationInput["tariff"]>["routes"];

const all: Features = { recording: true, transcription: true, analysis: true, tariff: true };
const tariff = { currency: "NZD", routes: [{ prefix: "+64", perMinute: 0.1 }] };

function newSimulator(
  features: Features,
  more: Partial<OrganisationInput> = {},
  options: SimulatorOptions = {},
) {
  return createSimulator({ organisation: { ...office, features, ...more }, ids: "counter", ...options });
}

/** A call that Alice answers after 5 s and the caller ends 180 s later: it closes at 185 s. */
function talked(features: Features, more: Partial<OrganisationInput> = {}, options: SimulatorOptions = {}) {
  const sim = newSimulator(features, more, options);
  const call = sim.calls.inbound({ from: caller, to: dial.alice, passthroughParameters: { "x-a": "1" } });
  sim.advance("PT5S");
  call.answer("alice");
  sim.advance("PT180S");
  call.hangup("caller");
  return { sim, call };
}

/** The events after the end of the call: milliseconds from it, and type. */
function following(
  features: Features,
  more: Partial<OrganisationInput> = {},
  options: SimulatorOptions = {},
) {
  const { sim, call } = talked(features, more, options);
  const mark = sim.events.mark();
  const endMs = sim.timestamp;
  sim.runUntilIdle();
  const lines = sim.events.since(mark).map((event) => `${event.createdTimestamp - endMs} ${event.type}`);
  return { sim, call, lines };
}

const transcriptLines = [
  "30000 call.transcript.created",
  "30000 transcript.created",
  "30000 call.transcription_completed",
];

describe("what follows a call", () => {
  test.each<[string, Features, string[]]>([
    ["nothing without a feature", {}, []],
    ["the recording with features.recording", { recording: true }, ["5000 call.recording.available"]],
    [
      "the transcript with features.transcription, the transcription completed last",
      { recording: true, transcription: true },
      ["5000 call.recording.available", ...transcriptLines],
    ],
    [
      "the analysis with features.analysis",
      { recording: true, analysis: true },
      ["5000 call.recording.available", "60000 content_analysis.completed"],
    ],
    ["the tariff with features.tariff", { tariff: true }, ["90000 call.tariffed"]],
    ["no transcript and no analysis without a recording", { transcription: true, analysis: true }, []],
    [
      "everything with every feature",
      all,
      [
        "5000 call.recording.available",
        ...transcriptLines,
        "60000 content_analysis.completed",
        "90000 call.tariffed",
      ],
    ],
  ])("is %s", (_what, features, lines) => {
    expect(following(features, { tariff }).lines).toEqual(lines);
  });

  test("is no tariff without a table of prices", () => {
    expect(following({ tariff: true }).lines).toEqual([]);
  });

  test("comes after the delays in timing", () => {
    const timing = {
      recordingAvailable: "PT1S",
      transcriptCreated: "PT2S",
      contentAnalysisCompleted: "PT3S",
      callTariffed: "PT4S",
    };
    expect(following(all, { tariff }, { timing }).lines).toEqual([
      "1000 call.recording.available",
      "2000 call.transcript.created",
      "2000 transcript.created",
      "2000 call.transcription_completed",
      "3000 content_analysis.completed",
      "4000 call.tariffed",
    ]);
  });

  test("does not happen after an unanswered call", () => {
    const sim = newSimulator(all, { tariff });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "30000 call.not_answered"]);
  });

  test("advances lastModified each time; createdTimestamp never decreases", () => {
    const { sim, call } = following(all, { tariff });
    for (const event of sim.events) {
      if ("call" in event.data) expect(event.data.call.lastModifiedTimestamp).toBe(event.createdTimestamp);
    }
    expect(call.record.lastModifiedTimestamp).toBe(startMs + 275_000);
    const times = sim.events.map((event) => event.createdTimestamp);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  test("leaves the call's own times unchanged", () => {
    const { sim, call } = talked(all, { tariff });
    const { endedTimestamp, duration, outcome } = call.record;
    sim.runUntilIdle();
    expect(call.record).toMatchObject({ endedTimestamp, duration, outcome });
  });

  test("carries the call's passthrough parameters", () => {
    const { sim } = following(all, { tariff });
    for (const event of sim.events)
      if ("call" in event.data) expect(event.data.call.passthroughParameters).toEqual({ "x-a": "1" });
  });

  test("is equal in a fork and in a replay", () => {
    const { sim } = talked(all, { tariff });
    sim.advance("PT10S");
    const fork = sim.fork();
    sim.runUntilIdle();
    fork.runUntilIdle();
    for (const again of [fork, replay(sim.journal())])
      expect(again.events.toJSONL()).toBe(sim.events.toJSONL());
  });
});

describe("a recorded call that ends in a voicemail after a blind transfer", () => {
  /** Alice answers at once, hands over to Bob after 10 s, and the caller leaves a message of 10 s: 55 s in all. */
  function leftMessage(features: Features) {
    const sim = newSimulator(features, { tariff });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice");
    sim.advance("PT10S");
    call.transfer("bob", { by: "alice" });
    sim.advance("PT30S");
    call.leaveVoicemail({ duration: "PT10S", transcript: "Call me." });
    const mark = sim.events.mark();
    sim.runUntil("call.ended");
    const endMs = sim.timestamp;
    sim.runUntilIdle();
    const following = sim.events
      .since(mark)
      .filter(({ createdTimestamp }) => createdTimestamp > endMs)
      .map(({ createdTimestamp, type }) => `${createdTimestamp - endMs} ${type}`);
    return { sim, call, following };
  }

  test("has two recordings and two transcripts, and the transcription is completed once, after the last", () => {
    const { sim, call, following } = leftMessage({ recording: true, transcription: true });
    expect(following).toEqual([
      "5000 call.recording.available",
      "5000 call.recording.available",
      ...transcriptLines.slice(0, 2),
      ...transcriptLines,
    ]);
    expect(call.record.recordings.map(({ channels, fileSize }) => [channels, fileSize])).toEqual([
      [2, 55 * 4_000 * 2],
      [1, 10 * 4_000],
    ]);
    expect(sim.events.ofType("call.transcription_completed")[0]?.data.transcripts).toEqual(
      sim.transcripts.list(),
    );
    expect(call.record.recordings.map(({ transcript }) => transcript)).toEqual(
      sim.transcripts.list().map(({ id }) => id),
    );
  });

  test("uses the text given with the message as the voicemail's transcription", () => {
    const { sim, call } = leftMessage({ recording: true, transcription: true });
    expect(call.record.voicemail).toMatchObject({
      id: call.record.recordings[1]?.id,
      transcription: "Call me.",
    });
    const [conversation, message] = sim.transcripts.list();
    sim.transcripts.remove(conversation?.id ?? "");
    expect(call.record.voicemail?.transcription).toBe("Call me.");
    sim.transcripts.remove(message?.id ?? "");
    expect(call.record.voicemail?.transcription).toBeNull();
  });

  test("completes the other recording's transcription after the message is removed", () => {
    const sim = newSimulator({ recording: true, transcription: true });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice");
    call.transfer("bob", { by: "alice" });
    sim.advance("PT30S");
    call.leaveVoicemail({ duration: "PT10S" });
    sim.runUntil("call.ended");
    sim.advance("PT10S");
    sim.recordings.remove(call.id, call.record.recordings[1]?.id ?? "");
    sim.runUntilIdle();
    expect(sim.events.ofType("call.transcription_completed").map(({ data }) => data.transcripts)).toEqual([
      sim.transcripts.list(),
    ]);
    expect(sim.transcripts.list()).toHaveLength(1);
  });

  test("records only the message without features.recording", () => {
    const { call, following } = leftMessage({});
    expect(following).toEqual(["5000 call.recording.available"]);
    expect(call.record.recordings).toMatchObject([{ channels: 1 }]);
  });
});

describe("a recording", () => {
  test("lasts as long as the conversation and has a channel for each side", () => {
    const { sim, call } = following({ recording: true });
    const recording = {
      id: "recording-1",
      callId: "call-1",
      fileSize: 180 * 4_000 * 2,
      mimeType: "audio/mpeg",
      channels: 2,
      transcript: null,
    };
    expect(sim.events.ofType("call.recording.available")[0]?.data).toMatchObject({
      recording,
      call: { recordings: [recording] },
    });
    expect(call.record.recordings).toEqual([recording]);
  });

  test("of a voicemail has one channel, with and without features.recording", () => {
    for (const recording of [true, false]) {
      const sim = newSimulator({ recording });
      const call = sim.calls.inbound({ from: caller, to: dial.bob });
      call.decline("bob");
      call.leaveVoicemail({ duration: "PT10S" });
      sim.runUntilIdle();
      expect(call.record.recordings).toMatchObject([{ channels: 1, fileSize: 40_000 }]);
    }
  });
});

describe("a transcript", () => {
  test("has a line for each person who joins or leaves", () => {
    const { sim, call } = following({ recording: true, transcription: true });
    const [transcript] = sim.transcripts.list();
    expect(transcript).toEqual({
      id: "transcript-1",
      callId: "call-1",
      recordingId: "recording-1",
      text: `JOIN ${caller}\nJOIN Alice Ng\nLEAVE ${caller}\nLEAVE Alice Ng`,
      createdAt: "2026-07-01T00:03:35.000Z",
      createdTimestamp: startMs + 215_000,
    });
    expect(sim.transcripts.get("transcript-1")).toEqual(transcript);
    expect(call.record.recordings).toMatchObject([{ transcript: "transcript-1" }]);
    expect(sim.events.ofType("call.transcription_completed")[0]?.data).toMatchObject({
      transcripts: [transcript],
    });
  });

  test("has segments with offsets from the answer", () => {
    const sim = newSimulator({ recording: true, transcription: true });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT5S");
    call.answer("alice", { endpoint: "mobile" });
    sim.advance("PT10S");
    call.move("alice", { to: "desktop" });
    call.add("103", { by: "alice" });
    sim.advance("PT5S");
    call.answer("carol");
    sim.advance("PT10S");
    call.hangup("alice");
    sim.advance("PT10S");
    call.hangup("caller");
    sim.runUntilIdle();
    const segments = sim.transcripts.segments("transcript-1");
    expect(segments.map(({ type, speaker, startOffset }) => `${startOffset} ${type} ${speaker}`)).toEqual([
      `0 JOIN ${caller}`,
      "0 JOIN Alice Ng",
      "15000 JOIN Carol Diaz",
      "25000 LEAVE Alice Ng",
      `35000 LEAVE ${caller}`,
      "35000 LEAVE Carol Diaz",
    ]);
    for (const { text, startOffset, endOffset } of segments)
      expect({ text, endOffset }).toEqual({ text: "", endOffset: startOffset });
  });

  test("of a voicemail has one segment with the spoken text", () => {
    const sim = newSimulator({ transcription: true });
    const call = sim.calls.inbound({ from: caller, to: dial.bob });
    call.decline("bob");
    call.leaveVoicemail({ duration: "PT10S", transcript: "Call me." });
    sim.runUntilIdle();
    expect(sim.transcripts.get("transcript-1").text).toBe("Call me.");
    expect(sim.transcripts.segments("transcript-1")).toEqual([
      { type: "SPEECH", speaker: caller, text: "Call me.", startOffset: 0, endOffset: 10_000 },
    ]);
  });

  test("with an unknown id is not found", () => {
    const { transcripts } = newSimulator({});
    expect(transcripts.list()).toEqual([]);
    for (const read of [transcripts.get, transcripts.segments])
      expect(thrownBy(() => read("none"))).toMatchObject({ name: "CommandError", code: "not_found" });
  });
});

describe("a tariff", () => {
  /** The tariff of 180 s with these prices. */
  const tariffed = (routes: Routes) => following({ tariff: true }, { tariff: { currency: "NZD", routes } });

  test("charges the outside party's time, and inside parties have no tariff", () => {
    const { sim, call } = tariffed([{ prefix: "+64", perMinute: 0.1 }]);
    const party = { currency: "NZD", prefix: "+64", perMinute: 0.1, duration: 180_000, amount: 0.3 };
    expect(call.record.parties.map((each) => each.tariff)).toEqual([party, null]);
    expect(call.record.tariff).toEqual({ currency: "NZD", amount: 0.3 });
    expect(sim.events.ofType("call.tariffed")[0]?.data.call).toMatchObject({
      tariff: { amount: 0.3 },
      parties: [{ tariff: party }, { tariff: null }],
    });
  });

  test("uses the longest matching prefix, whatever the order of prefixes", () => {
    const routes = [
      { prefix: "+64", perMinute: 1 },
      { prefix: "+6421", perMinute: 2 },
      { prefix: "+642155", perMinute: 4 },
      { prefix: "+64219", perMinute: 8 },
      { prefix: "+", perMinute: 16 },
    ];
    for (const given of [routes, [...routes].reverse()])
      expect(tariffed(given).call.record.tariff?.amount).toBe(12);
  });

  test.each([
    [0.1, 0.3],
    [0.07, 0.21],
    [1.1, 3.3],
    [0.0001, 0.0003],
    [0, 0],
  ])("of 3 minutes at %d is exactly %d", (perMinute, amount) => {
    expect(tariffed([{ prefix: "+64", perMinute }]).call.record.tariff?.amount).toBe(amount);
  });

  test.each([
    [1_000, 0.003, 0.0001],
    [500, 0.006, 0.0001],
    [499, 0.006, 0],
    [45_000, 0.1, 0.075],
  ])("of %d ms at %d is %d: four decimals, halves up", (durationMs, perMinute, amount) => {
    const sim = newSimulator(
      { tariff: true },
      { tariff: { currency: "NZD", routes: [{ prefix: "+64", perMinute }] } },
    );
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice");
    sim.advance(durationMs);
    call.hangup("caller");
    sim.runUntilIdle();
    expect(call.record.tariff?.amount).toBe(amount);
  });

  test("is 0 if no prefix matches, and the party has no tariff", () => {
    const { call } = tariffed([{ prefix: "+44", perMinute: 1 }]);
    expect(call.record.tariff).toEqual({ currency: "NZD", amount: 0 });
    expect(call.record.parties.map((each) => each.tariff)).toEqual([null, null]);
  });

  test("adds up the outside parties' own times in decimal arithmetic", () => {
    const routes = [
      { prefix: "+64", perMinute: 0.1 },
      { prefix: "+44", perMinute: 0.2 },
    ];
    const sim = newSimulator({ tariff: true }, { tariff: { currency: "NZD", routes } });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice");
    sim.advance("PT120S");
    call.add("+442071234567", { by: "alice" });
    call.answer("+442071234567");
    sim.advance("PT60S");
    call.hangup("+442071234567");
    call.hangup("caller");
    sim.runUntilIdle();
    expect(call.record.parties.map((each) => each.tariff?.amount ?? null)).toEqual([0.3, null, 0.2]);
    expect(call.record.tariff).toEqual({ currency: "NZD", amount: 0.5 });
  });

  test("also charges the caller's time in voicemail", () => {
    const sim = newSimulator({ tariff: true }, { tariff });
    const call = sim.calls.inbound({ from: caller, to: dial.bob });
    call.decline("bob");
    sim.advance("PT30S");
    call.hangup("caller");
    sim.runUntilIdle();
    expect(stream(sim).slice(-2)).toEqual(["30000 call.ended", "120000 call.tariffed"]);
    expect(call.record.tariff).toEqual({ currency: "NZD", amount: 0.05 });
    expect(call.record.parties[0]?.tariff).toMatchObject({ duration: 30_000, amount: 0.05 });
  });

  test.each([
    ["outside", (sim: ReturnType<typeof newSimulator>) => sim.calls.outbound({ from: "alice", to: caller })],
    ["inside", (sim: ReturnType<typeof newSimulator>) => sim.calls.internal({ from: "alice", to: "103" })],
  ])("is absent for a call %s that connected nobody", (_where, dials) => {
    const sim = newSimulator({ tariff: true }, { tariff });
    const call = dials(sim);
    sim.runUntilIdle();
    expect(stream(sim).at(-1)).toBe("30000 call.ended");
    expect(call.record.tariff).toBeNull();
  });

  test("of an internal call is 0", () => {
    const sim = newSimulator({ tariff: true }, { tariff });
    const call = sim.calls.internal({ from: "alice", to: "103" });
    call.answer("carol");
    sim.advance("PT60S");
    call.hangup("carol");
    sim.runUntilIdle();
    expect(call.record.tariff).toEqual({ currency: "NZD", amount: 0 });
    expect(call.record.parties.every((each) => each.tariff === null)).toBe(true);
  });
});

describe("retain.calls", () => {
  test.each<[string, Features, number]>([
    ["the recording", { recording: true }, 5_000],
    ["the transcript", { recording: true, transcription: true }, 30_000],
    ["the analysis", { recording: true, transcription: true, analysis: true }, 60_000],
    ["the tariff", all, 90_000],
  ])("keeps a call until its last artefact exists: %s", (_what, features, lastMs) => {
    const { sim, call } = talked(features, { tariff }, { retain: { calls: 0 } });
    sim.advance(lastMs - 1);
    expect(sim.calls.list().map(({ id }) => id)).toEqual([call.id]);
    sim.advance(1);
    expect(sim.calls.list()).toEqual([]);
    expect(sim.pending()).toEqual([]);
  });

  test("drops the call once an analysis is completed by hand after everything else", () => {
    const features = { recording: true, analysis: true };
    const { sim } = talked(features, {}, { retain: { calls: 0 } });
    sim.runUntil("call.recording.available");
    expect(sim.calls.list()).toHaveLength(1);
    sim.analysis.complete("analysis-1");
    expect(sim.calls.list()).toEqual([]);
  });

  test("does not change any event", () => {
    for (const features of [all, { ...all, tariff: false }]) {
      const kept = following(features, { tariff }).sim;
      const forgotten = following(features, { tariff }, { retain: { calls: 0 } }).sim;
      expect(forgotten.events.toJSONL()).toBe(kept.events.toJSONL());
    }
  });
});
