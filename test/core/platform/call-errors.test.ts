import { describe, expect, test } from "vitest";
import { type CallHandle, CommandError, createSimulator, type Simulator } from "../../../src/index.ts";
import { caller, dial, office, stateOf, thrownBy } from "../../helpers.ts";

const inboundTo = (to: string) => (sim: Simulator) => sim.calls.inbound({ from: caller, to });

function connected(sim: Simulator): CallHandle {
  const call = inboundTo(dial.alice)(sim);
  call.answer("alice");
  return call;
}

function connectedToDevice(sim: Simulator): CallHandle {
  const call = inboundTo(dial.lobby)(sim);
  call.answer("lobby");
  return call;
}

function inVoicemail(sim: Simulator): CallHandle {
  const call = inboundTo(dial.bob)(sim);
  call.decline("bob");
  return call;
}

function leavingMessage(sim: Simulator): CallHandle {
  const call = inVoicemail(sim);
  call.leaveVoicemail({ duration: "PT10S" });
  sim.advance("PT8S");
  return call;
}

function closed(sim: Simulator): CallHandle {
  const call = inboundTo(dial.alice)(sim);
  call.hangup("caller");
  return call;
}

/** Each leads to a state of `call-1`. */
const states = {
  ringing: inboundTo(dial.alice),
  connected,
  "connected to a device": connectedToDevice,
  "in voicemail": inVoicemail,
  "leaving a message": leavingMessage,
  closed,
};

const allowed = {
  ringing: "allowed: answer and decline by alice; hangup by caller",
  connected: "allowed: hangup by caller, alice; move by alice; transfer and add by alice",
  voicemail: "allowed: leaveVoicemail; hangup by caller",
  message: "allowed: hangup by caller",
  closed: "allowed: none, the call is closed",
};
const isRinging = `call call-1 is offered; ringing: alice on mobile, desktop; ${allowed.ringing}`;
const isConnected = `call call-1 is accepted; connected: ${caller}, alice on mobile; ${allowed.connected}`;
const isClosed = `call call-1 is abandoned; ${allowed.closed}`;
const isInVoicemail = `call call-1 is missed; connected: ${caller}, Voicemail of Bob Tane`;

type Case = [keyof typeof states, string, (call: CallHandle, sim: Simulator) => unknown, string, string];

