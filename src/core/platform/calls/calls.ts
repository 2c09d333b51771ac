import type { RingEvent } from "../../../../machines/index.ts";
import { CommandError, notFound } from "../../foundation/errors.ts";
import { type CallRecord, type Connection, newCall, type Party } from "../../records/call.ts";
import { ANONYMOUS } from "../../records/withheld.ts";
import type { CoreServices } from "../base/core-services.ts";
import type { CallRecords } from "../call-record/call-records.ts";
import type { PartyFactory } from "../call-record/party-factory.ts";
import { summaryOf } from "../call-record/summary.ts";
import type { DataActions, Said } from "../data-actions/data-actions.ts";
import type { Destination } from "../declare/destination.ts";
import { defineService } from "../declare/service.ts";
import { type Directory, type Entry, endpointsOf } from "../directory/directory.ts";
import { type Granted, methodsOf } from "../guards/call-guards.ts";
import type { Refusals } from "../guards/refusals.ts";
import {
  type CallerPlan,
  type LiveCalls,
  type OfferRules,
  type Ring,
  usualRules,
} from "../live/live-calls.ts";
import { connectionOf, partyById, ringingEndpoints } from "../live/parties.ts";
import type { Offering } from "../offering/offering.ts";
import { accept } from "../passthrough/passthrough.ts";
import type { People } from "../people/people.ts";
import type { Phonebooks } from "../phonebooks/phonebooks.ts";
import { type CallArguments, callCommands, type InboundArguments } from "./commands.ts";
import type { Dialler } from "./free-caller.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
  readonly live: LiveCalls;
  readonly callRecords: CallRecords;
  readonly parties: PartyFactory;
  readonly phonebooks: Phonebooks;
  readonly people: People;
  readonly dataActions: DataActions;
  readonly offering: Offering;
  readonly refusals: Refusals;
}

/** What every new call needs, whoever dialled. */
interface Beginning {
  readonly direction: "inbound" | "outbound";
  readonly isInternal: boolean;
  /** Null for a caller who withholds it. */
  readonly contactNumber: string | null;
  readonly companyNumber: string;
  readonly vendorCallId: string | undefined;
  readonly passthroughParameters: unknown;
  readonly caller: Party;
  readonly target: Destination;
  /** The owner of the dialled number, or who is called, in words. */
  readonly owner: string;
  readonly priority: number;
  readonly rules: OfferRules;
  readonly plan: CallerPlan | null;
  /** Whether the Outbound Call data action must answer before anyone is dialled. */
  readonly awaitsPermission: boolean;
}

const USUAL_PRIORITY = 5;

/** What the commands on calls do. Who may give them is asked before: `callCommands` says it. */
export class Calls {
  constructor(private readonly world: Needs) {}

  /**
   * An outside caller dials one of the organisation's numbers.
   * @param streams the name of the streams from which the caller's behaviour is drawn
   * @throws {CommandError} `unknown_number`
   * @returns the call's id
   */
  inbound(args: InboundArguments, streams = `caller ${args.from}`): string {
    const { people, directory } = this.world;
    const entry = directory.ownerOf(args.to);
    const plan = args.behaviour === undefined ? null : people.plan(args.behaviour, streams);
    return this.fromOutside(args, entry, args.to, usualRules, "direct", plan);
  }

  /** Begins a call from outside to an entry of the directory. */
  fromOutside(
    args: Omit<InboundArguments, "to" | "behaviour">,
    entry: Entry,
    companyNumber: string,
    rules: OfferRules,
    reason: "direct" | "redirect",
    plan: CallerPlan | null,
  ): string {
    const target: Destination = { kind: entry.kind, id: entry.record.id };
    const contactNumber = args.from === ANONYMOUS ? null : args.from;
    const caller = this.world.parties.external(
      contactNumber,
      entry.kind === "user" ? entry.record.email : undefined,
    );
    const call = this.begin({
      direction: "inbound",
      isInternal: false,
      contactNumber,
      companyNumber,
      vendorCallId: args.vendorCallId,
      passthroughParameters: args.passthroughParameters,
      caller,
      target,
      owner: entry.record.displayName,
      priority: args.priority ?? USUAL_PRIORITY,
      rules,
      plan,
      awaitsPermission: false,
    });
    this.world.offering.begin(call.id, { purpose: "main", reason, destination: target });
    return call.id;
  }

