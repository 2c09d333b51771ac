import { type CallRecord, newCall, type Party } from "../../records/call.ts";
import { ANONYMOUS, callerOrAnonymous } from "../../records/withheld.ts";
import type { CoreServices } from "../base/core-services.ts";
import type { CallRecords } from "../call-record/call-records.ts";
import type { PartyFactory } from "../call-record/party-factory.ts";
import { summaryOf } from "../call-record/summary.ts";
import type { Said } from "../data-actions/answers.ts";
import type { DataActions } from "../data-actions/data-actions.ts";
import type { Destination } from "../declare/destination.ts";
import { defineService } from "../declare/service.ts";
import { type Directory, type Entry, endpointsOf } from "../directory/directory.ts";
import { hangingUp, hangUp } from "../guards/call-guards.ts";
import { type CallerPlan, type LiveCalls, type OfferRules, usualRules } from "../live/live-calls.ts";
import { partyById } from "../live/parties.ts";
import type { Offering } from "../offering/offering.ts";
import { accept } from "../passthrough/passthrough.ts";
import type { ActingPeople } from "../people/people.ts";
import type { Phonebooks } from "../phonebooks/phonebooks.ts";
import { mayDial } from "./free-caller.ts";
import type { InboundArguments } from "./schemas.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
  readonly live: LiveCalls;
  readonly callRecords: CallRecords;
  readonly parties: PartyFactory;
  readonly phonebooks: Phonebooks;
  readonly people: ActingPeople;
  readonly dataActions: DataActions;
  readonly offering: Offering;
}

/** The data that every new call needs, inbound, outbound or internal. */
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
  /** The name of the dialled number's owner, or of the party that is called. */
  readonly owner: string;
  readonly priority: number;
  readonly rules: OfferRules;
  readonly plan: CallerPlan | null;
  /** Whether the Outbound Call data action must answer before anyone is dialled. */
  readonly awaitsPermission: boolean;
  /** The parameters of the redirect that began the call, as text; null if no redirect did. */
  readonly redirectedBy: string | null;
}

const USUAL_PRIORITY = 5;

/** Begins calls, for commands and for generated traffic. */
export class Calls {
  constructor(private readonly services: Needs) {}

  /**
   * An outside caller dials one of the organisation's numbers.
   * @param streams the name of the streams from which the caller's behaviour is drawn
   * @throws {CommandError} `unknown_number`
   * @returns the call's id
   */
  inbound(args: InboundArguments, streams = `caller ${args.from}`): string {
    const { people, directory } = this.services;
    const entry = directory.mustFindOwner(args.to);
    const plan = args.behaviour === undefined ? null : people.plan(args.behaviour, streams);
    return this.fromOutside(args, entry, args.to, usualRules, "direct", plan, null);
  }

  /** Begins a call from outside to an entry of the directory. */
  fromOutside(
    args: Omit<InboundArguments, "to" | "behaviour">,
    entry: Entry,
    companyNumber: string,
    rules: OfferRules,
    reason: "direct" | "redirect",
    plan: CallerPlan | null,
    redirectedBy: string | null,
  ): string {
    const target: Destination = { kind: entry.kind, id: entry.record.id };
    if (args.vendorCallId !== undefined) this.leaveEarlier(args.vendorCallId);
    const from = callerOrAnonymous(args.from);
    const contactNumber = from === ANONYMOUS ? null : from;
    const caller = this.services.parties.external(
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
      redirectedBy,
    });
    this.services.offering.begin(call.id, { purpose: "main", reason, destination: target });
    return call.id;
  }

  /** The live call that a redirect with these parameters began, if nobody has taken it yet. */
  ringingBy(redirectedBy: string): string | undefined {
    const { live, machines } = this.services;
    return live
      .ids()
      .find(
        (id) =>
          live.get(id)?.redirectedBy === redirectedBy &&
          ["started", "offered"].includes(String(machines.state("call", id))),
      );
  }

  /** Hangs up the caller's earlier calls with this vendor id, since a carrier's call is in one place at a time. */
  private leaveEarlier(vendorCallId: string): void {
    const { live, machines, tables } = this.services;
    for (const id of live.ids()) {
      const call = tables.calls.mustGet(id);
      if (call.direction !== "inbound" || call.vendorCallId !== vendorCallId) continue;
      const state = { machines, call, live: live.mustGet(id) };
      const caller = partyById(call, state.live.callerPartyId);
      const taker = hangingUp.grant(state, caller, undefined);
      if (taker !== undefined) hangUp(taker, state, caller);
    }
  }

  /** Continues an outbound call after the data action has answered. */
  dataActionAnswered(callId: string, said: Said<"outboundCall"> | undefined): void {
    const { callRecords, live, machines } = this.services;
    if (live.get(callId)?.awaitsPermission !== true) return; // the caller has hung up
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
      // while the data action was asked, the caller took another call, logged out or was suspended
      machines.send("call", callId, { type: "HANGUP", party: live.mustGet(callId).callerPartyId });
      return;
    }
    machines.send("call", callId, { type: "ALLOW" });
    this.dial(callId, from);
  }

  /** Begins a call from a user or a device, who is on the bridge, and busy, from the start. */
  fromInside(
    from: Entry,
    dialled: Pick<
      Beginning,
      "isInternal" | "contactNumber" | "companyNumber" | "passthroughParameters" | "target"
    >,
  ): string {
    const { dataActions, parties } = this.services;
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
      redirectedBy: null,
      ...dialled,
    });
    if (awaitsPermission) dataActions.askOutboundCall(call, from);
    else this.dial(call.id, from);
    return call.id;
  }

  /** Puts the caller on the bridge and offers the call. */
  private dial(callId: string, from: Entry): void {
    const { callRecords, live, offering } = this.services;
    const { callerPartyId, target } = live.mustGet(callId);
    const party = partyById(callRecords.get(callId), callerPartyId);
    callRecords.connectCaller(callId, party, endpointsOf(from)[0] ?? null);
    this.services.raise.callerJoined({ callId, party });
    offering.begin(callId, { purpose: "main", reason: "outbound", destination: target });
  }

  /** The user or device that dialled. */
  private callerEntry(callId: string): Entry {
    const { directory, live, tables } = this.services;
    const caller = partyById(tables.calls.mustGet(callId), live.mustGet(callId).callerPartyId);
    const entry = directory.find(caller.entryId ?? "");
    if (entry === undefined) throw new Error(`nobody inside dialled call ${callId}`);
    return entry;
  }

  private begin(from: Beginning): CallRecord {
    const { engine, machines, settings, live, tables } = this.services;
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
      sentTo: [],
      rings: [],
      awaitsPermission: from.awaitsPermission,
      teamNames: noNames,
      declined: [],
      group: null,
      unreachable: null,
      redirectedBy: from.redirectedBy,
      voicemail: null,
    });
    // a user or device that calls joins the bridge now, unless a data action must answer first
    const input = { caller: caller.id, isOutbound: !isInbound, isAsked: from.awaitsPermission };
    machines.start("call", call.id, { recordId: call.id }, input);
    this.services.raise.callBegan({ callId: call.id });
    return call;
  }

  /** The name of the called colleague, or the caller's contact name for the outside number. */
  private nameOfCalled({ isInternal, caller, target }: Beginning, dialled: string): string {
    if (isInternal) return this.services.directory.find(target.id)?.record.displayName ?? dialled;
    return this.services.phonebooks.findName(dialled, caller.email ?? undefined);
  }
}

const noNames: ReadonlyMap<string, string> = new Map();

/** Calls: how they begin, and what people do with them. */
export const calls = defineService({
  create: (services: Needs) => new Calls(services),
});
