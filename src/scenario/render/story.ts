import type { CallFact, RingFact, VoicemailFact } from "../../../machines/index.ts";
import type { AgendaItem } from "../../engine/agenda.ts";
import type { Tracer } from "../../engine/engine.ts";
import type { LoggedEvent } from "../../engine/event-log.ts";
import type { About, Fact } from "../../engine/host.ts";
import { durationText } from "../../engine/instants.ts";
import { isNamed, partyById, ringingEndpoints } from "../../platform/calls/parties.ts";
import type { CommandInput, CommandName } from "../../platform/commands.ts";
import type { PlatformEvent } from "../../platform/events.ts";
import type { Platform } from "../../platform/platform.ts";

/** Someone or something that takes part: a lifeline of the diagram. */
export interface Lifeline {
  readonly id: string;
  readonly name: string;
  readonly kind: "person" | "platform";
}

/** What happened inside the platform, unseen in the event stream. */
export interface BackgroundLine {
  readonly kind: "background";
  readonly who: Lifeline;
  readonly text: string;
}

/** An event, with the few fields that matter in words. */
export interface EventLine {
  readonly kind: "event";
  readonly type: string;
  readonly note: string;
}

/** One cause and what came of it, in order. */
export interface Beat {
  readonly atMs: number;
  readonly who: Lifeline;
  readonly text: string;
  readonly lines: (BackgroundLine | EventLine)[];
}

/** A run as text, diagrams and pages tell it: one description, several renderings. */
export interface RunStory {
  readonly title: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly seed: string | number;
  readonly eventCount: number;
  /** What a comparison with the expected stream said. */
  readonly verdict?: string;
  readonly platform: Lifeline;
  readonly lifelines: readonly Lifeline[];
  readonly beats: readonly Beat[];
}

/**
 * Plays a run with someone watching.
 * @param platform the platform that `play` runs on
 */
export function tellStory(
  platform: Platform,
  about: Pick<RunStory, "title" | "startMs" | "seed">,
  play: (tracer: Tracer) => void,
): RunStory {
  const teller = new StoryTeller(platform, about.title);
  play(teller);
  return {
    ...about,
    endMs: platform.engine.now,
    eventCount: platform.engine.log.total,
    platform: teller.platformLine,
    lifelines: teller.lifelines(),
    beats: teller.beats,
  };
}

class StoryTeller implements Tracer {
  readonly beats: Beat[] = [];
  readonly platformLine: Lifeline;
  private readonly people = new Map<string, Lifeline>();
  /** Background that is told after the next event, which it follows. */
  private next: BackgroundLine | undefined;

  constructor(
    private readonly platform: Platform,
    title: string,
  ) {
    this.platformLine = { id: "platform", name: title, kind: "platform" };
  }

  /** Outside callers left, then the platform, then those inside, each in the order of appearance. */
  lifelines(): Lifeline[] {
    const people = [...this.people.values()];
    const isOutside = (line: Lifeline) => line.id.startsWith("+");
    return [...people.filter(isOutside), this.platformLine, ...people.filter((line) => !isOutside(line))];
  }

  command(name: string, args: unknown): void {
    const { who, text } = this.describeCommand(name as CommandName, args as never);
    this.beat(who, text);
  }

  item(item: AgendaItem): void {
    this.beat(this.platformLine, purposes[item.purpose] ?? item.purpose);
  }

  event(event: LoggedEvent): void {
    const last = this.beats.at(-1);
    last?.lines.push({ kind: "event", type: event.type, note: this.note(event as PlatformEvent) });
    if (this.next !== undefined) last?.lines.push(this.next);
    this.next = undefined;
  }

  fact(machine: string, about: About, fact: Fact): void {
    if (machine === "call") this.callFact(about.recordId, fact as unknown as CallFact);
    else if (machine === "ring") this.ringFact(about, fact as unknown as RingFact);
    else if (machine === "voicemail") this.voicemailFact(about.recordId, fact as unknown as VoicemailFact);
  }

  private callFact(callId: string, fact: CallFact): void {
    if (fact.type === "offered") {
      const ring = this.platform.live.mustGet(callId).rings.at(-1);
      if (ring === undefined) return;
      const party = partyById(this.platform.tables.calls.mustGet(callId), ring.partyId);
      this.background(this.person(ring.entryId), `rings on ${ringingEndpoints(party).join(", ")}`);
    } else if (fact.type === "sentToVoicemail") {
      const who = this.person(this.platform.live.mustGet(callId).target.id);
      this.next = { kind: "background", who, text: "voicemail greets the caller" };
    }
  }

  private ringFact(about: About, fact: RingFact): void {
    const { callId, partyId, entryId } = about as unknown as {
      callId: string;
      partyId: string;
      entryId: string;
    };
    const ringing = ringingEndpoints(partyById(this.platform.tables.calls.mustGet(callId), partyId));
    const stopped = (endpoints: readonly string[], why: string) => {
      if (endpoints.length > 0)
        this.background(
          this.person(entryId),
          `${endpoints.join(", ")} ${endpoints.length === 1 ? "stops" : "stop"} (${why})`,
        );
    };
    if (fact.type === "silenced") stopped([fact.endpoint], fact.outcome);
    else if (fact.type === "stopped")
      stopped(ringing, fact.outcome === "answeredElsewhere" ? "answered elsewhere" : fact.outcome);
    else
      stopped(
        ringing.filter((each) => each !== fact.endpoint),
        "answered elsewhere",
      );
  }

