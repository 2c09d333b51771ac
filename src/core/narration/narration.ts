import type { CallContext } from "../../../machines/call.ts";
import type { RingFact } from "../../../machines/ring.ts";
import type { AgendaItem } from "../engine/agenda.ts";
import type { Deviation } from "../engine/deviations.ts";
import type { LoggedEvent } from "../engine/event-log.ts";
import type { MachineStep, Tracer } from "../engine/tracer.ts";
import { calledWords, DEPENDENCY_ENTRY, type DependencyCalled } from "../network/dependencies/called.ts";
import type { CommandName } from "../platform/base/core-services.ts";
import type { DomainEvents, MachineName, MachineTypes } from "../platform/base/machine-types.ts";
import { timerWords } from "../platform/base/timers.ts";
import { commands } from "../platform/catalogue/commands.ts";
import type { Services } from "../platform/catalogue/services.ts";
import type { ActorReference, Description } from "../platform/declare/description.ts";
import type { PlatformEvent } from "../platform/declare/events.ts";
import type { Ring } from "../platform/parts/calls.ts";
import type { EventNames } from "../platform/parts/define-part.ts";
import type { CallRecord } from "../records/call.ts";
import type { RequestRecord } from "../records/request.ts";
import { ANONYMOUS } from "../records/withheld.ts";
import { ActiveSpans } from "./active-spans.ts";
import { CallNames } from "./call-names.ts";
import {
  cardsDescription,
  type FactDescription,
  factDescription,
  leftOutDescription,
  readPhones,
  unreachableDescription,
} from "./fact-descriptions.ts";
import { Journeys } from "./journeys.ts";
import { fullName, type Lifeline, Lifelines, type NamedSentence } from "./lifelines.ts";
import { Mentions } from "./mentions.ts";
import { Offers } from "./offers.ts";
import type { BarEnd, NarrationRow, RowKind, RunNarration } from "./rows.ts";
import { answerWords, attemptWords, deviationWords, silenceWords, writeNote } from "./words.ts";

/** The narration of a run in progress. */
export interface Narration {
  /** Follows the run from its start. */
  readonly tracer: Tracer<MachineTypes>;
  readonly lifelines: Lifelines;
  readonly mentions: Mentions;
  /** The rows so far. */
  readonly rows: readonly NarrationRow[];
  /** Bars, teams that have a call, calls and conversations. */
  readonly spans: ActiveSpans;
  /** The narration so far. */
  current(): RunNarration;
}

/**
 * @param platform the platform of the run
 * @param hasStandIns whether all names are stand-ins of an import: then they have their extensions
 */
export function startNarration(
  platform: Services,
  about: Pick<RunNarration, "title" | "startMs" | "sinceMs" | "seed">,
  hasStandIns = false,
): Narration {
  const tracer = new Narrator(platform, about.title, about.startMs, hasStandIns);
  const { lifelines, mentions, rows, spans } = tracer;
  return {
    tracer,
    lifelines,
    mentions,
    rows,
    spans,
    current() {
      spans.updateBars();
      const { now: endMs, log } = platform.engine;
      const lines = { platform: lifelines.platform, lifelines: lifelines.list() };
      return { ...about, endMs, eventCount: log.total, ...lines, rows, records: spans.records };
    },
  };
}

/** The part of a command that describes it, from parsed arguments. */
interface DescribedCommand {
  actor(args: unknown): ActorReference;
  describe(args: unknown): Description;
}

type NewRow = Pick<NarrationRow, "kind" | "actor" | "sentence"> & Partial<NarrationRow>;

const barEnds: Readonly<Record<string, BarEnd>> = {
  declined: "declined",
  timeout: "timeout",
  answered: "answered",
  answeredElsewhere: "elsewhere",
};

/** Turns a run into rows as it happens. Must not throw: that would stop the run. */
class Narrator implements Tracer<MachineTypes> {
  readonly rows: NarrationRow[] = [];
  readonly lifelines: Lifelines;
  readonly mentions: Mentions;
  readonly spans: ActiveSpans;
  /** How many rows and people there were before the last command. */
  private beforeCommand = { rows: 0, people: 0 };
  private readonly names = new CallNames();
  private readonly journeys = new Journeys();
  private readonly offers: Offers;
  /** The row of the latest cause. */
  private cause: NarrationRow | undefined;
  /** Its call, which effects need not name. */
  private causeCall: string | undefined;
  /** The row of the REST request that is issuing commands. */
  private restRequest: NarrationRow | undefined;
  /** The rows of requests whose handlers call the REST API. */
  private readonly arrivals = new Map<string, NarrationRow>();
  /** The parties on the bridge of each live call. */
  private readonly bridges = new Map<string, CallContext["bridge"]>();
  /** The index of the row that caused each event, by the event's id. */
  private readonly eventCauses = new Map<string, number>();
  private eventCount = 0;
  private readonly eventNames: EventNames = {
    number: (number) => fullName(this.lifelines.person(number)),
    extension: (extension) => this.lifelines.calleeName(extension),
    entry: (id, displayName) => this.lifelines.names.byId(id, displayName),
  };

