import type { CallFact, DeliveryFact, RingFact, VoicemailFact, WebhookFact } from "../../machines/index.ts";
import type { AgendaItem } from "../engine/agenda.ts";
import type { Deviation } from "../engine/choices.ts";
import type { Tracer } from "../engine/engine.ts";
import type { LoggedEvent } from "../engine/event-log.ts";
import type { CommandInput, CommandName } from "../platform/base.ts";
import type { World } from "../platform/capabilities.ts";
import type { Cast, RoleName } from "../platform/cast.ts";
import type { PlatformEvent } from "../platform/events.ts";
import type { Ring } from "../platform/live/live-calls.ts";
import { isNamed, partyById, ringingEndpoints } from "../platform/live/parties.ts";
import { timerWords } from "../platform/timers.ts";
import { counted, type Names } from "../platform/words.ts";
import type { RequestRecord } from "../records/request.ts";
import { CallNames } from "./call-names.ts";
import {
  answerText,
  attemptText,
  commandText,
  deliveryEndText,
  deviationText,
  noteOf,
  requestText,
  returnTexts,
} from "./words.ts";

/** A lifeline of the diagram: someone or something that takes part. */
export interface Lifeline {
  /** A number, the id of a user or a device, or a host. Empty for the platform, since no other id is. */
  readonly id: string;
  readonly name: string;
  /** People outside, the platform, its users and devices, or hosts to which the platform sends requests. */
  readonly kind: "outside" | "platform" | "inside" | "endpoint";
}

/** Something inside the platform that the event stream does not show. */
export interface BackgroundLine {
  readonly kind: "background";
  readonly who: Lifeline;
  readonly text: string;
}

/** An event, with its few important fields in words. */
export interface EventLine {
  readonly kind: "event";
  readonly type: string;
  readonly note: string;
  /** Whether an excerpt is about it. */
  readonly isMarked?: boolean;
}

/** One cause and its effects, in order. */
export interface Beat {
  readonly atMs: number;
  readonly who: Lifeline;
  readonly text: string;
  readonly lines: (BackgroundLine | EventLine)[];
}

/** A run as a story. Texts, diagrams and pages are made from it. */
export interface RunStory {
  readonly title: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly seed: string | number;
  readonly eventCount: number;
  /** The result of the comparison with the expected stream. */
  readonly verdict?: string;
  readonly platform: Lifeline;
  readonly lifelines: readonly Lifeline[];
  readonly beats: readonly Beat[];
}

/** The story of a run while it goes on. */
export interface Telling {
  /** Watches the run from its start. */
  readonly tracer: Tracer<Cast>;
  /** The story so far. */
  story(): RunStory;
}

/** @param platform the platform of the run */
export function beginStory(platform: World, about: Pick<RunStory, "title" | "startMs" | "seed">): Telling {
  const tracer = new StoryTeller(platform, about.title);
  return {
    tracer,
    story: () => ({
      ...about,
      endMs: platform.engine.now,
      eventCount: platform.engine.log.total,
      platform: tracer.platformLine,
      lifelines: tracer.lifelines(),
      beats: tracer.beats,
    }),
  };
}

/** Commands about a host outside, which name its URL. */
const hostCommands: ReadonlySet<CommandName> = new Set(["route", "fault", "conditions", "createWebhook"]);

type FactTellers = {
  readonly [R in RoleName]?: (about: Cast[R]["about"], fact: Cast[R]["fact"]) => void;
};

class StoryTeller implements Tracer<Cast> {
  readonly beats: Beat[] = [];
  readonly platformLine: Lifeline;
  private readonly people = new Map<string, Lifeline>();
  /** How many beats and people there were before the last command. */
  private before = { beats: 0, people: 0 };
  private readonly names = new CallNames();
  /** The call of the last beat. Lines under it need not name the call. */
  private beatCall: string | undefined;

  constructor(
    private readonly platform: World,
    title: string,
  ) {
    this.platformLine = { id: "", name: title, kind: "platform" };
  }

  /**
   * The lifelines: outside callers on the left, then the platform, those inside, and hosts, each in the order of
   * appearance.
   */
  lifelines(): Lifeline[] {
    const people = [...this.people.values()];
    return [
      ...people.filter(({ kind }) => kind === "outside"),
      this.platformLine,
      ...people.filter(({ kind }) => kind === "inside"),
      ...people.filter(({ kind }) => kind === "endpoint"),
    ];
  }

  command(name: string, args: unknown): void {
    // a planned deviation is shown when it happens
    this.before = { beats: this.beats.length, people: this.people.size };
    if (name === "deviate") return;
    const given = args as Record<string, unknown>;
    if (name === "scenario.skipped") {
      this.beat(this.platformLine, `the step ${given.command} is left out: ${given.why}`, undefined);
      return;
    }
    const callId = typeof given.call === "string" ? given.call : undefined;
    this.beat(
      this.actorOf(name as CommandName, given),
      commandText(name as CommandName, args, this.naming),
      callId,
    );
  }

