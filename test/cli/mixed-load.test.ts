import { readFileSync, statSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { replay } from "../../src/index.ts";
import { isWhole, runsOf } from "../counts.ts";
import { receiver } from "../server/support.ts";
import { MixedLoad, RETAINED, type Served } from "./mixed-load.ts";
import { folderWith, ringback, serving } from "./support.ts";

/** `npm run prove` plays an hour of virtual time, `RUNS=24` a day. */
const minutes = isWhole ? runsOf(60) : 1;

const scenario = `scenario: A mixed load
timing: { conversationInactive: PT2M }
webhooks: { schedule: [PT0S, PT10S, PT1M] }
steps: []
`;

/** What the server needs after a minute. */
interface Sample {
  readonly heapMB: number;
  readonly journalKB: number;
}

/** The smallest of some samples: right after garbage was collected. */
const least = (samples: readonly Sample[], of: keyof Sample) => Math.min(...samples.map((each) => each[of]));
const most = (samples: readonly Sample[], of: keyof Sample) => Math.max(...samples.map((each) => each[of]));

async function sampleOf({ control }: Served, file: string): Promise<Sample> {
  const { memory } = (await control.get("state")).body;
  return { heapMB: memory.heapUsed / 1e6, journalKB: statSync(file).size / 1e3 };
}

test("A server under a mixed load stays small, answers rightly, and loses no line of its journal, even if it is killed", {
  timeout: 180_000 * minutes,
}, async () => {
  const folder = folderWith({ "load.yaml": scenario });
  const file = `${folder}/run.jsonl`;
  const options = ["--journal", file, "--compact", "500", "--quiet"];
  const load = new MixedLoad();
  onTestFinished(() => load.close());
  const hooks = await receiver(load.receive);
  const begin = async (...more: string[]) => {
    const begun = await serving(...more, ...options);
    await load.authenticate(begun);
    await load.addIdleClients(begun);
    return begun;
  };
  let server = await begin(`${folder}/load.yaml`, "--allow-local", "--retain", String(RETAINED));
  await load.subscribe(server, hooks.url);
  const samples: Sample[] = [];
  for (let minute = 0; minute < minutes; minute++) {
    await load.authenticate(server);
    for (let turn = 0; turn < 15; turn++) await load.playTwoSeconds(server);
    // every tenth minute it is killed, and goes on from its journal
    if (minute % 10 === 0) {
      server.child.kill("SIGKILL");
      await server.closed;
      server = await begin(file);
    }
    for (let turn = 0; turn < 15; turn++) await load.playTwoSeconds(server);
    await load.lookUp(server);
    samples.push(await sampleOf(server, file));
  }
  expect((await server.control.post("advance", { duration: "PT10M" })).status).toBe(200);
  expect(load.missed()).toEqual([]);
  await expectJournalOf(server, file);
  expectBounded(samples);
});

/** Stops the server, and compares what it knew with what its journal says. */
async function expectJournalOf(server: Served, file: string): Promise<void> {
  const known = (await server.control.get("events?limit=10000")).body.events;
  const { counts, timestamp } = (await server.control.get("state")).body;
  server.child.kill("SIGTERM");
  expect(await server.closed).toEqual([0, null]);
  expect(ringback("journal", "check", file)).toMatchObject({ code: 0 });
  const again = replay(readFileSync(file, "utf8"));
  expect(again.timestamp).toBe(timestamp);
  expect(JSON.stringify([...again.events])).toBe(JSON.stringify(known));
  expect(again.calls.list()).toHaveLength(counts.calls);
}

/** Says what was measured. In the second half of a whole hour, nothing is larger than in the first. */
function expectBounded(samples: readonly Sample[]): void {
  const half = Math.ceil(samples.length / 2);
  const [early, late] = [samples.slice(0, half), samples.slice(half)];
  if (!isWhole) return;
  process.stdout.write(
    `${samples.length} minutes: heap ${least(early, "heapMB").toFixed(1)} MB, later ${least(late, "heapMB").toFixed(1)} MB; ` +
      `journal at most ${most(early, "journalKB").toFixed(0)} KB, later ${most(late, "journalKB").toFixed(0)} KB\n`,
  );
  expect(least(late, "heapMB")).toBeLessThan(1.3 * least(early, "heapMB"));
  expect(most(late, "journalKB")).toBeLessThan(1.3 * most(early, "journalKB"));
}
