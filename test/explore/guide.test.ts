import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { exploreReport } from "../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../src/index.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

describe("The guide of exploring", () => {
  const scenarios = [...read("docs/exploring.md").matchAll(/parseScenario\(`\n([\s\S]*?)`\)/g)].map(
    ([, text = ""]) => text,
  );
  const smallest = /```yaml\n([\s\S]*?)```/.exec(read("docs/exploring.md"))?.[1];

  test("shows the actual failure and its smallest scenario", async () => {
    const [scenario = ""] = scenarios;
    const report = await exploreReport({
      scenario: parseScenario(scenario),
      subject(sim) {
        const numbers: string[] = [];
        sim.network.route("https://crm.acme.test/hooks", ({ body }) => {
          const { type, data } = JSON.parse(body);
          const number = data.call.contactNumber;
          if (type === "call.not_answered") numbers.push(number);
          if (type === "call.answered" && numbers.includes(number))
            numbers.splice(numbers.indexOf(number), 1);
          return 204;
        });
        return numbers;
      },
      eventually: {
        "calls back whoever was missed": (sim: Simulator, numbers: string[]) => {
          const missed = new Set(
            sim.events.ofType("call.not_answered").map(({ data }) => data.call.contactNumber),
          );
          for (const { data } of sim.events.ofType("call.answered")) missed.delete(data.call.contactNumber);
          expect(numbers).toEqual([...missed]);
        },
      },
    });
    expect(report.failures[0]?.smallest.scenario).toBe(smallest);
  });
});
