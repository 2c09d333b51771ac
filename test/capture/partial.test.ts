import { describe, expect, test } from "vitest";
import { importCapture } from "../../src/capture/index.ts";
import { runScenario } from "../../src/index.ts";
import { isWhole } from "../counts.ts";
import { captured, jsonl, lesson, lessons, received, withReceiver } from "./support.ts";

const withEvents = lessons.filter((name) => captured(name).length > 0);
/** Every lesson in a whole proof, else every eighth. */
const some = withEvents.filter((_, index) => isWhole || index % 8 === 0);

describe("importCapture", () => {
  test.each(some)("calls no part of %s impossible wherever the capture is cut", async (name) => {
    const lines = captured(name).slice(0, 24);
    for (let cut = 1; cut < lines.length; cut++)
      for (const part of [lines.slice(cut), lines.slice(0, cut)]) {
        const { verdict, unexplained } = await importCapture(jsonl(part));
        expect(verdict, JSON.stringify(unexplained)).not.toBe("impossible");
      }
  });

  test.each(some)("writes the same scenario for %s if lines are reversed or doubled", async (name) => {
    const lines = captured(name);
    const { yaml } = await importCapture(jsonl(lines));
    expect((await importCapture(jsonl(lines.toReversed()))).yaml).toBe(yaml);
    expect((await importCapture(jsonl(lines.flatMap((line) => [line, line])))).yaml).toBe(yaml);
  });

  test("imports the events between two instants and refuses a time without any", async () => {
    const lines = captured("10");
    const at = (index: number) => JSON.parse(lines[index]?.body ?? "").createdTimestamp;
    const all = await importCapture(jsonl(lines));
    const part = await importCapture(jsonl(lines), { between: [at(0), new Date(at(1))] });
    expect(part.requests).toBeGreaterThan(0);
    expect(part.requests).toBeLessThan(all.requests);
    expect(part.scenario.steps.length).toBeLessThan(all.scenario.steps.length);
    await expect(importCapture(jsonl(lines), { between: [0, 1] })).rejects.toThrow(
      /between: expected two instants with events between them; the capture lasts from 2026-/,
    );
  });

  test("takes from saved REST answers what events do not say", async () => {
    const lines = captured("03");
    const { yaml } = await importCapture(jsonl(lines), {
      redact: false,
      rest: [{ users: [{ id: "zoe", email: "zoe@acme.test", displayName: "Zoe", extension: "555" }] }],
    });
    expect(yaml).toContain("displayName: Zoe");
  });

  test("assumes what the capture shows and lists the rules that it contradicts", async () => {
    const lines = captured("01").map((line) => {
      const body = JSON.parse(line.body);
      if (body.type === "call.answered") body.data.call.status = "started";
      return { ...line, body: JSON.stringify(body) };
    });
    const { yaml, rules, verdict } = await importCapture(jsonl(lines));
    expect(verdict).toBe("possible");
    expect(yaml).toMatch(/^assume: *\{ answeredStatus: started \}|^assume:\n +answeredStatus: started/m);
    expect(rules.find(({ rule }) => rule === "assumption answeredStatus")).toMatchObject({
      confirmed: 0,
      contradicted: 1,
      instead: "started",
    });
    expect(rules.find(({ rule }) => rule === "assumption startedTarget")).toMatchObject({
      confirmed: 1,
      contradicted: 0,
    });
  });

  test("judges each order of one instant, and assumes none for the run", async () => {
    const [answered, shared, transcribed] = ["17", "34", "04"].map((number) => {
      const scenario = withReceiver(lesson(number));
      const options = { ...scenario.options, assume: { sameInstant: "reversed" } as const };
      return received(runScenario({ ...scenario, options, expect: undefined }).simulator);
    });
    for (const [lines = [], orders] of [
      [answered, ["answer order", "availability order"]],
      [shared, ["contact order"]],
      [transcribed, ["transcript order"]],
    ] as const) {
      const { rules, yaml } = await importCapture(jsonl(lines));
      for (const order of orders)
        expect(rules.find(({ rule }) => rule === `rule ${order}`)).toMatchObject({
          confirmed: 0,
          instead: "reversed",
        });
      expect(yaml).not.toContain("sameInstant");
    }
  });
});
