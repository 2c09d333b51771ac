import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { createSimulator } from "../../src/index.ts";
import { isWhole } from "../counts.ts";
import {
  failing,
  folderWith,
  lessons,
  misspelt,
  ringbackEnds,
  ringbackProcess,
  startProcess,
} from "./support.ts";

describe("the ringback process", () => {
  test("plays a scenario by a relative path and exits with 0", async () => {
    const { code, out, err } = await ringbackProcess("run", "scenarios/01-first-endpoint-wins.yaml");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("7 events, as expected");
  });

  test("exits with 1 on a mismatch, and prints the stream to stdout and the report to stderr", async () => {
    const { code, out, err } = await ringbackProcess(
      "run",
      folderWith({ "a.yaml": failing }),
      "--format",
      "jsonl",
    );
    expect(code).toBe(1);
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).type),
    ).toEqual(["call.started", "call.not_answered"]);
    expect(err).toContain("the stream differs");
  });

  test("prints the OpenAPI document", async () => {
    const { code, out, err } = await ringbackProcess("openapi");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out)).toEqual(await createSimulator().openapi());
  });

  test("prints the OpenAPI document with the names of a dialect", async () => {
    const folder = folderWith({ "names.yaml": "serviceName: acmephone\n" });
    const { code, out } = await ringbackEnds("openapi", "--dialect", `${folder}/names.yaml`);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual(
      await createSimulator({ dialect: { serviceName: "acmephone" } }).openapi(),
    );
    expect(out).toContain("x-acmephone-signature");
  });

  test("keeps what an app prints out of the standard output", async () => {
    const folder = folderWith({
      "a.yaml": failing,
      "subject.mjs": `console.log("loaded"); export const subject = () => console.log("made");`,
    });
    const run = ["run", `${folder}/a.yaml`, "--with", `${folder}/subject.mjs`, "--json"];
    const { code, out, err } = await ringbackProcess(...run);
    expect({ code, err }).toEqual({ code: 1, err: "loaded\nmade\nmade\n" });
    expect(JSON.parse(out)).toMatchObject({ ok: false });
  });

  test("exits with 2 on bad input, without a stack trace", async () => {
    const { code, out, err } = await ringbackProcess("run", "nowhere.yaml");
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toBe(
      "ringback: nowhere.yaml: no such file, folder or lesson. `ringback run` shows the lessons\n",
    );
  });

  test("prints no colours into a pipe", async () => {
    const { out } = await ringbackProcess("run", "01");
    expect(out).not.toContain("\u001b");
  });

  // both print far more than a pipe holds
  test("ends quietly if its reader closes stdout early, like head", async () => {
    const child = startProcess(["run", lessons, "--format", "jsonl"]);
    const err = text(child.stderr);
    child.stdout.once("data", () => child.stdout.destroy());
    const [code, signal] = await once(child, "close");
    expect({ code, signal, err: await err }).toEqual({ code: 0, signal: null, err: "" });
  });

  test("keeps its exit code if its reader closes stderr early", async () => {
    const folder = folderWith({ "a.yaml": misspelt });
    const child = startProcess(["check", ...Array(800).fill(folder)]);
    child.stdout.resume();
    child.stderr.once("data", () => child.stderr.destroy());
    expect(await once(child, "close")).toEqual([2, null]);
  });

  test.runIf(isWhole)(
    "writes a month of calls in less memory than their stream needs as one text",
    async () => {
      const folder = folderWith({
        "month.yaml": `scenario: A month of calls
steps:
  - { at: PT0S, traffic: { to: "+6495550100", every: PT2M, for: P30D, behaviour: { patience: PT5S } } }
`,
      });
      const file = join(folder, "month.jsonl");
      // the run itself keeps 100 MB; the stream as one text would take as much again
      const env = { NODE_OPTIONS: "--max-old-space-size=140" };
      const args = ["run", join(folder, "month.yaml"), "--format", "jsonl", "--output", file];
      expect((await ringbackProcess(...args, env)).code).toBe(0);
      expect(statSync(file).size).toBeGreaterThan(70e6);
    },
  );
});
