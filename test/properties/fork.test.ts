import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSimulator, replay } from "../../src/index.ts";
import { options } from "./arbitraries.ts";
import { type AnyMove, move, run } from "./moves/index.ts";
import { fingerprint, Player, played } from "./play.ts";
import { always } from "./support.ts";

/** One more move on one of the simulators, or one more fork of it. */
const branching = fc.array(fc.record({ on: fc.nat({ max: 100 }), what: fc.option(move, { freq: 6 }) }), {
  maxLength: 40,
  size: "max",
});

describe("A fork", () => {
  it("equals its parent, and later changes of one do not affect the other", () => {
    always(40, fc.tuple(options, run, run, run), ([given, before, onParent, onFork]) => {
      const parent = played(given, before);
      const stood = fingerprint(parent.sim);
      const fork = parent.fork();
      expect(fingerprint(fork.sim)).toBe(stood);
      for (const each of onFork) fork.play(each);
      expect(fingerprint(parent.sim)).toBe(stood);
      const went = fingerprint(fork.sim);
      for (const each of onParent) parent.play(each);
      expect(fingerprint(fork.sim)).toBe(went);
    });
  });

  it("at any depth equals a fresh run of the same moves", () => {
    always(40, fc.tuple(options, branching), ([given, branches]) => {
      const all: { player: Player; history: AnyMove[] }[] = [
        { player: Player.on(createSimulator(given)), history: [] },
      ];
      for (const { on, what } of branches) {
        const chosen = all[on % all.length];
        if (chosen === undefined) continue;
        const { player, history } = chosen;
        if (what === null) all.push({ player: player.fork(), history: [...history] });
        else {
          player.play(what);
          history.push(what);
        }
      }
      for (const { player, history } of all)
        expect(fingerprint(player.sim)).toBe(fingerprint(played(given, history).sim));
    });
  });

  it("outlives its parent, and has a journal that replays to it", () => {
    always(50, fc.tuple(options, run, run), ([given, before, after]) => {
      const parent = played(given, before);
      const fork = parent.fork();
      parent.sim.dispose();
      for (const each of after) fork.play(each);
      const went = fingerprint(fork.sim);
      expect(went).toBe(fingerprint(played(given, [...before, ...after]).sim));
      expect(fingerprint(replay(fork.sim.journal()))).toBe(went);
    });
  });
});