  private voicemailFact(callId: string, fact: VoicemailFact): void {
    const who = this.person(this.platform.live.mustGet(callId).target.id);
    const text = fact.type === "tone" ? "the tone sounds" : voicemailOver[fact.by];
    this.background(who, text);
  }

  private beat(who: Lifeline, text: string): void {
    this.beats.push({ atMs: this.platform.engine.now, who, text, lines: [] });
  }

  private background(who: Lifeline, text: string): void {
    this.beats.at(-1)?.lines.push({ kind: "background", who, text });
  }

  /** The lifeline of a user, a device or an outside number, which the user it first calls may know by name. */
  private person(id: string, callsUser?: string): Lifeline {
    let line = this.people.get(id);
    if (line === undefined) {
      const name = this.platform.directory.find(id)?.record.displayName ?? this.contactName(id, callsUser);
      line = { id, name, kind: "person" };
      this.people.set(id, line);
    }
    return line;
  }

  private contactName(number: string, userEmail: string | undefined): string {
    const contact = this.platform.phonebooks.contactOf(number, userEmail);
    return contact === undefined ? number : `${contact.name} (${number})`;
  }

  /** Who a command's `by` names in a call. */
  private partyOf(callId: string, by: string): Lifeline {
    const call = this.platform.tables.calls.mustGet(callId);
    const live = this.platform.live.mustGet(callId);
    const party = call.parties.find((each) => isNamed(each, by, live));
    return this.person(party?.entryId ?? party?.phoneNumber ?? by);
  }

  private describeCommand(name: CommandName, args: Record<string, unknown>): { who: Lifeline; text: string } {
    const on = args.endpoint === undefined ? "" : ` on ${args.endpoint}`;
    switch (name) {
      case "inbound": {
        const { from, to } = args as CommandInput<"inbound">;
        const { kind, record } = this.platform.directory.ownerOf(to);
        const who = this.person(from, kind === "user" ? record.email : undefined);
        return { who, text: `calls ${to} (${record.displayName}, ${record.extension})` };
      }
      case "answer":
        return { who: this.partyOf(String(args.call), String(args.by)), text: `answers${on}` };
      case "decline":
        return { who: this.partyOf(String(args.call), String(args.by)), text: `declines${on}` };
      case "hangup":
        return { who: this.partyOf(String(args.call), String(args.by)), text: "hangs up" };
      case "move":
        return {
          who: this.partyOf(String(args.call), String(args.by)),
          text: `moves the call to ${args.to}`,
        };
      case "leaveVoicemail":
        return {
          who: this.partyOf(String(args.call), "caller"),
          text: `has a message of ${durationText(Number(args.duration))}`,
        };
      case "setAvailability": {
        const rule = args.rule === undefined ? "" : ` (${args.rule})`;
        return { who: this.user(args), text: `sets availability to ${args.status}${rule}` };
      }
      case "setEndpoint":
        return {
          who: this.user(args),
          text: `${args.registered ? "registers" : "unregisters"} ${args.endpoint}`,
        };
    }
  }

  private user(args: Record<string, unknown>): Lifeline {
    return this.person(this.platform.directory.user(String(args.user)).id);
  }

  /** The few fields of an event that matter, in words. */
  private note(event: PlatformEvent): string {
    if (event.type === "user.availability.updated") {
      const { displayName, availability } = event.data.user;
      return [`${displayName} ${availability.status}`, availability.notAvailableRule]
        .filter(Boolean)
        .join(" - ");
    }
    if (event.type === "team.availability.updated") {
      const { displayName, availability } = event.data.team;
      return `${displayName}: ${availability.availabilitySummary}`;
    }
    if (event.type === "transcript.created") return JSON.stringify(event.data.transcript.text);
    const { call } = event.data;
    const outcome =
      call.outcome === null
        ? call.status
        : [call.outcome.status, call.outcome.reason].filter(Boolean).join(" - ");
    switch (event.type) {
      case "call.started":
        return `${call.direction} from ${this.person(call.contactNumber).name}`;
      case "call.answered":
        return `by ${call.assignedUser?.displayName ?? "a device"}, waited ${call.waitTimeText}`;
      case "call.hungup":
        return event.data.party.displayName;
      case "call.recording.available":
        return `${event.data.recording.fileSize} bytes of ${event.data.recording.mimeType}`;
      case "call.transcript.created":
        return JSON.stringify(event.data.transcript.text);
      case "call.transcription_completed":
        return `${event.data.transcripts.length} transcript`;
      default:
        return call.duration === null ? outcome : `${outcome}, ${call.durationText}`;
    }
  }
}

/** What the platform does by itself, in words. */
const purposes: Readonly<Record<string, string>> = {
  "ring: ringTimeout": "nobody answered in time",
  "voicemail: greeting": "the greeting is over",
  "voicemail: messageLimit": "the message is as long as it may be",
  "voicemail: message": "the caller has said it all",
  "voicemail: recording available": "the recording is ready",
  "voicemail: transcript created": "the transcript is ready",
};

const voicemailOver = {
  caller: "the caller leaves voicemail",
  message: "the caller leaves voicemail",
  limit: "voicemail hangs up",
} as const;
