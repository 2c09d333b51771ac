/**
 * `npm run bench:inspector`: what the inspector's page costs in a real Chromium. Prints the figures of
 * docs/performance.md.
 * It measures the CPU time of the page's process, so a busy machine does not change the figures.
 */
import { gzipSync } from "node:zlib";
import type { CDPSession, Page } from "playwright-core";
import { createSimulator, type Simulator } from "../../src/index.ts";
import { inspectHtml } from "../../src/inspector/index.ts";
import { launch, offline } from "../inspector/browser.ts";
import buildPage from "../inspector/build-page.ts";
import { fileOf } from "../inspector/pages.ts";

/** A run of about this many events. */
function runOf(events: number): Simulator {
  const sim = createSimulator({ seed: 1 });
  // two events a call
  sim.traffic({
    to: "+6495550100",
    every: "PT20S",
    for: { seconds: events * 10 },
    behaviour: { patience: "PT5S" },
  });
  sim.runUntilIdle();
  return sim;
}

async function cpuMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1000;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time of a task, µs. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/**
 * Opens a page. Returns, in ms, the CPU time that its main thread uses until the first row shows, and that of its
 * longest task.
 */
async function opening(page: Page, html: string): Promise<{ cpu: number; longest: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const isTraced = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  const traceConfig = { includedCategories: ["toplevel", "__metadata"] };
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig });
  await page.goto(fileOf(html), { waitUntil: "commit" });
  // a long run opens with an overview of its calls, a short one with its steps
  await page.waitForSelector(".overview, .step", { timeout: 170_000 });
  const cpu = await cpuMs(session);
  // on a long run, each part of the page draws in a task of its own
  await page.waitForTimeout(3_000);
  await session.send("Tracing.end");
  await isTraced;
  return { cpu, longest: longestTask(events) };
}

function longestTask(events: readonly TraceEvent[]): number {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const pages = events.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain");
  const threads = new Set(pages.map(threadOf));
  const tasks = events.filter((event) => event.name.endsWith("RunTask") && threads.has(threadOf(event)));
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1000), 0);
}

/** CPU time of the main thread per step, ms, while scrubbing over 200 steps. */
async function scrubbing(page: Page): Promise<number> {
  // the list of all steps, behind the overview
  await page.evaluate(() => {
    location.hash = "#now=0";
  });
  await page.reload();
  await page.waitForSelector(".step", { timeout: 170_000 });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const box = await page.locator(".track input").boundingBox();
  if (box === null) throw new Error("no scrubber");
  await page.mouse.move(box.x + 40, box.y + 60);
  await page.mouse.down();
  const before = await cpuMs(session);
  const steps = 200;
  for (let step = 0; step < steps; step++)
    await page.mouse.move(box.x + 40 + (step * (box.width - 80)) / steps, box.y + 60);
  const after = await cpuMs(session);
  await page.mouse.up();
  return (after - before) / steps;
}

const say = (text: string) => process.stdout.write(`${text}\n`);

await buildPage();
const browser = await launch();
const empty = inspectHtml(createSimulator());
say(
  `page: ${Math.round(gzipSync(empty, { level: 9 }).length / 1024)} KiB gzipped, ${Math.round(empty.length / 1024)} KiB`,
);
for (const events of [100, 10_000, 100_000]) {
  const sim = runOf(events);
  const context = await offline(browser);
  const page = await context.newPage();
  const { cpu, longest } = await opening(page, inspectHtml(sim));
  say(
    `${sim.events.length} events: first picture after ${Math.round(cpu)} ms of CPU time; longest task ${Math.round(longest)} ms of it`,
  );
  if (events === 10_000) {
    const step = await scrubbing(page);
    say(
      `${sim.events.length} events: ${step.toFixed(1)} ms of CPU time a scrubbed step, ${Math.floor(1000 / step)} a second`,
    );
  }
  await context.close();
}
await browser.close();
