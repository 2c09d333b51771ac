import { ForkableList, ForkableMap } from "../../foundation/collections.ts";
import type { CallInsightsRecord } from "../../generated/records.ts";
import type { Network } from "../../network/network.ts";
import type { RequestOutcome } from "../../network/outcome.ts";
import { type CallRecord, isOnBridge } from "../../records/call.ts";
import type { Channel, MessageAuthor } from "../../records/conversation.ts";
import { dateFields } from "../../records/date-fields.ts";
import type { EntryReference } from "../../records/directory.ts";
import { makeContent, type RequestRecord } from "../../records/request.ts";
import { deepFreeze } from "../../records/table.ts";
import type { CoreServices } from "../base/core-services.ts";
import { defineService } from "../declare/service.ts";
import { type Entry, referenceTo } from "../directory/directory.ts";
import type { LiveCalls, Offer } from "../live/live-calls.ts";
import { partyById } from "../live/parties.ts";
import type { Ring } from "../parts/calls.ts";
import { type DataActionName, readActionAnswer, type Said } from "./answers.ts";
import { inPreferredOrder } from "./cards.ts";

export interface Needs extends CoreServices {
  readonly live: LiveCalls;
  readonly network: Network;
}

export interface State {
  readonly insights: ForkableList<CallInsightsRecord>;
  /** The cards that came while their call was live, by the call's id, and the ids of the users who have seen them. */
  readonly shown: ForkableMap<
    string,
    { readonly insights: CallInsightsRecord; readonly to: readonly string[] }
  >;
}

/** What the Inbound Conversations data action gets about the message that begins a conversation. */
export interface FirstMessage {
  readonly conversationId: string;
  readonly channel: Channel;
  readonly companyNumber: string;
  readonly companyNumberOwner: EntryReference;
  readonly contactAddresses: readonly string[];
  readonly vendor: string;
  readonly vendorConversationId: string;
  readonly message: {
    readonly author: MessageAuthor;
    readonly content: string;
    readonly media: readonly { readonly url: string; readonly mimeType?: string | undefined }[];
    readonly vendorMessageId: string;
  };
}

/**
 * Sends the requests that ask a customer's endpoints how to go on. If nothing of an answer can be taken (there is none, its
 * status is not 2xx, or its body is not JSON), the platform goes on without one, and the request says why. Fields that
 * cannot be taken are ignored, and the request says which. Rules: docs/fidelity/network.md#data-actions.
 */
export class DataActions {
  constructor(
    private readonly services: Needs,
    private readonly state: State,
  ) {}

  /** Whether there is an endpoint to ask. */
  isAsked(action: DataActionName): boolean {
    return this.services.settings.dataActions[action] !== undefined;
  }

  /** Asks whether an outbound call may be made. */
  askOutboundCall(call: CallRecord, from: Entry): void {
    const device = from.kind === "device" ? from.record : undefined;
    this.get("outboundCall", call, {
      callerId: call.companyNumber,
      contactNumber: call.contactNumber ?? undefined,
      deviceAddress: device?.sipAddress ?? undefined,
      deviceExtension: device?.extension,
      deviceId: device?.id,
      vendorCallId: call.vendorCallId,
    });
  }

  /** Asks about a call that is about to be queued for a team. */
  askTeamCall(offer: Offer): void {
    const { live, tables } = this.services;
    const call = tables.calls.mustGet(offer.callId);
    const team = referenceTo({ kind: "team", record: tables.teams.mustGet(offer.destination.id) });
    const { priority } = live.mustGet(call.id);
    const { id, contactNumber, companyNumber, direction, vendor, vendorCallId, passthroughParameters } = call;
    const body = {
      callId: id,
      direction,
      contactNumber,
      companyNumber,
      vendor,
      vendorCallId,
      priority,
      assignedCallGroup: team,
      // deprecated: `assignedCallGroup` replaces it
      directoryTarget: team,
      passthroughParameters,
    };
    this.post("teamCall", id, body, offer.id);
  }

  /**
   * Asks about a conversation that a message from outside is about to begin.
   * @param key the key by which the conversation goes on afterwards
   */
  askInboundConversations(key: string, message: FirstMessage): void {
    this.post("inboundConversations", message.conversationId, message, key);
  }

  /**
   * Asks for the cards that people see with a call: `precall` when it begins to ring, `callhistory` once it is over.
   */
  askCallInsights(call: CallRecord, occasion: "precall" | "callhistory"): void {
    if (!this.isAsked("callInsights") || call.isInternal) return;
    const { id: callId, contactNumber, companyNumber, direction, vendorCallId } = call;
    const origin = `${this.services.settings.dialect.serviceName}.${occasion}`;
    // a withheld number is left out
    const number = contactNumber ?? undefined;
    const query = { callId, companyNumber, contactNumber: number, direction, origin, vendorCallId };
    this.get("callInsights", call, query, origin);
  }