  /** Finds the user or the device who dials, for the right to do so. @throws {CommandError} `not_found` */
  dialler(id: string): Dialler {
    const { dataActions, directory, live } = this.world;
    const entry = directory.find(id);
    if (entry?.kind !== "user" && entry?.kind !== "device")
      throw notFound("user or device", id, directory.usersAndDevices());
    // the answer of a data action, if one is asked, overrides the flag
    const mayDialOut = mayDial(entry) || dataActions.isAsked("outboundCall");
    return { entry, callId: live.callOf(entry.record.id), mayDialOut };
  }

  /**
   * A user or a device dials an outside number.
   * @throws {CommandError} `not_allowed`, `unknown_number`
   */
  outbound(args: CallArguments["outbound"], { entry: from }: Dialler): string {
    if (this.world.directory.numbers.includes(args.to))
      throw new CommandError(
        "not_allowed",
        `${args.to} is the organisation's own number: use internal with the extension`,
      );
    const companyNumber = this.callerId(from, args.callerId);
    return this.fromInside(from, {
      isInternal: false,
      contactNumber: args.to,
      companyNumber,
      passthroughParameters: args.passthroughParameters,
      target: { kind: "number", id: args.to },
    });
  }

  /**
   * A user dials a colleague, a team or a device by extension.
   * @throws {CommandError} `not_allowed`, `not_found`
   */
  internal(args: CallArguments["internal"], { entry: from }: Dialler): string {
    const to = this.world.directory.byExtension(args.to);
    if (to.record.id === from.record.id)
      throw new CommandError(
        "not_allowed",
        `${from.record.id} cannot call themselves: call another extension`,
      );
    return this.fromInside(from, {
      isInternal: true,
      contactNumber: to.record.extension,
      companyNumber: from.record.extension,
      passthroughParameters: undefined,
      target: { kind: to.kind, id: to.record.id },
    });
  }

  /** Goes on with an outbound call after the data action has answered. */
  dataActionAnswered(callId: string, said: Said<"outboundCall"> | undefined): void {
    const { callRecords, live, machines } = this.world;
    if (live.get(callId)?.awaitsPermission !== true) return; // hung up meanwhile
    live.change(callId, { awaitsPermission: false });
    const from = this.callerEntry(callId);
    callRecords.mergePassthrough(callId, said?.passthroughParameters);
    const isBlocked = said?.action === "block";
    if (isBlocked || (said?.action === undefined && !mayDial(from))) {
      machines.send("call", callId, { type: "BLOCK", reason: isBlocked ? "dataAction" : "notAllowed" });
      return;
    }
    const isInactive = from.kind === "user" && from.record.status !== "active";
    if (isInactive || live.callOf(from.record.id) !== undefined || endpointsOf(from).length === 0) {
      // the caller took another call meanwhile, logged out or was suspended
      machines.send("call", callId, { type: "HANGUP", party: live.mustGet(callId).callerPartyId });
      return;
    }
    machines.send("call", callId, { type: "ALLOW" });
    this.dial(callId, from);
  }

  /** Someone who rings answers, on the given endpoint or the first that rings. */
  answer({ endpoint }: CallArguments["answer"], { call, party, grant: ring }: Granted<Ring>): void {
    const answered = endpoint ?? ringingEndpoints(party)[0];
    if (answered === undefined) throw new Error(`${party.id} of call ${call.id} rings on no endpoint`);
    this.world.machines.send("ring", ring.id, { type: "ANSWER", endpoint: answered });
  }

