import type { DurationInput } from "../../foundation/instants.ts";
import type { PublicCallRecord, TransferResult } from "../../generated/records.ts";
import type { CallRecord, CallStatus } from "../../records/call.ts";
import type { CommandInput, CoreServices } from "../base/core-services.ts";
import type { CallRecords } from "../call-record/call-records.ts";
import type { LiveCalls } from "../live/live-calls.ts";
import { listRinging, type RingingEndpoint } from "../live/parties.ts";

export interface Needs extends CoreServices {
  readonly callRecords: CallRecords;
  readonly live: LiveCalls;
}

const publicRecords = new WeakMap<CallRecord, PublicCallRecord>();

/** The record without `organisationId`: one frozen object for each version of the record. */
export function publicRecord(record: CallRecord): PublicCallRecord {
  let result = publicRecords.get(record);
  if (result === undefined) {
    const { organisationId: _, ...rest } = record;
    result = Object.freeze(rest);
    publicRecords.set(record, result);
  }
  return result;
}

/**
 * One call. *who* is a user's id or e-mail, a device id, an external number, `caller` or `callee`. Every command throws
 * a `CommandError` if the call's state does not allow it, and then changes nothing.
 */
export class CallHandle {
  readonly #services: Needs;

  /** @internal Reached by the simulator. */
  constructor(
    services: Needs,
    /** The call's id. */
    readonly id: string,
  ) {
    this.#services = services;
  }

  /** The current record, frozen. @throws {CommandError} `not_found` if `retain.calls` has dropped the call */
  get record(): PublicCallRecord {
    return publicRecord(this.#services.callRecords.find(this.id));
  }

  /** The current status. @throws {CommandError} as `record` */
  get status(): CallStatus {
    return this.record.status;
  }

  /**
   * Someone who rings answers.
   * @param who who answers
   * @param options `endpoint`: the id of the endpoint to answer on; default: the first that rings
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * call.answer("alice@acme.test");
   * call.status; // => "accepted"
   */
  answer(who: string, options: { readonly endpoint?: string } = {}): void {
    this.#services.command("answer", { call: this.id, by: who, ...options });
  }

  /**
   * Someone who rings declines, on one endpoint or on all.
   * @param who who declines
   * @param options `endpoint`: the id of the endpoint; default: all. `busy`: whether the line is engaged, for
   *   outside numbers; default false
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550102" });
   * call.decline("bob", { endpoint: "mobile" });
   * call.ringing(); // => [{ user: "bob", endpoint: "desktop" }, { user: "bob", endpoint: "desk" }]
   */
  decline(who: string, options: { readonly endpoint?: string; readonly busy?: boolean } = {}): void {
    this.#services.command("decline", { call: this.id, by: who, ...options });
  }

  /**
   * The caller gives up, or someone on the call hangs up.
   * @param who who hangs up
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * sim.advance("PT5S");
   * call.hangup("caller"); // Alice's phones stop ringing
   * sim.events.at(-1)?.type; // => "call.not_answered"
   */
  hangup(who: string): void {
    this.#services.command("hangup", { call: this.id, by: who });
  }

  /**
   * A connected user moves to another of their endpoints. Emits nothing.
   * @param user the user's id or e-mail address
   * @param options `to`: the id of that endpoint
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * call.answer("alice", { endpoint: "mobile" });
   * call.move("alice", { to: "desktop" });
   * call.record.connections.map(({ endpoint }) => endpoint); // => [null, "mobile", "desktop"]
   */
  move(user: string, options: { readonly to: string }): void {
    this.#services.command("move", { call: this.id, by: user, ...options });
  }

  /**
   * A connected user hands the call on. Blind: they leave as the target begins to ring; if it does not answer, its
   * unanswered step runs. Warm: they stay, and the target joins when it answers.
   * @param target an extension, an id, an e-mail address or an outside number
   * @param options `by`: the user who transfers, by id or e-mail address. `warm`: whether they stay; default false
   * @returns `unreachable` says why the target could not be rung: `Carol Diaz is busy`
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * call.answer("alice");
   * call.transfer("bob", { by: "alice", warm: true });
   * call.answer("bob"); // all three talk
   * call.hangup("alice");
   */
  transfer(target: string, options: { readonly by: string; readonly warm?: boolean }): TransferResult {
    return this.#services.command("transfer", { call: this.id, target, ...options });
  }

  /**
   * A connected user rings another party, who joins the call by answering.
   * @param target an extension, an id, an e-mail address or an outside number
   * @param options `by`: the user who adds, by id or e-mail address
   * @returns `unreachable` says why the target could not be rung: `Carol Diaz is busy`
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * call.answer("alice");
   * call.add("+6421555002", { by: "alice" });
   * call.answer("+6421555002");
   */
  add(target: string, options: { readonly by: string }): TransferResult {
    return this.#services.command("add", { call: this.id, target, ...options });
  }

  /**
   * A caller in voicemail leaves a message of this length and hangs up at its end. It begins at the tone, or now if
   * the tone has sounded, and is cut at `timing.voicemailMaxMessage`.
   * @param options `duration`: the length of the message. `transcript`: what the caller says; default: nothing
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * sim.runUntil("call.not_answered");
   * call.leaveVoicemail({ duration: "PT12S", transcript: "Please call me back." });
   * sim.runUntil("call.transcript.created");
   */
  leaveVoicemail(options: { readonly duration: DurationInput; readonly transcript?: string }): void {
    this.#services.command("leaveVoicemail", { call: this.id, ...options });
  }

  /**
   * A user writes a note, during the call or at any time after it. Emits nothing, but changes `lastModified`.
   * @param text the text of the note
   * @param options `by`: the user who writes, by id or e-mail address
   * @returns the note's id
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * call.answer("alice");
   * call.note("Wants a refund", { by: "alice" });
   * call.record.notes.map(({ text }) => text); // => ["Wants a refund"]
   */
  note(text: string, options: { readonly by: string }): string {
    return this.#services.command("note", { call: this.id, text, ...options });
  }

  /**
   * A user says who the outside party is, during the call or at any time after it. The party and the summary take the
   * contact's name. No phonebook changes.
   * @param contact the id of a contact in a phonebook that the user sees, or the contact itself
   * @param options `by`: the user who says so, by id or e-mail address
   * @example
   * const call = sim.calls.inbound({ from: "+6421555009", to: "+6495550100" });
   * call.answer("alice");
   * call.assignContact({ name: "Ann Lee", phoneNumbers: ["+6421555009"] }, { by: "alice" });
   * call.record.parties[0]?.displayName; // => "Ann Lee"
   */
  assignContact(contact: CommandInput<"assignContact">["contact"], options: { readonly by: string }): void {
    this.#services.command("assignContact", { call: this.id, contact, ...options });
  }

  /**
   * All endpoints that ring now, in the order in which they began.
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * call.ringing(); // => [{ user: "alice", endpoint: "mobile" }, { user: "alice", endpoint: "desktop" }]
   */
  ringing(): RingingEndpoint[] {
    const { callRecords, live } = this.#services;
    return listRinging(callRecords.find(this.id), live.get(this.id));
  }
}
