import type { GenericSchema } from "valibot";
import { afterEach, expect, test } from "vitest";
import { object, text } from "../../../src/core/foundation/input-schemas.ts";
import { commands } from "../../../src/core/platform/catalogue/commands.ts";
import { possibleCommands } from "../../../src/core/platform/catalogue/possible-commands.ts";
import { createSimulator } from "../../../src/index.ts";
import { caller, dial, office } from "../../helpers.ts";

const hangup: { schema: GenericSchema } = commands.hangup;
const { schema } = hangup;
afterEach(() => {
  hangup.schema = schema;
});

test("A command on a call that names no party is possible for the caller", () => {
  const sim = createSimulator({ organisation: office });
  const call = sim.calls.inbound({ from: caller, to: dial.bob });
  call.answer("bob");
  hangup.schema = object({ call: text() });
  expect(possibleCommands(sim.services, ["hangup"])).toEqual([{ name: "hangup", args: { call: call.id } }]);
  sim.command("hangup", { call: call.id } as never);
  expect(possibleCommands(sim.services, ["hangup"])).toEqual([]);
});
