import { expect, test } from "vitest";
import type { CommandName } from "../../../src/core/platform/base/core-services.ts";
import { commands } from "../../../src/core/platform/catalogue/commands.ts";
import type { AnyCommand } from "../../../src/core/platform/declare/any-command.ts";
import { isOnCall } from "../../../src/core/platform/guards/refusals.ts";
import { createSimulator } from "../../../src/index.ts";
import { offeredActsAt } from "../../../src/inspector/model/acts.ts";
import { Recording } from "../../../src/inspector/model/recording.ts";
import { expectNone } from "../../lists.ts";

test("A fork on the page may begin with every command on a call that says whom to name", () => {
  const onCalls = (Object.keys(commands) as CommandName[]).filter((name) => isOnCall(commands[name]));
  const missing = onCalls.filter((name) => {
    const sim = createSimulator();
    const args: Readonly<Record<string, unknown>> = commands[name].example(sim);
    const { possible }: AnyCommand = commands[name];
    // its guard does not say to whom to transfer, or how long a message is
    const isAsked = Object.keys(args).some((key) => !["call", "by", "endpoint"].includes(key));
    if (possible === undefined && isAsked) return false;
    const recording = Recording.from(sim.journal());
    const acts = offeredActsAt(recording, recording.rows.length - 1).flatMap((group) => group.acts);
    return !acts.some(({ command }) => command === name);
  });
  expect(onCalls.length).toBeGreaterThan(5);
  expectNone(missing.map((name) => `${name}: say in its \`possible\` when it is allowed`));
});
