import { afterEach, describe, expect, test, vi } from "vitest";
import { createSimulator, type Simulator } from "../../../src/index.ts";
import { caller, dial, office } from "../../helpers.ts";

const url = "https://crm.acme.test/hooks";

function told(): Simulator {
  const sim = createSimulator({ organisation: office, ids: "counter" });
  sim.webhooks.create({ url, events: ["call.started"] });
  return sim;
}

const ring = (sim: Simulator) => sim.calls.inbound({ from: caller, to: dial.alice });
const never = () => new Promise<never>(() => {});

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a handler that lets time pass", () => {
  test.each([
    ["advance", (sim: Simulator) => sim.advance("PT1S")],
    ["advanceAsync", (sim: Simulator) => sim.advanceAsync("PT1S")],
    ["runUntil", (sim: Simulator) => sim.runUntil("call.ended")],
  ])("by %s fails at once with the handler and the remedy", async (_, move) => {
    const sim = told();
    sim.on("call.not_answered", () => move(sim));
    ring(sim);
    await expect(sim.advanceAsync("PT1M")).rejects.toThrow(
      /^time cannot pass inside the handler of call\.not_answered at \S+waiting\.test\.ts:\d+:\d+: .*let time pass outside/,
    );
  });

  test("fails at once in an endpoint, with the request and the line of its route", async () => {
    const sim = told();
    sim.network.route("https://crm.acme.test/", () => {
      sim.advance("PT1S");
      return 200;
    });
    ring(sim);
    await expect(sim.advanceAsync(0)).rejects.toThrow(
      /^time cannot pass inside the endpoint of POST https:\/\/crm\.acme\.test\/hooks \(call\.started\) at \S+waiting\.test\.ts:\d+:\d+/,
    );
  });

  test("fails at once even after awaiting something else", async () => {
    const sim = told();
    sim.network.route(url, async () => {
      await Promise.resolve();
      await sim.advanceAsync("PT1S");
      return 200;
    });
    ring(sim);
    await expect(sim.advanceAsync(0)).rejects.toThrow(
      /^time is already moving, and waits for the endpoint of POST .* at \S+waiting\.test\.ts/,
    );
  });
});

describe("a promise that never settles", () => {
  test("of an endpoint is listed in waitingFor", async () => {
    const sim = told();
    sim.network.route(url, () => never());
    expect(sim.waitingFor).toEqual([]);
    ring(sim);
    void sim.advanceAsync(0);
    expect(sim.waitingFor).toEqual([
      expect.stringMatching(/^the endpoint of POST https:.*\(call\.started\) at \S+waiting\.test\.ts/),
    ]);
  });

  test("is reported on the console once, after two seconds, like an answer that needs time to pass", async () => {
    const said: string[] = [];
    vi.spyOn(console, "warn").mockImplementation((text: string) => {
      // other tests also leave simulators that wait for ever
      if (/call\.not_answered at \S+waiting\.test|GET \/(users\/alice|teams)/.test(text)) said.push(text);
    });
    // the world of an exploration, whose report says what it waits for; its two seconds are over first
    const world = told();
    world.services.engine.loop.waitQuietly();
    world.rest.fault({ after: "PT5S" });
    void world.fetch("/teams");
    const sim = told();
    sim.on("call.not_answered", () => never());
    ring(sim);
    void sim.advanceAsync("PT1M");
    const other = told();
    other.rest.fault({ after: "PT5S" });
    void other.fetch("/users/alice");
    await vi.waitUntil(() => said.length > 1, { timeout: 60_000 });
    expect(said.sort()).toEqual([
      expect.stringMatching(
        /^ringback: for 2 s somebody has waited for the answer to GET \/users\/alice, which a fault holds back for 5s of virtual time\. It comes as time passes/,
      ),
      expect.stringMatching(
        /^ringback: for 2 s time has stood still, waiting for the handler of call\.not_answered at \S+waiting\.test\.ts:\d+:\d+\./,
      ),
    ]);
  });

  test("leaves waitingFor when it settles", async () => {
    const sim = told();
    sim.network.route(url, async () => 200);
    ring(sim);
    await sim.advanceAsync(0);
    expect(sim.waitingFor).toEqual([]);
  });
});
