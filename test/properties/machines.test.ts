import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  initialTransition,
  transition,
} from "xstate";
import type { AvailabilityEvent, AvailabilityFact } from "../../machines/availability.ts";
import type { CallEvent, CallFact } from "../../machines/call.ts";
import type { ConversationEvent, ConversationFact } from "../../machines/conversation.ts";
import {
  availabilityMachine,
  callMachine,
  conversationMachine,
  ringMachine,
  voicemailMachine,
} from "../../machines/index.ts";
import type { RingEvent, RingFact } from "../../machines/ring.ts";
import type { VoicemailEvent, VoicemailFact } from "../../machines/voicemail.ts";
import { pickFrom } from "./moves/move.ts";
import { always } from "./support.ts";

/** Drives a machine through XState's own pure functions, and keeps its timers. */
class Walk<Event extends { type: string }, Fact> {
  /** Everything that it emitted, in order. */
  readonly facts: Fact[] = [];
  /** Its delayed events that are pending, oldest first. */
  readonly timers: { readonly id: string; readonly event: AnyEventObject; readonly delayMs: number }[] = [];
  private snapshot: AnyMachineSnapshot;

  constructor(
    private readonly machine: AnyStateMachine,
    input: unknown,
  ) {
    const [snapshot, actions] = initialTransition(machine, input as never);
    this.snapshot = snapshot;
    this.take(actions);
  }

  get isDone(): boolean {
    return this.snapshot.status === "done";
  }

  get state(): unknown {
    return this.snapshot.value;
  }

  /** Sends an event; returns the events that the machine emits in response. */
  send(event: Event | AnyEventObject): Fact[] {
    const before = this.facts.length;
    const [snapshot, actions] = transition(this.machine, this.snapshot, event);
    this.snapshot = snapshot;
    this.take(actions);
    return this.facts.slice(before);
  }

  /** Has a pending timer run out, if there is one. */
  runOut(pick: number): void {
    const timer = pickFrom(this.timers, pick);
    if (timer === undefined) return;
    this.timers.splice(this.timers.indexOf(timer), 1);
    this.send(timer.event);
  }

  private take(actions: readonly { type: string; params?: unknown }[]): void {
    expect(this.snapshot.status, String(this.snapshot.error)).not.toBe("error");
    for (const { type, params } of actions) {
      const { event, id, sendId, delay } = params as {
        event: Fact & AnyEventObject;
        id: string;
        sendId: string;
        delay?: number;
      };
      if (type === "xstate.emit") this.facts.push(event);
      else if (type === "xstate.raise") this.start(id, event, delay);
      else if (type === "xstate.cancel") this.cancel(sendId);
      else expect.fail(`a machine may only emit, raise with a delay and cancel, not ${type}`);
    }
    if (this.isDone) this.timers.length = 0; // the host of a machine drops its timers once it is done
  }

  private start(id: string, event: AnyEventObject, delayMs: number | undefined): void {
    if (delayMs === undefined) return; // taken already, inside the step
    expect(Number.isFinite(delayMs) && delayMs >= 0, `a delay of ${delayMs}`).toBe(true);
    expect(this.timers.map((timer) => timer.id)).not.toContain(id);
    this.timers.push({ id, event, delayMs });
  }

  private cancel(id: string): void {
    const index = this.timers.findIndex((timer) => timer.id === id);
    if (index >= 0) this.timers.splice(index, 1);
  }
}

/** An event, or the number of the timer that runs out. */
type Step<Event> = { readonly event: Event } | { readonly runOut: number };

const walkOf = <Event>(event: fc.Arbitrary<Event>): fc.Arbitrary<Step<Event>[]> =>
  fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.record({ event }) },
      { weight: 1, arbitrary: fc.record({ runOut: fc.nat({ max: 3 }) }) },
    ),
    { maxLength: 20, size: "max" },
  );

/** Takes the steps. A machine that is done must ignore every event. */
function take<Event extends { type: string }, Fact>(
  walk: Walk<Event, Fact>,
  steps: readonly Step<Event>[],
): void {
  for (const step of steps) {
    const wasDone = walk.isDone;
    const before = walk.facts.length;
    if ("event" in step) walk.send(step.event);
    else walk.runOut(step.runOut);
    if (wasDone) expect(walk.facts.length).toBe(before);
  }
}

const ms = fc.nat({ max: 200_000 });