  /** Someone who rings declines, on the given endpoint or on all. An outside number may be busy instead. */
  decline({ endpoint, busy }: CallArguments["decline"], { party, grant: ring }: Granted<Ring>): void {
    if (busy === true && party.type !== "external")
      throw new CommandError(
        "invalid_argument",
        "decline: busy is for outside numbers; users and devices are busy by what they do",
      );
    const event: RingEvent =
      busy === true ? { type: "LOSE", endpoint: "phone" } : { type: "DECLINE", endpoint: endpoint ?? null };
    this.world.machines.send("ring", ring.id, event);
  }

  /** The caller gives up, or a connected party hangs up. */
  hangup(_args: CallArguments["hangup"], { call, party, grant: taker }: Granted<"call" | "voicemail">): void {
    const { machines } = this.world;
    if (taker === "voicemail") machines.send("voicemail", call.id, { type: "HANGUP" });
    else machines.send("call", call.id, { type: "HANGUP", party: party.id });
  }

  /** A connected user moves to another of their endpoints. That is a new connection, and no event. */
  move({ by, to }: CallArguments["move"], { call, party, grant: connection }: Granted<Connection>): void {
    const { endpoints } = this.world.directory.user(party.entryId ?? "");
    const others = endpoints
      .filter((each) => each.registered && each.id !== connection.endpoint)
      .map((each) => each.id);
    if (!others.includes(to)) {
      throw new CommandError(
        "not_allowed",
        `${by} cannot move to "${to}" from ${connection.endpoint}; registered besides: ${others.join(", ") || "none"}`,
      );
    }
    this.world.callRecords.moved(call.id, party.id, to);
  }

  /**
   * A connected user hands the call on. Warm: the user stays while the target rings, and the target joins when it
   * answers. Blind: the user leaves at once; if the target does not answer, its unanswered step runs.
   */
  transfer(args: CallArguments["transfer"], actor: Granted<Connection>): void {
    const destination = this.destinationOf(args, actor, "transfer");
    const { call, party } = actor;
    const reason = "transfer";
    if (args.warm === true) {
      this.world.offering.begin(call.id, { purpose: "addition", reason, destination });
      return;
    }
    this.world.machines.send("call", call.id, { type: "TRANSFER", party: party.id });
    const transferredBy = party.entryId ?? null;
    this.world.offering.begin(call.id, { purpose: "blindTransfer", reason, destination, transferredBy });
  }

  /** A connected user rings another party, who joins the call by answering. */
  add(args: CallArguments["add"], actor: Granted<Connection>): void {
    const destination = this.destinationOf(args, actor, "add");
    this.world.offering.begin(actor.call.id, { purpose: "addition", reason: "conference", destination });
  }

  /** Someone inside dials: they are on the bridge, and busy, from the start. */
  private fromInside(
    from: Entry,
    dialled: Pick<
      Beginning,
      "isInternal" | "contactNumber" | "companyNumber" | "passthroughParameters" | "target"
    >,
  ): string {
    const { dataActions, parties } = this.world;
    const awaitsPermission = !dialled.isInternal && dataActions.isAsked("outboundCall");
    const call = this.begin({
      direction: "outbound",
      vendorCallId: undefined,
      caller: parties.internal(from),
      owner: from.record.displayName,
      priority: USUAL_PRIORITY,
      rules: usualRules,
      plan: null,
      awaitsPermission,
      ...dialled,
    });
    if (awaitsPermission) dataActions.askOutboundCall(call, from);
    else this.dial(call.id, from);
    return call.id;
  }

  /** Puts the caller on the bridge and offers the call. */
  private dial(callId: string, from: Entry): void {
    const { callRecords, live, offering } = this.world;
    const { callerPartyId, target } = live.mustGet(callId);
    const party = partyById(callRecords.get(callId), callerPartyId);
    callRecords.callerJoined(callId, party, endpointsOf(from)[0] ?? null);
    this.world.raise.callerJoined({ callId, party });
    offering.begin(callId, { purpose: "main", reason: "outbound", destination: target });
  }

  /** The user or device that dialled. */
  private callerEntry(callId: string): Entry {
    const { directory, live, tables } = this.world;
    const caller = partyById(tables.calls.mustGet(callId), live.mustGet(callId).callerPartyId);
    const entry = directory.find(caller.entryId ?? "");
    if (entry === undefined) throw new Error(`nobody inside dialled call ${callId}`);
    return entry;
  }

