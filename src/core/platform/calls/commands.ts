import * as v from "valibot";
import {
  callerNumber,
  e164,
  extension,
  flag,
  object,
  text,
  wholeNumber,
} from "../../foundation/input-schemas.ts";
import { theOutsider, whoeverFrom } from "../declare/description.ts";
import { onText } from "../declare/words.ts";
import {
  byAnyone,
  connectedUser,
  connectedUserWho,
  hangingUp,
  onCall,
  onRecord,
  ringing,
} from "../guards/call-guards.ts";
import { callerBehaviourSchema } from "../organisation/behaviour.ts";
import { contactOrId } from "../organisation/contact.ts";
import { passthrough } from "../passthrough/schema.ts";
import { freeCaller, freeCallerOutside } from "./free-caller.ts";

/**
 * The arguments of every command on calls, as scenario steps have them and the journal keeps them. `by` is a user's
 * id or e-mail, a device id, an external number, `caller` or `callee`.
 */

const who = text('expected who: an id, an e-mail address, a number, "caller" or "callee"');

const inboundSchema = object({
  /** The caller's number, E.164; or a short code of 3 to 8 digits, or `anonymous` for a withheld number. */
  from: callerNumber(),
  /** One of the organisation's numbers, E.164. */
  to: e164(),
  /** The vendor's id for the call; default: a new one, from the seed. */
  vendorCallId: v.optional(text()),
  /** Entries whose key starts with `x-` and whose value is text, or a URL-encoded query; at most 1000 bytes in all. */
  passthroughParameters: v.optional(passthrough),
  /** The priority in a team's queue, 1 (first) to 9; default 5. */
  priority: v.optional(wholeNumber(1, 9)),
  /** How the caller acts by themselves. */
  behaviour: v.optional(callerBehaviourSchema),
});

const outboundSchema = object({
  /** Who dials: a user's id or e-mail address, or a device's id. */
  from: text(),
  /** The outside number to call, E.164. */
  to: e164(),
  /**
   * The organisation's number to call from, E.164; default: the caller's first number, otherwise the organisation's
   * first.
   */
  callerId: v.optional(e164()),
  /** Entries whose key starts with `x-` and whose value is text, or a URL-encoded query; at most 1000 bytes in all. */
  passthroughParameters: v.optional(passthrough),
});

const internalSchema = object({
  /** Who dials: a user's id or e-mail address. */
  from: text(),
  /** The extension number of a user, a team or a device. */
  to: extension(),
});

const answerSchema = object({
  /** The call's id. */
  call: text(),
  /** Who acts: a user's id or e-mail address, a device's id, an outside number, `caller` or `callee`. */
  by: who,
  /** The id of their endpoint; default: to answer, the first that rings; to decline, all of them. */
  endpoint: v.optional(text()),
});
const declineSchema = object({
  ...answerSchema.entries,
  /** Whether the line is engaged, for outside numbers; default false. */
  busy: v.optional(flag()),
});
const hangupSchema = object({
  /** The call's id. */
  call: text(),
  /** Who acts: a user's id or e-mail address, a device's id, an outside number, `caller` or `callee`. */
  by: who,
});
const moveSchema = object({
  /** The call's id. */
  call: text(),
  /** The connected user, by id or e-mail address. */
  by: text(),
  /** The id of the endpoint to move to. */
  to: text(),
});
const transferSchema = object({
  /** The call's id. */
  call: text(),
  /** Where the call goes: an extension, an id, an e-mail address or an outside number. */
  target: text(),
  /** Who transfers it: a connected user, by id or e-mail address. */
  by: text(),
  /** Whether the user stays until they hang up; default false: they leave when the target begins to ring. */
  warm: v.optional(flag()),
});
const addSchema = object({
  /** The call's id. */
  call: text(),
  /** Whom to add: an extension, an id, an e-mail address or an outside number. */
  target: text(),
  /** Who adds them: a connected user, by id or e-mail address. */
  by: text(),
});

export const noteSchema = object({
  /** The call's id. */
  call: text(),
  /** The user who writes the note, by id or e-mail address. */
  by: text(),
  /** The text of the note. */
  text: text(),
});

export const assignContactSchema = object({
  /** The call's id. */
  call: text(),
  /** The outside party: the id of a contact in a phonebook that the user sees, or the contact itself. */
  contact: contactOrId,
  /** The user who assigns the contact, by id or e-mail address. */
  by: text(),
});

const callsTo = ({ to }: { readonly to: string }) => ({ verb: "calls", mention: { called: to } });

/** Who may transfer a call may add to it. */
const canTransfer = connectedUserWho("TRANSFER");

/** The commands on calls, which `Calls` carries out: what each takes, who may give it, and how it is told. */
export const callCommands = {
  inbound: byAnyone(inboundSchema, theOutsider, ({ to }) => ({ verb: "calls", mention: { number: to } })),
  outbound: onRecord(freeCallerOutside, outboundSchema, whoeverFrom, callsTo),
  internal: onRecord(freeCaller, internalSchema, whoeverFrom, callsTo),
  answer: onCall(ringing, answerSchema, ({ call, by, endpoint }) => ({
    kind: "answer",
    verb: "answers",
    ...(endpoint === undefined ? { mention: { ringing: { call, by } } } : { detail: `on ${endpoint}` }),
  })),
  decline: onCall(ringing, declineSchema, ({ endpoint, busy }) =>
    busy === true ? "is busy" : `declines${onText(endpoint)}`,
  ),
  hangup: onCall(hangingUp, hangupSchema, () => "hangs up", "hang up"),
  move: onCall(connectedUser, moveSchema, ({ to }) => `moves the call to ${to}`),
  transfer: onCall(
    canTransfer,
    transferSchema,
    ({ target, warm }) => `transfers the call to ${target}${warm === true ? " and stays" : ""}`,
  ),
  add: onCall(canTransfer, addSchema, ({ target }) => `adds ${target} to the call`),
};

/** The arguments of each, as they are read. */
export type CallArguments = {
  readonly [Name in keyof typeof callCommands]: v.InferOutput<(typeof callCommands)[Name]["schema"]>;
};
export type InboundArguments = CallArguments["inbound"];
export type NoteArguments = v.InferOutput<typeof noteSchema>;
export type AssignContactArguments = v.InferOutput<typeof assignContactSchema>;
