import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { replay } from "../../src/index.ts";
import { folderWith, ringback, serving, startProcess } from "./support.ts";

const from = (index: number) => `+64215${String(index).padStart(5, "0")}`;

/** Who called, in order, as the journal's replay tells. */
function callersIn(file: string): (string | null)[] {
  return replay(readFileSync(file, "utf8"))
    .calls.list()
    .map(({ record }) => record.contactNumber)
    .sort();
}

test("A server that is killed 30 times under load loses no acknowledged command, and changes none", async () => {
  const file = `${folderWith()}/run.jsonl`;
  const acknowledged: string[] = [];
  let sent = 0;
  for (let kill = 0; kill < 30; kill++) {
    const resumed = kill === 0 ? [] : [file];
    const { child, control, closed } = await serving(...resumed, "--journal", file, "--quiet");
    const before = sent;
    const senders = Array.from({ length: 4 }, async () => {
      for (;;) {
        const caller = from(sent++);
        const { status } = await control.post("commands/inbound", { from: caller, to: "+6495550100" });
        if (status === 200) acknowledged.push(caller);
      }
    });
    // each time at another moment: after so many commands
    await expect.poll(() => sent - before, { interval: 1 }).toBeGreaterThan(5 + kill);
    child.kill("SIGKILL");
    await Promise.allSettled(senders);
    await closed;
    // what a power failure may leave behind
    if (kill % 3 === 1) appendFileSync(file, '{"atMs":17828');
    if (kill % 3 === 2) appendFileSync(file, "\0".repeat(4_096));
  }
  const kept = callersIn(file);
  expect(acknowledged.filter((caller) => !kept.includes(caller))).toEqual([]);
  // a command that was written and not yet answered may be there too
  expect(kept.filter((caller) => !acknowledged.includes(String(caller))).length).toBeLessThanOrEqual(30 * 4);
  expect(new Set(kept).size).toBe(kept.length);
  expect(ringback("journal", "check", file).code).toBe(0);
});

test("A server refuses to go on from a damaged journal, and goes on from what is saved of it", async () => {
  const folder = folderWith();
  const file = `${folder}/run.jsonl`;
  const { child, control, closed } = await serving("--journal", file);
  for (let index = 0; index < 5; index++)
    await control.post("commands/inbound", { from: from(index), to: "+6495550100" });
  child.kill("SIGTERM");
  await closed;
  appendFileSync(file, "?\n");
  const refused = startProcess(["serve", file, "--journal", file]);
  expect(await once(refused, "close")).toEqual([2, null]);
  expect(ringback("journal", "salvage", file, "-o", `${folder}/saved.jsonl`).code).toBe(0);
  const again = await serving(`${folder}/saved.jsonl`, "--journal", `${folder}/saved.jsonl`);
  expect((await again.control.get("state")).body.counts.calls).toBe(5);
});
