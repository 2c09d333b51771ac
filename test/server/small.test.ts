import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { folderWith } from "../cli/support.ts";
import { isWhole } from "../counts.ts";
import { caller, dial, office } from "../helpers.ts";
import { served } from "./support.ts";

/** `npm run prove` plays a million calls; fewer show the same, since everything is dropped after a hundred. */
const calls = isWhole ? 1_000_000 : 2_000;
const compact = isWhole ? 10_000 : 1_000;
const timeout = isWhole ? 7_200_000 : undefined;

test("A server with retain and a journal stays as small as it was, in its state and on the disk", {
  timeout,
}, async () => {
  const file = `${folderWith()}/run.jsonl`;
  const keep = 100;
  const retain = {
    events: keep,
    calls: keep,
    conversations: keep,
    analyses: keep,
    notifications: keep,
    requests: keep,
  };
  const { sim } = await served({ organisation: office, retain }, { journal: file, compact });
  sim.network.route("https://crm.acme.test/", () => 200);
  sim.webhooks.create({ url: "https://crm.acme.test/hooks", events: ["call.started", "call.ended"] });
  const sizes: { state: number; file: number }[] = [];
  for (let part = 0; part < 4; part++) {
    let onDisk = 0;
    for (let index = 0; index < calls / 4; index++) {
      const call = sim.calls.inbound({ from: `+64215550${(index % 90) + 10}`, to: dial.alice });
      if (index % 3 === 0) call.answer("alice");
      call.hangup("caller");
      // it returns to nobody, and is listed
      const back = { extension: "102", timeout: 10, returnTo: "flow", returnToId: "FW1" };
      if (index % 10 === 0)
        sim.calls.redirect(back, { from: caller, to: dial.alice, vendorCallId: `CA${part}-${index}` });
      sim.advance("PT30S");
      if (index % 100 !== 0) continue;
      await new Promise(setImmediate); // it is compacted once no command is at work
      onDisk = Math.max(onDisk, statSync(file).size);
    }
    sim.runUntilIdle();
    sizes.push({ state: JSON.stringify(sim.compact()).length, file: onDisk });
  }
  const [, second, , last] = sizes;
  // ids may have a digit more
  expect(last?.state).toBeLessThan((second?.state ?? 0) * 1.01);
  expect(last?.file).toBeLessThan((second?.file ?? 0) * 1.1);
});
