import fc from "fast-check";
import {
  CommandError,
  createSimulator,
  demoOrganisation,
  InputError,
  type OrganisationInput,
  type Simulator,
} from "../../src/index.ts";
import type { Line } from "./support.ts";

/** Random runs as an app sees them: legal commands, seconds apart, in the demo organisation or in a random one. */

/** A random next command. The numbers choose among what the state allows. */
interface Turn {
  readonly kind: number;
  readonly pick: number;
  readonly other: number;
  readonly gapMs: number;
}

export const walk: fc.Arbitrary<readonly Turn[]> = fc.array(
  fc.record({
    kind: fc.nat(999),
    pick: fc.nat(9_999),
    other: fc.nat(9_999),
    gapMs: fc.integer({ min: 700, max: 25_000 }),
  }),
  { minLength: 6, maxLength: 24, size: "max" },
);

const people = ["Ana Lee", "Ben Roy", "Cho Kim", "Dee Fox"].map((displayName, index) => ({
  id: `user-${index}`,
  email: `user-${index}@org.test`,
  displayName,
  extension: `10${index}`,
  endpoints: ["mobile" as const],
}));
const twoTeams = ["sales", "support"] as const;

/** Teams of a time of their own, with tiers, that roll over to each other or to a voicemail, and people with a voicemail or none. */
export const organisation: fc.Arbitrary<OrganisationInput> = fc
  .record({
    voicemails: fc.array(fc.boolean(), { minLength: people.length, maxLength: people.length }),
    teams: fc.tuple(
      ...twoTeams.map((_, index) =>
        fc.record({
          members: fc.subarray(
            people.map(({ id }) => id),
            { minLength: 1, maxLength: 3 },
          ),
          priorities: fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 3, maxLength: 3 }),
          timeout: fc.constantFrom(undefined, 15_000, 30_000, 45_000, 90_000),
          unanswered: fc.constantFrom(
            undefined,
            { voicemail: true as const },
            { team: twoTeams[1 - index] ?? "" },
          ),
        }),
      ),
    ),
  })
  .map(({ voicemails, teams }) => ({
    id: "org",
    users: people.map((each, index) => ({ ...each, voicemail: voicemails[index] ?? false })),
    teams: teams.map(({ members, priorities, timeout, unanswered }, index) => ({
      ...{ id: twoTeams[index] ?? "", displayName: `Team ${index}`, extension: `20${index}` },
      members: members.map((user, at) => ({ user, priority: priorities[at] ?? 1 })),
      ...(timeout === undefined ? {} : { timeout }),
      ...(unanswered === undefined ? {} : { unanswered }),
    })),
    numbers: [...people.map(({ id }) => id), ...twoTeams].map((owner, index) => ({
      number: `+649555010${index}`,
      owner,
    })),
  }));

const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/** The same, where people have hours. A walk takes minutes from midnight on, so whoever works later is out of hours. */
export const organisationWithHours: fc.Arbitrary<OrganisationInput> = fc
  .tuple(
    organisation,
    fc.array(fc.constantFrom(undefined, undefined, ["00:00", "24:00"], ["13:00", "14:00"]), {
      minLength: people.length,
      maxLength: people.length,
    }),
  )
  .map(([own, hours]) => ({
    ...own,
    timezone: "UTC",
    users: (own.users ?? []).map((user, index) => {
      const [from, to] = hours[index] ?? [];
      const workingHours = Object.fromEntries(days.map((day) => [day, [{ from, to }]]));
      return from === undefined ? user : { ...user, workingHours };
    }),
  }));

const outside = ["+6421555001", "+6421555002", "+6421555003", "+12025550147"];
const from = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)];

type Play = (sim: Simulator, turn: Turn, organisation: OrganisationInput) => void;

const endpointOf = ({ endpoint }: { endpoint: string }) => endpoint;

/** A random party that rings, with its call. */
function ringingParty(sim: Simulator, { pick, other }: Turn) {
  const call = from(
    sim.calls.live().filter((each) => each.ringing().length > 0),
    pick,
  );
  const ring = call === undefined ? undefined : from(call.ringing(), other);
  if (call === undefined || ring === undefined) return undefined;
  const who = "user" in ring ? ring.user : "device" in ring ? ring.device : ring.number;
  return { call, who, endpoint: endpointOf(ring), isUser: "user" in ring };
}

/** A random call with a connected party. */
function connectedCall(sim: Simulator, { pick }: Turn) {
  return from(
    sim.calls.live().filter(({ record }) => record.connections.some(({ leftAt }) => leftAt === null)),
    pick,
  );
}

