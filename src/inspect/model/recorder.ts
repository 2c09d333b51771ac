import type {
  CallFact,
  DeliveryFact,
  RedirectReturnFact,
  RingFact,
  TeamOfferFact,
  WebhookFact,
} from "../../../machines/index.ts";
import type { AgendaItem } from "../../engine/agenda.ts";
import type { Deviation } from "../../engine/choices.ts";
import type { MachineStep, Tracer } from "../../engine/engine.ts";
import type { LoggedEvent } from "../../engine/event-log.ts";
import type { CommandName } from "../../index.ts";
import type { Cast as Roles, StateOf } from "../../platform/cast.ts";
import type { PlatformEvent } from "../../platform/events.ts";
import { timerWords } from "../../platform/timers.ts";
import type { CallRecord } from "../../records/call.ts";
import type { RequestRecord } from "../../records/request.ts";
import type { Simulator } from "../../simulator.ts";
import { callStates, conversationStates, teamOfferStates } from "../../story/states.ts";
import { deviationText, noteOf, oneLine, returnTexts } from "../../story/words.ts";
import { Cast, PLATFORM, shortName } from "./cast.ts";
import { Deliveries } from "./deliveries.ts";
import { MachineLog } from "./machine-log.ts";
import { outcomeOf } from "./outcome.ts";
import { endingText, ringText, stoppedText } from "./ring-text.ts";
import { commandSentence, type Names } from "./sentences.ts";
import { Stage } from "./stage.ts";
import type { BarEnd, Row } from "./types.ts";

type New = Pick<Row, "kind" | "from"> & Partial<Row>;

const barEnds: Readonly<Record<string, BarEnd>> = {
  declined: "declined",
  timeout: "timeout",
  answered: "answered",
  answeredElsewhere: "elsewhere",
};

/** An offer to a team. */
interface OfferOf {
  readonly team: string;
  readonly fromMs: number;
  /** When its tier began to ring. */
  rangMs: number;
  tier: number | null;
  readonly rung: Set<number>;
}

/** Watches a run and records what the page shows. */
export class Recorder implements Tracer<Roles> {
  readonly rows: Row[] = [];
  readonly stage = new Stage();
  readonly machines = new MachineLog();
  readonly deliveries: Deliveries;
  /** All events, in the order of the stream. */
  readonly events: PlatformEvent[] = [];
  readonly cast: Cast;
  private readonly startMs: number;
  private readonly offers = new Map<string, OfferOf>();
  /** The offer of each ring's row, with its tier. */
  private readonly offerOfRow = new Map<number, string>();
  private steps = 0;
  /** The index of the current step's first row. */
  private firstOfStep = 0;
  private readonly names: Names;

  constructor(
    private readonly simulator: Simulator,
    title: string,
  ) {
    this.cast = new Cast(simulator, title);
    this.startMs = simulator.startTimestamp;
    this.deliveries = new Deliveries(simulator, this.cast, this.startMs);
    this.names = {
      cast: this.cast,
      partyOf: (call, who) => this.partyOf(call, who),
      contactOf: (id) => {
        const addresses = this.simulator.conversations.get(id).contactAddresses;
        return addresses.map((each) => this.cast.name(each)).join(", ");
      },
    };
  }

  /** @param steps how many steps the run made before; for a fork */
  begin(steps: number): void {
    this.steps = steps;
  }

  command(name: string, args: unknown): void {
    const given = args as Record<string, unknown>;
    const {
      kind,
      from,
      to,
      subject = "",
      verb,
      detail,
      outcome,
    } = commandSentence(name as CommandName, given, this.names);
    const about =
      given.call ?? given.conversation ?? (name === "restServed" ? this.recordIn(given.path) : undefined);
    this.add({
      kind,
      from,
      to: [...to],
      subject,
      verb,
      detail,
      record: this.stage.recordOf(typeof about === "string" ? this.recordId(about) : undefined),
      command: { name, args },
      ...(outcome === undefined ? {} : { outcome }),
    });
  }

  /** The id of the call or conversation in a path of the REST API. */
  private recordIn(path: unknown): string | undefined {
    const parts = String(path).replace(/\?.*$/, "").split("/");
    return parts.find((part) => this.stage.recordOf(part) >= 0);
  }

