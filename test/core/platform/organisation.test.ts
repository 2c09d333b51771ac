import { describe, expect, test } from "vitest";
import { createSimulator, demoOrganisation, InputError, type OrganisationInput } from "../../../src/index.ts";
import { office, thrownBy } from "../../helpers.ts";

const user = (id: string, extension: string, more: object = {}) => ({
  id,
  email: `${id}@acme.test`,
  displayName: id,
  extension,
  ...more,
});
const alice = user("alice", "101");
const bob = user("bob", "102");
const team = (more: object = {}) => ({ id: "sales", displayName: "Sales", extension: "200", ...more });
const lobby = { id: "lobby", displayName: "Lobby", extension: "300" };
const trunk = (more: object) => ({ id: "old", name: "Old exchange", ...more });

/** The problems of an organisation, one a line. */
function problemsOf(parts: object): string {
  const error = thrownBy(() =>
    createSimulator({ organisation: { id: "acme", ...parts } as OrganisationInput }),
  );
  if (!(error instanceof InputError)) throw error;
  return error.message;
}

describe("an organisation is accepted", () => {
  test.each([
    ["the demo organisation", demoOrganisation],
    ["the office of these tests", office],
    ["nothing but an id", { id: "acme" }],
  ])("with %s", (_what, organisation) => {
    expect(() => createSimulator({ organisation })).not.toThrow();
  });

  test("with every known key", () => {
    const everything: OrganisationInput = {
      id: "acme",
      name: "Acme",
      timezone: "Pacific/Auckland",
      features: { recording: false, transcription: false, analysis: false, tariff: false, pbx: false },
      numbers: [{ number: "+6495550100", owner: "sales", sms: true }],
      users: [
        {
          ...alice,
          endpoints: ["mobile", "desktop", { id: "desk", type: "sip", registered: false }],
          voicemail: true,
          firstName: "Alice",
          lastName: "Ng",
          status: "active",
          timezone: "Europe/London",
          jobTitle: "Founder",
          manager: "bob",
          location: "auckland",
          mobile: "+6421555009",
          licenses: ["pro"],
          workingHours: { monday: [{ from: "09:00", to: "24:00" }], sunday: [] },
          behaviour: {
            answer: { after: { exponential: "PT3M" }, endpoint: "mobile" },
            decline: { after: { uniform: ["PT1S", { seconds: 5 }] } },
            talk: { fixed: 60_000 },
            wrapUp: "PT10S",
          },
        },
        { ...bob, behaviour: { answer: "never" } },
      ],
      teams: [
        {
          ...team(),
          members: [
            { user: "alice", priority: 1 },
            { device: "lobby", priority: 2 },
          ],
          timeout: "PT60S",
          nextOfferTimeout: "PT20S",
          unanswered: { voicemail: true },
          hidden: false,
          voicemail: true,
        },
        { ...team(), id: "support", extension: "201", unanswered: { team: "sales" } },
        { ...team(), id: "billing", extension: "202", unanswered: { external: "+6495550199" } },
      ],
      devices: [{ ...lobby, sipAddress: "sip:lobby@acme.test" }],
      locations: [
        {
          id: "auckland",
          name: "Auckland",
          address: "1 Queen St",
          countryIso: "NZ",
          timezone: "Pacific/Auckland",
        },
      ],
      phonebooks: [
        {
          id: "customers",
          name: "Customers",
          countryIso: null,
          contacts: [
            {
              id: "jane",
              name: "Jane",
              firstName: "Jane",
              lastName: null,
              jobTitle: null,
              phoneNumbers: ["+6421555001"],
              emailAddresses: ["jane@customer.test"],
            },
          ],
        },
        { id: "Alice@acme.test" },
      ],
      trunks: [
        {
          ...trunk({}),
          id: "old",
          name: "Old exchange",
          devices: [
            {
              id: "fax",
              displayName: "Fax",
              extension: "400",
              description: null,
              location: null,
              model: "F1",
              product: null,
            },
          ],
          queues: [{ id: "desk", displayName: "Desk", extension: "401", description: "Front desk" }],
          users: [
            {
              id: "zoe",
              displayName: "Zoe",
              extension: "402",
              department: "Ops",
              jobTitle: null,
              location: null,
              manager: null,
              user: "alice",
              phoneNumbers: ["+6495550120"],
            },
          ],
        },
      ],
      dataActions: {
        outboundCall: "https://crm.acme.test/outbound",
        teamCall: "https://crm.acme.test/team",
        callInsights: "https://crm.acme.test/insights",
        inboundConversations: "https://crm.acme.test/conversations",
      },
      webhooks: [{ url: "https://crm.acme.test/hooks", events: ["*"], description: "CRM", enabled: true }],
      tariff: { currency: "NZD", routes: [{ prefix: "+64", perMinute: 0.05 }] },
    };
    expect(() => createSimulator({ organisation: everything })).not.toThrow();
  });
});