  constructor(
    private readonly platform: Services,
    title: string,
    startMs: number,
    hasStandIns: boolean,
  ) {
    this.lifelines = new Lifelines(platform, title, hasStandIns);
    this.mentions = new Mentions(platform, this.lifelines);
    this.spans = new ActiveSpans(this.rows, startMs);
    this.offers = new Offers(this.lifelines);
  }

  command(name: string, args: unknown): void {
    this.beforeCommand = { rows: this.rows.length, people: this.lifelines.size };
    // a planned deviation gets its row when it happens
    if (name === "deviate") return;
    const given = args as Record<string, unknown>;
    if (name === "scenario.skipped") {
      const sentence = { subject: `the step ${given.command}`, verb: `is left out: ${given.why}` };
      this.addCause({ kind: "timer", actor: this.lifelines.platform, sentence }, undefined);
      return;
    }
    if (name === DEPENDENCY_ENTRY) {
      this.dependencyCalled(args as DependencyCalled);
      return;
    }
    const { actor, describe }: DescribedCommand = commands[name as CommandName];
    const sentence = this.mentions.nameSentence(describe(args));
    const kind: RowKind = sentence.kind ?? "command";
    const callId = typeof given.call === "string" ? given.call : undefined;
    const arrival = typeof given.during === "string" ? this.findArrival(given.during) : undefined;
    const record = this.spans.indexOf(this.recordIn(given));
    const row = { kind, actor: this.lifelines.of(actor(args)), sentence, record, command: { name, args } };
    if (arrival !== undefined) {
      // a handler may call long after its request arrived
      const detail = `${sentence.detail ?? ""} while handling ${arrival.request?.subject}`.trim();
      this.addTo(causeOf(arrival), { ...row, during: arrival.index }, { ...sentence, detail });
    } else if (this.isOfRestRequest(name, given)) {
      const callName = callId === undefined ? undefined : this.names.findName(callId);
      this.addEffect({ ...row, during: this.restRequest?.during, callName });
    } else this.addCause(row, callId);
    if (name === "restAsked") this.restRequest = this.rows.at(-1);
    else if (name === "restServed" && given.asked !== undefined) this.restRequest = undefined;
  }

  private dependencyCalled(called: DependencyCalled): void {
    const { verb, why, laterMs } = calledWords(called);
    const arrival = called.during === undefined ? undefined : this.findArrival(called.during);
    const row: NewRow = {
      kind: "dependency",
      actor: this.lifelines.dependency(called.dependency),
      sentence: { verb, why, laterMs },
      record: arrival?.request === undefined ? -1 : this.recordOf(arrival.request),
      during: arrival?.index,
      called,
    };
    const alone = { ...row.sentence, verb: `is asked ${verb}` };
    if (arrival === undefined) this.addCause({ ...row, sentence: alone }, undefined);
    else
      this.addTo(causeOf(arrival), row, { ...alone, detail: `while handling ${arrival.request?.subject}` });
  }

  /** Whether a command comes from the latest REST request, or is its answer. */
  private isOfRestRequest(name: string, { asked }: Record<string, unknown>): boolean {
    if (this.restRequest?.atMs !== this.platform.engine.now || name === "restAsked") return false;
    return name !== "restServed" || asked !== undefined;
  }

  /** The row of a request's arrival, which exists only if its handler calls the REST API. */
  private findArrival(requestId: string): NarrationRow | undefined {
    const known = this.arrivals.get(requestId);
    const request = this.platform.network.request(requestId);
    if (known !== undefined || request === undefined) return known;
    const actor = this.lifelines.host(request.to, request.why === "webhook");
    const sentence = { verb: "receives", detail: request.subject };
    const record = this.spans.indexOf(request.recordId);
    const row = this.addTo(this.findSender(request), { kind: "arrival", actor, sentence, record, request });
    this.arrivals.set(requestId, row);
    return row;
  }

  commandRefused(): void {
    this.rows.length = this.beforeCommand.rows;
    for (const [id, { index }] of this.arrivals) if (index >= this.rows.length) this.arrivals.delete(id);
    this.cause = this.rows.findLast(({ cause }) => cause === undefined);
    this.lifelines.forgetAfter(this.beforeCommand.people);
  }

