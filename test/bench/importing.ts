import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Capture, importCapture, readCapture } from "../../src/capture/index.ts";
import { createSimulator, exponential, type OrganisationInput } from "../../src/index.ts";
import type { Measures } from "./exploring.ts";

const members = Array.from({ length: 30 }, (_, index) => ({
  id: `member-${index}`,
  email: `member-${index}@example.test`,
  displayName: `Member ${index}`,
  extension: String(100 + index),
  endpoints: ["mobile" as const, "desktop" as const],
  behaviour: { answer: { after: exponential("PT6S") }, talk: exponential("PT2M") },
}));
const tiersOf = (team: typeof members) =>
  team.map(({ id }, index) => ({ user: id, priority: 1 + Math.floor(index / 5) }));

const organisation: OrganisationInput = {
  id: "office",
  users: members,
  teams: [
    {
      id: "sales",
      displayName: "Sales",
      extension: "500",
      members: tiersOf(members.slice(0, 15)),
      unanswered: { team: "support" },
    },
    {
      id: "support",
      displayName: "Support",
      extension: "501",
      members: tiersOf(members.slice(15)),
      unanswered: { voicemail: true },
    },
  ],
  numbers: [
    { number: "+6495550100", owner: "sales" },
    { number: "+6495550101", owner: "support" },
    { number: "+6495550102", owner: "member-3" },
  ],
};

/** Writes what an app keeps of busy days of an office with two teams, until there are so many events. */
function writeOffice(file: string, count: number): void {
  const descriptor = openSync(file, "w");
  const simulator = createSimulator({
    organisation,
    retain: { journal: false, events: 100, calls: 100 },
  });
  let events = 0;
  simulator.on("*", (_, event) => {
    events++;
    const row = { receivedAt: event.createdTimestamp, headers: {}, body: JSON.stringify(event) };
    writeSync(descriptor, `${JSON.stringify(row)}\n`);
  });
  const behaviour = { patience: "PT90S", voicemail: { duration: "PT20S" } };
  const numbers = organisation.numbers ?? [];
  for (let call = 0; events < count; call++) {
    const from = `+64215${String(10_000 + ((call * 7_919) % 90_000))}`;
    simulator.calls.inbound({ from, to: numbers[call % numbers.length]?.number ?? "", behaviour });
    simulator.advance(27_692);
  }
  closeSync(descriptor);
}

/** Importing what an app got in a busy day: processor time and memory, and what large bodies leave in it. */
export async function importing(measures: Measures): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "ringback-bench-"));
  try {
    await importingFrom(join(folder, "day.jsonl"), measures);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function importingFrom(file: string, { cpuSeconds, print, gc }: Measures): Promise<void> {
  writeOffice(file, 50_000);
  const startS = cpuSeconds();
  const capture = await readCapture(createReadStream(file));
  const readS = cpuSeconds();
  const { explained, verdict } = await importCapture(capture);
  const importedS = cpuSeconds();
  if (verdict !== "possible") throw new Error(`the office is ${verdict}`);
  const megabytes = Math.round(statSync(file).size / 1e6);
  print(`reading ${explained} events, ${megabytes} MB`, `${(readS - startS).toFixed(1)} s`);
  print("importing them (aim, with reading: 13 s)", `${(importedS - readS).toFixed(1)} s`);
  const mostMemory = Math.round(process.resourceUsage().maxRSS / 1e3);
  print("the most memory of the process meanwhile (aim: 1000 MB)", `${mostMemory} MB`);
  const signed = withSlowClock(capture);
  const slowS = cpuSeconds();
  await importCapture(signed);
  print("importing them if the app's clock goes a tenth slower", `${(cpuSeconds() - slowS).toFixed(1)} s`);
  const small = await keptOf(file, 0, gc);
  const large = await keptOf(file, 100_000, gc);
  print("kept of 2,000 bodies as they are", `${small.toFixed(1)} MB`);
  print("kept of them with 100 KB more in each, that no schema knows", `${large.toFixed(1)} MB`);
}

/** The capture as an app keeps it whose clock goes slower than the platform's, so that most requests look late or early. */
function withSlowClock({ events, ...capture }: Capture): Capture {
  const [startMs = 0] = events.map(({ timestamp }) => timestamp);
  const slow = (ms: number | null) => (ms === null ? null : Math.round(startMs + (ms - startMs) * 0.9));
  const skewed = events.map(({ requests, ...event }) => ({
    ...event,
    requests: requests.map((each) => ({
      ...each,
      signedTimestamp: each.receivedTimestamp,
      receivedTimestamp: slow(each.receivedTimestamp),
    })),
  }));
  return { ...capture, events: skewed };
}

/** How much memory the first requests of a capture take if each body has so many more characters, MB. */
async function keptOf(file: string, more: number, gc: () => void): Promise<number> {
  async function* larger(): AsyncGenerator<string> {
    let index = 0;
    for await (const line of createInterface(createReadStream(file))) {
      if (index === 2_000) return;
      index++;
      const { body, ...row } = JSON.parse(line);
      const extra = String(index).padStart(more, "x");
      yield `${JSON.stringify({ ...row, body: JSON.stringify({ ...JSON.parse(body), extra }) })}\n`;
    }
  }
  gc();
  const before = process.memoryUsage().heapUsed;
  const capture = await readCapture(larger());
  gc();
  const kept = (process.memoryUsage().heapUsed - before) / 1e6;
  if (capture.requests !== 2_000) throw new Error("some requests were not read");
  return kept;
}