describe("a name that is used twice is refused", () => {
  test.each<[string, object, string]>([
    [
      "users' extensions",
      { users: [alice, bob, user("carol", "101")] },
      'users[2].extension: duplicate of users[0] ("101")',
    ],
    [
      "a user's and a team's extension",
      { users: [user("alice", "200")], teams: [team()] },
      'teams[0].extension: duplicate of users[0] ("200")',
    ],
    [
      "a team's and a device's extension",
      { teams: [team()], devices: [{ ...lobby, extension: "200" }] },
      'devices[0].extension: duplicate of teams[0] ("200")',
    ],
    [
      "a user's and a trunk queue's extension",
      { users: [alice], trunks: [trunk({ queues: [{ id: "q", displayName: "Q", extension: "101" }] })] },
      'trunks[0].queues[0].extension: duplicate of users[0] ("101")',
    ],
    [
      "extensions of two trunks",
      {
        trunks: [
          trunk({ devices: [{ id: "a", displayName: "A", extension: "1" }] }),
          { id: "new", name: "New", users: [{ id: "b", displayName: "B", extension: "1" }] },
        ],
      },
      'trunks[1].users[0].extension: duplicate of trunks[0].devices[0] ("1")',
    ],
    [
      "ids of a user and a device",
      { users: [alice], devices: [{ ...lobby, id: "alice" }] },
      'devices[0].id: duplicate of users[0] ("alice")',
    ],
    [
      "ids that differ in case alone",
      { users: [alice, user("Alice", "102", { email: "other@acme.test" })] },
      'users[1].id: duplicate of users[0] ("Alice")',
    ],
    [
      "e-mail addresses",
      { users: [alice, { ...bob, email: "ALICE@acme.test" }] },
      'users[1].email: duplicate of users[0] ("ALICE@acme.test")',
    ],
    [
      "numbers",
      {
        users: [alice],
        numbers: [
          { number: "+6495550100", owner: "alice" },
          { number: "+6495550100", owner: "alice" },
        ],
      },
      'numbers[1].number: duplicate of numbers[0] ("+6495550100")',
    ],
    [
      "locations",
      {
        locations: [
          { id: "a", name: "A" },
          { id: "a", name: "B" },
        ],
      },
      'locations[1].id: duplicate of locations[0] ("a")',
    ],
    [
      "phonebooks",
      { phonebooks: [{ id: "a" }, { id: "a" }] },
      'phonebooks[1].id: duplicate of phonebooks[0] ("a")',
    ],
    [
      "contacts of one phonebook",
      { phonebooks: [{ id: "a", contacts: [{ id: "x" }, { id: "x" }] }] },
      'phonebooks[0].contacts[1].id: duplicate of phonebooks[0].contacts[0] ("x")',
    ],
    ["trunks", { trunks: [trunk({}), trunk({})] }, 'trunks[1].id: duplicate of trunks[0] ("old")'],
    [
      "endpoints of one user",
      { users: [{ ...alice, endpoints: ["mobile", { id: "mobile", type: "sip" }] }] },
      'users[0].endpoints[1].id: duplicate of users[0].endpoints[0] ("mobile")',
    ],
    [
      "members of one team",
      { users: [alice], teams: [team({ members: [{ user: "alice" }, { user: "alice" }] })] },
      'teams[0].members[1].user: duplicate of teams[0].members[0] ("alice")',
    ],
  ])("for %s", (_what, parts, problem) => {
    expect(problemsOf(parts)).toBe(problem);
  });

  test("except for contacts of two phonebooks and endpoints of two users", () => {
    const organisation = {
      id: "acme",
      users: [
        { ...alice, endpoints: ["mobile" as const] },
        { ...bob, endpoints: ["mobile" as const] },
      ],
      phonebooks: [
        { id: "a", contacts: [{ id: "x" }] },
        { id: "b", contacts: [{ id: "x" }] },
      ],
    };
    expect(() => createSimulator({ organisation })).not.toThrow();
  });
});