  item(item: AgendaItem): void {
    const { people, network, traffic } = this.platform;
    // an attempt has one row, at its end
    if (network.isDelivering(item)) return;
    const act = people.actOf(item);
    const call = traffic.drawCall(item);
    if (act !== undefined) this.command(act.command, act.args);
    else if (call !== undefined) this.command("inbound", call);
    else this.addTimer(item);
  }

  private addTimer(item: AgendaItem): void {
    const { purpose, recordId } = item;
    const { engine, tables } = this.platform;
    const user = tables.users.get(recordId);
    const actor = user === undefined ? this.lifelines.platform : this.lifelines.person(user.id);
    const { subject, verb, aside } = timerWords(purpose);
    const sentence: NamedSentence = {
      subject: subject === "" ? undefined : subject,
      verb,
      aside: aside?.(this.offers.timerMentions(item, engine.now)),
    };
    const retry = purpose === "delivery: backOff" ? { delivery: recordId } : {};
    const kind = this.platform.network.isOwn(item) ? "sending" : "timer";
    this.addCause({ kind, actor, sentence, record: this.spans.indexOf(recordId), ...retry }, recordId);
  }

  event(logged: LoggedEvent): void {
    const event = logged as PlatformEvent;
    const place = this.eventCount++;
    if (event.type === "call.started") {
      const { id, parties } = event.data.call;
      if (parties[0] !== undefined) this.names.addCall(id, this.partyLifeline(parties[0]));
      this.causeCall ??= event.data.call.id;
    }
    const about = recordIdOf(event);
    // a change of availability belongs to the call that caused it
    const record = about === undefined ? (this.cause?.record ?? -1) : this.spans.indexOf(about);
    if (this.cause !== undefined && this.cause.record < 0) this.cause.record = record;
    const row = this.addEffect({
      kind: "event",
      actor: this.lifelines.platform,
      sentence: { verb: writeNote(event, this.eventNames) },
      callName: this.callNameFor(event),
      record,
      event: { id: event.id, type: event.type, place },
    });
    this.eventCauses.set(event.id, causeOf(row));
    this.spans.extendTo(record);
    if ("conversation" in event.data)
      this.spans.nameConversation(record, event.data.conversation, this.lifelines);
    if ("call" in event.data && isClosing(event)) this.names.closeCall();
  }

  fact<R extends MachineName>(
    machine: R,
    about: MachineTypes[R]["about"],
    fact: MachineTypes[R]["fact"],
  ): void {
    const description = factDescription(this.platform, machine, about, fact);
    if (description !== undefined) {
      const { call } = description;
      const row = this.rowOf(description);
      const delivery = machine === "delivery" ? { delivery: about.recordId } : {};
      if (call === undefined) this.addNow({ ...row, ...delivery });
      else {
        const record = this.spans.indexOf(call);
        this.addEffect({ ...row, record, callName: this.names.findName(call, true) });
      }
    }
    if (machine === "ring") this.addRing((about as MachineTypes["ring"]["about"]).ring, fact as RingFact);
    if (machine === "call") this.applyCallFact(about.recordId, fact as MachineTypes["call"]["fact"]);
  }

  domainEvent(what: string, of: object): void {
    if (what === "targetUnreachable") {
      const event = of as DomainEvents["targetUnreachable"];
      this.addEffect({ ...this.rowOf(unreachableDescription(event)), ...this.about(event.callId) });
    } else if (what === "eventLeftOut") {
      this.addEffect({ ...this.rowOf(leftOutDescription(of as DomainEvents["eventLeftOut"])), record: -1 });
    } else if (what === "cardsCame") {
      const came = of as DomainEvents["cardsCame"];
      const { callId, origin } = came.insights;
      this.addEffect({ ...this.rowOf(cardsDescription(came)), ...this.about(callId), origin });
    }
  }

  /** The call that a row is about. */
  private about(callId: string) {
    return { record: this.spans.indexOf(callId), callName: this.names.findName(callId) };
  }

  private rowOf({ who, kind, sentence }: FactDescription) {
    return { kind, actor: this.lifelines.of(who), sentence: this.mentions.nameSentence(sentence) };
  }

