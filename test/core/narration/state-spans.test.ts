import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { CallContext } from "../../../machines/call.ts";
import { callMachine, conversationMachine } from "../../../machines/index.ts";
import type { SpanKind } from "../../../src/core/narration/rows.ts";
import { callStates, conversationStates } from "../../../src/core/narration/state-spans.ts";
import { createSimulator, parseScenario, runScenario, type Simulator } from "../../../src/index.ts";
import { Recording } from "../../../src/inspector/model/recording.ts";

/** What a page draws of calls and conversations while their machines are in each state. */

const folder = new URL("../../../scenarios/", import.meta.url);
const lessons = readdirSync(folder).filter((name) => name.endsWith(".yaml"));

/** Somebody lets a transferred call ring: no lesson has a call that long in this state. */
function runsWithoutALesson(): Simulator[] {
  const transfer = createSimulator();
  const call = transfer.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  call.answer("alice");
  call.transfer("102", { by: "alice" });
  transfer.advance("PT3S");
  return [transfer];
}

const recordings: Recording[] = [];
beforeAll(() => {
  const played = lessons.map((name) => {
    const lesson = readFileSync(new URL(name, folder), "utf8");
    return runScenario(parseScenario(lesson)).simulator;
  });
  for (const simulator of [...played, ...runsWithoutALesson()])
    recordings.push(Recording.from(simulator.journal()));
});

/** The states of the machines of one kind that the runs were in, each checked against what is drawn of it. */
function checkedStates(
  kind: "call" | "conversation",
  states: Readonly<Record<string, SpanKind | null>>,
): string[] {
  const seen = new Set<string>();
  for (const { recorder, summary } of recordings)
    for (const record of summary.records.filter((each) => each.kind === kind)) {
      const steps = recorder.machines.of(record.id).find(({ machine }) => machine === kind)?.steps ?? [];
      for (const [index, { atMs, next }] of steps.entries()) {
        const state = String(next.value);
        seen.add(state);
        // the states that it is in for a while
        const untilMs = steps[index + 1]?.atMs ?? summary.endMs;
        const drawn = record.spans.find(({ fromMs, toMs }) => fromMs <= atMs && untilMs <= toMs)?.kind;
        if (untilMs > atMs) expect({ state, drawn: drawn ?? null }).toEqual({ state, drawn: states[state] });
        if (states[state] === null) expect({ state, toMs: record.toMs }).toEqual({ state, toMs: atMs });
      }
    }
  return [...seen].sort();
}

describe("the page of a run", () => {
  test("draws every state of a call", () => {
    const lasting = Object.fromEntries(
      Object.entries(callStates).map(([state, { lasts }]) => [state, lasts]),
    );
    expect(checkedStates("call", lasting)).toEqual(Object.keys(callMachine.config.states ?? {}).sort());
  });

  test("draws the lanes of those on the bridge of a call", () => {
    const seen = new Set<string>();
    for (const { recorder, rows, summary } of recordings)
      for (const [place, { id, kind }] of summary.records.entries()) {
        const steps = recorder.machines.of(id).find(({ machine }) => machine === "call")?.steps ?? [];
        const instants = kind === "call" ? steps : [];
        for (const [index, { atMs, next }] of instants.entries()) {
          const untilMs = steps[index + 1]?.atMs ?? summary.endMs;
          const lasting = callStates[String(next.value) as keyof typeof callStates].lasts;
          if (untilMs === atMs || lasting === null) continue;
          const state = lasting === "ring" ? "wait" : lasting;
          const timeOf = (row: number) => rows[row]?.atMs ?? 0;
          const drawn = summary.bars
            .filter(
              ({ record, fromRow, toRow, end }) =>
                record === place && timeOf(fromRow) <= atMs && (end === "open" || untilMs <= timeOf(toRow)),
            )
            .map((bar) => bar.kind)
            .filter((each) => each !== "ring" && each !== "live");
          if (drawn.length > 0) seen.add(String(next.value));
          expect(new Set([...drawn, state])).toEqual(new Set([state]));
          const { bridge } = next.context as CallContext;
          const about = `${String(next.value)} at ${atMs} ms: a bar for each party on the bridge`;
          expect(drawn.length, about).toBeGreaterThanOrEqual(bridge.length);
        }
      }
    const lasts = Object.entries(callStates).flatMap(([state, { lasts }]) => (lasts === null ? [] : [state]));
    expect([...seen].sort()).toEqual(lasts.sort());
  });

  test("draws every state of a conversation", () => {
    const all = Object.keys(conversationMachine.config.states ?? {}).sort();
    expect(checkedStates("conversation", conversationStates)).toEqual(all);
  });
});
