import { CommandError } from "../../engine/errors.ts";
import { type CallRecord, newInboundCall, type Party } from "../../records/call.ts";
import { accept } from "../passthrough/passthrough.ts";
import type { Platform } from "../platform.ts";
import type {
  AnswerArguments,
  HangupArguments,
  InboundArguments,
  LeaveVoicemailArguments,
  MoveArguments,
} from "./commands.ts";
import type { LiveCall, Ring } from "./live-call.ts";
import { connectionOf, isNamed, partyById, refusal, ringingEndpoints } from "./parties.ts";
import { summaryOf } from "./summary.ts";

/** The commands on calls: each checks that the state allows it before it changes anything. */
export class Calls {
  constructor(private readonly platform: Platform) {}

  /**
   * An outside caller dials one of the organisation's numbers.
   * @throws {CommandError} `unknown_number`
   * @returns the call's id
   */
  inbound(args: InboundArguments): string {
    const { directory, engine, settings, tables, live, flow } = this.platform;
    const target = directory.ownerOf(args.to);
    if (target.kind === "team") {
      throw new CommandError(
        "not_simulated",
        `${args.to} belongs to the team ${target.record.id}: calls to teams are not simulated yet`,
      );
    }
    const id = engine.ids.next("call");
    const caller = this.externalParty(args.from, target.kind === "user" ? target.record.email : undefined);
    const call = tables.calls.insert(
      newInboundCall({
        id,
        organisationId: settings.organisationId,
        contactNumber: args.from,
        companyNumber: args.to,
        vendor: settings.dialect.vendor,
        vendorCallId: args.vendorCallId ?? engine.ids.next("vendor-call"),
        passthroughParameters: accept(args.passthroughParameters),
        summary: summaryOf({
          contact: caller,
          companyNumber: args.to,
          owner: target.record.displayName,
          outcome: "In progress",
        }),
        caller,
        nowMs: engine.now,
      }),
    );
    live.set({
      callId: id,
      target: { kind: target.kind, id: target.record.id },
      callerPartyId: caller.id,
      rings: [],
      voicemail: null,
    });
    flow.start(call, caller.id);
    return id;
  }

  /** Someone who rings answers, on the endpoint named or the first that rings. */
  answer({ call: callId, by, endpoint }: AnswerArguments): void {
    const { call, ring, party } = this.ringingParty(callId, by, endpoint, "answer");
    const answered = endpoint ?? ringingEndpoints(party)[0];
    if (answered === undefined) throw new Error(`${party.id} of call ${call.id} rings on no endpoint`);
    this.platform.engine.host.send(ring.key, { type: "ANSWER", endpoint: answered });
  }

  /** Someone who rings declines, on the endpoint named or on all. */
  decline({ call: callId, by, endpoint }: AnswerArguments): void {
    const { ring } = this.ringingParty(callId, by, endpoint, "decline");
    this.platform.engine.host.send(ring.key, { type: "DECLINE", endpoint: endpoint ?? null });
  }

  /** The caller gives up, or a connected party hangs up. */
  hangup({ call: callId, by }: HangupArguments): void {
    const { call, live } = this.find(callId);
    const { host } = this.platform.engine;
    const party = call.parties.find(
      (each) => live !== undefined && isNamed(each, by, live) && this.canHangUp(call, live, each),
    );
    if (live === undefined || party === undefined)
      throw refusal("not_connected", `${by} cannot hang up`, call, live);
    if (live.voicemail !== null) host.send(voicemailKey(call.id), { type: "HANGUP" });
    else host.send(callKey(call.id), { type: "HANGUP", party: party.id });
  }

  /** A connected user goes on at another of their endpoints. A new connection; no event. */
  move({ call: callId, by, to }: MoveArguments): void {
    const { call, live } = this.find(callId);
    const party = call.parties.find(
      (each) => live !== undefined && each.type === "user" && isNamed(each, by, live),
    );
    const connection = party === undefined ? undefined : connectionOf(call, party.id);
    if (party?.entryId === undefined || connection === undefined)
      throw refusal("not_connected", `${by} cannot move`, call, live);
    const { endpoints } = this.platform.directory.user(party.entryId);
    const others = endpoints
      .filter((each) => each.registered && each.id !== connection.endpoint)
      .map((each) => each.id);
    if (!others.includes(to)) {
      throw new CommandError(
        "not_allowed",
        `${by} cannot move to "${to}" from ${connection.endpoint}; registered besides: ${others.join(", ") || "none"}`,
      );
    }
    this.platform.flow.move(call.id, party.id, to);
  }

