import { createSimulator, type Simulator } from "../../src/index.ts";
import { type Line, received, receiver, secret } from "./support.ts";

/** Forms that calls take. Two of them, side by side, make a capture. */

const customer = "+6421555001";
const numbers = { alice: "+6495550100", sales: "+6495550200", support: "+6495550201" };

/** Plays a form of a call from now to its end. @param from who calls */
type Form = (sim: Simulator, from: string) => void;

/** Plays what follows once somebody has answered. */
const answeredByAlice =
  (then: (sim: Simulator, call: ReturnType<Simulator["calls"]["inbound"]>) => void): Form =>
  (sim, from) => {
    const call = sim.calls.inbound({ from, to: numbers.alice });
    sim.advance("PT9S");
    call.answer("alice");
    sim.advance("PT9S");
    then(sim, call);
  };

export const forms: Readonly<Record<string, Form>> = {
  "a call that is answered": answeredByAlice((_, call) => call.hangup("caller")),
  "a call that nobody answers": (sim, from) => {
    sim.calls.inbound({ from, to: numbers.alice });
    sim.advance("PT90S");
  },
  "a call that is declined": (sim, from) => {
    const call = sim.calls.inbound({ from, to: numbers.alice });
    sim.advance("PT3S");
    call.decline("alice");
    sim.advance("PT60S");
  },
  "a caller who gives up": (sim, from) => {
    const call = sim.calls.inbound({ from, to: numbers.alice });
    sim.advance("PT7S");
    call.hangup("caller");
  },
  "a team call that is answered": (sim, from) => {
    const call = sim.calls.inbound({ from, to: numbers.support });
    sim.advance("PT6S");
    call.answer("dave");
    sim.advance("PT20S");
    call.hangup("dave");
  },
  "a team call that nobody answers": (sim, from) => {
    sim.calls.inbound({ from, to: numbers.support });
    sim.advance("PT120S");
  },
  "an outbound call": (sim, from) => {
    const call = sim.calls.outbound({ from: "alice", to: from });
    sim.advance("PT5S");
    call.answer(from);
    sim.advance("PT20S");
    call.hangup("alice");
  },
  "an outbound call that nobody answers": (sim, from) => {
    sim.calls.outbound({ from: "alice", to: from });
    sim.advance("PT90S");
  },
  "an internal call": (sim) => {
    const call = sim.calls.internal({ from: "alice", to: "102" });
    sim.advance("PT5S");
    call.answer("bob");
    sim.advance("PT20S");
    call.hangup("alice");
  },
  "an internal call to a team that nobody answers": (sim) => {
    sim.calls.internal({ from: "alice", to: "201" });
    sim.advance("PT120S");
  },
  "a blind transfer": answeredByAlice((sim, call) => {
    call.transfer("bob", { by: "alice" });
    sim.advance("PT5S");
    call.answer("bob");
    sim.advance("PT9S");
    call.hangup("caller");
  }),
  "a blind transfer that nobody takes": answeredByAlice((sim, call) => {
    call.transfer("bob", { by: "alice" });
    sim.advance("PT90S");
  }),
  "a blind transfer to a team": answeredByAlice((sim, call) => {
    call.transfer("support", { by: "alice" });
    sim.advance("PT4S");
    call.answer("dave");
    sim.advance("PT4S");
    call.hangup("caller");
  }),
  "a blind transfer to a team that nobody takes": answeredByAlice((sim, call) => {
    call.transfer("support", { by: "alice" });
    sim.advance("PT120S");
  }),
  "a warm transfer": answeredByAlice((sim, call) => {
    call.transfer("bob", { by: "alice", warm: true });
    sim.advance("PT5S");
    call.answer("bob");
    sim.advance("PT5S");
    call.hangup("alice");
    sim.advance("PT9S");
    call.hangup("caller");
  }),
  "a semi-attended transfer": answeredByAlice((sim, call) => {
    call.transfer("bob", { by: "alice", warm: true });
    sim.advance("PT3S");
    call.hangup("alice");
    sim.advance("PT3S");
    call.answer("bob");
    sim.advance("PT9S");
    call.hangup("caller");
  }),
  "a redirect to a user": (sim, from) => {
    const call = sim.calls.redirect({ extension: "102" }, { from, to: numbers.alice });
    sim.advance("PT5S");
    call.answer("bob");
    sim.advance("PT9S");
    call.hangup("caller");
  },
  "a redirect to a team with its own time": (sim, from) => {
    sim.calls.redirect({ extension: "201", timeout: 25 }, { from, to: numbers.alice });
    sim.advance("PT120S");
  },
};

/** What a receiver gets of two forms, one after the other. @param gapS seconds between them */
export function captureOfPair(first: string, second: string, gapS: number): Line[] {
  const sim = createSimulator();
  sim.webhooks.create({ url: receiver, events: ["*"], signingSecret: secret });
  sim.network.route(receiver, () => 204);
  forms[first]?.(sim, customer);
  sim.advance(gapS * 1_000);
  forms[second]?.(sim, "+6421555002");
  sim.advance("PT180S");
  return received(sim);
}
