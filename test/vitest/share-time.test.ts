import { afterEach, expect, test, vi } from "vitest";
import { createSimulator, type Simulator } from "../../src/index.ts";
import { shareTime } from "../../src/vitest/index.ts";

afterEach(() => {
  vi.useRealTimers();
});

function ringing(): Simulator {
  const sim = createSimulator({ ids: "counter" });
  sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  return sim;
}

test("gives the app the simulator's time", async () => {
  const sim = createSimulator({ start: "2030-01-01T00:00:00Z" });
  const time = shareTime(sim);
  expect(new Date().toISOString()).toBe("2030-01-01T00:00:00.000Z");
  await time.advance("PT90S");
  expect(new Date().toISOString()).toBe("2030-01-01T00:01:30.000Z");
  expect(sim.now.toISO()).toBe("2030-01-01T00:01:30.000Z");
});

test("runs the app's timers and the simulator's in the order of time", async () => {
  const sim = ringing();
  const time = shareTime(sim);
  const seen: string[] = [];
  sim.on("*", (type) => seen.push(`${Date.now() - sim.startTimestamp} ${type}`));
  setInterval(() => seen.push(`${Date.now() - sim.startTimestamp} tick`), 20_000);
  sim.calls.live()[0]?.hangup("caller");
  sim.calls.inbound({ from: "+6421555002", to: "+6495550100" });
  await time.advance("PT1M");
  expect(seen).toEqual([
    "0 call.not_answered",
    "0 call.started",
    "20000 tick",
    "30000 call.not_answered",
    "40000 tick",
    "60000 tick",
  ]);
});

test("lets a timer of the app act on the simulator, and the simulator call the app, at one instant", async () => {
  const sim = ringing();
  const time = shareTime(sim);
  const heard: number[] = [];
  sim.network.route("https://crm.acme.test/", async () => {
    heard.push(Date.now() - sim.startTimestamp);
    return 200;
  });
  sim.webhooks.create({ url: "https://crm.acme.test/hooks", events: ["call.answered"] });
  setTimeout(async () => {
    await time.catchUp();
    sim.calls.live()[0]?.answer("alice");
  }, 6_000);
  setTimeout(() => {}, 6_500);
  await time.advance("PT10S");
  expect(heard).toEqual([6_000]);
  expect(sim).toHaveEmitted("call.answered", { call: { waitTime: 6_000 } });
});