const cases: Case[] = [
  [
    "ringing",
    "answer by one who does not ring",
    (call) => call.answer("bob"),
    "not_ringing",
    `bob cannot answer: ${isRinging}`,
  ],
  [
    "ringing",
    "answer by someone misspelt",
    (call) => call.answer("alicia"),
    "not_ringing",
    `alicia cannot answer: nobody is known as "alicia"; did you mean "alice"? ${isRinging}`,
  ],
  [
    "ringing",
    "answer by nobody",
    (call) => call.answer(undefined as never),
    "invalid_argument",
    'answer: by: expected who: an id, an e-mail address, a number, "caller" or "callee", got nothing',
  ],
  [
    "ringing",
    "answer by the caller",
    (call) => call.answer("caller"),
    "not_ringing",
    `caller cannot answer: ${isRinging}`,
  ],
  [
    "ringing",
    "answer on an endpoint that is not there",
    (call) => call.answer("alice", { endpoint: "desk" }),
    "not_ringing",
    `alice cannot answer on desk: ${isRinging}`,
  ],
  [
    "ringing",
    "decline by one who does not ring",
    (call) => call.decline("bob"),
    "not_ringing",
    `bob cannot decline: ${isRinging}`,
  ],
  [
    "ringing",
    "hangup by one who rings",
    (call) => call.hangup("alice"),
    "not_connected",
    `alice cannot hang up: ${isRinging}`,
  ],
  [
    "ringing",
    "hangup by a stranger",
    (call) => call.hangup("+6499999999"),
    "not_connected",
    `+6499999999 cannot hang up: ${isRinging}`,
  ],
  [
    "ringing",
    "move by one who rings",
    (call) => call.move("alice", { to: "desktop" }),
    "not_connected",
    `alice cannot move: ${isRinging}`,
  ],
  [
    "ringing",
    "leaveVoicemail",
    (call) => call.leaveVoicemail({ duration: 1 }),
    "not_in_voicemail",
    `the caller cannot leave a message: ${isRinging}`,
  ],
  [
    "connected",
    "answer",
    (call) => call.answer("alice"),
    "not_ringing",
    `alice cannot answer: ${isConnected}`,
  ],
  [
    "connected",
    "decline",
    (call) => call.decline("alice"),
    "not_ringing",
    `alice cannot decline: ${isConnected}`,
  ],
  [
    "connected",
    "hangup by one who is not on it",
    (call) => call.hangup("bob"),
    "not_connected",
    `bob cannot hang up: ${isConnected}`,
  ],
  [
    "connected",
    "leaveVoicemail",
    (call) => call.leaveVoicemail({ duration: 1 }),
    "not_in_voicemail",
    `the caller cannot leave a message: ${isConnected}`,
  ],
  [
    "connected",
    "move by the caller",
    (call) => call.move("caller", { to: "mobile" }),
    "not_connected",
    `caller cannot move: ${isConnected}`,
  ],
  [
    "connected",
    "move to where she is",
    (call) => call.move("alice", { to: "mobile" }),
    "not_allowed",
    'alice cannot move to "mobile" from mobile; registered besides: desktop',
  ],
  [
    "connected",
    "move to an endpoint that is not there",
    (call) => call.move("alice", { to: "desk" }),
    "not_allowed",
    'alice cannot move to "desk" from mobile; registered besides: desktop',
  ],
  [
    "connected",
    "unregistering the endpoint in use",
    (_, sim) => sim.users.get("alice").setEndpoint("mobile", { registered: false }),
    "busy",
    "alice is on call call-1 at mobile: move the call or hang up before unregistering it",
  ],
  [
    "connected to a device",
    "move by a device",
    (call) => call.move("lobby", { to: "mobile" }),
    "not_connected",
    "lobby cannot move: call call-1 is accepted; connected: ",
  ],
  [
    "in voicemail",
    "answer",
    (call) => call.answer("bob"),
    "not_ringing",
    `bob cannot answer: ${isInVoicemail}; ${allowed.voicemail}`,
  ],
  [
    "in voicemail",
    "hangup by the user",
    (call) => call.hangup("bob"),
    "not_connected",
    `bob cannot hang up: ${isInVoicemail}; ${allowed.voicemail}`,
  ],
  [
    "in voicemail",
    "hangup by the callee",
    (call) => call.hangup("callee"),
    "not_connected",
    `callee cannot hang up: ${isInVoicemail}; ${allowed.voicemail}`,
  ],
  [
    "leaving a message",
    "a second leaveVoicemail",
    (call) => call.leaveVoicemail({ duration: "PT1S", transcript: "Again" }),
    "not_allowed",
    `the caller already leaves a message: ${isInVoicemail}; ${allowed.message}`,
  ],
  ["closed", "answer", (call) => call.answer("alice"), "call_closed", `alice cannot answer: ${isClosed}`],
  ["closed", "decline", (call) => call.decline("alice"), "call_closed", `alice cannot decline: ${isClosed}`],
  ["closed", "hangup", (call) => call.hangup("caller"), "call_closed", `caller cannot hang up: ${isClosed}`],
  [
    "closed",
    "move",
    (call) => call.move("alice", { to: "mobile" }),
    "call_closed",
    `alice cannot move: ${isClosed}`,
  ],
  [
    "closed",
    "leaveVoicemail",
    (call) => call.leaveVoicemail({ duration: 1 }),
    "call_closed",
    `the caller cannot leave a message: ${isClosed}`,
  ],
];

describe.each(cases)("while call-1 is %s, %s", (state, _what, act, code, message) => {
  test(`throws a CommandError with code ${code} that says: ${message}`, () => {
    const sim = createSimulator({ organisation: office, ids: "counter" });
    const call = states[state](sim);
    const error = thrownBy(() => act(call, sim));
    expect(error).toBeInstanceOf(CommandError);
    expect(error).toMatchObject({ name: "CommandError", code });
    expect((error as CommandError).message).toContain(message);
  });

  test("changes nothing, not even the next ids", () => {
    const sim = createSimulator({ organisation: office, ids: "counter" });
    const call = states[state](sim);
    const untouched = sim.fork();
    thrownBy(() => act(call, sim));
    expect(stateOf(sim)).toEqual(stateOf(untouched));
    for (const each of [sim, untouched]) {
      each.calls.inbound({ from: caller, to: dial.carol });
      each.runUntilIdle();
    }
    expect(stateOf(sim)).toEqual(stateOf(untouched));
  });
});
