import fc from "fast-check";
import { describe, it } from "vitest";
import { createSimulator } from "../../src/index.ts";
import { options } from "./arbitraries.ts";
import { reflexes, run } from "./moves/index.ts";
import { finish, Player } from "./play.ts";
import { checkEnd, checkState, StreamRules } from "./rules.ts";
import { always, checkDrawings } from "./support.ts";

describe("For any commands and listeners", () => {
  it("stream, records and final states keep their rules while listeners issue commands, and the run can be drawn", () => {
    always(150, fc.tuple(options, run, reflexes), ([given, moves, reflexes]) => {
      const player = Player.on(createSimulator(given));
      const { sim, play } = player;
      const rules = new StreamRules(sim);
      player.react(reflexes, 30);
      for (const move of moves) {
        play(move);
        rules.catchUp();
        checkState(sim);
      }
      finish(sim);
      rules.catchUp();
      checkEnd(sim);
      checkDrawings(sim);
    });
  });
});
