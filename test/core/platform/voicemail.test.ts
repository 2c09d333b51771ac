import { describe, expect, test } from "vitest";
import { createSimulator, type SimulatorOptions } from "../../../src/index.ts";
import { caller, dial, office, startMs, stream, thrownBy } from "../../helpers.ts";

const transcribing = { ...office, features: { transcription: true } };

/** A call to Bob that he declines at once: the greeting begins at 0, the tone sounds at 5 s. */
function inVoicemail(options: SimulatorOptions = {}) {
  const sim = createSimulator({ organisation: office, ids: "counter", ...options });
  const call = sim.calls.inbound({ from: caller, to: dial.bob });
  call.decline("bob");
  return { sim, call };
}

describe("the course of a voicemail", () => {
  test("starts with call.not_answered: the caller is connected to voicemail and the call stays open", () => {
    const { sim, call } = inVoicemail();
    expect(stream(sim)).toEqual(["0 call.started", "0 call.not_answered"]);
    expect(call.record).toMatchObject({
      status: "missed",
      outcome: null,
      endedAt: null,
      voicemail: null,
      directoryTarget: { id: "bob" },
    });
    const joined = { joinedAt: "2026-07-01T00:00:00.000Z", leftAt: null, endpoint: null };
    expect(call.record.connections).toMatchObject([joined, joined]);
    expect(call.record.parties.at(-1)).toMatchObject({ type: "voicemail", isInternal: true });
    expect(sim.calls.live()).toHaveLength(1);
  });

  test("lasts at most 5 s of greeting and 180 s of message", () => {
    const { sim, call } = inVoicemail();
    call.leaveVoicemail({ duration: "PT24H" });
    sim.runUntilIdle();
    expect(stream(sim).slice(2)).toEqual([
      "185000 call.hungup",
      "185000 call.ended",
      "190000 call.recording.available",
    ]);
    expect(call.record.voicemail?.duration).toBe(180);
  });

  test("uses timing.voicemailGreeting and timing.voicemailMaxMessage", () => {
    const { sim, call } = inVoicemail({ timing: { voicemailGreeting: "PT2S", voicemailMaxMessage: "PT1M" } });
    call.leaveVoicemail({ duration: "PT24H" });
    expect(sim.runUntil("call.ended").createdTimestamp).toBe(startMs + 62_000);
  });

  test("ends the caller's and the voicemail's connection at the same instant", () => {
    const { sim, call } = inVoicemail();
    sim.advance("PT15S");
    call.hangup("caller");
    expect(call.record.connections.map(({ leftTimestamp }) => leftTimestamp)).toEqual([
      startMs + 15_000,
      startMs + 15_000,
    ]);
    expect(call.record).toMatchObject({
      duration: 15_000,
      waitTime: 15_000,
      answeredAt: null,
      isConference: false,
    });
  });
});

describe("hanging up", () => {
  test("during the greeting leaves no message and keeps the original reason", () => {
    const { sim, call } = inVoicemail();
    sim.advance(4_999);
    call.hangup("caller");
    sim.runUntilIdle();
    expect(stream(sim).slice(2)).toEqual(["4999 call.hungup", "4999 call.ended"]);
    expect(call.record).toMatchObject({ outcome: { status: "missed", reason: "declined" }, voicemail: null });
  });

  test("less than 1 s into a message leaves none either", () => {
    const { sim, call } = inVoicemail();
    call.leaveVoicemail({ duration: "PT60S" });
    sim.advance(5_999);
    call.hangup("caller");
    expect(call.record).toMatchObject({ outcome: { status: "missed", reason: "declined" }, voicemail: null });
    expect(sim.pending()).toEqual([]);
  });

  test("1 s into a message leaves a message of 1 s", () => {
    const { sim, call } = inVoicemail();
    call.leaveVoicemail({ duration: "PT60S" });
    sim.advance(6_000);
    call.hangup("caller");
    expect(call.record).toMatchObject({
      status: "missed",
      outcome: { status: "missed", reason: "voicemail" },
      voicemail: { duration: 1, durationText: "1s" },
    });
  });

  test("during a message of a given length keeps the message so far", () => {
    const { sim, call } = inVoicemail();
    call.leaveVoicemail({ duration: "PT60S" });
    sim.advance("PT25S");
    call.hangup("caller");
    expect(call.record.voicemail).toMatchObject({ duration: 20, durationText: "20s" });
    expect(stream(sim).slice(2)).toEqual(["25000 call.hungup", "25000 call.ended"]);
  });

  test.each([
    ["timeout", (sim: ReturnType<typeof inVoicemail>["sim"]) => sim.advance("PT30S")],
    [
      "unavailable",
      (sim: ReturnType<typeof inVoicemail>["sim"]) => sim.users.get("bob").setAvailability("busy"),
    ],
  ])("without a message keeps the reason %s", (reason, leadTo) => {
    const sim = createSimulator({ organisation: office });
    const call = sim.calls.inbound({ from: caller, to: dial.bob });
    leadTo(sim);
    call.hangup("caller");
    expect(call.record.outcome).toEqual({ status: "missed", reason });
  });
});