  machine(step: MachineStep): void {
    const { machine, about, next, previous, event } = step;
    const value = String(next.value);
    const { now } = this.platform.engine;
    if (machine === "call") {
      if (previous === undefined) this.beginCall(about.recordId);
      this.bridges.set(about.recordId, (next.context as CallContext).bridge);
      this.spans.setCallState(about.recordId, value, now);
    } else if (machine === "conversation") {
      if (previous === undefined) this.beginRecord("conversation", about.recordId);
      this.spans.setConversationState(about.recordId, value, now);
    } else if (machine === "teamOffer") {
      const { teamId } = about as MachineTypes["teamOffer"]["about"];
      if (previous === undefined) {
        this.offers.start(step.id, teamId, now);
        this.spans.startHold(step.id, teamId, this.spans.indexOf(about.recordId));
      }
      if (event?.type === "RING") this.offers.ringTier(step.id, Number(event.tier), now);
      this.spans.setOfferState(step.id, value);
    }
  }

  requestOver(request: RequestRecord): void {
    const isWebhook = request.why === "webhook";
    const actor = this.lifelines.host(request.to, isWebhook);
    if (isWebhook) {
      const row: NewRow = { kind: "attempt", actor, sentence: attemptWords(request), request };
      this.addTo(this.findSender(request), row, answerWords(request));
    } else {
      const record = this.spans.indexOf(request.recordId);
      this.addEffect({ kind: "request", actor, sentence: answerWords(request), record, request });
    }
  }

  timerDeviates(first: string, before: string, atMs: number): void {
    const sentence = { subject: first, verb: `goes before ${before}` };
    this.addCause({ kind: "timer", actor: this.lifelines.platform, sentence, atMs }, undefined);
  }

  requestDeviates(request: RequestRecord, { is, by = 1 }: Pick<Deviation, "is" | "by">): void {
    const sentence = deviationWords(request.subject, is, by);
    if (sentence === undefined) return;
    const actor = this.lifelines.host(request.to, request.why === "webhook");
    this.addNow({ kind: "deviation", actor, sentence, request, is });
  }

  /** Adds a row without a cause. @param callId its call, which may need a name */
  private addCause(row: NewRow, callId: string | undefined): NarrationRow {
    this.causeCall = callId;
    const caller = callId === undefined ? undefined : this.platform.tables.calls.get(callId)?.contactNumber;
    const callName = callId === undefined ? undefined : this.names.findName(callId, row.actor.id === caller);
    this.cause = this.push({ ...row, callName, cause: undefined });
    return this.cause;
  }

  /** Adds an effect of the latest cause. */
  private addEffect(row: NewRow): NarrationRow {
    if (this.cause === undefined) return this.addCause(row, undefined);
    return this.push({ ...row, cause: this.cause.index });
  }

  /** Adds an effect if the latest cause is at this instant, otherwise a row without a cause. */
  private addNow(row: NewRow): NarrationRow {
    return this.addTo(this.cause?.index, row);
  }

  /**
   * Adds an effect of a cause if nothing has happened since, otherwise a row without a cause.
   * @param cause the index of its row
   * @param alone the sentence of a row without a cause
   */
  private addTo(cause: number | undefined, row: NewRow, alone: NamedSentence = row.sentence): NarrationRow {
    const isLatest = this.cause?.index === cause && this.cause?.atMs === this.platform.engine.now;
    return isLatest ? this.addEffect(row) : this.addCause({ ...row, sentence: alone }, undefined);
  }

  /** The call or conversation that a request of the platform is about. */
  private recordOf({ recordId }: RequestRecord): number {
    const event = this.platform.deliveries.find(recordId)?.event as PlatformEvent | undefined;
    return this.spans.indexOf((event && recordIdOf(event)) ?? recordId);
  }

  /** The index of the row that caused a webhook's request: its arrival's cause, a retry, or its event's cause. */
  private findSender({ id, recordId }: RequestRecord): number | undefined {
    const arrival = this.arrivals.get(id);
    if (arrival !== undefined) return causeOf(arrival);
    if (this.cause?.delivery === recordId) return this.cause.index;
    const delivery = this.platform.deliveries.find(recordId);
    return delivery && this.eventCauses.get(delivery.event.id);
  }

  private push(row: NewRow): NarrationRow {
    this.spans.updateBars();
    const added: NarrationRow = {
      index: this.rows.length,
      atMs: this.platform.engine.now,
      cause: undefined,
      record: -1,
      callName: undefined,
      phones: [],
      began: [],
      ended: [],
      ...row,
    };
    this.rows.push(added);
    return added;
  }

  /** Begins a call or a conversation with the row that caused it. */
  private beginRecord(kind: "call" | "conversation", id: string): number {
    const index = this.spans.beginRecord(kind, id, this.platform.engine.now);
    const cause = this.rows.at(-1);
    if (cause !== undefined && cause.record < 0) cause.record = index;
    return index;
  }

