import fc from "fast-check";
import type { OrganisationInput, SimulatorOptions, Timing } from "../../src/index.ts";

/** The values that the properties are tried with: organisations, timings and options. Moves are in `moves/`. */

// People, numbers, organisations

export const outsideNumbers = ["+6421555001", "+6421555002", "+12025550147"] as const;
export const numberOfNobody = "+6495559999";

const endpointTypes = ["mobile", "desktop", "sip"] as const;

/** Left out, none, or up to three, most of them registered. */
const endpoints = fc.option(
  fc.uniqueArray(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...endpointTypes) },
      {
        weight: 1,
        arbitrary: fc.record({
          id: fc.constantFrom(...endpointTypes, "tablet"),
          type: fc.constantFrom(...endpointTypes),
          registered: fc.boolean(),
        }),
      },
    ),
    { maxLength: 3, selector: (endpoint) => (typeof endpoint === "string" ? endpoint : endpoint.id) },
  ),
  { nil: undefined, freq: 6 },
);

const mostlyActive = fc.oneof(
  { weight: 8, arbitrary: fc.constant("active" as const) },
  { weight: 1, arbitrary: fc.constantFrom("invited" as const, "suspended" as const) },
);

const traits = fc.record({ status: mostlyActive, endpoints, voicemail: fc.boolean() });

const users = fc
  .oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 9, arbitrary: fc.array(traits, { minLength: 1, maxLength: 6, size: "max" }) },
  )
  .map((traits) =>
    traits.map(({ endpoints, ...rest }, index) => ({
      id: `user-${index}`,
      email: `User-${index}@example.test`,
      displayName: `User ${index}`,
      extension: String(100 + index),
      ...rest,
      ...(endpoints === undefined ? {} : { endpoints }),
    })),
  );

const devices = fc.nat({ max: 2 }).map((count) =>
  Array.from({ length: count }, (_, index) => ({
    id: `device-${index}`,
    displayName: `Device ${index}`,
    extension: String(300 + index),
  })),
);

const unansweredSteps = (teams: readonly string[]) =>
  fc.option(
    fc.oneof(
      { weight: 1, arbitrary: fc.constant({ voicemail: true as const }) },
      { weight: 2, arbitrary: fc.constantFrom(...teams).map((team) => ({ team })) },
      { weight: 1, arbitrary: fc.constantFrom(...outsideNumbers).map((external) => ({ external })) },
    ),
    { nil: undefined },
  );

/** A team's own durations, left out or equal to other durations. */
const teamDuration = (...ms: number[]) => fc.option(fc.constantFrom(...ms), { nil: undefined });

/**
 * Up to three teams of any members, each with an offer priority, which pass calls on to each other or to themselves.
 */
const teamsOf = (members: readonly ({ user: string } | { device: string })[]) =>
  fc
    .constantFrom(0, 1, 2, 3)
    .map((count) => Array.from({ length: count }, (_, index) => `team-${index}`))
    .chain((ids) =>
      fc.tuple(
        ...ids.map((id, index) =>
          fc
            .record({
              members: fc.subarray([...members]),
              priorities: fc.array(fc.integer({ min: 1, max: 3 }), {
                minLength: members.length,
                maxLength: members.length,
              }),
              timeout: teamDuration(0, 5_000, 20_000),
              nextOfferTimeout: teamDuration(5_000, 10_000),
              unanswered: unansweredSteps(ids),
              voicemail: fc.option(fc.boolean(), { nil: undefined }),
            })
            .map(({ members, priorities, ...rest }) => ({
              id,
              displayName: `Team ${index}`,
              extension: String(200 + index),
              members: members.map((member, at) => ({ ...member, priority: priorities[at] ?? 1 })),
              ...stated(rest),
            })),
        ),
      ),
    );

/** Removes keys whose value is undefined. */
function stated<T extends object>(record: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as never;
}

const features = fc.record({
  recording: fc.boolean(),
  transcription: fc.boolean(),
  analysis: fc.boolean(),
  tariff: fc.boolean(),
});

const tariff = { currency: "NZD", routes: [{ prefix: "+64", perMinute: 0.1 }] };

/** One or two numbers for every user, device and team; 0 to 6 users; teams of any of them. */
export const organisations: fc.Arbitrary<OrganisationInput> = fc
  .record({ users, devices, features, second: fc.boolean() })
  .chain(({ users, devices, features, second }) => {
    const members = [...users.map(({ id }) => ({ user: id })), ...devices.map(({ id }) => ({ device: id }))];
    return teamsOf(members).map((teams) => {
      const owners = [...teams, ...users, ...devices].map(({ id }) => id);
      const numbers = [...owners, ...(second ? owners.slice(0, 2) : [])];
      return {
        id: "org",
        features,
        users,
        devices,
        teams,
        tariff,
        numbers: numbers.map((owner, index) => ({
          number: `+64955501${String(index).padStart(2, "0")}`,
          owner,
        })),
      };
    });
  });

// Timings and options

/** Zero, the defaults, and durations that are equal to each other or to the time that moves let pass. */
const shortDuration = fc.constantFrom(0, 1, 999, 1_000, 1_001, 5_000, 30_000);

export const timings: fc.Arbitrary<Partial<Timing>> = fc.oneof(
  fc.constant({}),
  fc.record(
    {
      ringTimeout: shortDuration,
      teamTimeout: shortDuration,
      nextOfferTimeout: fc.constantFrom(5_000, 10_000, 30_000),
      voicemailGreeting: shortDuration,
      voicemailMaxMessage: shortDuration,
      voicemailSilence: shortDuration,
      voicemailMinMessage: shortDuration,
      recordingAvailable: shortDuration,
      transcriptCreated: shortDuration,
      contentAnalysisCompleted: shortDuration,
      callTariffed: shortDuration,
    },
    { requiredKeys: [] },
  ),
);

export const options: fc.Arbitrary<SimulatorOptions> = fc.record({
  seed: fc.oneof(
    fc.string({ unit: "binary", maxLength: 5 }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  ),
  ids: fc.constantFrom("nanoid" as const, "counter" as const, "uuid" as const),
  organisation: organisations,
  timing: timings,
});