describe("leaveVoicemail", () => {
  test("during the greeting starts at the tone and ends when the caller hangs up", () => {
    const { sim, call } = inVoicemail();
    sim.advance("PT2S");
    call.leaveVoicemail({ duration: "PT20.9S" });
    sim.runUntilIdle();
    expect(stream(sim).slice(2)).toEqual([
      "25900 call.hungup",
      "25900 call.ended",
      "30900 call.recording.available",
    ]);
    expect(call.record.voicemail).toMatchObject({ duration: 20, durationText: "20s" });
    expect(call.record.outcome).toEqual({ status: "missed", reason: "voicemail" });
  });

  test("after the tone starts at once, without the silence before it", () => {
    const { sim, call } = inVoicemail();
    sim.advance("PT9S");
    call.leaveVoicemail({ duration: { seconds: 20 } });
    sim.runUntil("call.ended");
    expect(sim.timestamp).toBe(startMs + 29_000);
    expect(call.record.voicemail?.duration).toBe(20);
  });

  test.each([0, 999])("of %i ms leaves no message and keeps the original reason", (duration) => {
    const { sim, call } = inVoicemail();
    call.leaveVoicemail({ duration });
    sim.runUntilIdle();
    expect(sim.timestamp).toBe(startMs + 5_000 + duration);
    expect(call.record).toMatchObject({ outcome: { status: "missed", reason: "declined" }, voicemail: null });
  });

  test.each(["PT180S", "PT180.001S", "PT1H"])("of %s is cut to 180 s", (duration) => {
    const { sim, call } = inVoicemail();
    call.leaveVoicemail({ duration });
    expect(sim.runUntil("call.ended").createdTimestamp).toBe(startMs + 185_000);
    expect(call.record.voicemail?.duration).toBe(180);
  });

  test("that starts after the tone is cut to 180 s from its start", () => {
    const { sim, call } = inVoicemail();
    sim.advance("PT15S");
    call.leaveVoicemail({ duration: "PT1H" });
    expect(sim.runUntil("call.ended").createdTimestamp).toBe(startMs + 195_000);
    expect(call.record.voicemail?.duration).toBe(180);
  });

  test.each([
    ["during the greeting", 0],
    ["while the caller speaks", 10_000],
  ])("is refused a second time, %s", (_when, ms) => {
    const { sim, call } = inVoicemail();
    call.leaveVoicemail({ duration: "PT30S" });
    sim.advance(ms);
    expect(thrownBy(() => call.leaveVoicemail({ duration: "PT1H" }))).toMatchObject({ code: "not_allowed" });
    sim.runUntil("call.ended");
    expect(call.record.voicemail?.duration).toBe(30);
  });
});

describe("silence", () => {
  test("is no message: 30 s after the tone the platform hangs up, and nothing follows", () => {
    const { sim, call } = inVoicemail({ organisation: transcribing });
    sim.advance(34_999);
    expect(call.record.outcome).toBeNull();
    sim.advance(1);
    expect(call.record).toMatchObject({
      status: "missed",
      outcome: { status: "missed", reason: "declined" },
      voicemail: null,
      recordings: [],
    });
    sim.runUntilIdle();
    expect(stream(sim).slice(2)).toEqual(["35000 call.hungup", "35000 call.ended"]);
    expect(sim.notifications.map(({ kind }) => kind)).toEqual(["missedCall"]);
    expect(sim.transcripts.list()).toEqual([]);
  });

  test("ends with the first word, given a caller who begins in the last millisecond", () => {
    const { sim, call } = inVoicemail();
    sim.advance(34_999);
    call.leaveVoicemail({ duration: "PT10S" });
    sim.runUntilIdle();
    expect(stream(sim).slice(2)).toEqual([
      "44999 call.hungup",
      "44999 call.ended",
      "49999 call.recording.available",
    ]);
    expect(call.record.voicemail?.duration).toBe(10);
  });

  test("has ended the call already, given a caller who speaks after its timer at the same instant", () => {
    const { sim, call } = inVoicemail();
    sim.advance(35_000);
    expect(thrownBy(() => call.leaveVoicemail({ duration: "PT10S" }))).toMatchObject({ code: "call_closed" });
  });

  test("lasts as timing.voicemailSilence says", () => {
    const { sim } = inVoicemail({ timing: { voicemailSilence: "PT4S" } });
    expect(sim.runUntil("call.ended").createdTimestamp).toBe(startMs + 9_000);
  });

  test("leaves no message either when the caller hangs up before that", () => {
    const { sim, call } = inVoicemail();
    sim.advance("PT20S");
    call.hangup("caller");
    expect(call.record).toMatchObject({ outcome: { status: "missed", reason: "declined" }, voicemail: null });
    expect(sim.pending()).toEqual([]);
  });

  test("does not follow a message that a behaviour leaves at the tone", () => {
    const sim = createSimulator({ organisation: office });
    const voicemail = { duration: "PT40S" };
    const call = sim.calls.inbound({ from: caller, to: dial.bob, behaviour: { voicemail } });
    sim.runUntilIdle();
    expect(call.record.voicemail?.duration).toBe(40);
  });

  test("ends the voicemail of a blind transfer too", () => {
    const sim = createSimulator({ organisation: office });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice");
    call.transfer("bob", { by: "alice" });
    sim.advance("PT1M4.999S");
    expect(call.record.outcome).toBeNull();
    sim.advance(1);
    expect(call.record).toMatchObject({ outcome: { status: "answered" }, voicemail: null });
  });
});

