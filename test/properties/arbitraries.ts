import fc from "fast-check";
import type { OrganisationInput, SimulatorOptions, Timing } from "../../src/index.ts";

/**
 * What the properties are tried on: organisations, timings, and runs. A run is a list of moves in plain data, so
 * that a counter-example can be read and fast-check can make it smaller. Moves do not name calls or people; they
 * pick among those that there are when their turn comes (see `play.ts`).
 */

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

/** A team's own durations, left out or among those that are equal to others. */
const teamDuration = (...ms: number[]) => fc.option(fc.constantFrom(...ms), { nil: undefined });

/** Up to three teams of any members, each with an offer priority, which pass calls on to each other or to themselves. */
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

/** Without the keys that were left out. */
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

/** Zero, durations that are equal to each other or to those that pass, and the defaults. */
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

// Moves

/** How well a command fits: something possible now, something that exists, or nonsense. */
export type Aim = "possible" | "existing" | "nonsense";

export type Move =
  | {
      readonly move: "inbound";
      readonly aim: Aim;
      readonly pick: number;
      readonly passthrough: unknown;
      readonly priority?: number | undefined;
    }
  | {
      readonly move: "outbound";
      readonly aim: Aim;
      readonly pick: number;
      readonly passthrough: unknown;
      /** By a dial link. */
      readonly isLink: boolean;
    }
  | { readonly move: "internal"; readonly aim: Aim; readonly pick: number; readonly to: number }
  | {
      readonly move: "redirect";
      readonly aim: Aim;
      readonly pick: number;
      readonly parameters: Readonly<Record<string, string | number | boolean>>;
      /** By connecting to the organisation's application. */
      readonly isApplication: boolean;
    }
  | { readonly move: "answer" | "decline"; readonly aim: Aim; readonly pick: number; readonly named: boolean }
  | {
      readonly move: "transfer";
      readonly aim: Aim;
      readonly pick: number;
      readonly to: number;
      readonly warm: boolean;
    }
  | { readonly move: "add"; readonly aim: Aim; readonly pick: number; readonly to: number }
  | { readonly move: "setTeamMember"; readonly aim: Aim; readonly pick: number; readonly priority: number }
  | { readonly move: "removeTeamMember"; readonly aim: Aim; readonly pick: number }
  | { readonly move: "hangup" | "moveEndpoint"; readonly aim: Aim; readonly pick: number }
  | { readonly move: "leaveVoicemail"; readonly aim: Aim; readonly pick: number; readonly durationMs: number }
  | { readonly move: "setAvailability"; readonly aim: Aim; readonly pick: number; readonly reason: boolean }
  | { readonly move: "setEndpoint"; readonly aim: Aim; readonly pick: number; readonly registered: boolean }
  | {
      readonly move: "setUserStatus";
      readonly aim: Aim;
      readonly pick: number;
      readonly status: "invited" | "active" | "suspended";
    }
  /** On any call there is, live or closed. */
  | { readonly move: "note" | "assignContact"; readonly aim: Aim; readonly pick: number }
  | { readonly move: "advance"; readonly ms: number }
  /** To the instant of something scheduled, or just before or after it. */
  | { readonly move: "advanceToTimer"; readonly pick: number; readonly offsetMs: number }
  | { readonly move: "step" };

const aims: fc.Arbitrary<Aim> = fc.oneof(
  { weight: 12, arbitrary: fc.constant("possible" as const) },
  { weight: 2, arbitrary: fc.constant("existing" as const) },
  { weight: 1, arbitrary: fc.constant("nonsense" as const) },
);

const carelessAims: fc.Arbitrary<Aim> = fc.oneof(
  { weight: 2, arbitrary: fc.constant("possible" as const) },
  { weight: 2, arbitrary: fc.constant("existing" as const) },
  { weight: 1, arbitrary: fc.constant("nonsense" as const) },
);

/** Passthrough parameters, valid or not, and now and then more of them than fit. */
export const passthroughs: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  {
    weight: 2,
    arbitrary: fc.dictionary(
      fc.oneof(
        fc.string({ unit: "binary", maxLength: 4 }).map((name) => `x-${name}`),
        fc.string({ maxLength: 4 }),
      ),
      fc.oneof(
        fc.string({ unit: "binary", maxLength: 400 }),
        fc.constantFrom("\ud800", "a\u0000", "\ufffd", "\udc00\ud800", 1, null),
      ),
      { maxKeys: 4 },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: "binary", maxLength: 20 }).map((value) => `x-a=${value}&b=%ff&x-c=%C3%BC`),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({
        character: fc.constantFrom("z", "ü", "電", "📞"),
        bytes: fc.integer({ min: 980, max: 1_010 }),
      })
      .map(({ character, bytes }) => {
        const count = Math.floor(bytes / Buffer.byteLength(character));
        return {
          "x-big": character.repeat(count) + "z".repeat(bytes - count * Buffer.byteLength(character)),
        };
      }),
  },
);