  private begin(from: Beginning): CallRecord {
    const { engine, machines, settings, live, tables } = this.world;
    const { direction, isInternal, contactNumber, companyNumber, caller, owner } = from;
    const isInbound = direction === "inbound";
    const displayName =
      isInbound || contactNumber === null ? caller.displayName : this.nameOfCalled(from, contactNumber);
    const contact = { displayName, phoneNumber: contactNumber };
    const made = {
      id: engine.ids.next("call"),
      organisationId: settings.organisationId,
      direction,
      isInternal,
      contactNumber,
      companyNumber,
      initiator: isInbound ? contactNumber : companyNumber,
      // only a caller from outside can withhold the number
      recipient: isInbound || contactNumber === null ? companyNumber : contactNumber,
      vendor: settings.dialect.vendor,
      vendorCallId: from.vendorCallId ?? engine.ids.next("vendor-call"),
      parties: [caller],
      summary: summaryOf({ direction, contact, companyNumber, owner, outcome: "In progress" }),
      passthroughParameters: accept(from.passthroughParameters),
    };
    const call = newCall(made, engine.now);
    tables.calls.insert(call);
    live.set({
      callId: call.id,
      target: from.target,
      callerPartyId: caller.id,
      priority: from.priority,
      rules: from.rules,
      plan: from.plan,
      offers: [],
      rings: [],
      awaitsPermission: from.awaitsPermission,
      teamNames: noNames,
      declined: [],
      group: null,
      voicemail: null,
    });
    // unless a data action is asked first, a caller inside is on the bridge from now on
    const input = { caller: caller.id, isOutbound: !isInbound, isAsked: from.awaitsPermission };
    machines.start("call", call.id, { recordId: call.id }, input);
    this.world.raise.callBegan({ callId: call.id });
    return call;
  }

  /** The name of an outside number as the caller knows it; otherwise what was dialled. */
  private nameOfCalled({ isInternal, caller }: Beginning, dialled: string): string {
    return isInternal ? dialled : this.world.phonebooks.nameOf(dialled, caller.email ?? undefined);
  }

  /** The number that an outbound call shows: the requested one, the caller's first, or the organisation's first. */
  private callerId(from: Dialler["entry"], wanted: string | undefined): string {
    const { numbers } = this.world.directory;
    const number = wanted ?? from.record.phoneNumbers[0] ?? numbers[0];
    if (number !== undefined && numbers.includes(number)) return number;
    const problem =
      wanted === undefined
        ? "the organisation has no number to call from"
        : `${wanted} is not a number of the organisation`;
    throw new CommandError(
      "unknown_number",
      `callerId: ${problem}; its numbers: ${numbers.join(", ") || "none"}`,
    );
  }

  /** Whom a connected user has rung for the call: someone who is neither on it nor rung for it. */
  private destinationOf(
    { target, by }: CallArguments["add"],
    { call, live }: Granted<Connection>,
    doing: string,
  ): Destination {
    const destination = this.world.directory.destination(target);
    const isIn = (each: Party) => [each.entryId, each.phoneNumber].includes(destination.id);
    const inCall = call.parties.find((each) => isIn(each) && connectionOf(call, each.id) !== undefined);
    const rung = live.rings.find((ring) => ring.entryId === destination.id);
    if (inCall !== undefined || rung !== undefined)
      throw this.world.refusals.refusal(
        "not_allowed",
        `${by} cannot ${doing}: ${target} is on the call or rung for it already`,
        call,
      );
    return destination;
  }
}

/** Whether a caller may dial outside numbers. A device may be forbidden to. */
function mayDial(from: Entry): boolean {
  return from.kind !== "device" || from.record.isOutboundAllowed;
}

const noNames: ReadonlyMap<string, string> = new Map();

/** Calls: how they begin, and what people do with them. */
export const calls = defineService({
  create: (world: Needs) => new Calls(world),
  commands: methodsOf(Calls, callCommands),
});
