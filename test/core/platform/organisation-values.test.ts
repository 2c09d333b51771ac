import { describe, expect, test } from "vitest";
import { createSimulator, InputError, type OrganisationInput } from "../../../src/index.ts";
import { thrownBy } from "../../helpers.ts";

const alice = { id: "alice", email: "alice@acme.test", displayName: "Alice", extension: "101" };
const sales = { id: "sales", displayName: "Sales", extension: "200" };
const lobby = { id: "lobby", displayName: "Lobby", extension: "300" };

/** The problems of an organisation, one a line. */
function problemsOf(parts: object): string {
  const error = thrownBy(() =>
    createSimulator({ organisation: { id: "acme", ...parts } as OrganisationInput }),
  );
  if (!(error instanceof InputError)) throw error;
  return error.message;
}

const e164 = (got: string) => `expected a phone number in E.164, such as "+6495550100", got ${got}`;
const inUser = (more: object) => ({ users: [{ ...alice, ...more }] });
const inTeam = (more: object) => ({ users: [alice], devices: [lobby], teams: [{ ...sales, ...more }] });

describe("an unknown key is refused with its path and the known keys", () => {
  test.each<[string, object, string]>([
    [
      "at the top",
      { colour: "red" },
      "colour: unknown key, expected one of: id, name, accountId, vendorAccount, countryIso, timezone, features, numbers, users, teams, devices, locations, phonebooks, trunks, dataActions, webhooks, tariff",
    ],
    [
      "in features",
      { features: { recordings: true } },
      'features.recordings: unknown key; did you mean "recording"?',
    ],
    [
      "in a number",
      { numbers: [{ number: "+6495550100", owner: "alice", fax: true }] },
      "numbers[0].fax: unknown key, expected one of: number, owner, sms",
    ],
    [
      "in an endpoint",
      inUser({ endpoints: [{ id: "desk", type: "sip", on: true }] }),
      "users[0].endpoints[0].on: unknown key, expected one of: id, type, registered",
    ],
    [
      "in a member who is a user",
      inTeam({ members: [{ user: "alice", order: 1 }] }),
      "teams[0].members[0].order: unknown key, expected one of: user, priority",
    ],
    [
      "in a member that is a device",
      inTeam({ members: [{ device: "lobby", order: 1 }] }),
      "teams[0].members[0].order: unknown key, expected one of: device, priority",
    ],
    [
      "in a device",
      { devices: [{ ...lobby, sip: "x" }] },
      "devices[0].sip: unknown key, expected one of: id, displayName, extension, ivrKey, sipAddress, outboundAllowed",
    ],
    [
      "in a contact",
      { phonebooks: [{ id: "a", contacts: [{ id: "x", phone: "1" }] }] },
      "phonebooks[0].contacts[0].phone: unknown key, expected one of: id, name, firstName, lastName, jobTitle, companyName, phoneNumbers, emailAddresses",
    ],
    [
      "in a weekly table",
      inUser({ workingHours: { mon: [] } }),
      "users[0].workingHours.mon: unknown key, expected one of: monday, tuesday, wednesday, thursday, friday, saturday, sunday",
    ],
  ])("%s", (_where, parts, problem) => {
    expect(problemsOf(parts)).toBe(problem);
  });
});

