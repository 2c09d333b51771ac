import type { OrganisationInput, Simulator } from "../src/index.ts";

/** The virtual start that simulators have by default, ms since the epoch. */
export const startMs = Date.UTC(2026, 6, 1);

/** Milliseconds from the start and type of every event: `["0 call.started", "30000 call.not_answered"]`. */
export function stream(sim: Simulator): string[] {
  return sim.events.map((event) => `${event.createdTimestamp - startMs} ${event.type}`);
}

/** Everything that a refused command must leave unchanged. */
export function stateOf(sim: Simulator) {
  return {
    timestamp: sim.timestamp,
    journal: changesIn(sim),
    events: sim.events.toJSONL(),
    pending: sim.pending(),
    notifications: sim.notifications,
    calls: sim.calls.list().map((call) => ({ record: call.record, ringing: call.ringing() })),
    users: sim.users.list().map((user) => user.record),
    teams: sim.teams.list().map((team) => team.record),
    conversations: sim.conversations.list(),
    locations: sim.locations.list().map((location) => location.record),
    phonebooks: sim.phonebooks.list().map((phonebook) => phonebook.record),
    directory: sim.directory.list({ includeSuspendedUsers: true, includeHiddenCallGroups: true }),
  };
}

/** The journal without requests to the REST API, which are recorded even if they change nothing. */
export function changesIn(sim: Simulator) {
  const { entries, ...journal } = sim.journal();
  return { ...journal, entries: entries.filter(({ command }) => !/^rest(Asked|Served)$/.test(command)) };
}

/** Returns the thrown error, so that a test can check more than its message. */
export function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

/** Numbers of the office below. */
export const dial = {
  alice: "+6495550101",
  bob: "+6495550102",
  carol: "+6495550103",
  dan: "+6495550104",
  erin: "+6495550105",
  lobby: "+6495550110",
  sales: "+6495550200",
} as const;

export const caller = "+6421555001";

/**
 * Alice has two endpoints and no team; Bob alone has voicemail; Carol is in three teams, Dan in the second of
 * them; Erin is suspended; Lobby is a device.
 */
export const office = {
  id: "acme",
  name: "Acme",
  timezone: "Pacific/Auckland",
  numbers: Object.entries(dial).map(([owner, number]) => ({ number, owner })),
  locations: [{ id: "auckland", name: "Auckland", countryIso: "NZ" }],
  users: [
    {
      id: "alice",
      email: "alice@acme.test",
      displayName: "Alice Ng",
      extension: "101",
      manager: "bob",
      location: "auckland",
      endpoints: ["mobile", "desktop"],
      voicemail: false,
    },
    {
      id: "bob",
      email: "bob@acme.test",
      displayName: "Bob Tane",
      extension: "102",
      timezone: "Europe/London",
      endpoints: ["mobile", "desktop"],
      voicemail: true,
    },
    {
      id: "carol",
      email: "carol@acme.test",
      displayName: "Carol Diaz",
      extension: "103",
      endpoints: ["mobile"],
      voicemail: false,
    },
    {
      id: "dan",
      email: "dan@acme.test",
      displayName: "Dan Okafor",
      extension: "104",
      endpoints: ["mobile"],
      voicemail: false,
    },
    {
      id: "erin",
      email: "erin@acme.test",
      displayName: "Erin Walsh",
      extension: "105",
      status: "suspended",
      endpoints: ["mobile"],
      voicemail: false,
    },
  ],
  devices: [{ id: "lobby", displayName: "Lobby", extension: "300", sipAddress: "sip:lobby@acme.test" }],
  teams: [
    { id: "support", displayName: "Support", extension: "201", members: [{ user: "carol" }] },
    {
      id: "sales",
      displayName: "Sales",
      extension: "200",
      members: [{ user: "carol", priority: 1 }, { user: "dan", priority: 2 }, { user: "erin" }],
    },
    { id: "billing", displayName: "Billing", extension: "202", members: [{ user: "carol" }] },
  ],
} satisfies OrganisationInput;