  /**
   * A caller in voicemail leaves a message of this length, from the tone on or from now if it has sounded, and hangs
   * up at its end. The longest message is `timing.voicemailMaxMessage`.
   */
  leaveVoicemail({ call: callId, duration, transcript }: LeaveVoicemailArguments): void {
    const { call, live } = this.find(callId);
    if (live?.voicemail == null)
      throw refusal("not_in_voicemail", "the caller cannot leave a message", call, live);
    if (live.voicemail.hasMessage)
      throw refusal("not_allowed", "the caller already leaves a message", call, live);
    this.platform.voicemail.speak(live, duration, transcript ?? null);
  }

  /** The call that a user is on at this endpoint. */
  connectedAt(userId: string, endpointId: string): string | undefined {
    const callId = this.platform.live.callOf(userId);
    if (callId === undefined) return undefined;
    const call = this.platform.tables.calls.mustGet(callId);
    const party = call.parties.find(
      (each) => each.entryId === userId && connectionOf(call, each.id)?.endpoint === endpointId,
    );
    return party === undefined ? undefined : callId;
  }

  /** An endpoint is no longer registered: it stops ringing. */
  loseEndpoint(userId: string, endpointId: string): void {
    for (const ring of this.platform.live.ringsOf(userId)) {
      const party = partyById(this.platform.tables.calls.mustGet(ring.callId), ring.partyId);
      if (ringingEndpoints(party).includes(endpointId))
        this.platform.engine.host.send(ring.key, { type: "LOSE", endpoint: endpointId });
    }
  }

  /** A user is no longer available: whatever rings them stops. */
  withdrawFrom(entryId: string): void {
    for (const ring of this.platform.live.ringsOf(entryId))
      this.platform.engine.host.send(ring.key, { type: "WITHDRAW", outcome: "withdrawn" });
  }

  /** @throws {CommandError} `not_found` */
  find(callId: string): { call: CallRecord; live: LiveCall | undefined } {
    const call = this.platform.tables.calls.get(callId);
    if (call === undefined) throw new CommandError("not_found", `no call has the id "${callId}"`);
    return { call, live: this.platform.live.get(callId) };
  }

  /** Finds who rings under a name. A name that fits several (`callee`) means the one who began to ring first. */
  private ringingParty(callId: string, by: string, endpoint: string | undefined, doing: string) {
    const { call, live } = this.find(callId);
    for (const ring of live?.rings ?? []) {
      const party = partyById(call, ring.partyId);
      if (live === undefined || !isNamed(party, by, live)) continue;
      if (endpoint === undefined || ringingEndpoints(party).includes(endpoint))
        return { call, ring, party } satisfies { ring: Ring; call: CallRecord; party: Party };
    }
    const on = endpoint === undefined ? "" : ` on ${endpoint}`;
    throw refusal("not_ringing", `${by} cannot ${doing}${on}`, call, live);
  }

  private canHangUp(call: CallRecord, live: LiveCall, party: Party): boolean {
    if (connectionOf(call, party.id) !== undefined) return party.type !== "voicemail";
    return party.id === live.callerPartyId && (call.status === "started" || call.status === "offered");
  }

  private externalParty(number: string, userEmail: string | undefined): Party {
    const contact = this.platform.phonebooks.contactOf(number, userEmail);
    return {
      id: this.platform.engine.ids.next("party"),
      type: "external",
      isInternal: false,
      displayName: contact?.name ?? number,
      phoneNumber: number,
      tariff: null,
      dials: [],
    };
  }
}

export const callKey = (callId: string) => `call:${callId}`;
export const voicemailKey = (callId: string) => `voicemail:${callId}`;
