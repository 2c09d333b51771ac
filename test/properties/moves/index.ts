import fc from "fast-check";
import type { Player } from "../play.ts";
import { Inbound, Internal, Outbound, Redirect } from "./beginnings.ts";
import { AssignContact, Note } from "./follow-ups.ts";
import type { Aim, Move } from "./move.ts";
import { Add, Answer, Decline, Hangup, LeaveVoicemail, MoveEndpoint, Transfer } from "./on-a-call.ts";
import { RemoveTeamMember, SetAvailability, SetEndpoint, SetTeamMember, SetUserStatus } from "./people.ts";
import { Possible } from "./possible.ts";
import { Advance, AdvanceToTimer, Step } from "./time.ts";

/** Every kind of move in a run: each class says how often it is drawn, and how. */
export const kinds = [
  ...[Inbound, Outbound, Internal, Redirect],
  ...[Transfer, Add, SetTeamMember, RemoveTeamMember],
  ...[Answer, Decline, Hangup, MoveEndpoint, LeaveVoicemail],
  ...[SetAvailability, SetEndpoint, SetUserStatus, Note, AssignContact],
  ...[Advance, AdvanceToTimer, Step],
  ...(Possible.names.length > 0 ? [Possible] : []),
];
type Kind = (typeof kinds)[number];
export type AnyMove = Move<Player>;

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

function drawn(of: readonly Kind[], aim: fc.Arbitrary<Aim>): fc.Arbitrary<AnyMove> {
  return fc.oneof(...of.map((kind) => ({ weight: kind.weight, arbitrary: kind.drawn(aim) })));
}

export const move = drawn(kinds, aims);

const timeMoves: Kind[] = [Advance, AdvanceToTimer, Step];

/** Moves on team queues that keep each call with its first team. */
export const queueMove = drawn(
  [
    ...[Inbound, Answer, Decline, Hangup, SetAvailability, SetEndpoint, SetTeamMember, RemoveTeamMember],
    ...timeMoves,
  ],
  aims,
);

/** Moves that can happen while a team is offered one call, except the answer. */
export const tierMove = drawn(
  [Decline, SetAvailability, SetTeamMember, RemoveTeamMember, AdvanceToTimer, Step],
  aims,
);

/** A run in which most moves make sense. */
export const run = fc.array(move, { maxLength: 50, size: "max" });
/** A run in which many moves are refused. */
export const carelessRun = fc.array(drawn(kinds, carelessAims), { maxLength: 30, size: "max" });

/** The reaction of a listener to an event of this type: one more command. */
export interface Reflex {
  readonly on: string;
  readonly does: AnyMove;
}

const heard = ["call.started", "call.answered", "call.not_answered", "call.hungup", "call.ended"] as const;
const commands = kinds.filter((kind) => !timeMoves.includes(kind));

export const reflexes: fc.Arbitrary<Reflex[]> = fc.array(
  fc.record({
    on: fc.constantFrom(...heard, "user.availability.updated", "call.recording.available", "*"),
    does: drawn(commands, aims),
  }),
  { minLength: 1, maxLength: 4 },
);