  refused(): void {
    this.beats.length = this.before.beats;
    for (const id of [...this.people.keys()].slice(this.before.people)) this.people.delete(id);
  }

  item(item: AgendaItem): void {
    const { people, network, traffic } = this.platform;
    // a delivery has one line, when its attempt is over
    if (network.isDelivering(item)) return;
    const act = people.actOf(item);
    const call = traffic.callOf(item);
    if (act !== undefined) this.command(act.command, act.args);
    else if (call !== undefined) this.command("inbound", call);
    else {
      const user = this.platform.tables.users.get(item.recordId);
      const who = user === undefined ? this.platformLine : this.person(user.id);
      const { subject, verb } = timerWords(item.purpose);
      this.beat(who, [subject, verb].filter(Boolean).join(" "), item.recordId);
    }
  }

  event(logged: LoggedEvent): void {
    const event = logged as PlatformEvent;
    const last = this.beats.at(-1);
    if (event.type === "call.started") {
      this.names.started(event.data.call);
      this.beatCall ??= event.data.call.id;
    }
    last?.lines.push({ kind: "event", type: event.type, note: this.note(event) });
    if ("call" in event.data && isClosing(event)) this.names.closed();
  }

  fact<R extends RoleName>(role: R, about: Cast[R]["about"], fact: Cast[R]["fact"]): void {
    const tell: FactTellers[R] = this.facts[role];
    tell?.(about, fact);
  }

  /** How facts are told, by machine. The facts of other machines show in what follows from them. */
  private readonly facts: FactTellers = {
    call: ({ recordId }, fact) => this.callFact(recordId, fact),
    ring: ({ ring }, fact) => this.ringFact(ring, fact),
    teamOffer: ({ recordId }, { type }) => {
      if (type === "waits") this.waits(recordId);
    },
    delivery: ({ recordId }, fact) => this.deliveryFact(recordId, fact),
    webhook: ({ recordId }, fact) => this.webhookFact(recordId, fact),
    voicemail: ({ recordId }, fact) => this.voicemailFact(recordId, fact),
    redirectReturn: ({ recordId, returnTo: { to, id } }, { type }) => {
      // the request to the endpoint has a line of its own
      if (type === "returned" && to !== "postEndpoint")
        this.beats.at(-1)?.lines.push(this.callerLine(recordId, `goes back to ${returnTexts[to]} ${id}`));
    },
  };

  requestOver(request: RequestRecord): void {
    const who = this.endpoint(request.to, request.why === "webhook");
    if (request.why === "webhook") this.tell(who, attemptText(request), answerText(request));
    else this.beats.at(-1)?.lines.push({ kind: "background", who, text: requestText(request) });
  }

  timerDeviates(first: string, before: string, atMs: number): void {
    this.beats.push({ atMs, who: this.platformLine, text: `${first} goes before ${before}`, lines: [] });
  }

  requestDeviates(request: RequestRecord, { is, by = 1 }: Pick<Deviation, "is" | "by">): void {
    const text = deviationText(request.subject, is, by);
    if (text !== undefined) this.tell(this.endpoint(request.to, request.why === "webhook"), text);
  }

  private deliveryFact(id: string, fact: DeliveryFact): void {
    if (fact.type !== "givenUp" && fact.type !== "dropped") return;
    const { event, reason, webhookId } = this.platform.deliveries.get(id);
    const text = deliveryEndText(event.type, fact.type, fact.type === "givenUp" ? fact.reason : reason);
    this.tell(this.webhook(webhookId), text);
  }

  private webhookFact(id: string, fact: WebhookFact): void {
    if (fact.type !== "disabled" || fact.by === "hand") return;
    const failures = this.platform.webhooks.get(id).consecutiveFailures;
    this.tell(this.webhook(id), `is disabled after ${counted(failures, "failure")} in a row`);
  }

  /** Adds a line to the beat of this instant, or a beat of its own if there is none. */
  private tell(who: Lifeline, text: string, asBeat = text): void {
    const last = this.beats.at(-1);
    if (last?.atMs === this.platform.engine.now) last.lines.push({ kind: "background", who, text });
    else this.beat(who, asBeat, undefined);
  }

  /** The lifeline of a webhook, which may be deleted. */
  private webhook(id: string): Lifeline {
    const webhook = this.platform.webhooks.find(id);
    return webhook === undefined ? this.platformLine : this.endpoint(webhook.url, true);
  }