/** Parties who can hang up: users and devices by id, others by number. */
function connected(call: NonNullable<ReturnType<typeof connectedCall>>, kind: "any" | "user"): string[] {
  const { connections, parties } = call.record;
  return connections
    .filter(({ leftAt }) => leftAt === null)
    .flatMap(({ partyId }) => {
      const party = parties.find(({ id }) => id === partyId);
      if (party === undefined || party.type === "voicemail") return [];
      if (kind === "user" && party.type !== "user") return [];
      return party.entryId ?? party.phoneNumber ?? [];
    });
}

/** The extensions of people and teams. */
const extensionsOf = (sim: Simulator) =>
  [...sim.users.list(), ...sim.teams.list()].map(({ record }) => record.extension);

const plays: readonly (readonly [weight: number, play: Play])[] = [
  [
    20,
    (sim, { pick, other }, { numbers = [] }) => {
      sim.calls.inbound({
        from: from(outside, other) ?? "",
        to: from(numbers, pick)?.number ?? "",
      });
    },
  ],
  [
    32,
    (sim, turn) => {
      const ring = ringingParty(sim, turn);
      ring?.call.answer(ring.who, ring.isUser ? { endpoint: ring.endpoint } : {});
    },
  ],
  [
    6,
    (sim, turn) => {
      const ring = ringingParty(sim, turn);
      ring?.call.decline(ring.who);
    },
  ],
  [
    24,
    (sim, turn) => {
      const call = connectedCall(sim, turn);
      const who = call === undefined ? undefined : from(connected(call, "any"), turn.other);
      if (who !== undefined) call?.hangup(who);
    },
  ],
  [
    5,
    (sim, { pick, other }) => {
      const user = from(sim.users.list(), pick);
      if (user !== undefined) sim.calls.outbound({ from: user.id, to: from(outside, other) ?? "" });
    },
  ],
  [
    4,
    (sim, { pick, other }) => {
      const user = from(sim.users.list(), pick);
      const callee = from(extensionsOf(sim), other);
      if (user !== undefined && callee !== undefined) sim.calls.internal({ from: user.id, to: callee });
    },
  ],
  [
    4,
    (sim, turn) => {
      const call = connectedCall(sim, turn);
      const by = call === undefined ? undefined : from(connected(call, "user"), turn.other);
      const target = from(extensionsOf(sim), turn.kind);
      if (by !== undefined && target !== undefined)
        call?.transfer(target, { by, warm: turn.other % 2 === 0 });
    },
  ],
  [
    5,
    (sim, turn) => {
      const call = from(
        sim.calls.live().filter(({ record }) => record.parties.some(({ type }) => type === "voicemail")),
        turn.pick,
      );
      call?.leaveVoicemail({ duration: 2_000 + turn.other });
    },
  ],
  [
    6,
    (sim, { pick, other }) => {
      const user = from(sim.users.list(), pick);
      const status = from(["available", "busy", "offline"] as const, other);
      if (status !== undefined) user?.setAvailability(status);
    },
  ],
  [
    3,
    (sim, { pick, other }, organisation) => {
      const numbers = (organisation.numbers ?? []).filter(({ sms }) => sms);
      sim.conversations.receive({
        from: from(outside, other) ?? "",
        to: from(numbers, pick)?.number ?? "",
        text: `Message ${pick}`,
      });
    },
  ],
];
const total = plays.reduce((sum, [weight]) => sum + weight, 0);

/** Chooses a play by weight. */
function playOf(place: number): Play {
  let left = place;
  for (const [weight, play] of plays) {
    if (left < weight) return play;
    left -= weight;
  }
  throw new Error(`${place} is not below the sum of all weights`);
}

/** Plays a walk and returns what an app of all events gets. */
export function captureOf(
  turns: readonly Turn[],
  seed: number,
  organisation: OrganisationInput = demoOrganisation,
): Line[] {
  const sim = createSimulator({ seed, organisation });
  for (const turn of turns) {
    const play = playOf(turn.kind % total);
    try {
      play(sim, turn, organisation);
    } catch (error) {
      // a turn that the state does not allow is skipped
      if (!(error instanceof CommandError || error instanceof InputError)) throw error;
    }
    sim.advance(turn.gapMs);
  }
  sim.advance("PT10M");
  return sim.events.map((event) => ({
    receivedAt: event.createdTimestamp,
    headers: {},
    body: JSON.stringify(event),
  }));
}