  item(item: AgendaItem): void {
    if (item.task.startsWith("network.")) return;
    if (item.purpose === "delivery: backOff") {
      this.deliveries.retried(item.recordId, this.add({ kind: "retry", from: PLATFORM }));
      return;
    }
    const record = this.stage.recordOf(item.recordId);
    const offer = this.offers.get(offerIdOf(item));
    const { subject, verb, aside } = timerWords(item.purpose);
    const detail = aside?.({
      team: offer === undefined ? "the team" : this.cast.name(offer.team),
      waited: this.waited(item.purpose, offer),
    });
    const isUser = item.purpose.startsWith("availability");
    const from = isUser ? this.cast.who(item.recordId) : PLATFORM;
    const title = `${capital(subject)}${verb === "" && detail !== undefined ? ":" : ""}`;
    this.add({ kind: "timer", from, subject: title, verb, detail: detail ?? "", record });
  }

  /** How long a tier rang, or how long the team had the call. */
  private waited(purpose: string, offer: OfferOf | undefined): string {
    if (offer === undefined) return "time";
    return `${(this.atMs - (purpose.endsWith("nextOffer") ? offer.rangMs : offer.fromMs)) / 1000} s`;
  }

  machine(step: MachineStep): void {
    if (step.before === undefined) this.started(step);
    const { machine, about, after, event } = step;
    if (machine === "call") this.callMoved(about.recordId, after.value as StateOf<"call">);
    if (machine === "teamOffer" && event !== undefined) this.offerMoved(step.id, step);
    if (machine === "conversation")
      this.conversationMoved(about.recordId, after.value as StateOf<"conversation">);
    this.machines.add(step, this.rows.length - 1, this.atMs);
  }

  event(logged: LoggedEvent): void {
    const event = logged as PlatformEvent;
    const place = this.events.push(event) - 1;
    const about = aboutOf(event);
    const cause = this.rows[this.firstOfStep];
    // a change of availability belongs to the call that caused it
    const record = about === undefined ? (cause?.record ?? -1) : this.stage.recordOf(about);
    if (cause !== undefined && cause.record < 0) cause.record = record;
    const note = oneLine(noteOf(event, (number) => this.cast.name(number)));
    const row = this.add({
      kind: "event",
      from: PLATFORM,
      subject: event.type,
      detail: shortNote(event, note),
      record,
      event: place,
    });
    this.deliveries.published(event.id, row);
    const told = this.stage.records[record];
    if (told !== undefined) told.toRow = row.index;
  }

  fact(machine: string, about: { readonly recordId: string }, fact: { readonly type: string }): void {
    this.machines.told(about, fact.type);
    if (machine === "ring") this.ringFact(asRing(about), fact as RingFact);
    else if (machine === "call") this.callFact(about.recordId, fact as CallFact);
    else if (machine === "teamOffer") this.offerFact(asOffer(about), fact as TeamOfferFact);
    else if (machine === "delivery") this.deliveryFact(about.recordId, fact as DeliveryFact);
    else if (machine === "webhook") this.webhookFact(about.recordId, fact as WebhookFact);
    else if (machine === "redirectReturn") this.returnFact(asReturn(about), fact as RedirectReturnFact);
  }

  /** At the end of a step, finishes its rows. */
  flush(): void {
    this.steps++;
    for (const row of this.rows.slice(this.firstOfStep)) this.finish(row);
    this.firstOfStep = this.rows.length;
  }

  /** At the end of the run, finishes everything. */
  end(): void {
    this.flush();
    this.deliveries.end(this.rows);
    this.stage.end(this.rows.length - 1, this.simulator.timestamp - this.startMs);
  }

  private get atMs(): number {
    return this.simulator.timestamp - this.startMs;
  }

  private add(row: New): Row {
    const added: Row = {
      index: this.rows.length,
      atMs: this.atMs,
      record: -1,
      subject: "",
      verb: "",
      detail: "",
      to: [],
      deliveries: [],
      endpoints: [],
      step: this.steps + 1,
      ...row,
    };
    this.rows.push(added);
    return added;
  }

