import fs, { existsSync, readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { afterEach, expect, test } from "vitest";
import { replay, type Simulator } from "../../src/index.ts";
import { folderWith } from "../cli/support.ts";
import { served } from "./support.ts";

const { openSync, closeSync, renameSync } = fs;

afterEach(() => {
  Object.assign(fs, { openSync, closeSync, renameSync });
  syncBuiltinESMExports();
});

/** Lets files behave as on Windows. @param mayRename asked about each file that would take the place of another */
function asOnWindows(mayRename: (from: string) => boolean): { readonly refused: string[] } {
  const open = new Map<number, string>();
  const refused: string[] = [];
  const refuse = (from: string) => {
    refused.push(from);
    throw Object.assign(new Error(`EPERM: operation not permitted, rename '${from}'`), { code: "EPERM" });
  };
  Object.assign(fs, {
    openSync(...args: Parameters<typeof openSync>) {
      const file = openSync(...args);
      open.set(file, String(args[0]));
      return file;
    },
    closeSync(file: number) {
      open.delete(file);
      closeSync(file);
    },
    renameSync(from: string, to: string) {
      if ([...open.values()].includes(to) || (existsSync(to) && !mayRename(from))) refuse(from);
      renameSync(from, to);
    },
  });
  syncBuiltinESMExports();
  return { refused };
}

async function played(file: string): Promise<string> {
  const { sim } = await served({}, { journal: file, compact: 20 });
  for (let index = 0; index < 30; index++) {
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" }).hangup("caller");
    sim.advance("PT1M");
    await new Promise(setImmediate); // it is compacted once no command is at work
  }
  return callsOf(sim);
}

/** The ids of a run's calls. */
function callsOf(sim: Simulator): string {
  return sim.calls
    .list()
    .map(({ id }) => id)
    .join();
}

test("A journal is compacted where no file takes the place of an open one, as on Windows", async () => {
  const { refused } = asOnWindows(() => true);
  const file = `${folderWith()}/run.jsonl`;
  const calls = await played(file);
  const text = readFileSync(file, "utf8");
  expect(refused).toEqual([]);
  expect(JSON.parse(text.split("\n", 1)[0] ?? "")).toHaveProperty("snapshot");
  expect(callsOf(replay(text))).toBe(calls);
});

test("A journal continues in the old file if another program keeps that open", async () => {
  const { refused } = asOnWindows((from) => !from.endsWith(".unfinished"));
  const file = `${folderWith()}/run.jsonl`;
  const calls = await played(file);
  const text = readFileSync(file, "utf8");
  expect(refused).toContain(`${file}.unfinished`);
  expect(JSON.parse(text.split("\n", 1)[0] ?? "")).not.toHaveProperty("snapshot");
  expect(callsOf(replay(text))).toBe(calls);
});
