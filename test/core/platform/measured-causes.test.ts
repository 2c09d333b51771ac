import { expect, test } from "vitest";
import { MeasuredCauses } from "./measured-causes.ts";

test("A table of causes is compared with runs both ways, and all differences are listed", () => {
  const measured = new MeasuredCauses();
  measured.note("call.answered", "answer");
  measured.note("call.ended", "hangup");
  measured.note("call.ended", "voicemail: silence");
  measured.note("call.ended", "user: hangs up"); // behaviour, which a setting stands for
  const table = {
    "call.answered": { commands: ["answer"], timers: [] },
    "call.ended": { commands: ["decline"], timers: ["ring: ringTimeout", "voicemail: silence"] },
    "call.gone": { commands: ["answer"], timers: [] },
  };
  expect(measured.compare(table)).toEqual([
    'call.ended: add "hangup", remove "decline", remove "ring: ringTimeout"',
    'call.gone: remove "answer"',
  ]);
  expect(measured.compare({})).toEqual([
    'call.answered: add "answer"',
    'call.ended: add "hangup", add "voicemail: silence"',
  ]);
});