describe("a wrong value is refused with its path and what was expected", () => {
  test.each<[object, string]>([
    [{ id: "" }, "id: expected text that is not empty"],
    [{ id: 5 }, "id: expected text, got 5"],
    [
      { timezone: "Mars/Olympus" },
      'timezone: expected an IANA time zone such as "Pacific/Auckland", got "Mars/Olympus"',
    ],
    [{ features: { recording: "yes" } }, 'features.recording: expected true or false, got "yes"'],
    [{ numbers: {} }, "numbers: expected a list, got {}"],
    [{ users: "alice" }, 'users: expected a list, got "alice"'],
    [
      { users: ["alice"] },
      'users[0]: expected an object { id, email, displayName, extension, ... }, got "alice"',
    ],
    [{ users: [null] }, "users[0]: expected an object { id, email, displayName, extension, ... }, got null"],
    [
      inUser({ extension: 101 }),
      'users[0].extension: expected an extension, digits in quotes such as "101", got 101',
    ],
    [
      inUser({ extension: "1o1" }),
      'users[0].extension: expected an extension, digits in quotes such as "101", got "1o1"',
    ],
    [inUser({ email: "alice" }), 'users[0].email: expected an e-mail address, got "alice"'],
    [
      inUser({ status: "retired" }),
      'users[0].status: expected one of invited, active, suspended, got "retired"',
    ],
    [inUser({ mobile: "021 555 009" }), `users[0].mobile: ${e164('"021 555 009"')}`],
    [
      inUser({ endpoints: ["fax"] }),
      "users[0].endpoints[0]: expected mobile, desktop, sip or { id, type, registered }",
    ],
    [
      inUser({ endpoints: [{ id: "x", type: "fax" }] }),
      'users[0].endpoints[0].type: expected one of mobile, desktop, sip, got "fax"',
    ],
    [
      inUser({ workingHours: { monday: [{ from: "9:00", to: "17:00" }] } }),
      "users[0].workingHours.monday[0].from: expected a time of day such as 09:00",
    ],
    [
      inUser({ workingHours: { monday: [{ from: "09:00", to: "24:01" }] } }),
      "users[0].workingHours.monday[0].to: expected a time of day such as 09:00",
    ],
    [
      inUser({ behaviour: { answer: "now" } }),
      'users[0].behaviour.answer: expected "never" or { after, endpoint? }',
    ],
    [
      inUser({ behaviour: { talk: { uniform: ["PT1S"] } } }),
      'users[0].behaviour.talk.uniform[1]: expected a duration of whole milliseconds, 0 or more (ISO 8601 such as "PT30S", a Luxon Duration, { seconds: 30 } or ms), got nothing',
    ],
    [
      inUser({ behaviour: { talk: "long" } }),
      'users[0].behaviour.talk: expected a duration or a distribution such as { exponential: "PT3M" }',
    ],
    [inTeam({ members: [{}] }), "teams[0].members[0]: expected { user, priority? } or { device, priority? }"],
    [
      inTeam({ members: [{ user: "alice", priority: 0 }] }),
      "teams[0].members[0].priority: expected a whole number from 1 to 100, got 0",
    ],
    [
      inTeam({ timeout: "1 minute" }),
      'teams[0].timeout: expected a duration of whole milliseconds, 0 or more (ISO 8601 such as "PT30S", a Luxon Duration, { seconds: 30 } or ms), got "1 minute"',
    ],
    [
      inTeam({ unanswered: {} }),
      "teams[0].unanswered: expected { voicemail: true }, { team } or { external }",
    ],
    [
      inTeam({ unanswered: { voicemail: false } }),
      "teams[0].unanswered.voicemail: expected true; leave out `unanswered` for no step",
    ],
    [inTeam({ unanswered: { external: "111" } }), `teams[0].unanswered.external: ${e164('"111"')}`],
    [
      { dataActions: { teamCall: "http://crm.acme.test" } },
      'dataActions.teamCall: expected an https URL, got "http://crm.acme.test"',
    ],
    [{ webhooks: [{ url: "crm", events: ["*"] }] }, 'webhooks[0].url: expected an https URL, got "crm"'],
    [
      { tariff: { currency: "NZD", routes: [{ prefix: "64", perMinute: 1 }] } },
      'tariff.routes[0].prefix: expected the start of a number, such as "+64"',
    ],
    [
      { tariff: { currency: "NZD", routes: [{ prefix: "+64", perMinute: -1 }] } },
      "tariff.routes[0].perMinute: expected a price of 0 or more",
    ],
  ])("for %j", (parts, problem) => {
    expect(problemsOf(parts)).toBe(problem);
  });

  test.each(["6495550100", "+0495550100", "+64 9 555 0100", "+1234567890123456", "+", "+1", 6495550100])(
    "for the number %s, which is not E.164",
    (number) => {
      expect(problemsOf({ users: [alice], numbers: [{ number, owner: "alice" }] })).toBe(
        `numbers[0].number: ${e164(JSON.stringify(number))}`,
      );
    },
  );

  test("except for a number of 15 digits, which is accepted", () => {
    const numbers = [{ number: "+123456789012345", owner: "alice" }];
    expect(() => createSimulator({ organisation: { id: "acme", users: [alice], numbers } })).not.toThrow();
  });

  test("for an organisation that is not an object", () => {
    expect(() => createSimulator({ organisation: "acme" as never })).toThrow(
      'expected an object { id, ... }, got "acme"',
    );
  });
});