describe("The conversation machine", () => {
  const closeTimerMs = fc.option(ms);
  const event: fc.Arbitrary<ConversationEvent> = fc.oneof(
    { weight: 6, arbitrary: fc.record({ type: fc.constant("UPDATE" as const), closeTimerMs }) },
    { weight: 1, arbitrary: fc.constant({ type: "CLOSE" as const }) },
  );

  it("closes at most once, becomes inactive at most once between two updates, and has the timers of its state", () => {
    always(250, fc.tuple(ms, closeTimerMs, walkOf(event)), ([inactivityMs, first, steps]) => {
      const walk = new Walk<ConversationEvent, ConversationFact>(conversationMachine, {
        inactivityMs,
        closeTimerMs: first,
      });
      let closeTimer = first;
      for (const step of steps) {
        const before = walk.facts.length;
        take(walk, [step]);
        if ("event" in step && step.event.type === "UPDATE" && !walk.isDone) {
          closeTimer = step.event.closeTimerMs;
          expect(walk.state).toBe("open");
          expect(walk.facts.length).toBe(before);
        }
        const delays = walk.timers.map(({ delayMs }) => delayMs);
        const ofClosing = closeTimer === null ? [] : [closeTimer];
        if (walk.isDone) expect(delays).toEqual([]);
        else expect(delays).toEqual(walk.state === "open" ? [...ofClosing, inactivityMs] : ofClosing);
      }
      const closed = walk.facts.findIndex(({ type }) => type === "closed");
      expect(closed).toBe(walk.isDone ? walk.facts.length - 1 : -1);
    });
  });
});

describe("The call machine", () => {
  const parties = ["caller", "one", "other"];
  const event: fc.Arbitrary<CallEvent> = fc.oneof(
    fc.constant({ type: "OFFER" as const }),
    fc.record({
      type: fc.constant("ANSWER" as const),
      party: fc.constantFrom("one", "other"),
      endpoint: fc.constant("mobile"),
    }),
    fc.record({
      type: fc.constant("UNANSWERED" as const),
      reason: fc.constantFrom("timeout", "declined"),
      voicemail: fc.constantFrom(null, "voicemail"),
    }),
    fc.record({ type: fc.constant("HANGUP" as const), party: fc.constantFrom(...parties) }),
    fc.record({ type: fc.constant("VOICEMAIL_ENDED" as const), message: fc.boolean() }),
  );
  const toTheEnd: Step<CallEvent>[] = [
    { event: { type: "VOICEMAIL_ENDED", message: false } },
    ...parties.map((party): Step<CallEvent> => ({ event: { type: "HANGUP", party } })),
  ];

  it("closes exactly once, with call.ended if anyone was connected, and emits nothing afterwards", () => {
    always(1_000, walkOf(event), (steps) => {
      const walk = new Walk<CallEvent, CallFact>(callMachine, {
        caller: "caller",
        isOutbound: false,
        isAsked: false,
      });
      take(walk, [...steps, ...toTheEnd]);
      expect(walk.isDone).toBe(true);
      const types = walk.facts.map(({ type }) => type);
      const closed = walk.facts.flatMap((fact) => (fact.type === "closed" ? [fact] : []));
      expect(closed.length).toBe(1);
      expect(types.at(-1)).toBe("closed");
      const joined = types.filter((type) => type === "answered" || type === "sentToVoicemail");
      expect(joined.length).toBeLessThanOrEqual(1);
      expect(closed[0]?.with).toBe(joined.length > 0 ? "call.ended" : "call.not_answered");
      expect(closed[0]?.outcome.status === "answered").toBe(types.includes("answered"));
      const left = walk.facts.flatMap((fact) => (fact.type === "left" ? [fact.party] : []));
      const gone = [...left, ...(closed[0]?.leaving ?? [])];
      expect(gone.includes("caller")).toBe(joined.length > 0);
    });
  });
});

describe("The ring machine", () => {
  const endpoints = ["mobile", "desktop", "sip"];
  const endpoint = fc.constantFrom(...endpoints);
  const event: fc.Arbitrary<RingEvent> = fc.oneof(
    { weight: 1, arbitrary: fc.record({ type: fc.constant("ANSWER" as const), endpoint }) },
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant("DECLINE" as const),
        endpoint: fc.oneof({ weight: 5, arbitrary: endpoint }, { weight: 1, arbitrary: fc.constant(null) }),
      }),
    },
    { weight: 4, arbitrary: fc.record({ type: fc.constant("LOSE" as const), endpoint }) },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant("WITHDRAW" as const),
        outcome: fc.constantFrom("withdrawn" as const, "answeredElsewhere" as const),
      }),
    },
  );
  const rung = fc.subarray(endpoints, { minLength: 1 });

  it("ends exactly once: answered on a ringing endpoint, or stopped", () => {
    always(1_000, fc.tuple(rung, ms, walkOf(event)), ([endpoints, timeoutMs, steps]) => {
      const walk = new Walk<RingEvent, RingFact>(ringMachine, { endpoints, timeoutMs });
      take(walk, [...steps, { runOut: 0 }]);
      expect(walk.isDone).toBe(true);
      const ends = walk.facts.filter(({ type }) => type === "answered" || type === "stopped");
      expect(ends.length).toBe(1);
      expect(walk.facts.at(-1)).toBe(ends[0]);
      const silenced = walk.facts.flatMap((fact) => (fact.type === "silenced" ? [fact.endpoint] : []));
      expect(new Set(silenced).size).toBe(silenced.length);
      const rangOn = endpoints.filter((each) => !silenced.includes(each));
      expect(rangOn.length).toBe(endpoints.length - silenced.length);
      expect(rangOn.length).toBeGreaterThan(0);
      if (ends[0]?.type === "answered") expect(rangOn).toContain(ends[0].endpoint);
    });
  });

  it("has exactly one timer while it rings, of the ringing time", () => {
    always(250, fc.tuple(rung, ms, walkOf(event)), ([endpoints, timeoutMs, steps]) => {
      const walk = new Walk<RingEvent, RingFact>(ringMachine, { endpoints, timeoutMs });
      for (const step of steps) {
        expect(walk.timers.map(({ delayMs }) => delayMs)).toEqual(walk.isDone ? [] : [timeoutMs]);
        take(walk, [step]);
      }
    });
  });
});

