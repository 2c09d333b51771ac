import { Randomness } from "../../src/core/foundation/random.ts";
import { createSimulator, type Simulator } from "../../src/index.ts";
import { type Line, received, receiver, secret } from "./support.ts";

/** Forms that calls, conversations and changes of people take. Two of them, one after the other, make a capture. */

const numbers = { alice: "+6495550100", sales: "+6495550200", support: "+6495550201" };

/** What a form may draw. */
interface Draw {
  /** Lets a drawn time pass, in seconds; parts of a second are drawn too. */
  pass(atLeastS: number, belowS: number): void;
  /** A drawn number of seconds, without parts. */
  seconds(atLeast: number, below: number): number;
}

type CallHandle = ReturnType<Simulator["calls"]["inbound"]>;
/** Plays a form from now to its end. @param from who calls or writes */
type Form = (sim: Simulator, from: string, draw: Draw) => void;

const { alice, support } = numbers;

/** Plays what follows once somebody has answered. */
const answeredByAlice =
  (then: (call: CallHandle, draw: Draw, sim: Simulator) => void): Form =>
  (sim, from, draw) => {
    const call = sim.calls.inbound({ from, to: alice });
    draw.pass(2, 25);
    call.answer("alice");
    draw.pass(3, 30);
    then(call, draw, sim);
  };

/** Plays what follows once a colleague has taken a call over. */
const takenByBob = (call: CallHandle, draw: Draw) => {
  draw.pass(2, 15);
  call.answer("bob");
  draw.pass(3, 30);
  call.hangup("caller");
};

const calls: Readonly<Record<string, Form>> = {
  "a call that is answered": answeredByAlice((call) => call.hangup("caller")),
  "a call that nobody answers": (sim, from, draw) => {
    sim.calls.inbound({ from, to: alice });
    draw.pass(90, 120);
  },
  "a call that is declined": (sim, from, draw) => {
    const call = sim.calls.inbound({ from, to: alice });
    draw.pass(2, 12);
    call.decline("alice");
    draw.pass(60, 90);
  },
  "a caller who gives up": (sim, from, draw) => {
    const call = sim.calls.inbound({ from, to: alice });
    draw.pass(2, 25);
    call.hangup("caller");
  },
  "a caller who leaves a voicemail": (sim, from, draw) => {
    const call = sim.calls.inbound({ from, to: alice });
    draw.pass(32, 38);
    call.leaveVoicemail({ duration: draw.seconds(3, 20) * 1_000 });
    draw.pass(60, 90);
  },
  "a team call that is answered": (sim, from, draw) => {
    const call = sim.calls.inbound({ from, to: support });
    draw.pass(2, 15);
    call.answer("dave");
    draw.pass(3, 30);
    call.hangup("dave");
  },
  "a team call that nobody answers": (sim, from, draw) => {
    sim.calls.inbound({ from, to: support });
    draw.pass(120, 150);
  },
  "an outbound call": (sim, from, draw) => {
    const call = sim.calls.outbound({ from: "alice", to: from });
    draw.pass(2, 20);
    call.answer(from);
    draw.pass(3, 30);
    call.hangup("alice");
  },
  "an outbound call that nobody answers": (sim, from, draw) => {
    sim.calls.outbound({ from: "alice", to: from });
    draw.pass(90, 120);
  },
  "an internal call": (sim, _, draw) => {
    const call = sim.calls.internal({ from: "alice", to: "102" });
    draw.pass(2, 15);
    call.answer("bob");
    draw.pass(3, 30);
    call.hangup("alice");
  },
  "an internal call to a team that nobody answers": (sim, _, draw) => {
    sim.calls.internal({ from: "alice", to: "201" });
    draw.pass(120, 150);
  },
  "a redirect to a user": (sim, from, draw) => {
    const call = sim.calls.redirect({ extension: "102" }, { from, to: alice });
    draw.pass(2, 15);
    call.answer("bob");
    draw.pass(3, 30);
    call.hangup("caller");
  },
  "a redirect to a team with its own time": (sim, from, draw) => {
    sim.calls.redirect({ extension: "201", timeout: draw.seconds(8, 50) }, { from, to: alice });
    draw.pass(120, 150);
  },
  "a call that an application hands over": (sim, from, draw) => {
    const call = sim.calls.connectApplication(
      { extension: "102", accountId: "AC1", parameters: { "x-ticket": "7" } },
      { from, to: "+6495559000" },
    );
    draw.pass(2, 15);
    call.answer("bob");
    draw.pass(3, 30);
    call.hangup("caller");
  },
  "a call by a link": (sim, from, draw) => {
    const dialled = sim.calls.dialLink({ user: "alice", contactNumber: from, "x-ticket": "7" });
    draw.pass(2, 20);
    if ("call" in dialled) dialled.call.answer("callee");
    draw.pass(3, 30);
    if ("call" in dialled) dialled.call.hangup("callee");
  },
  "a redirect to a voicemail": (sim, from, draw) => {
    sim.calls.redirect({ extension: "101", sendToVoicemail: true }, { from, to: alice });
    draw.pass(30, 60);
  },
};