  /** The step's last row. */
  private get current(): Row | undefined {
    const last = this.rows.at(-1);
    return last !== undefined && last.index >= this.firstOfStep ? last : undefined;
  }

  private started({ machine, about, after, id }: MachineStep): void {
    const row = Math.max(0, this.rows.length - 1);
    if (machine === "call") this.callStarted(about.recordId, row);
    else if (machine === "conversation") this.conversationStarted(about.recordId, row);
    else if (machine === "ring")
      this.ringStarted(asRing(about), (after.context as { endpoints: string[] }).endpoints);
    else if (machine === "teamOffer") {
      const { teamId } = asOffer(about);
      this.offers.set(id, {
        team: teamId,
        fromMs: this.atMs,
        rangMs: this.atMs,
        tier: null,
        rung: new Set(),
      });
      const record = this.stage.recordOf(about.recordId);
      this.stage.hold(id, teamId, record, row);
      this.stage.records[record]?.people.push(teamId);
    }
  }

  private callStarted(callId: string, row: number): void {
    const place = this.stage.begin("call", callId, row, this.atMs);
    const cause = this.rows[row];
    if (cause !== undefined && cause.record < 0) cause.record = place;
    const call = this.call(callId);
    const [caller] = call.parties;
    if (caller === undefined) return;
    const lane = this.laneOf(caller);
    this.stage.open({ lane, kind: "wait", record: place, endpoint: undefined }, row);
    const record = this.stage.records[place];
    if (record === undefined) return;
    record.people.push(lane);
    record.title = `${this.cast.name(lane)} → ${this.calledName(call)}`;
  }

  private conversationStarted(id: string, row: number): void {
    const place = this.stage.begin("conversation", id, row, this.atMs);
    const cause = this.rows[row];
    if (cause !== undefined && cause.record < 0) cause.record = place;
  }

  private conversationMoved(id: string, state: StateOf<"conversation">): void {
    const place = this.stage.recordOf(id);
    const lasting = conversationStates[state];
    this.stage.span(place, lasting ?? undefined, this.atMs);
    const record = this.stage.records[place];
    if (record !== undefined && lasting === null) record.outcome = state;
  }

  private calledName(call: CallRecord | ReturnType<Recorder["call"]>): string {
    if (call.direction === "outbound") return oneLine(this.cast.name(call.contactNumber));
    const owner = this.cast.ownerOf(call.companyNumber) ?? this.cast.byExtension(call.contactNumber);
    return owner === undefined ? oneLine(call.companyNumber) : oneLine(shortName(owner.displayName));
  }

  private callMoved(callId: string, state: StateOf<"call">): void {
    const place = this.stage.recordOf(callId);
    const lasting = callStates[state];
    this.stage.span(place, lasting ?? undefined, this.atMs);
    if (lasting === null) this.stage.closeAll(place, Math.max(0, this.rows.length - 1), "left");
  }

  private ringStarted({ callId, entryId, offerId }: RingAbout, endpoints: readonly string[]): void {
    const record = this.stage.recordOf(callId);
    const lane = this.cast.who(entryId);
    const last = this.current;
    const isSame =
      last?.kind === "ring" && last.record === record && this.offerOfRow.get(last.index) === offerId;
    const row = isSame ? last : this.add({ kind: "ring", from: PLATFORM, record });
    this.offerOfRow.set(row.index, offerId);
    const offer = this.offers.get(offerId);
    if (offer !== undefined) offer.rangMs = this.atMs;
    row.to.push(lane);
    for (const endpoint of endpoints) {
      row.endpoints.push({ lane, endpoint, does: "rings" });
      this.stage.open({ lane, kind: "ring", record, endpoint }, row.index);
    }
    this.stage.records[record]?.people.push(lane);
  }