describe("several problems", () => {
  test("are reported at once, one per line, as message and as data", () => {
    const error = thrownBy(() =>
      createSimulator({
        organisation: { users: [{ ...alice, email: "x", extension: 5 }], teams: [{}] } as never,
      }),
    ) as InputError;
    const lines = [
      "id: missing",
      'users[0].email: expected an e-mail address, got "x"',
      'users[0].extension: expected an extension, digits in quotes such as "101", got 5',
      "teams[0].id: missing",
      "teams[0].displayName: missing",
      "teams[0].extension: missing",
    ];
    expect(error.message).toBe(lines.join("\n"));
    expect(error.path).toBe("id");
    expect(error.problems.map(({ path, message }) => `${path}: ${message}`)).toEqual(lines);
  });

  test("with names and references are reported at once", () => {
    expect(
      problemsOf({
        users: [alice, { ...alice, id: "bob", manager: "zoe" }],
        numbers: [{ number: "+6495550100", owner: "zoe" }],
      }).split("\n"),
    ).toEqual([
      'users[1].extension: duplicate of users[0] ("101")',
      'users[1].email: duplicate of users[0] ("alice@acme.test")',
      'numbers[0].owner: no user, team or device has the id "zoe"; known: alice, bob',
      'users[1].manager: no user has the id "zoe"; known: alice, bob',
    ]);
  });
});

describe("other options", () => {
  test.each([
    [{ colour: "red" }, "colour: unknown key, expected one of: "],
    [
      { timing: { ringTimeout: "soon" } },
      "timing.ringTimeout: expected a duration of whole milliseconds, 0 or more",
    ],
    [{ timing: { nextOfferTimeout: 0 } }, "timing.nextOfferTimeout: expected a duration above 0"],
    [{ timing: { ring: 1 } }, "timing.ring: unknown key, expected one of: ringTimeout, "],
    [{ dialect: { vendor: "" } }, "dialect.vendor: expected text that is not empty"],
    ...["a b", "a:b", "é", "a\nb", " "].flatMap((name): [object, string][] => [
      [{ dialect: { serviceName: name } }, "dialect.serviceName: expected a name that can stand in a header"],
      [{ dialect: { vendor: name } }, "dialect.vendor: expected a name that can stand in a header"],
    ]),
    [{ dialect: { directoryTypes: { person: "x" } } }, "dialect.directoryTypes.person: unknown key"],
  ])("%j is refused with its path", (options, problem) => {
    expect(() => createSimulator(options as never)).toThrow(problem);
  });

  test("undefined means the default", () => {
    const sim = createSimulator({
      seed: undefined,
      start: undefined,
      ids: undefined,
      organisation: undefined,
      timing: { ringTimeout: undefined },
      dialect: { vendor: undefined, directoryTypes: { user: undefined } },
      retain: undefined,
    } as never);
    expect(sim.users.get("alice").record.type).toBe("userWithAvailability");
    sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
    expect(sim.runUntil("call.not_answered").data.call).toMatchObject({ vendor: "vendor", duration: 30_000 });
  });

  test("dialect renames the vendor and the directory's types", () => {
    const sim = createSimulator({
      dialect: { vendor: "carrier", directoryTypes: { user: "person", team: "group", device: "phone" } },
    });
    expect(sim.users.get("alice").record.type).toBe("person");
    expect(sim.teams.get("sales").record.type).toBe("group");
    expect(sim.devices.get("lobby").record.type).toBe("phone");
    expect(sim.calls.inbound({ from: "+6421555001", to: "+6495550103" }).record.vendor).toBe("carrier");
  });
});