describe("The voicemail machine", () => {
  const event: fc.Arbitrary<VoicemailEvent> = fc.oneof(
    { weight: 3, arbitrary: fc.record({ type: fc.constant("SPEAK" as const), messageMs: ms }) },
    { weight: 1, arbitrary: fc.constant({ type: "HANGUP" as const }) },
  );
  const input = fc.record({ greetingMs: ms, maxMessageMs: ms, silenceMs: ms });

  it("ends exactly once, after at most one tone, and emits nothing afterwards", () => {
    always(1_000, fc.tuple(input, walkOf(event)), ([input, steps]) => {
      const walk = new Walk<VoicemailEvent, VoicemailFact>(voicemailMachine, input);
      for (const step of steps) {
        expect(walk.timers.length).toBe(walk.isDone ? 0 : 1);
        expect(
          walk.timers.every(
            ({ delayMs }) => delayMs <= Math.max(input.greetingMs, input.maxMessageMs, input.silenceMs),
          ),
        ).toBe(true);
        take(walk, [step]);
      }
      take(walk, [{ runOut: 0 }, { runOut: 0 }]);
      expect(walk.isDone).toBe(true);
      const told = walk.facts.map((fact) => (fact.type === "over" ? `over by ${fact.by}` : fact.type)).join();
      expect(told).toMatch(/^(over by caller|tone,over by (caller|message|limit|silence))$/);
      expect(walk.facts.some((fact) => fact.type === "over" && fact.by === "caller")).toBe(
        walk.state === "hungUp",
      );
    });
  });
});

describe("The availability machine", () => {
  const event: fc.Arbitrary<AvailabilityEvent> = fc.oneof(
    fc.record({
      type: fc.constant("CHOOSE" as const),
      chosen: fc.record({
        status: fc.constantFrom("available" as const, "busy" as const, "offline" as const),
        rule: fc.constantFrom(null, "doNotDisturb" as const, "outOfHours" as const),
        reason: fc.constantFrom(null, "lunch"),
      }),
    }),
    fc.constantFrom({ type: "HOURS_BEGIN" as const }, { type: "HOURS_END" as const }),
    fc.constantFrom(
      { type: "LOG_IN" as const },
      { type: "LOG_OUT" as const },
      { type: "ACTIVATE" as const },
      { type: "DEACTIVATE" as const },
      { type: "LEAVE_CALL" as const },
    ),
    fc.record({ type: fc.constant("JOIN_CALL" as const), call: fc.constantFrom("call-1", "call-2") }),
  );

  it("decides by call, then suspension, log-out, manual status and hours", () => {
    always(
      1_000,
      fc.tuple(fc.boolean(), fc.boolean(), walkOf(event)),
      ([isLoggedIn, isOutOfHours, steps]) => {
        const input = { isLoggedIn, isOutOfHours };
        const walk = new Walk<AvailabilityEvent, AvailabilityFact>(availabilityMachine, input);
        let [loggedIn, isOut, call] = [isLoggedIn, isOutOfHours, null as string | null];
        let isActive = true;
        let chosen = { status: "available", rule: null, reason: null } as Omit<
          AvailabilityFact,
          "type" | "call"
        >;
        for (const step of steps) {
          take(walk, [step]);
          if (!("event" in step)) continue;
          const { event } = step;
          if (event.type === "CHOOSE") chosen = event.chosen;
          if (event.type === "CHOOSE" && chosen.status === "available") isOut = false;
          else if (event.type === "HOURS_BEGIN" || event.type === "HOURS_END")
            isOut = event.type === "HOURS_END";
          else if (event.type === "JOIN_CALL") call = event.call;
          else if (event.type === "LEAVE_CALL") call = null;
          else if (event.type === "LOG_IN" || event.type === "LOG_OUT") loggedIn = event.type === "LOG_IN";
          else if (event.type === "ACTIVATE" || event.type === "DEACTIVATE")
            isActive = event.type === "ACTIVATE";
          const expected = call
            ? { status: "busy", rule: "busyOnACall", reason: null, call }
            : !isActive
              ? { status: "offline", rule: null, reason: null, call }
              : !loggedIn
                ? { status: "offline", rule: "loggedOut", reason: null, call }
                : isOut && chosen.status === "available"
                  ? { status: "offline", rule: "outOfHours", reason: null, call }
                  : { ...chosen, call };
          expect(walk.facts.at(-1)).toEqual({ type: "settled", ...expected });
          expect(walk.state).toBe(call ? "onCall" : expected.status);
        }
      },
    );
  });
});