  /** Keeps the cards, and shows them to whoever sees the call. The call does not depend on them. */
  keepInsights({ recordId: callId, context }: RequestRecord, said: Said<"callInsights">): void {
    const { cards = [], preferences = null } = said;
    const { engine, settings } = this.services;
    const insights: CallInsightsRecord = deepFreeze({
      callId,
      origin: context as string,
      ...inPreferredOrder(cards, preferences),
      preferences,
      shownTo: [],
      ...dateFields("created", engine.now),
    });
    this.state.insights.push(insights);
    if (this.isLive(insights)) this.state.shown.set(callId, { insights, to: [] });
    for (let { length } = this.state.insights; length > settings.keep.requests; length--) {
      const oldest = this.state.insights.at(0);
      if (oldest !== undefined) this.state.shown.delete(oldest.callId);
      this.state.insights.dropFirst(length - 1);
    }
    if (cards.length === 0) return;
    const users = this.isLive(insights) ? this.listUsers(callId) : [];
    for (const userId of users) this.show(callId, userId);
    if (users.length === 0) this.services.raise.cardsCame({ insights, userId: null });
  }

  /** Someone begins to ring. Users see the cards of the call, if they are there. */
  rings({ callId, entryId }: Ring): void {
    if (this.isAsked("callInsights") && this.services.tables.users.get(entryId) !== undefined)
      this.show(callId, entryId);
  }

  /** All answers of the Call Insights data action, in order. */
  listInsights(): CallInsightsRecord[] {
    return [...this.state.insights].map((insights) => {
      const shown = this.state.shown.get(insights.callId);
      return shown?.insights === insights ? Object.freeze({ ...insights, shownTo: shown.to }) : insights;
    });
  }

  private show(callId: string, userId: string): void {
    const shown = this.state.shown.get(callId);
    if (shown === undefined || shown.insights.cards.length === 0 || shown.to.includes(userId)) return;
    this.state.shown.set(callId, { ...shown, to: Object.freeze([...shown.to, userId]) });
    this.services.raise.cardsCame({ insights: shown.insights, userId });
  }

  /** Whether cards come while their call is live. Those of the call history never do. */
  private isLive({ callId }: CallInsightsRecord): boolean {
    return this.services.live.get(callId) !== undefined;
  }

  /** The users who are on a call, then those who are rung for it. */
  private listUsers(callId: string): string[] {
    const { live, tables } = this.services;
    const call = tables.calls.mustGet(callId);
    const onBridge = call.connections
      .filter(isOnBridge)
      .map(({ partyId }) => partyById(call, partyId).entryId);
    const ringing = live.mustGet(callId).rings.map(({ entryId }) => entryId);
    const ids = [...onBridge, ...ringing].filter((id) => id !== null && id !== undefined);
    return [...new Set(ids)].filter((id) => tables.users.get(id) !== undefined);
  }

  /** The call's parameters follow those of the query, flattened. */
  private get(
    why: DataActionName,
    call: CallRecord,
    query: Readonly<Record<string, string | undefined>>,
    context: string | null = null,
  ): void {
    const to = new URL(this.mustFindUrl(why));
    for (const [name, value] of Object.entries({ ...query, ...call.passthroughParameters }))
      if (value !== undefined) to.searchParams.set(name, value);
    this.services.network.send({
      to: to.href,
      method: "GET",
      why,
      recordId: call.id,
      subject: subjects[why],
      content: getContent,
      context,
    });
  }

  private post(why: DataActionName, recordId: string, body: object, context: string): void {
    const headers = { accept: "application/json", "content-type": "application/json" };
    this.services.network.send({
      to: this.mustFindUrl(why),
      method: "POST",
      why,
      recordId,
      subject: subjects[why],
      content: makeContent(headers, () => JSON.stringify(body)),
      context,
    });
  }

  private mustFindUrl(action: DataActionName): string {
    const url = this.services.settings.dataActions[action];
    if (url === undefined) throw new Error(`there is no endpoint for ${action}`);
    return url;
  }

  /** What could be taken of an answer, field by field; undefined if nothing could. The request says what could not. */
  said<A extends DataActionName>(
    action: A,
    request: RequestRecord,
    outcome: RequestOutcome,
  ): Said<A> | undefined {
    if ("failure" in outcome || request.failure !== null) return undefined;
    const stored = this.services.tables.calls.get(request.recordId)?.passthroughParameters ?? {};
    const { said, failure, problems } = readActionAnswer(action, outcome.answer.body, stored);
    if (failure !== null || problems.length > 0) this.services.network.judge(request.id, failure, problems);
    return said;
  }
}

const subjects = {
  outboundCall: "outbound call",
  teamCall: "team call",
  inboundConversations: "conversation",
  callInsights: "call insights",
} as const;

const getContent = makeContent(Object.freeze({ accept: "application/json" }), () => "");

/** The requests that ask a customer's endpoints how to go on. */
export const dataActions = defineService({
  init: (): State => ({ insights: new ForkableList(), shown: new ForkableMap() }),
  create: (services: Needs, state) => new DataActions(services, state),
});
