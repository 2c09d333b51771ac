import type * as v from "valibot";
import type { CallEvent } from "../../../../machines/index.ts";
import type { MachineHost } from "../../engine/machine-host.ts";
import type { CommandErrorCode } from "../../foundation/errors.ts";
import type { CallRecord, Connection, Party } from "../../records/call.ts";
import type { MachineTypes } from "../base/machine-types.ts";
import { type ActorReference, type Description, theParty } from "../declare/description.ts";
import type { RecordGuard } from "../declare/record-guards.ts";
import type { Command } from "../declare/service.ts";
import type { LiveCall, Ring, VoicemailSession } from "../live/live-calls.ts";
import { connectionOf, partyById, ringingEndpoints } from "../live/parties.ts";

/** A call, and the machines that say what it allows. */
export interface CallState {
  readonly machines: MachineHost<MachineTypes>;
  readonly call: CallRecord;
  readonly live: LiveCall;
}

/**
 * Who may give a command on a call. The check of the command, its refusals and what they list after "allowed:" follow from
 * this.
 */
export interface CallGuard<Has = unknown> {
  /** With what others are refused. */
  readonly code: CommandErrorCode;
  /** Those to look at: where a name means several of them, the first who may give the command is meant. */
  candidates(state: CallState): readonly Party[];
  /**
   * What the command needs to go on, if this party may issue it.
   * @param endpoint the id of the endpoint that the command is about
   */
  grant(state: CallState, party: Party, endpoint: string | undefined): Has | undefined;
  /** The event that the party's machine must take too. */
  readonly timing?: {
    isNow(state: CallState, party: Party): boolean;
    /** The refusal if it does not, such as `cannot transfer yet`. */
    refusal(doing: string): string;
  };
}

/** A party with a right, and what it refers to. */
export interface Granted<Has> {
  readonly call: CallRecord;
  readonly live: LiveCall;
  readonly party: Party;
  readonly grant: Has;
}

const parties = ({ call }: CallState) => call.parties;

/** Someone whom the call rings. */
export const ringing: CallGuard<Ring> = {
  code: "not_ringing",
  candidates: ({ call, live }) => live.rings.map(({ partyId }) => partyById(call, partyId)),
  grant: ({ machines, live }, party, endpoint) => {
    const endpoints = endpoint === undefined ? ringingEndpoints(party) : [endpoint];
    return live.rings.find(
      ({ id, partyId }) =>
        partyId === party.id &&
        endpoints.some((each) => machines.can("ring", id, { type: "ANSWER", endpoint: each })),
    );
  },
};

/** Someone who can hang up, with the machine that takes it: the call's, or voicemail's for the last caller in it. */
export const hangingUp: CallGuard<"call" | "voicemail"> = {
  code: "not_connected",
  candidates: parties,
  grant: ({ machines, call }, party) => {
    if (machines.can("call", call.id, { type: "HANGUP", party: party.id })) return "call";
    const isCaller = party.type !== "voicemail" && connectionOf(call, party.id) !== undefined;
    return isCaller && machines.can("voicemail", call.id, { type: "HANGUP" }) ? "voicemail" : undefined;
  },
};

/** A user who is on the bridge. */
export const connectedUser: CallGuard<Connection> = {
  code: "not_connected",
  candidates: parties,
  grant: ({ call }, party) => (party.type === "user" ? connectionOf(call, party.id) : undefined),
};

/** The same right, as long as the call's machine takes this event of the party. */
export function connectedUserWho(
  type: Exclude<Extract<CallEvent, { readonly party: string }>, { readonly endpoint: string }>["type"],
) {
  return {
    ...connectedUser,
    timing: {
      isNow: ({ machines, call }: CallState, { id }: Party) =>
        machines.can("call", call.id, { type, party: id }),
      refusal: (doing: string) => `cannot ${doing} yet`,
    },
  } satisfies CallGuard<Connection>;
}

/** The caller, once voicemail has taken the call. */
export const callerInVoicemail: CallGuard<VoicemailSession> = {
  code: "not_in_voicemail",
  candidates: ({ call, live }) => [partyById(call, live.callerPartyId)],
  grant: ({ live }) => live.voicemail ?? undefined,
  timing: {
    isNow: ({ machines, call }) => machines.can("voicemail", call.id, { type: "SPEAK", messageMs: 0 }),
    refusal: () => "already leaves a message",
  },
};

/** The declaration of a command without its action. */
export interface CommandDeclaration<S extends v.GenericSchema>
  extends Omit<Command<never, S, never>, "run" | "returns"> {}

/** Arguments that say on which call, and perhaps who gives the command. */
type OnCall = v.GenericSchema<unknown, { readonly call: string; readonly by?: string }>;

/** Declares a command on a call: who may give it, the shape of its arguments, and what its giver does by it. */
export function onCall<S extends OnCall, Has>(
  right: CallGuard<Has>,
  schema: S,
  words: (args: v.InferOutput<S>) => Description,
  doing?: string,
): CommandDeclaration<S> & { readonly guard: CallGuard<Has> } {
  const declared = { guard: right, schema, actor: theParty, describe: words };
  return doing === undefined ? declared : { ...declared, infinitive: doing };
}

/** Declares a command that the record must allow which it is about, such as the user who dials. */
export function onRecord<S extends v.GenericSchema, It, Of>(
  right: RecordGuard<It, v.InferOutput<S>, Of>,
  schema: S,
  giver: (args: v.InferOutput<S>) => ActorReference,
  words: (args: v.InferOutput<S>) => Description,
): CommandDeclaration<S> & { readonly guard: RecordGuard<It, v.InferOutput<S>, Of> } {
  return { guard: right, schema, actor: giver, describe: words };
}

/** Declares a command that anyone may give. */
export function byAnyone<S extends v.GenericSchema>(
  schema: S,
  giver: (args: v.InferOutput<S>) => ActorReference,
  words: (args: v.InferOutput<S>) => Description,
): CommandDeclaration<S> & { readonly guard?: undefined } {
  return { schema, actor: giver, describe: words };
}

/** Commands by name. */
export type CommandDeclarations = Readonly<
  Record<string, Omit<Command<never, v.GenericSchema, never>, "run" | "actor" | "describe">>
>;
export type MethodParameters<D> = D extends { readonly schema: infer S extends v.GenericSchema }
  ? D extends { readonly guard: CallGuard<infer Has> }
    ? [args: v.InferOutput<S>, actor: Granted<Has>]
    : D extends { readonly guard: { find(it: never, args: never): infer Of } }
      ? [args: v.InferOutput<S>, of: Of]
      : [args: v.InferOutput<S>]
  : never;
/** An object that carries out commands: one method of the same name for each. */
export type Methods<All extends CommandDeclarations> = {
  readonly [Name in keyof All]: (...args: MethodParameters<All[Name]>) => unknown;
};

type Method = (args: unknown, actor: unknown) => unknown;

/** The commands of a class whose methods have their names. */
export function methodsOf<It extends Methods<All>, All extends CommandDeclarations>(
  _class: abstract new (...args: never[]) => It,
  all: All,
): { readonly [Name in keyof All]: Command<It, All[Name]["schema"], ReturnType<It[Name]>> } {
  const commands = Object.entries(all).map(([name, declared]) => {
    const act = (it: Readonly<Record<string, Method>>, args: unknown, actor: unknown) =>
      (it[name] as Method).call(it, args, actor);
    return [name, { ...declared, run: act }];
  });
  return Object.fromEntries(commands);
}
