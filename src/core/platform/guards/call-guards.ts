import type * as v from "valibot";
import type { CallEvent } from "../../../../machines/index.ts";
import type { Host } from "../../engine/host.ts";
import type { CommandErrorCode } from "../../foundation/errors.ts";
import type { CallRecord, Connection, Party } from "../../records/call.ts";
import { theParty, type Who, type Words } from "../declare/description.ts";
import type { Command } from "../declare/module.ts";
import type { RecordRight } from "../declare/record-guards.ts";
import type { LiveCall, Ring, VoicemailSession } from "../live/live-calls.ts";
import { connectionOf, partyById, ringingEndpoints } from "../live/parties.ts";
import type { Cast } from "../services/machine-types.ts";

/** A call, and the machines that say what it allows. */
export interface CallInState {
  readonly machines: Host<Cast>;
  readonly call: CallRecord;
  readonly live: LiveCall;
}

/**
 * Who may give a command on a call. The check of the command, its refusals and what they list after "allowed:" follow from
 * this.
 */
export interface Right<Has = unknown> {
  /** With what others are refused. */
  readonly code: CommandErrorCode;
  /** Those to look at: where a name means several of them, the first who may give the command is meant. */
  among(state: CallInState): readonly Party[];
  /**
   * What the command needs to go on, if this party may issue it.
   * @param endpoint the id of the endpoint that the command is about
   */
  of(state: CallInState, party: Party, endpoint: string | undefined): Has | undefined;
  /** The event that the party's machine must take too. */
  readonly inTime?: {
    isNow(state: CallInState, party: Party): boolean;
    /** The refusal if it does not, such as `cannot transfer yet`. */
    refusal(doing: string): string;
  };
}

/** A party with a right, and what it refers to. */
export interface Actor<Has> {
  readonly call: CallRecord;
  readonly live: LiveCall;
  readonly party: Party;
  readonly has: Has;
}

const parties = ({ call }: CallInState) => call.parties;

/** Someone whom the call rings. */
export const ringing: Right<Ring> = {
  code: "not_ringing",
  among: ({ call, live }) => live.rings.map(({ partyId }) => partyById(call, partyId)),
  of: ({ machines, live }, party, endpoint) => {
    const endpoints = endpoint === undefined ? ringingEndpoints(party) : [endpoint];
    return live.rings.find(
      ({ id, partyId }) =>
        partyId === party.id &&
        endpoints.some((each) => machines.can("ring", id, { type: "ANSWER", endpoint: each })),
    );
  },
};

/** Someone who can hang up, with the machine that takes it: the call's, or voicemail's for the last caller in it. */
export const hangingUp: Right<"call" | "voicemail"> = {
  code: "not_connected",
  among: parties,
  of: ({ machines, call }, party) => {
    if (machines.can("call", call.id, { type: "HANGUP", party: party.id })) return "call";
    const isCaller = party.type !== "voicemail" && connectionOf(call, party.id) !== undefined;
    return isCaller && machines.can("voicemail", call.id, { type: "HANGUP" }) ? "voicemail" : undefined;
  },
};

/** A user who is on the bridge. */
export const connectedUser: Right<Connection> = {
  code: "not_connected",
  among: parties,
  of: ({ call }, party) => (party.type === "user" ? connectionOf(call, party.id) : undefined),
};

/** The same right, as long as the call's machine takes this event of the party. */
export function connectedUserWho(
  type: Exclude<Extract<CallEvent, { readonly party: string }>, { readonly endpoint: string }>["type"],
) {
  return {
    ...connectedUser,
    inTime: {
      isNow: ({ machines, call }: CallInState, { id }: Party) =>
        machines.can("call", call.id, { type, party: id }),
      refusal: (doing: string) => `cannot ${doing} yet`,
    },
  } satisfies Right<Connection>;
}

/** The caller, once voicemail has taken the call. */
export const callerInVoicemail: Right<VoicemailSession> = {
  code: "not_in_voicemail",
  among: ({ call, live }) => [partyById(call, live.callerPartyId)],
  of: ({ live }) => live.voicemail ?? undefined,
  inTime: {
    isNow: ({ machines, call }) => machines.can("voicemail", call.id, { type: "SPEAK", messageMs: 0 }),
    refusal: () => "already leaves a message",
  },
};

/** The declaration of a command without its action. */
export interface Declared<S extends v.GenericSchema>
  extends Omit<Command<never, S, never>, "act" | "returns"> {}

/** Arguments that say on which call, and perhaps who gives the command. */
type OnCall = v.GenericSchema<unknown, { readonly call: string; readonly by?: string }>;

/** Declares a command on a call: who may give it, the shape of its arguments, and what its giver does by it. */
export function onCall<S extends OnCall, Has>(
  right: Right<Has>,
  schema: S,
  words: (args: v.InferOutput<S>) => Words,
  doing?: string,
): Declared<S> & { readonly right: Right<Has> } {
  const declared = { right, schema, giver: theParty, words };
  return doing === undefined ? declared : { ...declared, doing };
}

/** Declares a command that the record must allow which it is about, such as the user who dials. */
export function onRecord<S extends v.GenericSchema, It, Of>(
  right: RecordRight<It, v.InferOutput<S>, Of>,
  schema: S,
  giver: (args: v.InferOutput<S>) => Who,
  words: (args: v.InferOutput<S>) => Words,
): Declared<S> & { readonly right: RecordRight<It, v.InferOutput<S>, Of> } {
  return { right, schema, giver, words };
}

/** Declares a command that anyone may give. */
export function byAnyone<S extends v.GenericSchema>(
  schema: S,
  giver: (args: v.InferOutput<S>) => Who,
  words: (args: v.InferOutput<S>) => Words,
): Declared<S> & { readonly right?: undefined } {
  return { schema, giver, words };
}

/** Commands by name. */
export type AllDeclared = Readonly<
  Record<string, Omit<Command<never, v.GenericSchema, never>, "act" | "giver" | "words">>
>;
export type MethodParameters<D> = D extends { readonly schema: infer S extends v.GenericSchema }
  ? D extends { readonly right: Right<infer Has> }
    ? [args: v.InferOutput<S>, actor: Actor<Has>]
    : D extends { readonly right: { find(it: never, args: never): infer Of } }
      ? [args: v.InferOutput<S>, of: Of]
      : [args: v.InferOutput<S>]
  : never;
/** An object that carries out commands: one method of the same name for each. */
export type Methods<All extends AllDeclared> = {
  readonly [Name in keyof All]: (...args: MethodParameters<All[Name]>) => unknown;
};

type Method = (args: unknown, actor: unknown) => unknown;

/** The commands of a class whose methods have their names. */
export function methodsOf<It extends Methods<All>, All extends AllDeclared>(
  _class: abstract new (...args: never[]) => It,
  all: All,
): { readonly [Name in keyof All]: Command<It, All[Name]["schema"], ReturnType<It[Name]>> } {
  const commands = Object.entries(all).map(([name, declared]) => {
    const act = (it: Readonly<Record<string, Method>>, args: unknown, actor: unknown) =>
      (it[name] as Method).call(it, args, actor);
    return [name, { ...declared, act }];
  });
  return Object.fromEntries(commands);
}
