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
    // every tenth minute it is killed, and goes on from its journal; then one process goes on for half of the time
    if (minute % 10 === 0 && minute < minutes / 2) {
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

/** Says what was measured. In the last quarter of a whole hour, nothing is larger than in the one before. */
function expectBounded(samples: readonly Sample[]): void {
  if (!isWhole) return;
  const quarter = Math.floor(samples.length / 4);
  const [early, late] = [samples.slice(-2 * quarter, -quarter), samples.slice(-quarter)];
  const heapMB = [least(early, "heapMB"), least(late, "heapMB")] as const;
  const journalKB = [most(early, "journalKB"), most(late, "journalKB")] as const;
  const said = (numbers: readonly number[]) => numbers.map((each) => each.toFixed(1)).join(", then ");
  process.stdout.write(
    `${samples.length} minutes: heap ${said(heapMB)} MB, journal at most ${said(journalKB)} KB\n`,
  );
  expect(heapMB[1]).toBeLessThan(1.2 * heapMB[0]);
  expect(journalKB[1]).toBeLessThan(1.2 * journalKB[0]);
}
