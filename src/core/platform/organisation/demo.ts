import { deepFreeze } from "../../records/table.ts";
import type { OrganisationInput } from "./schema.ts";

/**
 * The default organisation of simulators and lessons. `scenarios/organisations/acme.yaml` is made from it. It is
 * frozen, so that no test can change what another sees.
 * @example
 * const users = demoOrganisation.users.map((user) => ({ ...user, voicemail: false }));
 * const own = createSimulator({ organisation: { ...demoOrganisation, users } });
 * own.users.get("alice")?.record.displayName; // => "Alice Ng"
 */
export const demoOrganisation = deepFreeze({
  id: "acme",
  name: "Acme",
  timezone: "Pacific/Auckland",
  features: { transcription: true },
  numbers: [
    { number: "+6495550100", owner: "alice", sms: true },
    { number: "+6495550101", owner: "alice" },
    { number: "+6495550102", owner: "bob" },
    { number: "+6495550103", owner: "carol" },
    { number: "+6495550104", owner: "dave" },
    { number: "+6495550105", owner: "erin" },
    { number: "+6495550110", owner: "lobby" },
    { number: "+6495550200", owner: "sales", sms: true },
    { number: "+6495550201", owner: "support", sms: true },
  ],
  locations: [
    {
      id: "auckland",
      name: "Auckland",
      address: "1 Queen Street",
      countryIso: "NZ",
      timezone: "Pacific/Auckland",
    },
    { id: "london", name: "London", countryIso: "GB", timezone: "Europe/London" },
  ],
  users: [
    {
      id: "alice",
      email: "alice@acme.test",
      displayName: "Alice Ng",
      firstName: "Alice",
      lastName: "Ng",
      extension: "101",
      jobTitle: "Founder",
      location: "auckland",
      endpoints: ["mobile", "desktop"],
      voicemail: true,
    },
    {
      id: "bob",
      email: "bob@acme.test",
      displayName: "Bob Tane",
      firstName: "Bob",
      lastName: "Tane",
      extension: "102",
      jobTitle: "Sales lead",
      manager: "alice",
      location: "auckland",
      endpoints: ["mobile", "desktop", { id: "desk", type: "sip" }],
      voicemail: true,
    },
    {
      id: "carol",
      email: "carol@acme.test",
      displayName: "Carol Diaz",
      firstName: "Carol",
      lastName: "Diaz",
      extension: "103",
      jobTitle: "Sales",
      manager: "bob",
      location: "auckland",
      endpoints: ["mobile"],
      voicemail: false,
    },
    {
      id: "dave",
      email: "dave@acme.test",
      displayName: "Dave Okafor",
      firstName: "Dave",
      lastName: "Okafor",
      extension: "104",
      jobTitle: "Support",
      manager: "alice",
      location: "london",
      timezone: "Europe/London",
      endpoints: ["desktop", "mobile"],
      voicemail: false,
    },
    {
      id: "erin",
      email: "erin@acme.test",
      displayName: "Erin Walsh",
      firstName: "Erin",
      lastName: "Walsh",
      extension: "105",
      status: "suspended",
      endpoints: ["mobile"],
      voicemail: true,
    },
  ],
  devices: [{ id: "lobby", displayName: "Lobby", extension: "300", sipAddress: "sip:lobby@acme.test" }],
  teams: [
    {
      id: "sales",
      displayName: "Sales",
      extension: "200",
      members: [
        { user: "bob", priority: 1 },
        { user: "carol", priority: 1 },
        { device: "lobby", priority: 2 },
      ],
      timeout: "PT60S",
      nextOfferTimeout: "PT20S",
      unanswered: { team: "support" },
    },
    {
      id: "support",
      displayName: "Support",
      extension: "201",
      members: [{ user: "dave" }],
      unanswered: { voicemail: true },
    },
  ],
  phonebooks: [
    {
      id: "customers",
      name: "Customers",
      countryIso: "NZ",
      contacts: [
        {
          id: "jane",
          firstName: "Jane",
          lastName: "Smith",
          jobTitle: "Buyer",
          phoneNumbers: ["+6421555001"],
          emailAddresses: ["jane@customer.test"],
        },
        { id: "kiwi-freight", name: "Kiwi Freight", phoneNumbers: ["+6421555002"] },
      ],
    },
    {
      id: "alice@acme.test",
      name: "Alice's own",
      contacts: [{ id: "mum", name: "Mum", phoneNumbers: ["+6421555003"] }],
    },
  ],
} satisfies OrganisationInput);