  private ringFact({ callId, entryId, partyId }: RingAbout, fact: RingFact): void {
    if (fact.type === "began") return;
    const lane = this.cast.who(entryId);
    const record = this.stage.recordOf(callId);
    const party = this.call(callId).parties.find(({ id }) => id === partyId);
    const ringing = (party?.dials ?? [])
      .filter(({ outcome }) => outcome === null)
      .map(({ endpoint }) => endpoint);
    const ends = (endpoint: string): string | undefined => {
      if (fact.type === "silenced") return endpoint === fact.endpoint ? fact.outcome : undefined;
      if (fact.type === "stopped") return fact.outcome;
      return endpoint === fact.endpoint ? "answered" : "answeredElsewhere";
    };
    const row =
      this.current ?? this.add({ kind: "timer", from: PLATFORM, subject: "Ringing", verb: "ends", record });
    for (const endpoint of ringing) {
      const does = ends(endpoint);
      if (does === undefined) continue;
      row.endpoints.push({ lane, endpoint, does });
      if (row.from === PLATFORM && !row.to.includes(lane)) row.to.push(lane);
      this.stage.close({ lane, kind: "ring", record, endpoint }, row.index, barEnds[does] ?? "left");
    }
  }

  private callFact(callId: string, fact: CallFact): void {
    const record = this.stage.recordOf(callId);
    const row = Math.max(0, this.rows.length - 1);
    if (fact.type === "answered" || fact.type === "joined") {
      const [caller] = this.call(callId).parties;
      for (const party of [caller?.id ?? "", fact.party]) {
        const lane = this.partyLane(callId, party);
        this.stage.close({ lane, kind: "wait", record, endpoint: undefined }, row, "answered");
        this.stage.open({ lane, kind: "talk", record, endpoint: undefined }, row);
      }
    } else if (fact.type === "left")
      this.stage.closeAll(record, row, "left", this.partyLane(callId, fact.party));
    else if (fact.type === "sentToVoicemail") this.toVoicemail(callId, record);
    else if (fact.type === "closed") {
      const { status, reason } = fact.outcome;
      const closed = this.stage.records[record];
      if (closed !== undefined) closed.outcome = endingText(status, reason);
    }
  }

  private toVoicemail(callId: string, record: number): void {
    const caller = this.partyOf(callId, "caller");
    const owner = this.call(callId).parties.find(({ type }) => type === "voicemail")?.displayName;
    const row = this.add({
      kind: "voicemail",
      from: PLATFORM,
      to: [caller],
      subject: "Voicemail",
      verb: "takes the call",
      detail: `${this.cast.name(caller)} hears ${owner === undefined ? "the" : `${oneLine(owner)}'s`} greeting`,
      record,
    }).index;
    for (const lane of [caller, PLATFORM]) {
      this.stage.close({ lane, kind: "wait", record, endpoint: undefined }, row, "answered");
      this.stage.open({ lane, kind: "voicemail", record, endpoint: undefined }, row);
    }
  }

  private offerMoved(id: string, { after }: MachineStep): void {
    const offer = this.offers.get(id);
    if (offer === undefined) return;
    offer.tier = (after.context as { tier: number | null }).tier;
    if (!teamOfferStates[after.value as StateOf<"teamOffer">])
      this.stage.release(id, Math.max(0, this.rows.length - 1));
  }

  private offerFact({ recordId, offerId }: OfferAbout, fact: TeamOfferFact): void {
    if (fact.type !== "waits") return;
    const caller = this.partyOf(recordId, "caller");
    const team = this.offers.get(offerId)?.team ?? "";
    this.add({
      kind: "timer",
      from: PLATFORM,
      to: [caller],
      subject: this.cast.name(caller),
      verb: `waits for ${this.cast.name(team)}`,
      detail: "nobody of the team can be rung",
      record: this.stage.recordOf(recordId),
    });
  }

  private returnFact({ recordId, returnTo: { to, id } }: ReturnAbout, { type }: RedirectReturnFact): void {
    // the request that tells an endpoint of it has a row of its own
    if (type !== "returned" || to === "postEndpoint") return;
    const caller = this.partyOf(recordId, "caller");
    this.add({
      kind: "command",
      from: PLATFORM,
      to: [caller],
      subject: this.cast.name(caller),
      verb: "goes back",
      detail: `to ${returnTexts[to]} ${oneLine(id)}`,
      record: this.stage.recordOf(recordId),
    });
  }

