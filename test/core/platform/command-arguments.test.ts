import { describe, expect, test } from "vitest";
import { CommandError, createSimulator, type Simulator } from "../../../src/index.ts";
import { caller, dial, office, stateOf, thrownBy } from "../../helpers.ts";

type Case = [string, (sim: Simulator) => unknown, CommandError["code"], string];

const cases: Case[] = [
  [
    "a list where an object is expected",
    (sim) => sim.phonebooks.put("crm", { contacts: [[] as never] }),
    "invalid_argument",
    "putPhonebooks: phonebooks[0].contacts[0]: expected an object { id, name, firstName, ... }, got []",
  ],
  [
    "inbound to a number that nobody has",
    (sim) => sim.calls.inbound({ from: caller, to: "+6490000000" }),
    "unknown_number",
    "nobody has the number +6490000000; the organisation's numbers: +6495550101 (alice), ",
  ],
  [
    "get of an unknown call",
    (sim) => sim.calls.get("call-9"),
    "not_found",
    'no call is known as "call-9"; known: call-1',
  ],
  [
    "users.get of an unknown user",
    (sim) => sim.users.get("zoe"),
    "not_found",
    'no user is known as "zoe"; known: alice, bob, carol, dan, erin',
  ],
  [
    "users.get of a misspelt user",
    (sim) => sim.users.get("alcie"),
    "not_found",
    'no user is known as "alcie"; did you mean "alice"?',
  ],
  [
    "teams.get of an unknown team",
    (sim) => sim.teams.get("zoe"),
    "not_found",
    'no team is known as "zoe"; known: support, sales, billing',
  ],
  [
    "devices.get of a user",
    (sim) => sim.devices.get("alice"),
    "not_found",
    'no device is known as "alice"; known: lobby',
  ],
  [
    "setEndpoint of an unknown endpoint",
    (sim) => sim.users.get("alice").setEndpoint("desk", { registered: true }),
    "not_found",
    'alice has no endpoint "desk"; known: mobile, desktop',
  ],
  [
    "setAvailability to available with a rule",
    (sim) => sim.users.get("alice").setAvailability("available", { rule: "doNotDisturb" }),
    "invalid_argument",
    "setAvailability: rule and reason go with busy or offline, not with available",
  ],
  [
    "setAvailability to what is none",
    (sim) => sim.users.get("alice").setAvailability("away" as never),
    "invalid_argument",
    'setAvailability: status: expected one of available, busy, offline, got "away"',
  ],
  [
    "inbound from what is not a number",
    (sim) => sim.calls.inbound({ from: "Jane", to: dial.alice }),
    "invalid_argument",
    'inbound: from: expected a phone number in E.164, such as "+6495550100", a short code of 3 to 8 digits, or "anonymous", got "Jane"',
  ],
  [
    "inbound with an unknown key",
    (sim) => sim.calls.inbound({ from: caller, to: dial.alice, subject: "Hi" } as never),
    "invalid_argument",
    "inbound: subject: unknown key, expected one of: from, to, ",
  ],
  [
    "inbound with a priority of 10",
    (sim) => sim.calls.inbound({ from: caller, to: dial.alice, priority: 10 }),
    "invalid_argument",
    "inbound: priority: expected a whole number from 1 to 9, got 10",
  ],
  [
    "inbound without arguments",
    (sim) => sim.calls.inbound(undefined as never),
    "invalid_argument",
    "inbound: expected an object { from, to, ... }, got nothing",
  ],
  [
    "leaveVoicemail of what is not a duration",
    (sim) => sim.calls.get("call-1").leaveVoicemail({ duration: "long" }),
    "invalid_argument",
    "leaveVoicemail: duration: expected a duration of whole milliseconds",
  ],
];

describe.each(cases)("%s", (_what, act, code, message) => {
  test(`throws a CommandError with code ${code} that says: ${message}`, () => {
    const sim = createSimulator({ organisation: office, ids: "counter" });
    sim.calls.inbound({ from: caller, to: dial.alice });
    const error = thrownBy(() => act(sim));
    expect(error).toBeInstanceOf(CommandError);
    expect(error).toMatchObject({ name: "CommandError", code });
    expect((error as CommandError).message).toContain(message);
  });

  test("changes nothing", () => {
    const sim = createSimulator({ organisation: office, ids: "counter" });
    sim.calls.inbound({ from: caller, to: dial.alice });
    const before = stateOf(sim);
    thrownBy(() => act(sim));
    expect(stateOf(sim)).toEqual(before);
  });
});

test("an error about an unknown id lists the newest twenty ids", () => {
  const sim = createSimulator({ ids: "counter" });
  for (let count = 0; count < 25; count++)
    sim.calls.inbound({ from: "+6421555001", to: "+6495550104" }).hangup("caller");
  expect(() => sim.calls.get("call-26")).toThrow(
    /^no call is known as "call-26"; known: call-6, .*, call-25 and 5 others$/,
  );
});
