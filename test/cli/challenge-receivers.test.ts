import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { challenges } from "../../src/cli/challenge-tasks.ts";
import { isWhole } from "../counts.ts";
import { moduleOf, receivers } from "./challenge-receivers.ts";
import { folderWith, ringbackEnds, root } from "./support.ts";

/** What is said of each wrong app, without times: several worlds may be the smallest. `npm run prove` judges all; `npm test` one in twenty, those whose verdict no other has, and a right one of every other challenge. */
const verdicts = new Map(
  readFileSync(join(root, "test/cli/challenge-verdicts.txt"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" | ") as [string, string]),
);
const cases = (kind: "wrong" | "right") =>
  Object.entries(receivers).flatMap(([number, list]) =>
    Object.entries(list[kind]).map(([name, code]) => ({ number, name, code })),
  );
const wrong = cases("wrong");
const right = cases("right");

/** What is wrong with them is found by code that `npm test` runs for no other. */
const only = [
  "1 shows another shape",
  "3 takes only call.ended for the end",
  "4 does not count whom we called back",
];

async function judged(number: string, code: string) {
  const path = join(folderWith({ "receiver.mjs": moduleOf(code) }), "receiver.mjs");
  return ringbackEnds("challenge", number, "--with", path);
}

describe("Receivers of the challenges", () => {
  test("are ten wrong ones and three right ones of each, with a verdict for each wrong one", () => {
    for (const { number } of challenges) {
      const { wrong = {}, right = {} } = receivers[number] ?? {};
      expect(Object.keys(wrong).length, `challenge ${number}`).toBeGreaterThanOrEqual(10);
      expect(Object.keys(right).length, `challenge ${number}`).toBeGreaterThanOrEqual(3);
    }
    expect([...verdicts.keys()]).toEqual(wrong.map(({ number, name }) => `${number} ${name}`));
    expect([...verdicts.keys()]).toEqual(expect.arrayContaining(only));
  });

  test("of which none is said to answer a request that reaches nobody, and none to answer 200", () => {
    for (const verdict of verdicts.values()) {
      expect(verdict).not.toContain("you answer 200");
      if (verdict.includes("reaches nobody")) expect(verdict).not.toContain("you answer");
    }
  });

  test.each(
    wrong.filter(
      ({ number, name }, index) => isWhole || index % 20 === 0 || only.includes(`${number} ${name}`),
    ),
  )(
    "fail challenge $number with the first request after which they show what none may: $name",
    async ({ number, name, code }) => {
      const { code: exit, out } = await judged(number, code);
      expect(out).toContain("fails in ");
      expect(out.split("\n")[2]?.replaceAll(/\d+:[\d:]+\.\d+/g, "…")).toBe(verdicts.get(`${number} ${name}`));
      expect(exit).toBe(1);
    },
  );

  test.each(right.filter((_, index) => isWhole || index % 6 === 1))(
    "pass challenge $number: $name",
    async ({ number, code }) => {
      expect((await judged(number, code)).out).toContain(": passes in ");
    },
  );
});