  /** A request to an endpoint is over. */
  requestOver(request: RequestRecord): void {
    const isLate = (request.endedTimestamp ?? request.startedTimestamp) > request.startedTimestamp;
    if (request.why === "webhook") {
      this.deliveries.arrived(request);
      if (request.duplicateOf !== null) {
        const row = this.add({
          kind: "event",
          from: PLATFORM,
          subject: eventType(request),
          verb: "arrives again",
          detail: "the network made two of it",
        });
        this.deliveries.doubled(request, row);
      } else if (request.answer === null && isLate) {
        const row = this.lostRow(request);
        this.deliveries.lost(request, row);
      }
      return;
    }
    const to = this.cast.host(request.to);
    const outcome = outcomeOf(request);
    const detail = isLate
      ? `after ${(Number(request.endedTimestamp) - request.startedTimestamp) / 1000} s`
      : "";
    this.add({
      kind: "rest",
      from: PLATFORM,
      to: [to],
      subject: this.cast.name(PLATFORM),
      verb: `asks ${shortName(to)}: ${request.why}`,
      detail,
      outcome,
      record: this.stage.recordOf(request.recordId),
      command: { name: "request", args: { request: request.id } },
    });
  }

  /** The network deals with a request in another way than usual. */
  requestDeviates(request: RequestRecord, { is, by = 1 }: Pick<Deviation, "is" | "by">): void {
    const text = deviationText("", is, by);
    if (text === undefined) return;
    const kind = is === "lost" || is === "unanswered" ? "lost" : "timer";
    const to = [this.cast.host(request.to)];
    this.add({ kind, from: PLATFORM, to, subject: eventType(request), verb: text.trim() });
  }

  /** One row for all requests that fail at one instant. */
  private lostRow(request: RequestRecord): Row {
    const last = this.rows.at(-1);
    if (last?.kind === "lost" && last.atMs === this.atMs) return last;
    const waited = (Number(request.endedTimestamp) - request.startedTimestamp) / 1000;
    return this.add({
      kind: "lost",
      from: PLATFORM,
      subject: eventType(request),
      verb: "lost",
      detail: `no answer in ${waited} s`,
    });
  }

  private deliveryFact(id: string, fact: DeliveryFact): void {
    if (fact.type !== "givenUp" && fact.type !== "dropped") return;
    const { event } = this.simulator.webhooks.delivery(id);
    const why =
      fact.type === "dropped"
        ? "its webhook is off"
        : fact.reason === "rejected"
          ? "the answer says not to try again"
          : "no attempt is left";
    const row = this.add({
      kind: "failed",
      from: PLATFORM,
      subject: event.type,
      verb: fact.type === "dropped" ? "dropped" : "given up",
      detail: why,
    });
    this.deliveries.gaveUp(id, row);
  }

  private webhookFact(id: string, fact: WebhookFact): void {
    if (fact.type !== "disabled" || fact.by === "hand") return;
    const webhook = this.simulator.webhooks.list().find((each) => each.id === id);
    const to = webhook === undefined ? [] : [this.cast.host(webhook.url)];
    const detail = `after ${webhook?.consecutiveFailures ?? "too many"} failures in a row`;
    this.add({ kind: "failed", from: PLATFORM, to, subject: "Webhook", verb: "is disabled", detail });
  }

  private finish(row: Row): void {
    if (row.subject === "" && row.kind !== "ring" && row.kind !== "retry")
      row.subject = oneLine(this.cast.name(row.from));
    if (row.kind === "ring") this.finishRing(row);
    else {
      const stopped = stoppedText(row, this.cast);
      if (stopped !== "") row.detail = [row.detail, stopped].filter(Boolean).join(", ");
    }
    const record = this.stage.records[row.record];
    if (record === undefined) return;
    if (record.title === "" && row.kind === "message") {
      const conversation = this.simulator.conversations.get(record.id);
      for (const each of conversation.participants)
        if (each.type === "external") this.cast.outside(each.phoneNumber, each.displayName);
      row.subject = oneLine(this.cast.name(row.from));
      record.title = `${this.names.contactOf(record.id)} ⇄ ${shortName(conversation.companyNumberOwner.displayName)}`;
      record.people.push(...conversation.contactAddresses);
    }
    if (record.kind === "call") this.nameCaller(record.id, row);
  }

