import * as v from "valibot";
import { e164, extension, flag, object, text, wholeNumber } from "../../engine/input.ts";
import { passthrough } from "../passthrough/schema.ts";
import { callerBehaviourSchema } from "../people/schema.ts";
import { contactOrId } from "../phonebooks/contact-schema.ts";

/**
 * The arguments of every command on calls. A scenario's steps have the same shapes, and the journal keeps them as
 * they are here. `by` is a user's id or e-mail, a device id, an external number, `caller` or `callee`.
 */

export const inboundSchema = object({
  /** The caller's number, E.164. */
  from: e164(),
  /** One of the organisation's numbers, E.164. */
  to: e164(),
  /** The vendor's id for the call; default: one of its own, from the seed. */
  vendorCallId: v.optional(text()),
  /** Entries whose key starts with `x-` and whose value is text, or a URL-encoded query; at most 1000 bytes in all. */
  passthroughParameters: v.optional(passthrough),
  /** 1 highest to 9 lowest, 5 by default: the order in a team's queue. */
  priority: v.optional(wholeNumber(1, 9)),
  /** How the caller acts by themselves. */
  behaviour: v.optional(callerBehaviourSchema),
});

/** `from` is a user's id or e-mail, or a device's id; `callerId` one of the organisation's numbers. */
export const outboundSchema = object({
  from: text(),
  to: e164(),
  callerId: v.optional(e164()),
  passthroughParameters: v.optional(passthrough),
});

export const internalSchema = object({ from: text(), to: extension() });

export const answerSchema = object({ call: text(), by: text(), endpoint: v.optional(text()) });
/** `busy`: an outside number's line is engaged. */
export const declineSchema = object({ ...answerSchema.entries, busy: v.optional(flag()) });
export const hangupSchema = object({ call: text(), by: text() });
export const moveSchema = object({ call: text(), by: text(), to: text() });
/** `target` is an extension, an id, an e-mail address or an outside number. */
export const transferSchema = object({ call: text(), target: text(), by: text(), warm: v.optional(flag()) });
export const addSchema = object({ call: text(), target: text(), by: text() });

/** `by` is the user who writes it. */
export const noteSchema = object({ call: text(), by: text(), text: text() });

/** `contact` is in a phonebook that the user `by` sees. */
export const assignContactSchema = object({ call: text(), contact: contactOrId, by: text() });

export type InboundArguments = v.InferOutput<typeof inboundSchema>;
export type AnswerArguments = v.InferOutput<typeof answerSchema>;
export type OutboundArguments = v.InferOutput<typeof outboundSchema>;
export type InternalArguments = v.InferOutput<typeof internalSchema>;
export type DeclineArguments = v.InferOutput<typeof declineSchema>;
export type TransferArguments = v.InferOutput<typeof transferSchema>;
export type AddArguments = v.InferOutput<typeof addSchema>;
export type HangupArguments = v.InferOutput<typeof hangupSchema>;
export type MoveArguments = v.InferOutput<typeof moveSchema>;
export type NoteArguments = v.InferOutput<typeof noteSchema>;
export type AssignContactArguments = v.InferOutput<typeof assignContactSchema>;
