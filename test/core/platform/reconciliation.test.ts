import { describe, expect, test } from "vitest";
import { createSimulator, type EndpointRequest } from "../../../src/index.ts";

const url = "https://wallboard.acme.test/hooks";

/** Counts live calls by their starts and ends, as a wallboard might. */
class Wallboard {
  count = 0;

  receive = ({ body }: EndpointRequest): number => {
    this.count += JSON.parse(body).type === "call.started" ? 1 : -1;
    return 200;
  };

  /** The calls that are not over, as `sim.calls.live()` lists them. */
  reconcile(live: readonly unknown[]): void {
    this.count = live.length;
  }
}

/** Forty calls of ten seconds, one after the other, and then one that goes on. */
function watchedBy(wallboard: Wallboard, loss: number) {
  // one attempt for each event: with ten attempts, only a day of loss would lose one
  const sim = createSimulator({ seed: 5, webhooks: { schedule: [0] } });
  sim.webhooks.create({ url, events: ["call.started", "call.ended"] });
  sim.network.route(url, wallboard.receive);
  sim.network.conditions(url, { loss });
  const answered = () => {
    const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    call.answer("alice");
    sim.advance("PT10S");
    return call;
  };
  for (let index = 0; index < 40; index++) answered().hangup("caller");
  const last = answered();
  return { sim, last };
}

describe("A consumer that counts call.started minus call.ended", () => {
  test("counts right while no event is lost", () => {
    const wallboard = new Wallboard();
    const { sim } = watchedBy(wallboard, 0);
    expect(wallboard.count).toBe(1);
    expect(sim.calls.live()).toHaveLength(1);
  });

  test("counts wrong by the number of lost events, even after the network has recovered", () => {
    const wallboard = new Wallboard();
    const { sim, last } = watchedBy(wallboard, 0.2);
    const lost = (type: string) =>
      sim.network.requests.filter(
        ({ failure, body }) => failure === "lost" && JSON.parse(body).type === type,
      );
    const drift = lost("call.ended").length - lost("call.started").length;
    expect(drift).not.toBe(0);
    expect(wallboard.count).toBe(1 + drift);
    sim.network.conditions(url, {});
    last.hangup("caller");
    sim.runUntilIdle();
    expect(sim.calls.live()).toEqual([]);
    expect(wallboard.count).toBe(drift);
  });

  test("is right again after reading the records", () => {
    const wallboard = new Wallboard();
    const { sim, last } = watchedBy(wallboard, 0.2);
    sim.network.conditions(url, {});
    wallboard.reconcile(sim.calls.live());
    expect(wallboard.count).toBe(1);
    last.hangup("caller");
    sim.runUntilIdle();
    expect(wallboard.count).toBe(0);
    expect(sim.calls.list()).toHaveLength(41);
  });
});