  /** The lifeline of a host outside. Once it is known to be a webhook's, it says so. */
  private endpoint(url: string, isWebhook: boolean): Lifeline {
    const host = URL.canParse(url) ? new URL(url).host : url;
    const name = isWebhook ? `${host} (webhook)` : host;
    let line = this.people.get(host);
    if (line === undefined || (isWebhook && line.name !== name)) {
      line = { id: host, name, kind: "endpoint" };
      this.people.set(host, line);
    }
    return line;
  }

  private callFact(callId: string, fact: CallFact): void {
    if (fact.type !== "sentToVoicemail") return;
    const owner = this.person(this.platform.live.mustGet(callId).voicemail?.owner.id ?? "");
    const line = this.callerLine(callId, `hears the greeting of ${owner.name}'s voicemail`);
    this.beats.at(-1)?.lines.push(line);
  }

  private waits(callId: string): void {
    const team = this.platform.live.mustGet(callId).group;
    if (team !== null)
      this.beats.at(-1)?.lines.push(this.callerLine(callId, `waits in the queue of ${team.displayName}`));
  }

  private ringFact({ callId, partyId, entryId }: Ring, fact: RingFact): void {
    const ringing = ringingEndpoints(partyById(this.platform.tables.calls.mustGet(callId), partyId));
    const stopped = (endpoints: readonly string[], why: string) => {
      if (endpoints.length > 0)
        this.background(
          callId,
          this.person(entryId),
          `${endpoints.join(", ")} ${endpoints.length === 1 ? "stops" : "stop"} (${why})`,
        );
    };
    if (fact.type === "began")
      this.background(callId, this.person(entryId), `rings on ${ringing.join(", ")}`);
    else if (fact.type === "silenced") stopped([fact.endpoint], fact.outcome);
    else if (fact.type === "stopped")
      stopped(ringing, fact.outcome === "answeredElsewhere" ? "answered elsewhere" : fact.outcome);
    else
      stopped(
        ringing.filter((each) => each !== fact.endpoint),
        "answered elsewhere",
      );
  }

  private voicemailFact(callId: string, fact: VoicemailFact): void {
    if (fact.type === "tone") this.beats.at(-1)?.lines.push(this.callerLine(callId, "hears the tone"));
    else if (fact.by === "limit") this.beats.at(-1)?.lines.push(this.callerLine(callId, "is hung up on"));
    // nothing here: the caller's hang-up shows that they left
  }

  private beat(who: Lifeline, text: string, callId: string | undefined): void {
    this.beatCall = callId;
    const caller = callId === undefined ? undefined : this.platform.tables.calls.get(callId)?.contactNumber;
    const which = callId === undefined ? undefined : this.names.nameOf(callId, who.id === caller);
    this.beats.push({
      atMs: this.platform.engine.now,
      who,
      text: which === undefined ? text : `${text} (${which})`,
      lines: [],
    });
  }

  private background(callId: string, who: Lifeline, text: string): void {
    this.beats.at(-1)?.lines.push(this.backgroundLine(callId, who, text));
  }

  private backgroundLine(callId: string, who: Lifeline, text: string): BackgroundLine {
    const which = callId === this.beatCall ? undefined : this.names.nameOf(callId);
    return { kind: "background", who, text: withName(text, which) };
  }

  private callerLine(callId: string, text: string): BackgroundLine {
    const [caller] = this.platform.tables.calls.mustGet(callId).parties;
    const who = this.person(caller?.entryId ?? caller?.phoneNumber ?? "");
    return { kind: "background", who, text: withName(text, this.names.nameOf(callId, true)) };
  }

  /** An event in words. If more than one call may be meant, it names the call. */
  private note(event: PlatformEvent): string {
    const note = noteOf(event, (number) => this.person(number).name);
    const { data } = event;
    if ("transcript" in data && !("call" in data))
      return withName(note, this.names.nameOf(data.transcript.callId));
    if (!("call" in data)) return note;
    const isCallerNamed =
      event.type === "call.started" || ("party" in data && data.party.id === data.call.parties[0]?.id);
    return withName(note, this.names.nameOf(data.call.id, isCallerNamed));
  }

  /**
   * The lifeline of a user, a device or an outside number. The user whom an outside number first calls may know its
   * name. A number without a name is looked up again, since contacts may be added.
   */
  private person(id: string, callsUser?: string): Lifeline {
    let line = this.people.get(id);
    if (line === undefined || line.name === id) {
      const entry = this.platform.directory.find(id);
      line =
        entry === undefined
          ? { id, name: this.contactName(id, callsUser), kind: "outside" }
          : { id, name: entry.record.displayName, kind: "inside" };
      this.people.set(id, line);
    }
    return line;
  }

