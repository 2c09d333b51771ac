import { once } from "node:events";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { replay } from "../../src/index.ts";
import { isWhole } from "../counts.ts";
import {
  folderWith,
  ringback,
  serving,
  servingBy,
  startProcess,
  startProcessWithFilesOf,
} from "./support.ts";

const from = (index: number) => `+64215${String(index).padStart(5, "0")}`;

/** Who made each call, as the journal's replay tells. */
function callersIn(file: string): Map<string, string | null> {
  const calls = replay(readFileSync(file, "utf8")).calls.list();
  return new Map(calls.map(({ id, record }) => [id, record.contactNumber]));
}

/** Odd and even, so that some compact, and each third end with another damage. */
const kills = isWhole ? 30 : 5;

test("A server that is killed again and again under load loses no acknowledged command, and changes none, also while it compacts", async () => {
  const file = `${folderWith()}/run.jsonl`;
  /** The callers of acknowledged calls, by the call's id. */
  const acknowledged = new Map<string, string>();
  let sent = 0;
  for (let kill = 0; kill < kills; kill++) {
    const resumed = kill === 0 ? [] : [file];
    const compact = kill % 2 === 0 ? [] : ["--compact", "4"];
    const { child, control, closed } = await serving(...resumed, "--journal", file, ...compact, "--quiet");
    const before = sent;
    const senders = Array.from({ length: 4 }, async () => {
      for (;;) {
        const caller = from(sent++);
        const { body } = await control.post("commands/inbound", { from: caller, to: "+6495550100" });
        acknowledged.set(body.result, caller);
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
  for (const [id, caller] of acknowledged) expect([id, kept.get(id)]).toEqual([id, caller]);
  // a command that was written and not yet answered may be there too
  expect(kept.size - acknowledged.size).toBeLessThanOrEqual(kills * 4);
  expect(new Set(kept.values()).size).toBe(kept.size);
  expect(ringback("journal", "check", file)).toMatchObject({
    code: 0,
    out: expect.stringContaining("from a snapshot at"),
  });
});

test("A server that cannot compact, because the disk is full, says so and loses nothing", async () => {
  const folder = folderWith();
  const file = `${folder}/run.jsonl`;
  // the snapshot is too large for the disk, the lines are not
  const full = startProcessWithFilesOf(40, ["serve", "--journal", file, "--compact", "10"]);
  const { child, control, closed, err } = await servingBy(full);
  for (let index = 0; index < 15; index++)
    expect((await control.post("commands/inbound", { from: from(index), to: "+6495550100" })).status).toBe(
      200,
    );
  child.kill("SIGTERM");
  expect(await closed).toEqual([0, null]);
  expect(await err).toContain(`the journal ${file} cannot be compacted, and continues as it is: `);
  expect(callersIn(file).size).toBe(15);
  expect(ringback("journal", "check", file).out).not.toContain("snapshot");
  expect(readdirSync(folder)).toEqual(["run.jsonl"]);
});

test("A server refuses to continue from a damaged journal, and continues from its salvaged part", async () => {
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
