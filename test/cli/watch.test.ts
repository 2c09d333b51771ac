import { EventEmitter, once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { showProgress } from "../../src/cli/progress.ts";
import { readScenario } from "../../src/cli/scenario-files.ts";
import { watch } from "../../src/cli/watch.ts";
import { toTimeline } from "../../src/core/narration/timeline.ts";
import { runOn } from "../../src/core/scenario/run.ts";
import { createSimulator, parseScenario, replay, runScenario } from "../../src/index.ts";
import { sixthOf } from "../counts.ts";
import { failing, folderWith, lessons, misspelt, passing, ringback } from "./support.ts";

describe("ringback run --watch", () => {
  test("plays again when a scenario changes, even if it is temporarily wrong, until interrupted", async () => {
    const folder = folderWith({ "a.yaml": passing });
    const said = { out: "", err: "" };
    const stop = new EventEmitter();
    const output = {
      ...{ isTerminal: false, isJson: false, result: () => "" },
      out: (text: string) => {
        said.out += text;
      },
      err: (text: string) => {
        said.err += text;
      },
    };
    const code = watch([folder], {}, output, once(stop, "stop"));
    const runs = (count: number) =>
      vi.waitFor(() => expect(said.err.match(/Ctrl-C ends it/g)).toHaveLength(count), { timeout: 60_000 });
    await runs(1);
    expect(said.out).toContain("2 events, as expected");
    writeFileSync(join(folder, "a.yaml"), misspelt);
    await runs(2);
    expect(said.err).toContain('did you mean "steps"?');
    writeFileSync(join(folder, "a.yaml"), failing);
    await runs(3);
    expect(said.err).toContain("20000 ms late");
    stop.emit("stop");
    expect(await code).toBe(1);
  });

  test("plays again after a change during a run, and after a scenario is added", async () => {
    const folder = folderWith({ "a.yaml": passing });
    const said = { out: "", err: "" };
    const stop = new EventEmitter();
    let isFirst = true;
    const output = {
      ...{ isTerminal: false, isJson: false, result: () => "" },
      out: (text: string) => {
        said.out += text;
        if (isFirst) writeFileSync(join(folder, "a.yaml"), failing);
        isFirst = false;
      },
      err: (text: string) => {
        said.err += text;
      },
    };
    const code = watch([folder], {}, output, once(stop, "stop"));
    await vi.waitFor(() => expect(said.err).toContain("20000 ms late"), { timeout: 60_000 });
    writeFileSync(join(folder, "b.yaml"), misspelt);
    await vi.waitFor(() => expect(said.err).toContain('did you mean "steps"?'), { timeout: 60_000 });
    stop.emit("stop");
    expect(await code).toBe(2);
  });

  test("ends with exit code 2 when there is nothing to watch", async () => {
    expect(await ringback("run", "nowhere.yaml", "--watch").code).toBe(2);
  });
});

describe("progress", () => {
  /** The progress lines of a long run. Each reading of the clock adds `stepMs`. */
  function saidOf(stepMs: number, isTerminal: boolean): string {
    const [sim, said] = [createSimulator(), { err: "" }];
    let nowMs = 0;
    const now = () => {
      nowMs += stepMs;
      return nowMs;
    };
    const err = (text: string) => {
      said.err += text;
    };
    const end = showProgress(sim, "a.yaml", { isTerminal, err }, now);
    sim.traffic({ to: "+6495550100", every: "PT1M", for: "PT12H" });
    sim.runUntilIdle();
    end();
    return said.err;
  }

  test("is shown only for runs that take longer than two seconds", () => {
    expect(saidOf(1, false)).toBe("");
    expect(saidOf(1500, false)).toMatch(/^a\.yaml: \d+h.* of platform time, 1000 events so far\n/);
  });

  test("is one line on a terminal, removed at the end", () => {
    const said = saidOf(1500, true);
    expect(said).toMatch(/^\ra\.yaml: /);
    expect(said).not.toContain("\n");
    expect(said.endsWith("\r\u001b[K")).toBe(true);
  });
});

describe("a run whose story is written as it goes", () => {
  const files = readdirSync(lessons).filter((name) => name.endsWith(".yaml"));
  test.each(sixthOf(files, 3))("has the same story as a run that is played again: %s", (name) => {
    const { scenario } = readScenario(join(lessons, name));
    const simulator = createSimulator(scenario.options);
    simulator.narrate();
    runOn(simulator, scenario);
    expect(toTimeline(simulator.narration())).toBe(toTimeline(replay(simulator.journal()).narration()));
  });

  test("is the same run as one without a story", () => {
    const scenario = parseScenario(passing);
    const simulator = createSimulator(scenario.options);
    simulator.narrate();
    expect(runOn(simulator, scenario).events).toEqual(runScenario(scenario).events);
  });
});
