import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mermaidLines } from "../../src/core/narration/mermaid.ts";
import { timelineLines } from "../../src/core/narration/timeline.ts";
import { createSimulator } from "../../src/index.ts";
import { Recording } from "../../src/inspector/model/recording.ts";
import { options } from "./arbitraries.ts";
import { reflexes, run } from "./moves/index.ts";
import { fingerprint, Player, played } from "./play.ts";
import { always } from "./support.ts";

/** Any run can be told, whatever is asked of it: telling never throws, and changes nothing. */

describe("The narration of a run", () => {
  it("is told while the run goes on, refused commands included, and changes nothing", () => {
    always(60, fc.tuple(options, run, reflexes), ([given, moves, reflexes]) => {
      const player = Player.on(createSimulator(given));
      player.react(reflexes, 20);
      const { current } = player.sim.narrate();
      // any error but a refusal is thrown here
      for (const move of moves) player.play(move);
      const silent = Player.on(createSimulator(given));
      silent.react(reflexes, 20);
      for (const move of moves) silent.play(move);
      expect(fingerprint(player.sim)).toBe(fingerprint(silent.sim));
      const { rows } = current();
      for (const { index, cause = -1, atMs } of rows) {
        expect(cause).toBeLessThan(index);
        if (cause >= 0) expect(rows[cause]).toMatchObject({ cause: undefined, atMs });
      }
      // the journal has no refused commands, and its narration is the same
      expect([...timelineLines(current())].join("")).toBe(silent.sim.events.toTimeline());
      expect([...mermaidLines(current())].join("")).toBe(silent.sim.events.toMermaid());
    });
  });

  it("is drawn as a page whose bars begin and end with its rows", () => {
    always(40, fc.tuple(options, run), ([given, moves]) => {
      const { rows, summary } = Recording.from(played(given, moves).sim.journal());
      expect(rows.filter(({ event }) => event !== undefined).length).toBeGreaterThanOrEqual(
        summary.eventCount,
      );
      const lanes = new Set(summary.lanes.map(({ id }) => id));
      for (const { fromRow, toRow, lane } of summary.bars) {
        expect(rows[fromRow]).toBeDefined();
        expect(rows[toRow]).toBeDefined();
        expect(fromRow).toBeLessThanOrEqual(toRow);
        expect(lanes).toContain(lane);
      }
      for (const { source, targets } of rows)
        for (const lane of [source, ...targets]) expect(lanes).toContain(lane);
      for (const { atMs, index } of rows.slice(1))
        expect(atMs).toBeGreaterThanOrEqual(rows[index - 1]?.atMs ?? 0);
    });
  });
});
