/**
 * `npm run bench:inspector`: what the inspector's page costs in a real Chromium. Prints the figures of docs/performance.md.
 * CPU time is that of the page's process, so that a busy machine does not count.
 */
import { gzipSync } from "node:zlib";
import type { CDPSession, Page } from "playwright-core";
import { createSimulator, type Simulator } from "../../src/index.ts";
import { inspectHtml } from "../../src/inspect/index.ts";
import { launch, offline } from "../inspect/browser.ts";
import buildPage from "../inspect/build-page.ts";
import { fileOf } from "../inspect/pages.ts";

/** A run of about so many events. */
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

/** Opens a page; returns the CPU time of its main thread to the first row, and its longest task, ms. */
async function opening(page: Page, html: string): Promise<{ cpu: number; longest: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.addInitScript(() => {
    Object.assign(globalThis, { longest: 0 });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries())
        Object.assign(globalThis, {
          longest: Math.max((globalThis as unknown as { longest: number }).longest, duration),
        });
    }).observe({ entryTypes: ["longtask"] });
  });
  await page.goto(fileOf(html));
  await page.waitForSelector(".step", { timeout: 170_000 });
  const cpu = await cpuMs(session);
  await page.waitForTimeout(3_000);
  return { cpu, longest: await page.evaluate(() => (globalThis as unknown as { longest: number }).longest) };
}

/** CPU time of the main thread for each of 200 steps that are scrubbed over, ms. */
async function scrubbing(page: Page): Promise<number> {
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
    `${sim.events.length} events: first picture after ${Math.round(cpu)} ms of CPU time; longest task ${Math.round(longest)} ms`,
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
