import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSimulator, replay, type Simulator } from "../../src/index.ts";
import { options } from "./arbitraries.ts";
import { AssignContact, Note } from "./moves/follow-ups.ts";
import { type AnyMove, reflexes, run } from "./moves/index.ts";
import { fingerprint, Player, played } from "./play.ts";
import { always, alwaysAsync } from "./support.ts";

describe("A run", () => {
  it("differs only in ids for another seed", () => {
    always(50, fc.tuple(options, run), ([given, moves]) => {
      const runs = ["one", "another"].map((seed) => played({ ...given, ids: "nanoid", seed }, moves).sim);
      const [one, another] = runs.map((sim) =>
        sim.events.map(({ type, createdAt }) => `${createdAt} ${type}`),
      );
      expect(another).toEqual(one);
      const ids = runs.flatMap((sim) => sim.events.map(({ id }) => id));
      expect(new Set(ids).size).toBe(ids.length);
    });
  });

  it("is equal with the asynchronous time methods", async () => {
    await alwaysAsync(50, fc.tuple(options, run), async ([given, moves]) => {
      const player = Player.on(createSimulator(given));
      for (const move of moves) await player.playAsync(move);
      expect(fingerprint(player.sim)).toBe(fingerprint(played(given, moves).sim));
    });
  });

  it("reaches listeners event by event, each once, in log order", () => {
    always(50, fc.tuple(options, run, reflexes), ([given, moves, reflexes]) => {
      const player = Player.on(createSimulator(given));
      const heard: unknown[] = [];
      player.react(reflexes, 30);
      player.sim.on("*", (_, event) => heard.push(event));
      for (const move of moves) player.play(move);
      expect(heard.length).toBe(player.sim.events.length);
      heard.forEach((event, index) => {
        expect(event).toBe(player.sim.events[index]);
      });
    });
  });

  it("emits the same events under retain, and keeps exactly as many as retain allows", () => {
    const keeps = fc.record({ events: fc.nat({ max: 5 }), calls: fc.nat({ max: 3 }) });
    // a command on a call that only one of the two still has fails in the other
    const isAboutAny = (move: AnyMove) => move instanceof Note || move instanceof AssignContact;
    const moves = run.map((all) => all.filter((move) => !isAboutAny(move)));
    always(50, fc.tuple(options, moves, keeps), ([given, moves, retain]) => {
      const forgetful = Player.on(createSimulator({ ...given, retain }));
      const heard: string[] = [];
      forgetful.sim.on("*", (_, event) => heard.push(`${JSON.stringify(event)}\n`));
      const { sim } = played(given, moves);
      for (const move of moves) forgetful.play(move);
      expect(heard.join("")).toBe(sim.events.toJSONL());
      const newest = retain.events === 0 ? [] : heard.slice(-retain.events);
      expect(forgetful.sim.events.toJSONL()).toBe(newest.join(""));
      const unfinished = new Set([
        ...sim.calls.live().map(({ id }) => id),
        ...sim
          .pending()
          .flatMap(({ purpose, recordId }) => (/^(analysis: |POST )/.test(purpose) ? [] : recordId)),
        ...sim.analysis.list().flatMap(({ status, callId }) => (status === "pending" ? (callId ?? []) : [])),
      ]);
      const finished = sim.calls.list().filter(({ id }) => !unfinished.has(id));
      const kept = forgetful.sim.calls.list().map(({ id }) => id);
      expect(kept.filter((id) => unfinished.has(id))).toEqual(
        sim.calls
          .list()
          .map(({ id }) => id)
          .filter((id) => unfinished.has(id)),
      );
      expect(kept.length).toBe(unfinished.size + Math.min(retain.calls, finished.length));
    });
  });
});

describe("A replay", () => {
  it("ends like the run, byte for byte, without its listeners, from a journal or its text", () => {
    always(75, fc.tuple(options, run, reflexes), ([given, moves, reflexes]) => {
      const player = Player.on(createSimulator(given));
      player.react(reflexes, 30);
      for (const move of moves) player.play(move);
      const journal = player.sim.journal();
      for (const kept of [journal, JSON.stringify(journal)])
        expect(fingerprint(replay(kept))).toBe(fingerprint(player.sim));
    });
  });

  it("continues like the run itself", () => {
    always(50, fc.tuple(options, run, run), ([given, moves, more]) => {
      const player = played(given, moves);
      const again = Player.on(replay(player.sim.journal()));
      again.knows(player);
      for (const move of more) {
        player.play(move);
        again.play(move);
      }
      expect(fingerprint(again.sim)).toBe(fingerprint(player.sim));
    });
  });
});

describe("An earlier moment", () => {
  const moments = fc.record({ pick: fc.nat({ max: 1_000 }), offsetMs: fc.constantFrom(0, 0, 0, -1, 1) });

  /** An instant of the run: that of an event or a command, or just beside it. */
  function instantOf(
    sim: Simulator,
    startMs: number,
    { pick, offsetMs }: { pick: number; offsetMs: number },
  ): number {
    const { entries } = sim.journal();
    const instants = [
      startMs,
      sim.timestamp,
      ...entries.map(({ atMs }) => atMs),
      ...sim.events.map((event) => event.createdTimestamp),
    ];
    return Math.min(
      sim.timestamp,
      Math.max(startMs, (instants[pick % instants.length] ?? startMs) + offsetMs),
    );
  }

  it("has exactly the events up to and at that instant", () => {
    always(50, fc.tuple(options, run, moments), ([given, moves, moment]) => {
      const startMs = createSimulator(given).timestamp;
      const { sim } = played(given, moves);
      const before = fingerprint(sim);
      const atMs = instantOf(sim, startMs, moment);
      const earlier = sim.at(atMs);
      expect(earlier.timestamp).toBe(atMs);
      const upToThen = sim.events.filter((event) => event.createdTimestamp <= atMs);
      expect([...earlier.events]).toEqual(upToThen);
      expect(fingerprint(sim)).toBe(before);
    });
  });

  it("equals a fresh run stopped there", () => {
    always(50, fc.tuple(options, run, moments), ([given, moves, moment]) => {
      const startMs = createSimulator(given).timestamp;
      const { sim } = played(given, moves);
      const atMs = instantOf(sim, startMs, moment);
      const fresh = Player.on(createSimulator(given));
      for (const move of moves) {
        const ahead = fresh.fork();
        ahead.play(move);
        if (ahead.sim.timestamp > atMs) {
          fresh.sim.advanceTo(atMs); // this move lets time go beyond
          break;
        }
        fresh.play(move);
      }
      expect(fingerprint(sim.at(atMs))).toBe(fingerprint(fresh.sim));
    });
  });
});

describe("runUntil", () => {
  it("stops where single steps reach the first event of the type", () => {
    const types = fc.constantFrom(
      "call.ended" as const,
      "call.hungup" as const,
      "call.transcript.created" as const,
    );
    always(50, fc.tuple(options, run, types), ([given, moves, type]) => {
      const { sim } = played(given, moves);
      const stepwise = sim.fork();
      const mark = stepwise.events.mark();
      const found = () => stepwise.events.since(mark).find((event) => event.type === type);
      while (found() === undefined && stepwise.step() !== undefined);
      const event = found();
      if (event === undefined) expect(() => sim.runUntil(type)).toThrow(`no ${type}`);
      else expect(sim.runUntil(type)).toEqual(event);
      expect(fingerprint(sim)).toBe(fingerprint(stepwise));
    });
  });
});
