import fc from "fast-check";
import {
  CommandError,
  createSimulator,
  demoOrganisation,
  InputError,
  type Simulator,
} from "../../src/index.ts";
import type { Line } from "./support.ts";

/** Random runs of the demo organisation as its receiver sees them: legal commands, seconds apart. */

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

const outside = ["+6421555001", "+6421555002", "+6421555003", "+12025550147"];
const from = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)];

type Play = (sim: Simulator, turn: Turn) => void;

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

const plays: readonly (readonly [weight: number, play: Play])[] = [
  [
    20,
    (sim, { pick, other }) => {
      sim.calls.inbound({
        from: from(outside, other) ?? "",
        to: from(demoOrganisation.numbers, pick)?.number ?? "",
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
      const callee = from(sim.users.list(), other);
      if (user !== undefined && callee !== undefined)
        sim.calls.internal({ from: user.id, to: callee.record.extension });
    },
  ],
  [
    4,
    (sim, turn) => {
      const call = connectedCall(sim, turn);
      const by = call === undefined ? undefined : from(connected(call, "user"), turn.other);
      const target = from(sim.users.list(), turn.kind);
      if (by !== undefined && target !== undefined)
        call?.transfer(target.id, { by, warm: turn.other % 2 === 0 });
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
    (sim, { pick, other }) => {
      const numbers = demoOrganisation.numbers.filter((each) => "sms" in each);
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

/** Plays a walk and returns what a receiver of all events gets. */
export function captureOf(turns: readonly Turn[], seed: number): Line[] {
  const sim = createSimulator({ seed });
  for (const turn of turns) {
    const play = playOf(turn.kind % total);
    try {
      play(sim, turn);
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
