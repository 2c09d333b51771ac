import type { CallFact, DeliveryFact, RingFact, VoicemailFact, WebhookFact } from "../../machines/index.ts";
import type { AgendaItem } from "../engine/agenda.ts";
import type { Deviation } from "../engine/choices.ts";
import type { Tracer } from "../engine/engine.ts";
import type { LoggedEvent } from "../engine/event-log.ts";
import type { CommandName } from "../platform/base.ts";
import type { World } from "../platform/capabilities.ts";
import type { Cast, RoleName } from "../platform/cast.ts";
import { commands } from "../platform/commands.ts";
import type { PlatformEvent } from "../platform/events.ts";
import type { Ring } from "../platform/live/live-calls.ts";
import { partyById, ringingEndpoints } from "../platform/live/parties.ts";
import type { Who, Words } from "../platform/sentence.ts";
import { timerWords } from "../platform/timers.ts";
import { counted } from "../platform/words.ts";
import type { RequestRecord } from "../records/request.ts";
import { CallNames } from "./call-names.ts";
import { fullName, type Lifeline, Lifelines } from "./lifelines.ts";
import {
  answerText,
  attemptText,
  deliveryEndText,
  deviationText,
  noteOf,
  requestText,
  returnTexts,
  sentenceText,
} from "./words.ts";

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
      platform: tracer.lifelines.platform,
      lifelines: tracer.lifelines.list(),
      beats: tracer.beats,
    }),
  };
}

/** A command's words. They are made of its arguments, which its schema has read. */
interface Told {
  giver(args: unknown): Who;
  words(args: unknown): Words;
}

type FactTellers = {
  readonly [R in RoleName]?: (about: Cast[R]["about"], fact: Cast[R]["fact"]) => void;
};

class StoryTeller implements Tracer<Cast> {
  readonly beats: Beat[] = [];
  readonly lifelines: Lifelines;
  /** How many beats and people there were before the last command. */
  private before = { beats: 0, people: 0 };
  private readonly names = new CallNames();
  /** The call of the last beat. Lines under it need not name the call. */
  private beatCall: string | undefined;

  constructor(
    private readonly platform: World,
    title: string,
  ) {
    this.lifelines = new Lifelines(platform, title);
  }

  command(name: string, args: unknown): void {
    // a planned deviation is shown when it happens
    this.before = { beats: this.beats.length, people: this.lifelines.size };
    if (name === "deviate") return;
    const given = args as Record<string, unknown>;
    if (name === "scenario.skipped") {
      const text = `the step ${given.command} is left out: ${given.why}`;
      this.beat(this.lifelines.platform, text, undefined);
      return;
    }
    const { giver, words }: Told = commands[name as CommandName];
    const callId = typeof given.call === "string" ? given.call : undefined;
    this.beat(this.lifelines.of(giver(args)), sentenceText(this.lifelines.sentence(words(args))), callId);
  }

  refused(): void {
    this.beats.length = this.before.beats;
    this.lifelines.forgetAfter(this.before.people);
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
      const who = user === undefined ? this.lifelines.platform : this.lifelines.person(user.id);
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
    const who = this.lifelines.host(request.to, request.why === "webhook");
    if (request.why === "webhook") this.tell(who, attemptText(request), answerText(request));
    else this.beats.at(-1)?.lines.push({ kind: "background", who, text: requestText(request) });
  }

  timerDeviates(first: string, before: string, atMs: number): void {
    this.beats.push({
      atMs,
      who: this.lifelines.platform,
      text: `${first} goes before ${before}`,
      lines: [],
    });
  }

  requestDeviates(request: RequestRecord, { is, by = 1 }: Pick<Deviation, "is" | "by">): void {
    const text = deviationText(request.subject, is, by);
    if (text !== undefined) this.tell(this.lifelines.host(request.to, request.why === "webhook"), text);
  }

  private deliveryFact(id: string, fact: DeliveryFact): void {
    if (fact.type !== "givenUp" && fact.type !== "dropped") return;
    const { event, reason, webhookId } = this.platform.deliveries.get(id);
    const text = deliveryEndText(event.type, fact.type, fact.type === "givenUp" ? fact.reason : reason);
    this.tell(this.lifelines.of({ is: "webhook", id: webhookId }), text);
  }

  private webhookFact(id: string, fact: WebhookFact): void {
    if (fact.type !== "disabled" || fact.by === "hand") return;
    const failures = this.platform.webhooks.get(id).consecutiveFailures;
    this.tell(
      this.lifelines.of({ is: "webhook", id }),
      `is disabled after ${counted(failures, "failure")} in a row`,
    );
  }

  /** Adds a line to the beat of this instant, or a beat of its own if there is none. */
  private tell(who: Lifeline, text: string, asBeat = text): void {
    const last = this.beats.at(-1);
    if (last?.atMs === this.platform.engine.now) last.lines.push({ kind: "background", who, text });
    else this.beat(who, asBeat, undefined);
  }

  private callFact(callId: string, fact: CallFact): void {
    if (fact.type !== "sentToVoicemail") return;
    const owner = this.lifelines.person(this.platform.live.mustGet(callId).voicemail?.owner.id ?? "");
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
          this.lifelines.person(entryId),
          `${endpoints.join(", ")} ${endpoints.length === 1 ? "stops" : "stop"} (${why})`,
        );
    };
    if (fact.type === "began")
      this.background(callId, this.lifelines.person(entryId), `rings on ${ringing.join(", ")}`);
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
    const who = this.lifelines.person(caller?.entryId ?? caller?.phoneNumber ?? "");
    return { kind: "background", who, text: withName(text, this.names.nameOf(callId, true)) };
  }

  /** An event in words. If more than one call may be meant, it names the call. */
  private note(event: PlatformEvent): string {
    const note = noteOf(event, (number) => fullName(this.lifelines.person(number)));
    const { data } = event;
    if ("transcript" in data && !("call" in data))
      return withName(note, this.names.nameOf(data.transcript.callId));
    if (!("call" in data)) return note;
    const isCallerNamed =
      event.type === "call.started" || ("party" in data && data.party.id === data.call.parties[0]?.id);
    return withName(note, this.names.nameOf(data.call.id, isCallerNamed));
  }
}

function withName(note: string, callName: string | undefined): string {
  return callName === undefined ? note : `${note}, ${callName}`;
}

/** Whether an event is the last of a call itself. Events about its recording may follow. */
function isClosing({ type, data }: PlatformEvent): boolean {
  return type === "call.ended" || (type === "call.not_answered" && data.call.outcome !== null);
}
