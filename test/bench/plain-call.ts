import type { Simulator } from "../../src/index.ts";

/** The plain answered call to a user: rings, answered after 6 s, hung up a minute later. */
export function playCalls(simulator: Simulator, count: number): void {
  for (let index = 0; index < count; index++) {
    const call = simulator.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    simulator.advance(6_000);
    call.answer("alice", { endpoint: "desktop" });
    simulator.advance(60_000);
    call.hangup("caller");
  }
}
