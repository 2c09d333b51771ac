import { describe, expect, test } from "vitest";
import { createSimulator, replay } from "../../../src/index.ts";
import { caller, dial, office, startMs, stateOf, thrownBy } from "../../helpers.ts";

/** A recorded call of 10 s: `recording-1` and its transcript exist at 40 s. */
function recorded(features: Record<string, boolean> = {}) {
  const organisation = { ...office, features: { recording: true, transcription: true, ...features } };
  const sim = createSimulator({ organisation, ids: "counter" });
  const call = sim.calls.inbound({ from: caller, to: dial.alice, passthroughParameters: { "x-a": "1" } });
  call.answer("alice");
  sim.advance("PT10S");
  call.hangup("caller");
  return { sim, call };
}

const job = { analyzer: "scorecard", content: { recordings: [{ id: "recording-1" }] } };

/** The same, and a job for it that the API makes at 40 s. */
function submitted(more: object = {}) {
  const { sim } = recorded();
  sim.advance("PT30S");
  return { sim, record: sim.analysis.create({ ...job, ...more }) };
}

describe("an analysis job that the service creates for a call", () => {
  test("begins with the recording and completes 60 s after the end of the call", () => {
    const { sim } = recorded({ analysis: true });
    expect(sim.analysis.list()).toEqual([]);
    sim.runUntil("call.recording.available");
    expect(sim.analysis.list()).toMatchObject([
      { id: "analysis-1", status: "pending", completedAt: null, artifacts: [], callId: "call-1" },
    ]);
    const completed = sim.runUntil("content_analysis.completed");
    expect(completed.createdTimestamp).toBe(startMs + 70_000);
    expect(completed.data.contentAnalysis).toEqual(sim.analysis.get("analysis-1"));
    expect(sim.analysis.get("analysis-1")).toMatchObject({
      status: "completed",
      createdTimestamp: startMs + 15_000,
      completedTimestamp: startMs + 70_000,
      content: { recordings: [{ id: "recording-1", transcriptionModel: null }] },
      artifacts: [{ usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) } }],
    });
  });

  test("inherits the call's passthrough parameters", () => {
    const { sim } = recorded({ analysis: true });
    const { data } = sim.runUntil("content_analysis.completed");
    expect(data.contentAnalysis.passthroughParameters).toEqual({ "x-a": "1" });
  });

  test("is not created without features.analysis", () => {
    const { sim } = recorded();
    sim.runUntilIdle();
    expect(sim.analysis.list()).toEqual([]);
  });
});

