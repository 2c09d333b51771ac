import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSimulator } from "../../src/index.ts";
import { carelessRun, type Move, options, run } from "./arbitraries.ts";
import { fingerprint, Player } from "./play.ts";
import { always } from "./support.ts";

describe("A command", () => {
  it("that is refused changes nothing: no event, record, timer, notification or line of the journal", () => {
    always(250, fc.tuple(options, carelessRun), ([given, moves]) => {
      const { sim, play } = Player.on(createSimulator(given));
      let before = fingerprint(sim);
      for (const move of moves) {
        const refused = play(move);
        const after = fingerprint(sim);
        if (refused !== undefined) expect(after, refused.message).toBe(before);
        before = after;
      }
    });
  });

  it("that is refused leaves no trace in anything that follows", () => {
    always(300, fc.tuple(options, carelessRun), ([given, moves]) => {
      const one = Player.on(createSimulator(given));
      const accepted = moves.filter((move) => one.play(move) === undefined);
      const other = Player.on(createSimulator(given));
      for (const move of accepted) other.play(move);
      expect(fingerprint(other.sim)).toBe(fingerprint(one.sim));
    });
  });

  it("that fits the state is never refused", () => {
    always(500, fc.tuple(options, run), ([given, moves]) => {
      const { play } = Player.on(createSimulator(given));
      for (const move of moves) {
        const refused = play(move);
        if (refused !== undefined && fits(move))
          expect("code" in refused ? refused.code : "", refused.message).toMatch(excused);
      }
    });
  });
});

/** Where nothing fits, a call comes in instead: there may be no number to call. */
const excused = /^(unknown_number|not_simulated)$/;

function fits(move: Move): boolean {
  return (
    ["answer", "decline", "hangup", "moveEndpoint"].includes(move.move) &&
    "aim" in move &&
    move.aim === "possible"
  );
}