const callsThatGoOn: Readonly<Record<string, Form>> = {
  "a blind transfer": answeredByAlice((call, draw) => {
    call.transfer("bob", { by: "alice" });
    takenByBob(call, draw);
  }),
  "a blind transfer that nobody takes": answeredByAlice((call, draw) => {
    call.transfer("bob", { by: "alice" });
    draw.pass(90, 120);
  }),
  "a blind transfer to a team": answeredByAlice((call, draw) => {
    call.transfer("support", { by: "alice" });
    draw.pass(2, 15);
    call.answer("dave");
    draw.pass(2, 20);
    call.hangup("caller");
  }),
  "a blind transfer to a team that nobody takes": answeredByAlice((call, draw) => {
    call.transfer("support", { by: "alice" });
    draw.pass(120, 150);
  }),
  "a warm transfer": answeredByAlice((call, draw) => {
    call.transfer("bob", { by: "alice", warm: true });
    draw.pass(2, 15);
    call.answer("bob");
    draw.pass(2, 15);
    call.hangup("alice");
    draw.pass(3, 30);
    call.hangup("caller");
  }),
  "a semi-attended transfer": answeredByAlice((call, draw) => {
    call.transfer("bob", { by: "alice", warm: true });
    draw.pass(1, 6);
    call.hangup("alice");
    takenByBob(call, draw);
  }),
  "a conference": answeredByAlice((call, draw) => {
    call.add("bob", { by: "alice" });
    draw.pass(2, 15);
    call.answer("bob");
    draw.pass(3, 30);
    call.hangup("caller");
    draw.pass(2, 15);
    call.hangup("alice");
  }),
  "a call that is moved to another endpoint": (sim, from, draw) => {
    const call = sim.calls.inbound({ from, to: alice });
    draw.pass(2, 25);
    call.answer("alice", { endpoint: "mobile" });
    draw.pass(3, 30);
    call.move("alice", { to: "desktop" });
    draw.pass(3, 30);
    call.hangup("caller");
  },
  "a call with a note": answeredByAlice((call, draw) => {
    call.note("She rings again tomorrow", { by: "alice" });
    draw.pass(3, 30);
    call.hangup("caller");
  }),
  "a call with an assigned contact": answeredByAlice((call, draw) => {
    call.assignContact("jane", { by: "alice" });
    draw.pass(3, 30);
    call.hangup("caller");
  }),
};

/** A conversation with a contact, and what follows in it. */
const written =
  (then: (sim: Simulator, id: string, draw: Draw, from: string) => void): Form =>
  (sim, from, draw) => {
    const { conversationId } = sim.conversations.receive({ from, to: alice, text: "Are you open?" });
    draw.pass(3, 60);
    then(sim, conversationId, draw, from);
  };

