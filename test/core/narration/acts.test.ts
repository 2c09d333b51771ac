import { expect, test } from "vitest";
import { commands } from "../../../src/core/platform/catalogue/commands.ts";
import { isOnCall } from "../../../src/core/platform/guards/refusals.ts";
import { createSimulator } from "../../../src/index.ts";
import { actsAt } from "../../../src/inspector/model/acts.ts";
import { Recording } from "../../../src/inspector/model/recording.ts";
import { expectListed } from "../../lists.ts";

/**
 * Commands on a call with which no fork of the page begins here: two do not say whom to name, and nobody is in voicemail.
 */
const notActs: readonly string[] = ["transfer", "add", "leaveVoicemail"];

test("A fork on the page may begin with every other command on a call", () => {
  const sim = createSimulator();
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  call.answer("alice");
  // another call rings meanwhile
  sim.calls.inbound({ from: "+6421555002", to: "+6495550102" });
  const recording = Recording.from(sim.journal());
  const acts = actsAt(recording, recording.rows.length - 1).flatMap((group) => group.acts);
  const onCalls = Object.entries(commands).flatMap(([name, command]) => (isOnCall(command) ? [name] : []));

  expectListed(
    "`possible` of the command, or `notActs` in test/core/narration/acts.test.ts",
    [...new Set(acts.map(({ command }) => command as string))].filter((each) => onCalls.includes(each)),
    onCalls.filter((each) => !notActs.includes(each)),
  );
  expect(onCalls).toEqual(expect.arrayContaining([...notActs]));
});
