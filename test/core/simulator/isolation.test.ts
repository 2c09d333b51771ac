import crypto from "node:crypto";
import { setAutoFreeze } from "immer";
import { Settings } from "luxon";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createSimulator, replay, type Simulator } from "../../../src/index.ts";
import { caller, dial, office, stateOf } from "../../helpers.ts";

/** One of ten different runs: who calls whom, when they answer, and who hangs up, differ by its number. */
class Run {
  readonly sim: Simulator;
  #turn = 0;

  constructor(readonly number: number) {
    this.sim = createSimulator({
      organisation: { ...office, id: `org-${number}`, features: { transcription: number % 2 === 0 } },
      seed: number,
      start: Date.UTC(2026, 0, 1 + number),
      ids: (["nanoid", "counter", "uuid"] as const)[number % 3] ?? "nanoid",
    });
  }

  /** The next thing of six that happen in this run. */
  next(): void {
    const { sim, number } = this;
    const call = sim.calls.list().at(-1);
    [
      () => sim.calls.inbound({ from: caller, to: dial.alice }).answer("alice"),
      () => sim.advance({ seconds: number }),
      () => call?.hangup(number % 2 === 0 ? "alice" : "caller"),
      () => sim.calls.inbound({ from: caller, to: dial.bob }).decline("bob"),
      () => call?.leaveVoicemail({ duration: 2_000 + number, transcript: `I am ${number}` }),
      () => sim.runUntilIdle(),
    ][this.#turn++]?.();
  }
}

const turns = 6;
const outcomeOf = ({ sim }: Run) => ({ ...stateOf(sim), transcripts: sim.transcripts.list() });

/** Everything that a run can touch: options, calls, voicemail, errors, replay, fork, at and the renderings. */
function everything(): string {
  const run = new Run(4);
  const { sim } = run;
  for (let turn = 0; turn < turns; turn++) run.next();
  expect(() => sim.calls.inbound({ from: caller, to: "+6490000000" })).toThrow();
  expect(() => sim.advance("soon")).toThrow(/^advance: expected a duration/);
  expect(() => sim.advanceTo("soon")).toThrow(/^advanceTo: expected an instant/);
  const again = replay(JSON.stringify(sim.journal()));
  expect(again.events.toJSONL()).toBe(sim.events.toJSONL());
  const drawn = sim.events.toTimeline() + sim.events.toMermaid();
  const earlier = sim.at(sim.timestamp - 1).fork();
  return [sim.now.toISO(), sim.events.toJSONL(), drawn, earlier.events.toJSONL()].join("\n");
}

describe("simulators in one process", () => {
  test("do not affect each other: ten with interleaved steps equal ten alone", () => {
    const numbers = Array.from({ length: 10 }, (_, number) => number);
    const alone = numbers.map((number) => {
      const run = new Run(number);
      for (let turn = 0; turn < turns; turn++) run.next();
      return outcomeOf(run);
    });
    const together = numbers.map((number) => new Run(number));
    for (let turn = 0; turn < turns; turn++) for (const run of together) run.next();
    expect(together.map(outcomeOf)).toEqual(alone);
    expect(new Set(alone.map(({ events }) => events)).size).toBe(10);
  });

  test("do not receive each other's events", () => {
    const [one, other] = [createSimulator(), createSimulator()];
    const heard: string[] = [];
    one.on("*", (type) => heard.push(type));
    other.calls.inbound({ from: caller, to: "+6495550100" });
    expect(heard).toEqual([]);
  });
});

describe("the world outside", () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  test("is never read: no real clock, timer, randomness or default time zone", () => {
    const usual = everything();
    const touched = (what: string) => () => {
      throw new Error(`${what} was used`);
    };
    for (const name of ["setTimeout", "setInterval", "setImmediate", "queueMicrotask"])
      vi.stubGlobal(name, touched(name));
    vi.spyOn(Date, "now").mockImplementation(touched("Date.now"));
    vi.spyOn(Math, "random").mockImplementation(touched("Math.random"));
    vi.spyOn(performance, "now").mockImplementation(touched("performance.now"));
    vi.spyOn(globalThis.crypto, "getRandomValues").mockImplementation(touched("getRandomValues"));
    vi.spyOn(globalThis.crypto, "randomUUID").mockImplementation(touched("randomUUID"));
    vi.spyOn(crypto, "randomBytes").mockImplementation(touched("randomBytes"));
    vi.spyOn(crypto, "randomFillSync").mockImplementation(touched("randomFillSync"));
    vi.spyOn(process, "nextTick").mockImplementation(touched("nextTick"));
    const RealDate = Date;
    vi.stubGlobal(
      "Date",
      class extends RealDate {
        constructor(...args: unknown[]) {
          if (args.length === 0) throw new Error("new Date() was used");
          super(...(args as [number]));
        }
      },
    );
    let stubbed: string;
    try {
      stubbed = everything();
    } finally {
      vi.restoreAllMocks();
      vi.unstubAllGlobals();
    }
    expect(stubbed).toBe(usual);
  });

  test("may be in another time zone", () => {
    const usual = everything();
    const before = process.env.TZ;
    try {
      process.env.TZ = "Pacific/Chatham";
      expect(new Date(0).getTimezoneOffset()).not.toBe(0);
      expect(everything()).toBe(usual);
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });

  test("may be frozen at another moment by fake timers", () => {
    const usual = everything();
    vi.useFakeTimers({ now: 0 });
    try {
      expect(everything()).toBe(usual);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("a consumer's settings of libraries that ringback uses", () => {
  test("Luxon's default zone, locale, clock and throwOnInvalid change nothing", () => {
    const usual = everything();
    const { defaultZone, defaultLocale, now, throwOnInvalid } = Settings;
    try {
      Settings.defaultZone = "Pacific/Chatham";
      Settings.defaultLocale = "ar-EG";
      Settings.now = () => 0;
      Settings.throwOnInvalid = true;
      expect(everything()).toBe(usual);
    } finally {
      Object.assign(Settings, { defaultZone, defaultLocale, now, throwOnInvalid });
    }
  });

  test("Immer's setAutoFreeze(false) leaves payloads and records frozen", () => {
    setAutoFreeze(false);
    try {
      const sim = createSimulator({ organisation: office });
      const call = sim.calls.inbound({ from: caller, to: dial.alice });
      call.answer("alice");
      const payload = sim.events.ofType("call.answered")[0]?.data.call;
      expect(Object.isFrozen(payload)).toBe(true);
      expect(Object.isFrozen(payload?.parties[1]?.dials[0])).toBe(true);
      expect(Object.isFrozen(call.record.connections)).toBe(true);
    } finally {
      setAutoFreeze(true);
    }
  });
});

test("later changes of the options by the consumer have no effect", () => {
  const organisation = structuredClone(office) as { users: { displayName: string; endpoints?: string[] }[] };
  const sim = createSimulator({ organisation: organisation as never });
  const alice = organisation.users[0];
  if (alice === undefined) throw new Error("there is no first user");
  alice.displayName = "Mallory";
  alice.endpoints?.pop();
  expect(sim.users.get("alice").record.displayName).toBe("Alice Ng");
  expect(sim.calls.inbound({ from: caller, to: dial.alice }).ringing()).toHaveLength(2);
});

test("later changes of a command's arguments by the consumer have no effect", () => {
  const sim = createSimulator({ organisation: office });
  const passthroughParameters: Record<string, string> = { "x-order": "1" };
  const call = sim.calls.inbound({ from: caller, to: dial.alice, passthroughParameters });
  passthroughParameters["x-order"] = "2";
  expect(call.record.passthroughParameters).toEqual({ "x-order": "1" });
  expect(replay(sim.journal()).events.toJSONL()).toBe(sim.events.toJSONL());
});