  private contactName(number: string, userEmail: string | undefined): string {
    const contact = this.platform.phonebooks.contactOf(number, userEmail);
    return contact === undefined ? number : `${contact.name} (${number})`;
  }

  /** The lifeline of a command's `by` in a call. */
  private partyOf(callId: string, by: string): Lifeline {
    const live = this.platform.live.get(callId);
    // without one, the command will be refused
    const party =
      live && this.platform.tables.calls.mustGet(callId).parties.find((each) => isNamed(each, by, live));
    return this.person(party?.entryId ?? party?.phoneNumber ?? by);
  }

  /** The lifeline of a command's actor. */
  private actorOf(name: CommandName, args: Record<string, unknown>): Lifeline {
    if (name === "inbound") {
      const { from, to } = args as CommandInput<"inbound">;
      const { kind, record } = this.platform.directory.ownerOf(to);
      return this.person(from, kind === "user" ? record.email : undefined);
    }
    const writer = this.writerOf(name, args);
    if (writer !== undefined) return writer;
    if (name === "traffic") return this.platformLine;
    if (name === "updateWebhook" || name === "removeWebhook") return this.webhook(String(args.webhook));
    if (hostCommands.has(name)) return this.endpoint(String(args.url), name === "createWebhook");
    if (args.from !== undefined) return this.named(String(args.from));
    if (name === "issueToken") return this.person(String(args.client));
    if (name === "restServed") return this.person(String(args.by ?? "an unknown client"));
    if (byTheApi.has(name)) return this.platformLine;
    // these may come long after the call, from someone who was not on it
    if (name === "note" || name === "assignContact") return this.named(String(args.by));
    if (args.call === undefined)
      return args.user === undefined ? this.platformLine : this.named(String(args.user));
    return this.partyOf(String(args.call), String(args.by ?? "caller"));
  }

  /** The lifeline of a conversation command's actor. Without a named actor it is the API. */
  private writerOf(name: CommandName, args: Record<string, unknown>): Lifeline | undefined {
    if (name === "receiveMessage") {
      const { kind, record } = this.platform.directory.ownerOf(String(args.to));
      return this.person(String(args.from), kind === "user" ? record.email : undefined);
    }
    if (name === "sendMessage") {
      const from = String(args.from);
      return this.named(this.platform.directory.findOwner(from)?.record.id ?? from);
    }
    if (name === "sendConversationMessage" || name === "sendTeamMessage") {
      const { sendAsUser } = (args as CommandInput<"sendConversationMessage">).messageContent;
      return sendAsUser === undefined ? this.platformLine : this.named(sendAsUser);
    }
    if (args.conversation === undefined) return undefined;
    return args.by === undefined ? this.platformLine : this.named(String(args.by));
  }

  /** The lifeline of someone outside, or of a user or device by any of their names. */
  private named(who: string): Lifeline {
    return this.person(this.platform.directory.find(who)?.record.id ?? who);
  }

  /** How commands are told here. */
  private readonly naming: Names = {
    person: (id) => this.person(id).name,
    ownerOf: (number) => {
      const { displayName, extension } = this.platform.directory.ownerOf(number).record;
      return `${displayName}, ${extension}`;
    },
    calledBy: (to) => this.calledBy(to),
    contactsOf: (conversation) => this.contactsOf(conversation),
    firstRinging: (callId, by) => this.firstRinging(callId, by),
  };

  /** The outside contacts of a conversation, in words. */
  private contactsOf(conversation: string): string {
    const { contactAddresses } = this.platform.conversations.find(conversation);
    return contactAddresses.map((number) => this.person(number).name).join(", ");
  }

  /** An outside number, or an extension and its owner, in words. */
  private calledBy(to: string): string {
    if (to.startsWith("+")) return this.person(to).name;
    const { record } = this.platform.directory.byExtension(to);
    return `${record.displayName} (${record.extension})`;
  }

  /** The endpoint of an answer that names none. */
  private firstRinging(callId: string, by: string): string | undefined {
    const call = this.platform.tables.calls.mustGet(callId);
    const live = this.platform.live.mustGet(callId);
    return live.rings
      .map((ring) => partyById(call, ring.partyId))
      .filter((party) => isNamed(party, by, live))
      .flatMap(ringingEndpoints)[0];
  }
}

/** Commands that only programs issue, though they name a call or a user. */
const byTheApi: ReadonlySet<CommandName> = new Set(["removeRecording", "addTrunkEntry", "updateTrunkEntry"]);

function withName(note: string, callName: string | undefined): string {
  return callName === undefined ? note : `${note}, ${callName}`;
}

/** Whether an event is the last of a call itself. Events about its recording may follow. */
function isClosing({ type, data }: PlatformEvent): boolean {
  return type === "call.ended" || (type === "call.not_answered" && data.call.outcome !== null);
}