  /** Uses the caller's name from the call's record. */
  private nameCaller(callId: string, row: Row): void {
    if (row.command === undefined || row.kind === "timer") return;
    const call = this.call(callId);
    for (const party of call.parties)
      if (party.type === "external" && party.phoneNumber)
        this.cast.outside(party.phoneNumber, party.displayName);
    const record = this.stage.records[row.record];
    if (record?.fromRow !== row.index) return;
    row.subject = oneLine(this.cast.name(row.from));
    const [from] = record.people;
    if (from !== undefined) record.title = `${this.cast.name(from)} → ${this.calledName(call)}`;
  }

  private finishRing(row: Row): void {
    const offer = this.offers.get(this.offerOfRow.get(row.index) ?? "");
    const { subject, verb, detail } = ringText(row, this.cast);
    row.subject = subject;
    row.verb = verb;
    if (offer === undefined || offer.tier === null) row.detail = detail;
    else {
      const again = offer.rung.has(offer.tier) ? " again" : "";
      row.detail = `${this.cast.name(offer.team)} tier ${offer.tier}${again}`;
      offer.rung.add(offer.tier);
    }
  }

  private call(id: string) {
    return this.simulator.calls.get(id).record;
  }

  /** The id of a conversation, which may be named by the vendor's id. */
  private recordId(id: string): string {
    if (this.stage.recordOf(id) >= 0) return id;
    const [conversation] = this.simulator.conversations
      .list()
      .filter((each) => each.vendorConversationId === id);
    return conversation?.id ?? id;
  }

  /** The lane of the party that a command names. */
  private partyOf(callId: string, who: string): string {
    const call = this.stage.recordOf(callId) < 0 ? undefined : this.call(callId);
    const [caller] = call?.parties ?? [];
    if (who === "caller") return caller === undefined ? PLATFORM : this.laneOf(caller);
    if (who === "callee") {
      const other = call?.parties.find((party) => party !== caller && party.type !== "voicemail");
      return other === undefined ? PLATFORM : this.laneOf(other);
    }
    return this.cast.who(who);
  }

  private partyLane(callId: string, partyId: string): string {
    const party = this.call(callId).parties.find(({ id }) => id === partyId);
    return party === undefined ? PLATFORM : this.laneOf(party);
  }

  private laneOf(party: CallRecord["parties"][number]): string {
    if (party.type === "voicemail") return PLATFORM;
    if (party.entryId !== undefined) return this.cast.who(party.entryId);
    return this.cast.outside(party.phoneNumber ?? party.displayName, party.displayName);
  }
}

interface RingAbout {
  readonly callId: string;
  readonly partyId: string;
  readonly entryId: string;
  readonly offerId: string;
}

type ReturnAbout = Roles["redirectReturn"]["about"];

interface OfferAbout {
  readonly recordId: string;
  readonly offerId: string;
  readonly teamId: string;
}

// the platform's own object, which the host passes on unchanged
const asRing = (about: unknown) => (about as { readonly ring: RingAbout }).ring;
const asOffer = (about: unknown) => about as OfferAbout;
const asReturn = (about: unknown) => about as ReturnAbout;

/** The offer of a delayed event. */
function offerIdOf({ data }: AgendaItem): string {
  return typeof data === "object" && data !== null && "id" in data ? String(data.id) : "";
}

/** The id of an event's record. */
function aboutOf({ data }: PlatformEvent): string | undefined {
  if ("call" in data) return data.call.id;
  if ("conversation" in data) return data.conversation.id;
  return "transcript" in data ? data.transcript.callId : undefined;
}

/** The note of an event. A call's own row already says who called whom. */
function shortNote(event: PlatformEvent, note: string): string {
  if (event.type === "call.started")
    return event.data.call.isInternal ? "internal" : event.data.call.direction;
  return note.replace(" - ", ", ");
}

/** With a capital at the start, as a row begins. */
function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** The event type in a subject such as `call.ended, attempt 2`. */
function eventType({ subject }: RequestRecord): string {
  return subject.split(",")[0] ?? subject;
}
