import type { EntryKind } from "../directory/directory.ts";

/** One user or device being rung for a call. */
export interface Ring {
  /** The key of its machine. */
  readonly key: string;
  readonly callId: string;
  readonly partyId: string;
  readonly entryId: string;
}

/** What the platform keeps of a call until it closes, beside its record. Replaced, never changed, so forks share it. */
export interface LiveCall {
  readonly callId: string;
  /** Whom the call is for. */
  readonly target: { readonly kind: EntryKind; readonly id: string };
  readonly callerPartyId: string;
  /** In the order in which they began. */
  readonly rings: readonly Ring[];
  /** Set while the caller is in voicemail. */
  readonly voicemail: VoicemailSession | null;
}

export interface VoicemailSession {
  /** When the caller's message began: at the tone, or when they began to speak after it. Null before the tone. */
  readonly recordingFromMs: number | null;
  /** What the caller says; null until they begin, or if nobody knows. */
  readonly transcript: string | null;
  /** The caller has a message of a given length to leave: there is no second. */
  readonly hasMessage: boolean;
}

/** What is going on with each user and device: the calls that ring them, and the one they are on. */
export class LiveCalls {
  constructor(
    /** By call, in the order in which they started. */
    private readonly calls = new Map<string, LiveCall>(),
    /** The call that a user or a device is on. */
    private readonly onCall = new Map<string, string>(),
    /** The rings of a user or a device, oldest first. */
    private readonly ringing = new Map<string, readonly Ring[]>(),
  ) {}

  get(callId: string): LiveCall | undefined {
    return this.calls.get(callId);
  }

  mustGet(callId: string): LiveCall {
    const live = this.calls.get(callId);
    if (live === undefined) throw new Error(`call ${callId} is not live`);
    return live;
  }

  ids(): string[] {
    return [...this.calls.keys()];
  }

  set(live: LiveCall): void {
    this.calls.set(live.callId, live);
  }

  remove(callId: string): void {
    this.calls.delete(callId);
  }

  addRing(ring: Ring): void {
    const live = this.mustGet(ring.callId);
    this.calls.set(ring.callId, { ...live, rings: [...live.rings, ring] });
    this.ringing.set(ring.entryId, [...this.ringsOf(ring.entryId), ring]);
  }

  removeRing(ring: Ring): void {
    const live = this.mustGet(ring.callId);
    this.calls.set(ring.callId, { ...live, rings: live.rings.filter((each) => each.key !== ring.key) });
    const others = this.ringsOf(ring.entryId).filter((each) => each.key !== ring.key);
    if (others.length > 0) this.ringing.set(ring.entryId, others);
    else this.ringing.delete(ring.entryId);
  }

  ringsOf(entryId: string): readonly Ring[] {
    return this.ringing.get(entryId) ?? [];
  }

  callOf(entryId: string): string | undefined {
    return this.onCall.get(entryId);
  }

  occupy(entryId: string, callId: string): void {
    this.onCall.set(entryId, callId);
  }

  release(entryId: string): void {
    this.onCall.delete(entryId);
  }

  /** Costs by what is live. */
  fork(): LiveCalls {
    return new LiveCalls(new Map(this.calls), new Map(this.onCall), new Map(this.ringing));
  }
}