const picks = fc.nat({ max: 1_000 });

/** What a redirect may say, valid or not. */
const redirectParameters = fc.oneof(
  fc.constant({}),
  fc.record(
    {
      timeout: fc.constantFrom("10", 12, 0, 1_000, "soon"),
      nextOfferTimeout: fc.constantFrom("5", 7, 0, 1_000, ""),
      priority: fc.constantFrom("1", 9, 0, "high"),
      returnTo: fc.constantFrom("flow", "taskQueue", "postEndpoint", "nowhere"),
      returnToId: fc.constantFrom("FW1", "https://return.test/", "http://return.test/"),
      sendToVoicemail: fc.constantFrom(true, "true", "false"),
      "x-ticket": fc.constantFrom("4711", "z".repeat(1_001)),
    },
    { requiredKeys: [] },
  ),
);

const movesWith = (aim: fc.Arbitrary<Aim>): fc.Arbitrary<Move> => {
  const command = <const Name extends Move["move"], Rest extends object>(
    weight: number,
    move: Name,
    rest: { [Key in keyof Rest]: fc.Arbitrary<Rest[Key]> },
  ) => ({
    weight,
    arbitrary: fc.record({ move: fc.constant(move), aim, pick: picks, ...rest }) as fc.Arbitrary<Move>,
  });
  return fc.oneof<fc.MaybeWeightedArbitrary<Move>[]>(
    command(6, "inbound", {
      passthrough: passthroughs,
      priority: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined, freq: 2 }),
    }),
    command(2, "outbound", { passthrough: passthroughs, isLink: fc.boolean() }),
    command(2, "internal", { to: picks }),
    command(2, "redirect", { parameters: redirectParameters, isApplication: fc.boolean() }),
    command(2, "transfer", { to: picks, warm: fc.boolean() }),
    command(2, "add", { to: picks }),
    command(2, "setTeamMember", { priority: fc.integer({ min: 1, max: 4 }) }),
    command(2, "removeTeamMember", {}),
    command(8, "answer", { named: fc.boolean() }),
    command(3, "decline", { named: fc.boolean() }),
    command(4, "hangup", {}),
    command(3, "moveEndpoint", {}),
    command(3, "leaveVoicemail", {
      durationMs: fc.constantFrom(0, 1, 999, 1_000, 4_500, 20_000, 180_000, 1_000_000),
    }),
    command(2, "setAvailability", { reason: fc.boolean() }),
    command(2, "setEndpoint", { registered: fc.boolean() }),
    command(1, "setUserStatus", { status: fc.constantFrom("active", "active", "suspended", "invited") }),
    command(1, "note", {}),
    command(1, "assignContact", {}),
    {
      weight: 3,
      arbitrary: fc.record({
        move: fc.constant("advance" as const),
        ms: fc.oneof(
          fc.constantFrom(0, 1, 1_000, 5_000, 30_000),
          fc.nat({ max: 20_000 }),
          fc.constantFrom(-1, 0.5, Number.NaN, 86_400_000),
        ),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        move: fc.constant("advanceToTimer" as const),
        pick: fc.nat({ max: 3 }),
        offsetMs: fc.constantFrom(0, 0, -1, 1),
      }),
    },
    { weight: 2, arbitrary: fc.constant({ move: "step" as const }) },
  );
};

export const move = movesWith(aims);

const only = (...names: Move["move"][]) => move.filter((each) => names.includes(each.move));

/** What may happen to the queues of teams while calls stay where they began. */
export const queueMove = only(
  ...(["inbound", "answer", "decline", "hangup", "setAvailability", "setEndpoint"] as const),
  ...(["setTeamMember", "removeTeamMember", "advance", "advanceToTimer", "step"] as const),
);

/** What may happen to a team while it is offered one call, short of an answer. */
export const tierMove = only(
  ...(["decline", "setAvailability", "setTeamMember", "removeTeamMember", "advanceToTimer", "step"] as const),
);
/** A run in which most moves make sense. */
export const run = fc.array(move, { maxLength: 50, size: "max" });
/** A run in which many moves are refused. */
export const carelessRun = fc.array(movesWith(carelessAims), { maxLength: 30, size: "max" });

/** What a listener does when it hears of an event of this type: one more move that is a command. */
export interface Reflex {
  readonly on: string;
  readonly does: Move;
}

const heard = ["call.started", "call.answered", "call.not_answered", "call.hungup", "call.ended"] as const;

export const reflexes: fc.Arbitrary<Reflex[]> = fc.array(
  fc.record({
    on: fc.constantFrom(...heard, "user.availability.updated", "call.recording.available", "*"),
    does: move.filter(({ move }) => !["advance", "advanceToTimer", "step"].includes(move)),
  }),
  { minLength: 1, maxLength: 4 },
);
