import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readScenario } from "../../src/cli/scenario-files.ts";
import { replay, runScenario, type Simulator } from "../../src/index.ts";
import { Recording } from "../../src/inspector/model/recording.ts";
import { isWhole, runsOf, sixthOf } from "../counts.ts";
import { groups, play, RUNS_PER_GROUP } from "../digest/runs.ts";
import { compactedAfter, fromSnapshot } from "../snapshots.ts";
import { options } from "./arbitraries.ts";
import { run } from "./moves/index.ts";
import { Player, played, stateText } from "./play.ts";
import { always } from "./support.ts";

const folder = new URL("../../scenarios/", import.meta.url).pathname;
const lessons = readdirSync(folder).filter((name) => name.endsWith(".yaml"));

/** Goes on from a snapshot taken after each of some steps, and compares the end with that of the whole run. */
function checkCuts(sim: Simulator, parts: readonly number[]): void {
  const journal = sim.journal();
  const whole = replay(journal);
  const expected = stateText(whole);
  const steps = journal.end.step + journal.entries.length;
  for (const part of parts)
    expect(stateText(replay(compactedAfter(Math.floor(steps * part), journal)))).toBe(expected);
}

describe("A run that goes on from a snapshot", () => {
  const cuts = [0.1, 0.35, 0.6, 0.9];
  const tried = sixthOf(lessons, 5);

  it.each(tried)("ends like the uncut run: %s", (name) => {
    const { scenario } = readScenario(join(folder, name));
    // each lesson at another cut, or all lessons at all
    const index = tried.indexOf(name) % cuts.length;
    checkCuts(runScenario(scenario).simulator, isWhole ? cuts : cuts.slice(index, index + 1));
  });

  it("ends like the uncut run, in random runs of every theme", () => {
    const count = groups.length * RUNS_PER_GROUP;
    const every = Math.round(count / runsOf(250));
    for (let number = 0; number < count; number += every) {
      const { sim } = play(number);
      checkCuts(sim, [(number % 10) / 10, 0.5]);
    }
  });

  it("goes on like the run itself, whatever is done then", () => {
    always(60, fc.tuple(options, run, run), ([given, before, after]) => {
      const player = played(given, before);
      const again = Player.on(fromSnapshot(player.sim));
      expect(stateText(again.sim)).toBe(stateText(player.sim));
      again.knows(player);
      for (const move of after) {
        player.play(move);
        again.play(move);
      }
      expect(stateText(again.sim)).toBe(stateText(player.sim));
      // its journal begins with the snapshot, and a fork of it has the same one
      for (const each of [again.sim, again.sim.fork()])
        expect(stateText(replay(JSON.stringify(each.journal())))).toBe(stateText(player.sim));
    });
  });

  it("has a timeline, a diagram and a page from the snapshot on", () => {
    for (let number = 0; number < groups.length * RUNS_PER_GROUP; number += isWhole ? 97 : 397) {
      const journal = JSON.parse(compactedAfter(20 + (number % 40), play(number).sim.journal()));
      const { events } = replay(journal);
      for (const drawn of [events.toTimeline(), events.toMermaid()]) expect(drawn).not.toBe("");
      expect(Recording.from(journal).simulator.events.toJSONL()).toBe(events.toJSONL());
    }
  });
});
