import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSimulator } from "../../src/index.ts";
import { always } from "./support.ts";

const ms = fc.oneof(fc.constantFrom(0, 1, 999, 1_000, 1_001), fc.nat({ max: 4_000 }));

/** A caller in voicemail: what they do, and when, in ms from the beginning of the greeting. */
const visits = fc.record({
  greeting: ms,
  longest: ms,
  shortest: ms,
  silence: ms,
  speaks: fc.option(fc.record({ at: ms, for: ms }), { nil: undefined }),
  /** Tries to leave a second message, which is refused. */
  speaksAgainAt: fc.option(ms, { nil: undefined }),
  hangsUpAt: fc.option(ms, { nil: undefined }),
});

type Visit = typeof visits extends fc.Arbitrary<infer Value> ? Value : never;

describe("A message in voicemail", () => {
  it("lasts from the tone, or a later start, to its end, the hang-up or the limit", () => {
    always(1_000, visits, (visit) => {
      const { greeting, longest, shortest, silence, speaks, speaksAgainAt = 0, hangsUpAt } = visit;
      const sim = createSimulator({
        organisation: {
          id: "org",
          users: [
            {
              id: "al",
              email: "al@example.test",
              displayName: "Al",
              extension: "1",
              endpoints: [],
              voicemail: true,
            },
          ],
          numbers: [{ number: "+6495550100", owner: "al" }],
        },
        timing: {
          voicemailGreeting: greeting,
          voicemailMaxMessage: longest,
          voicemailMinMessage: shortest,
          voicemailSilence: silence,
        },
      });
      const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
      const acts = [
        ...(speaks ? [{ at: speaks.at, act: () => call.leaveVoicemail({ duration: speaks.for }) }] : []),
        ...(speaks && speaksAgainAt > speaks.at
          ? [
              {
                at: speaksAgainAt,
                act: () => expect(() => call.leaveVoicemail({ duration: 0 })).toThrow("already"),
              },
            ]
          : []),
        ...(hangsUpAt === undefined ? [] : [{ at: hangsUpAt, act: () => call.hangup("caller") }]),
      ].sort((a, b) => a.at - b.at);
      const startMs = sim.timestamp;
      for (const { at, act } of acts) {
        sim.advanceTo(startMs + at);
        if (call.record.outcome === null) act();
      }
      sim.runUntilIdle();
      const { endsAt, lasts } = expected(visit);
      const { duration, voicemail, outcome } = call.record;
      expect({ duration, message: voicemail?.duration, reason: outcome?.reason }).toEqual({
        duration: endsAt,
        message: lasts === undefined ? undefined : Math.floor(lasts / 1000),
        reason: lasts === undefined ? "unavailable" : "voicemail",
      });
    });
  });
});

/** The result of a visit by docs/fidelity/after-the-call.md#voicemail, computed without a machine. */
function expected({ greeting, longest, shortest, silence, speaks, hangsUpAt }: Visit) {
  const isHeard = (at: number) => at < greeting + silence || at < greeting;
  const speech =
    speaks !== undefined && isHeard(speaks.at) && speaks.at <= (hangsUpAt ?? speaks.at) ? speaks : undefined;
  if (speech === undefined)
    return { endsAt: Math.min(greeting + silence, hangsUpAt ?? greeting + silence), lasts: undefined };
  const begins = Math.max(greeting, speech.at);
  const saysAll = begins + Math.min(longest, speech.for);
  const endsAt = Math.min(saysAll, hangsUpAt ?? saysAll);
  const lasts = endsAt - begins;
  return { endsAt, lasts: lasts > 0 && lasts >= shortest ? lasts : undefined };
}
