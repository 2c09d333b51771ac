import { beforeAll, describe, expect, test } from "vitest";
import { playWorld } from "../../../src/explore/explore.ts";
import { type ExploreReport, exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, replay } from "../../../src/index.ts";
import type { OfferedAct } from "../../../src/inspector/model/acts.ts";
import { forkAt } from "../../../src/inspector/model/fork.ts";
import { Recording } from "../../../src/inspector/model/recording.ts";
import { answerApp } from "../../../src/inspector/model/run-answers.ts";
import { pairs } from "./apps.ts";

/** What shows the calls of an app to its dependencies: journals, timelines, diagrams, pages and what is asked about runs. */

const { wrong } = pairs["writes, then remembers"] ?? {};

let smallest: NonNullable<ExploreReport["failures"][number]["smallest"]>;
beforeAll(async () => {
  const { failures } = await exploreReport({ ...wrong, deviations: 1 } as Parameters<
    typeof exploreReport
  >[0]);
  smallest = failures[0]?.smallest as typeof smallest;
});

describe("A call to a dependency", () => {
  test("has a line in the timeline, with the answer and the deviation, inside the request that is handled", () => {
    const lines = replay(smallest.journal).events.toTimeline().split("\n");
    const from = lines.findIndex((line) => line.includes("* call.ended"));
    expect(lines.slice(from + 1, from + 10).map((line) => line.trimEnd())).toEqual([
      "            | app.test (webhook): receives call.ended",
      "            |   db (dependency): has - done",
      "            |   crm (dependency): POST /activities - answer lost (deviation)",
      "            | app.test (webhook): call.ended - 500",
      "  3:54.080  time for another attempt",
      "            | app.test (webhook): receives call.ended, attempt 2",
      "            |   db (dependency): has - done",
      "            |   crm (dependency): POST /activities - 201",
      "            |   db (dependency): insert - done",
    ]);
  });

  test("has an entry in the journal without bodies, which a replay keeps and calls nobody for", () => {
    const called = smallest.journal.entries.filter(({ command }) => command === "dependency.called");
    expect(called.map(({ args }) => args)).toEqual([
      { dependency: "db", call: "has", answer: "done", during: "request-1" },
      {
        dependency: "crm",
        call: "POST /activities",
        answer: "",
        deviation: "unanswered",
        during: "request-1",
      },
      { dependency: "db", call: "has", answer: "done", during: "request-2" },
      { dependency: "crm", call: "POST /activities", answer: "201", during: "request-2" },
      { dependency: "db", call: "insert", answer: "done", during: "request-2" },
    ]);
    expect(replay(smallest.journal).journal().entries).toEqual(smallest.journal.entries);
  });

  test("goes from the app to a lane of its own on a page and in a diagram", () => {
    const { summary, rows } = Recording.from(smallest.journal);
    expect(summary.lanes.map(({ id, name, kind }) => [id, name, kind])).toContainEqual([
      "crm (dependency)",
      "crm",
      "app",
    ]);
    const shown = rows.filter(({ called }) => called !== undefined);
    expect(
      shown.map(({ source, targets, subject, verb, outcome }) => [
        source,
        ...targets,
        subject,
        verb,
        outcome,
      ]),
    ).toContainEqual([
      "app.test",
      "crm (dependency)",
      "crm",
      "POST /activities",
      { kind: "lost", text: "answer lost" },
    ]);
    expect(shown.map(({ record }) => record)).toEqual([0, 0, 0, 0, 0]);
    expect(replay(smallest.journal).events.toMermaid()).toMatch(
      /participant P(\d) as crm \(dependency\)[\s\S]*P\d->>P\1: POST/,
    );
  });

  test("is told by `ask app`", () => {
    const { lines } = answerApp(Recording.from(smallest.journal), [], undefined);
    expect(lines).toContain("1m 5s  crm POST /activities (deviation) · answer lost");
  });

  test("stays where a fork sends the request that was handled, and else is gone", () => {
    const recording = Recording.from(smallest.journal);
    const started = recording.rows.findIndex(({ subject }) => subject === "call.started");
    const calledIn = (command: OfferedAct["command"], args: OfferedAct["args"]) =>
      forkAt(recording, started, { label: command, hint: "", kind: "command", command, args })
        .rows.filter(({ called }) => called !== undefined)
        .map(({ atMs }) => atMs);
    expect(calledIn("restFault", { times: 1 })).toEqual([65_000, 65_000, 234_080, 234_080, 234_080]);
    expect(calledIn("removeWebhook", { webhook: "webhook-1" })).toEqual([]);
  });

  test("names what it threw by its status, its code or its class, never by its message", async () => {
    class Duplicate extends Error {}
    const thrown = [
      Object.assign(new Error("Jane's row"), { code: "SQLITE_BUSY" }),
      Object.assign(new Error("Jane"), { response: { status: 422 } }),
      new TypeError("Jane", { cause: Object.assign(new Error("Jane"), { code: "ECONNRESET" }) }),
      new Duplicate("Jane"),
      "Jane",
    ];
    const { journal } = await playWorld({
      scenario: parseScenario("scenario: a minute\nsteps:\n  - { at: PT60S, restFault: { times: 0 } }\n"),
      subject(sim) {
        const db = sim.dependency("db", { save: (each: unknown) => Promise.reject(each) });
        setTimeout(() => void Promise.allSettled(thrown.map((each) => db.save(each))), 1_000);
      },
    });
    const lines = replay(journal).events.toTimeline().split("\n");
    expect(lines.filter((line) => line.includes("db")).map((line) => line.trim())).toEqual([
      "0:01.000  db (dependency) is asked save - SQLITE_BUSY",
      "db (dependency) is asked save - 422",
      "db (dependency) is asked save - ECONNRESET",
      "db (dependency) is asked save - Duplicate",
      "db (dependency) is asked save - an error",
    ]);
  });

  test("without an answer stands where it was asked", async () => {
    const { journal } = await playWorld({
      scenario: parseScenario("scenario: a minute\nsteps:\n  - { at: PT60S, restFault: { times: 0 } }\n"),
      subject(sim) {
        const answers = [() => new Promise(() => {}), () => Promise.resolve(), () => new Promise(() => {})];
        const db = sim.dependency("db", { save: (nth: number) => answers[nth]?.() });
        for (const nth of answers.keys()) setTimeout(() => void db.save(nth), 1_000 * (nth + 1));
      },
    });
    const again = replay(journal);
    const lines = again.events.toTimeline().split("\n");
    expect(lines.filter((line) => line.includes("db")).map((line) => line.trim())).toEqual([
      "0:01.000  db (dependency) is asked save - not answered",
      "0:02.000  db (dependency) is asked save - done",
      "0:03.000  db (dependency) is asked save - not answered",
    ]);
    expect(again.journal().entries).toEqual(journal.entries);
    const { rows } = Recording.from(journal);
    const outcomes = rows.flatMap(({ called, outcome }) => (called === undefined ? [] : [outcome]));
    expect(outcomes).toEqual([
      { kind: "lost", text: "not answered" },
      { kind: "delivered", text: "done" },
      { kind: "lost", text: "not answered" },
    ]);
  });
});