describe("a reference to nothing is refused", () => {
  test.each<[string, object, string]>([
    [
      "the owner of a number",
      {
        users: [alice],
        teams: [team()],
        devices: [lobby],
        numbers: [{ number: "+6495550100", owner: "zoe" }],
      },
      'numbers[0].owner: no user, team or device has the id "zoe"; known: alice, sales, lobby',
    ],
    [
      "a manager",
      { users: [alice, { ...bob, manager: "zoe" }] },
      'users[1].manager: no user has the id "zoe"; known: alice, bob',
    ],
    [
      "a location",
      { users: [{ ...alice, location: "mars" }] },
      'users[0].location: no location has the id "mars"; known: none',
    ],
    [
      "a member who is a user",
      { users: [alice], teams: [team({ members: [{ user: "zoe" }] })] },
      'teams[0].members[0].user: no user has the id "zoe"; known: alice',
    ],
    [
      "a member that is a device",
      { users: [alice], teams: [team({ members: [{ device: "alice" }] })] },
      'teams[0].members[0].device: no device has the id "alice"; known: none',
    ],
    [
      "a team's unanswered step",
      { teams: [team({ unanswered: { team: "zoe" } })] },
      'teams[0].unanswered.team: no team has the id "zoe"; known: sales',
    ],
    [
      "a personal phonebook",
      { users: [alice], phonebooks: [{ id: "zoe@acme.test" }] },
      'phonebooks[0].id: no user has the id "zoe@acme.test"; known: alice@acme.test',
    ],
    [
      "a trunk user's user",
      {
        users: [alice],
        trunks: [trunk({ users: [{ id: "z", displayName: "Z", extension: "1", user: "zoe" }] })],
      },
      'trunks[0].users[0].user: no user has the id "zoe"; known: alice',
    ],
  ])("for %s", (_what, parts, problem) => {
    expect(problemsOf(parts)).toBe(problem);
  });
});

describe("an organisation that is read again", () => {
  test("is validated again if it may have changed", () => {
    const organisation = { id: "acme", users: [{ ...alice }] };
    createSimulator({ organisation });
    const [first] = organisation.users;
    if (first !== undefined) first.extension = "none";
    expect(thrownBy(() => createSimulator({ organisation }))).toMatchObject({ path: "users[0].extension" });
  });

  test("is not modified", () => {
    const organisation = { id: "acme", users: [{ ...alice, endpoints: ["mobile" as const] }] };
    createSimulator({ organisation });
    expect([organisation, organisation.users, organisation.users[0]?.endpoints].some(Object.isFrozen)).toBe(
      false,
    );
  });

  test("is validated once if it is frozen, except for its webhooks", () => {
    const webhooks = Object.freeze([
      Object.freeze({ url: "https://10.0.0.1/hooks", events: Object.freeze(["*" as const]) }),
    ]);
    const organisation = Object.freeze({ id: "acme", webhooks });
    expect(createSimulator({ organisation, allowLocalWebhooks: true }).webhooks.list().length).toBe(1);
    expect(thrownBy(() => createSimulator({ organisation }))).toMatchObject({ path: "webhooks[0].url" });
  });

  test("can be the demo organisation, which is frozen", () => {
    expect(() => Object.assign(demoOrganisation.users, { length: 0 })).toThrow(TypeError);
  });
});