describe("the recording", () => {
  test("is in the record from the end of the call, with a URL valid for 7 days", () => {
    const { sim, call } = inVoicemail();
    call.leaveVoicemail({ duration: "PT10S", transcript: "Call me back" });
    const ended = sim.runUntil("call.ended");
    expect(ended.data.call.voicemail).toEqual({
      id: "recording-1",
      duration: 10,
      durationText: "10s",
      recordingUrl: "https://api.ringback.test/call/call-1/recordings/recording-1.mp3",
      recordingUrlExpiresAt: "2026-07-08T00:00:15.000Z",
      recordingUrlExpiresTimestamp: startMs + 15_000 + 7 * 86_400_000,
      transcription: null,
    });
    expect(ended.data.call.recordings).toEqual([]);
  });

  test("is available 5 s later, by event and in the record", () => {
    const { sim, call } = inVoicemail();
    call.leaveVoicemail({ duration: "PT10S" });
    const { createdTimestamp, data } = sim.runUntil("call.recording.available");
    expect(createdTimestamp).toBe(startMs + 20_000);
    expect(data.recording).toEqual({
      id: "recording-1",
      callId: "call-1",
      fileSize: 40_000,
      mimeType: "audio/mpeg",
      channels: 1,
      transcript: null,
    });
    expect(data.call.recordings).toEqual([data.recording]);
    expect(call.record.lastModifiedTimestamp).toBe(startMs + 20_000);
  });
});

describe("the transcript", () => {
  test("is not created without features.transcription", () => {
    const { sim, call } = inVoicemail();
    call.leaveVoicemail({ duration: "PT10S", transcript: "Call me back" });
    sim.runUntilIdle();
    expect(stream(sim).at(-1)).toBe("20000 call.recording.available");
    expect(sim.transcripts.list()).toEqual([]);
    expect(call.record.voicemail?.transcription).toBeNull();
  });

  test("comes 30 s after the end with features.transcription: three events, and the text in the record", () => {
    const { sim, call } = inVoicemail({ organisation: transcribing });
    call.leaveVoicemail({ duration: "PT10S", transcript: "Call me back" });
    sim.runUntilIdle();
    expect(stream(sim).slice(3)).toEqual([
      "15000 call.ended",
      "20000 call.recording.available",
      "45000 call.transcript.created",
      "45000 transcript.created",
      "45000 call.transcription_completed",
    ]);
    const [transcript] = sim.transcripts.list();
    expect(transcript).toEqual({
      id: "transcript-1",
      callId: "call-1",
      recordingId: "recording-1",
      text: "Call me back",
      createdAt: "2026-07-01T00:00:45.000Z",
      createdTimestamp: startMs + 45_000,
    });
    expect(sim.events.slice(-3).map(({ data }) => data)).toEqual([
      { call: { ...call.record, organisationId: "acme" }, transcript },
      { transcript },
      { call: { ...call.record, organisationId: "acme" }, transcripts: [transcript] },
    ]);
    expect(call.record.voicemail?.transcription).toBe("Call me back");
    expect(call.record.recordings[0]?.transcript).toBe("transcript-1");
    expect(sim.transcripts.get("transcript-1")).toBe(transcript);
  });

  test("is found by its id; another id throws a CommandError", () => {
    expect(thrownBy(() => inVoicemail().sim.transcripts.get("transcript-9"))).toMatchObject({
      name: "CommandError",
      code: "not_found",
    });
  });

  test("is empty for a message without text", () => {
    const { sim, call } = inVoicemail({ organisation: transcribing });
    call.leaveVoicemail({ duration: "PT10S" });
    sim.runUntilIdle();
    expect(sim.transcripts.list()).toMatchObject([{ text: "" }]);
  });

  test("is absent without a message", () => {
    const { sim, call } = inVoicemail({ organisation: transcribing });
    call.hangup("caller");
    sim.runUntilIdle();
    expect(stream(sim).at(-1)).toBe("0 call.ended");
  });
});