describe("create", () => {
  test("creates a job that completes 60 s later", () => {
    const { sim, record } = submitted();
    expect(record).toEqual({
      id: "analysis-1",
      analyzer: "scorecard",
      status: "pending",
      callId: null,
      request: null,
      content: { recordings: [{ id: "recording-1", transcriptionModel: null }] },
      artifacts: [],
      passthroughParameters: {},
      createdAt: "2026-07-01T00:00:40.000Z",
      createdTimestamp: startMs + 40_000,
      completedAt: null,
      completedTimestamp: null,
    });
    expect(sim.runUntil("content_analysis.completed").createdTimestamp).toBe(startMs + 100_000);
    expect(sim.analysis.get("analysis-1").status).toBe("completed");
    expect(sim.pending()).toEqual([]);
  });

  test("stores each recording's transcription model", () => {
    const content = { recordings: [{ id: "recording-1", transcriptionModel: "large" }] };
    expect(submitted({ content }).record.content).toEqual(content);
  });

  test("returns the passthrough parameters as submitted, whatever their values and length", () => {
    const passthroughParameters = {
      ticket: 4711,
      nested: { list: [1, null, { deep: true }] },
      "x-a": "",
      long: "l".repeat(5_000),
    };
    const { sim, record } = submitted({ passthroughParameters });
    expect(record.passthroughParameters).toEqual(passthroughParameters);
    const { data } = sim.runUntil("content_analysis.completed");
    expect(data.contentAnalysis.passthroughParameters).toEqual(passthroughParameters);
  });

  test("does not change when the submitted object changes later", () => {
    const passthroughParameters = { nested: { count: 1 } };
    const { sim } = submitted({ passthroughParameters });
    passthroughParameters.nested.count = 2;
    expect(sim.analysis.get("analysis-1").passthroughParameters).toEqual({ nested: { count: 1 } });
  });

  test.each<[string, object, string]>([
    ["an unknown recording", { ...job, content: { recordings: [{ id: "none" }] } }, "not_found"],
    [
      "one unknown recording among others",
      { ...job, content: { recordings: [{ id: "recording-1" }, { id: "none" }] } },
      "not_found",
    ],
    ["no analyzer", { content: job.content }, "invalid_argument"],
    ["no content", { analyzer: "scorecard" }, "invalid_argument"],
    ["an unknown key", { ...job, colour: "red" }, "invalid_argument"],
    [
      "a parameter that is no data",
      { ...job, passthroughParameters: { act: () => undefined } },
      "invalid_argument",
    ],
    ["a list for parameters", { ...job, passthroughParameters: ["x"] }, "invalid_argument"],
  ])("rejects %s and changes nothing", (_what, given, code) => {
    const { sim } = recorded();
    sim.runUntilIdle();
    const before = stateOf(sim);
    expect(thrownBy(() => sim.analysis.create(given as never))).toMatchObject({ name: "CommandError", code });
    expect(stateOf(sim)).toEqual(before);
    expect(sim.analysis.list()).toEqual([]);
  });

  test("rejects a recording that is not available yet", () => {
    const { sim } = recorded();
    expect(thrownBy(() => sim.analysis.create(job))).toMatchObject({ code: "not_found" });
  });
});

describe("list and get", () => {
  test("return every job, oldest first, including the service's own", () => {
    const { sim } = recorded({ analysis: true });
    sim.advance("PT30S");
    sim.analysis.create(job);
    expect(sim.analysis.list().map(({ id, callId }) => [id, callId])).toEqual([
      ["analysis-1", "call-1"],
      ["analysis-2", null],
    ]);
    expect(sim.analysis.get("analysis-2")).toEqual(sim.analysis.list()[1]);
  });

  test("answer not_found for an unknown id", () => {
    const { sim } = recorded();
    expect(thrownBy(() => sim.analysis.get("none"))).toMatchObject({
      name: "CommandError",
      code: "not_found",
      message: 'no content analysis is known as "none"; known: none',
    });
  });
});

describe("complete", () => {
  test("completes a job at once, and only once", () => {
    const { sim } = submitted();
    sim.advance("PT1S");
    sim.analysis.complete("analysis-1");
    expect(sim.analysis.get("analysis-1")).toMatchObject({
      status: "completed",
      completedTimestamp: startMs + 41_000,
    });
    sim.runUntilIdle();
    expect(sim.events.ofType("content_analysis.completed")).toHaveLength(1);
  });

  test("is refused the second time", () => {
    const { sim } = submitted();
    sim.analysis.complete("analysis-1");
    const before = stateOf(sim);
    expect(thrownBy(() => sim.analysis.complete("analysis-1"))).toMatchObject({
      name: "CommandError",
      code: "not_allowed",
      message: "analysis analysis-1 is completed already: create another; allowed: removeAnalysis",
    });
    expect(stateOf(sim)).toEqual(before);
  });

  test("is refused for a completed and for an unknown job", () => {
    const { sim } = submitted();
    sim.runUntilIdle();
    expect(thrownBy(() => sim.analysis.complete("analysis-1"))).toMatchObject({ code: "not_allowed" });
    expect(thrownBy(() => sim.analysis.complete("none"))).toMatchObject({ code: "not_found" });
  });

  test("is replayed, and a fork has its own jobs", () => {
    const { sim } = submitted();
    const fork = sim.fork();
    sim.analysis.complete("analysis-1");
    expect(fork.analysis.get("analysis-1").status).toBe("pending");
    expect(replay(sim.journal()).analysis.list()).toEqual(sim.analysis.list());
  });
});