  private beginCall(callId: string): void {
    const index = this.beginRecord("call", callId);
    const call = this.platform.tables.calls.get(callId);
    const [caller] = call?.parties ?? [];
    if (call === undefined || caller === undefined) return;
    const isDialled = this.rows.at(-1)?.command?.name === "dialLink";
    this.spans.setJourney(index, this.journeys.add(index, call, isDialled));
    const line = this.partyLifeline(caller);
    this.spans.open({ lane: line.id, kind: "wait", record: index });
    this.spans.nameCall(index, line, this.lifelines.findCallee(call));
  }

  private applyCallFact(callId: string, fact: MachineTypes["call"]["fact"]): void {
    const record = this.spans.indexOf(callId);
    if ("party" in fact) {
      const lane = this.partyLane(callId, fact.party);
      if (this.bridges.get(callId)?.includes(fact.party)) this.spans.open({ lane, kind: "talk", record });
      else this.spans.closeAll(record, "left", lane);
    } else if (fact.type === "sentToVoicemail") this.spans.open({ lane: "", kind: "voicemail", record });
    else if (fact.type === "closed") {
      this.bridges.delete(callId);
      this.spans.setOutcome(record, fact.outcome);
    }
  }

  private addRing(ring: Ring, fact: RingFact): void {
    const line = this.lifelines.person(ring.entryId);
    const record = this.spans.indexOf(ring.callId);
    const phones = readPhones(this.platform, ring, fact);
    const notes = phones.map(({ endpoint, does }) => ({ line, endpoint, does }));
    const callName = ring.callId === this.causeCall ? undefined : this.names.findName(ring.callId);
    if (fact.type === "began") {
      const sentence = { verb: "rings", detail: `on ${phones.map(({ endpoint }) => endpoint).join(", ")}` };
      const offer = this.offers.current(ring.offerId);
      this.addEffect({ kind: "ring", actor: line, sentence, callName, record, offer }).phones.push(...notes);
      this.spans.addPerson(record, line.id);
    } else {
      const stopped = notes.filter(({ does }) => does !== "answered");
      const answered = notes.filter(({ does }) => does === "answered");
      if (stopped.length > 0)
        this.addEffect({ kind: "silence", actor: line, sentence: silenceWords(stopped), callName, record });
      // the command's row shows the answer
      if (stopped.length > 0) this.rows.at(-1)?.phones.push(...stopped);
      this.cause?.phones.push(...answered);
    }
    for (const { endpoint, does } of phones) {
      const bar = { lane: line.id, kind: "ring" as const, record, endpoint };
      if (does === "rings") this.spans.open(bar);
      else this.spans.close(bar, barEnds[does] ?? "left");
    }
  }

  /** The name of an event's call, if it is ambiguous. */
  private callNameFor({ type, data }: PlatformEvent): string | undefined {
    if ("transcript" in data && !("call" in data)) return this.names.findName(data.transcript.callId);
    if (!("call" in data)) return undefined;
    const isCallerNamed =
      type === "call.started" || ("party" in data && data.party.id === data.call.parties[0]?.id);
    return this.names.findName(data.call.id, isCallerNamed);
  }

  /** The id of the call or conversation that a command names. */
  private recordIn({ call, conversation, path }: Record<string, unknown>): string | undefined {
    if (typeof call === "string") return call;
    if (typeof conversation === "string") return this.platform.conversations.known(conversation)?.id;
    // a REST request names it in its path
    const parts = typeof path === "string" ? path.replace(/\?.*$/, "").split("/") : [];
    return parts.find((part) => this.spans.indexOf(part) >= 0);
  }

  private partyLane(callId: string, partyId: string): string {
    const call = this.platform.tables.calls.get(callId);
    const party = call?.parties.find(({ id }) => id === partyId);
    return party === undefined ? "" : this.partyLifeline(party).id;
  }

  private partyLifeline(party: CallRecord["parties"][number]): Lifeline {
    if (party.type === "voicemail") return this.lifelines.platform;
    return this.lifelines.person(party.entryId ?? party.phoneNumber ?? ANONYMOUS);
  }
}

/** The index of a row's cause; its own, if it has none. */
function causeOf({ cause, index }: NarrationRow): number {
  return cause ?? index;
}

/** The id of an event's record. */
function recordIdOf({ data }: PlatformEvent): string | undefined {
  if ("call" in data) return data.call.id;
  if ("conversation" in data) return data.conversation.id;
  return "transcript" in data ? data.transcript.callId : undefined;
}

/** Whether an event closes a call. Events about its recording may follow. */
function isClosing({ type, data }: PlatformEvent): boolean {
  return type === "call.ended" || (type === "call.not_answered" && data.call.outcome !== null);
}