const conversations: Readonly<Record<string, Form>> = {
  "a message that nobody answers": written(() => {}),
  "a message that is answered": written((sim, _, __, from) =>
    sim.conversations.sendMessage({ from: "alice@acme.test", to: from, body: "We are." }),
  ),
  "a message to a team": (sim, from) => {
    sim.conversations.receive({ from, to: support, text: "Help" });
  },
  "a message of a team": (sim, from) => {
    sim.conversations.sendTeamMessage({
      ...{ companyAddress: support, contactAddress: from, routingAction: "do_not_route" },
      messageContent: { text: "Your parcel is here." },
    });
  },
  "a conversation that is closed": written((sim, id) => sim.conversations.close(id)),
  "a conversation with an assigned contact": written((sim, id) =>
    sim.conversations.assignContact(id, "kiwi-freight"),
  ),
  "a conversation with a shared contact": written((sim, id) =>
    sim.conversations.shareContact(id, "kiwi-freight"),
  ),
  "a conversation that closes by itself": (sim, from, draw) => {
    sim.conversations.send({
      ...{ companyAddress: alice, contactAddresses: [from], routingAction: "assign_owner" },
      ...{ messageContent: { text: "Your parcel is here." }, closeTimer: "PT10M" },
    });
    draw.pass(610, 640);
  },
};

const people: Readonly<Record<string, Form>> = {
  "an endpoint that logs out and in": (sim, _, draw) => {
    sim.users.get("carol").setEndpoint("mobile", { registered: false });
    draw.pass(20, 90);
    sim.users.get("carol").setEndpoint("mobile", { registered: true });
  },
  "a user who is suspended for a while": (sim, _, draw) => {
    sim.users.get("bob").setStatus("suspended");
    draw.pass(20, 90);
    sim.users.get("bob").setStatus("active");
  },
  "a user who wraps up": (sim, _, draw) => {
    sim.users.get("bob").wrapUp(draw.seconds(10, 60) * 1_000);
    draw.pass(90, 120);
  },
  "a user who is busy for a while": (sim, _, draw) => {
    sim.users.get("bob").setAvailability("busy");
    draw.pass(20, 90);
    sim.users.get("bob").setAvailability("available");
  },
  "a member who leaves a team and returns": (sim, _, draw) => {
    sim.teams.get("support").removeMember("dave");
    draw.pass(20, 90);
    sim.teams.get("support").setMember("dave");
  },
};

export const forms: Readonly<Record<string, Form>> = {
  ...calls,
  ...callsThatGoOn,
  ...conversations,
  ...people,
};

/** Pairs that an import does not find again. `docs/coverage.md` shows them. */
export const lostPairs: readonly (readonly [first: string, second: string])[] = [];

/** What an app gets of two forms, one after the other. All times follow from the seed. */
export function captureOfPair(first: string, second: string, seed: number): Line[] {
  const sim = createSimulator({ seed });
  sim.webhooks.create({ url: receiver, events: ["*"], signingSecret: secret });
  sim.network.route(receiver, () => 204);
  const draw = drawFrom(sim, new Randomness(`${seed} ${first} ${second}`));
  forms[first]?.(sim, "+6421555001", draw);
  // long enough that nothing of the first goes on
  draw.pass(200, 900);
  forms[second]?.(sim, "+6421555002", draw);
  sim.advance("PT180S");
  return received(sim);
}

/** Draws times for a simulator. */
function drawFrom(sim: Simulator, randomness: Randomness): Draw {
  const drawn = (atLeast: number, below: number) => atLeast + randomness.uniform("times") * (below - atLeast);
  return {
    seconds: (atLeast, below) => Math.floor(drawn(atLeast, below)),
    pass: (atLeastS, belowS) => sim.advance(Math.floor(drawn(atLeastS, belowS) * 1_000)),
  };
}
