import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { callBacks, exploreReport } from "../../src/explore/index.ts";
import { AppLimits } from "../../src/explore/sandbox/supervision.ts";
import { MEMORY_MB } from "../../src/explore/sandbox/watchdog.ts";
import { readLimits } from "../../src/explore/search/limits.ts";
import { appDefects } from "../../src/findings/property-failure.ts";
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
      ...callBacks({ numbers: (numbers: string[]) => numbers }),
    });
    expect(report.failures[0]?.smallest.scenario).toBe(smallest);
  });

  test("teaches a repair that also holds if two events are of one millisecond", async () => {
    const lines = [
      'const times = type === "call.not_answered" ? missed : spoken;',
      "times.set(number, Math.max(at, times.get(number) ?? 0));",
      "const isDue = ([number, at]: [string, number]) => at > (spoken.get(number) ?? 0);",
    ];
    for (const line of lines) expect(read("docs/exploring.md")).toContain(line);
    const report = await exploreReport({
      scenario: parseScenario(`
scenario: A customer is missed, and another answers at that instant
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.acme.test/hooks", events: [call.not_answered, call.answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
  - { at: PT10S, inbound: { as: c2, from: "+6421555001", to: "+6495550104" } }
  - { at: PT30S, answer: { call: c2, by: dave } }
  - { at: PT60S, hangup: { call: c2, by: caller } }
`),
      subject(sim) {
        const missed = new Map<string, number>();
        const spoken = new Map<string, number>();
        sim.network.route("https://crm.acme.test/hooks", ({ body }) => {
          const { type, data, createdTimestamp: at } = JSON.parse(body);
          const number = data.call.contactNumber;
          const times = type === "call.not_answered" ? missed : spoken;
          times.set(number, Math.max(at, times.get(number) ?? 0));
          return 204;
        });
        const isDue = ([number, at]: [string, number]) => at > (spoken.get(number) ?? 0);
        return { numbers: () => [...missed].filter(isDue).map(([number]) => number) };
      },
      eventually: {
        "whoever was spoken to is not called back": (sim: Simulator, list: { numbers(): string[] }) => {
          const [answered] = sim.events.ofType("call.answered");
          expect(list.numbers()).toEqual(answered === undefined ? ["+6421555001"] : []);
        },
      },
      deviations: { kinds: ["lost", "late", "duplicated", "unanswered"] },
    });
    expect(report.passed, report.toText()).toBe(true);
  });
});

/** The apps of `consumers/` in each line of the guide's last table. */
const found: readonly (readonly string[])[] = [
  ["not-idempotent"],
  ["relies-on-order"],
  ["trusts-arrival"],
  ["never-closes"],
  ["retries-post"],
  ["keeps-token"],
  ["acknowledges-early"],
  // restarts have tables of their own: test/explore/run/restarts.test.ts
  [],
  [],
  ["overtakes-itself"],
  ["forgets-live-calls"],
  ["answers-the-past"],
  ["replies-twice"],
  ["loses-updates"],
  ["wallboard"],
  ["hungup-is-the-end", "loses-transfers"],
];

describe("The table of what exploring finds", () => {
  const [, table = ""] = read("docs/exploring.md").split("| the app | fails with |\n|---|---|\n");
  const cells = table.split("\n").flatMap((line) => line.split(" | ").at(1) ?? []);

  test("has a line for each app of the tests", () => {
    const files = readdirSync(new URL("consumers/smallest/", import.meta.url));
    expect(found.flat().sort()).toEqual(files.map((file) => file.replace(/\.yaml$/, "")).sort());
    expect(cells).toHaveLength(found.length);
  });

  test.each(found.flatMap((names, line) => names.map((name) => [name, cells[line] ?? ""])))(
    "names the deviations that find %s, and no other",
    (name, cell) => {
      const verdicts = read(`test/explore/verdicts/table/${name}.yaml`);
      const kindsIn = (line: string) =>
        [...(new RegExp(`^# ${line}: (.*)$`, "m").exec(verdicts)?.[1] ?? "").matchAll(/(\w+)\(/g)].map(
          ([, kind]) => kind,
        );
      const named = [...cell.matchAll(/`(\w+)`/g)].map(([, kind]) => kind);
      const smallest = kindsIn("with").filter((kind) => kind !== "first");
      expect(named).toEqual(expect.arrayContaining(smallest));
      expect([...smallest, ...kindsIn("also")]).toEqual(expect.arrayContaining(named));
      expect(cell.includes("another timer first")).toBe(verdicts.includes("# with: timer first("));
      expect(cell.startsWith("none")).toBe(verdicts.includes("# with: no deviation"));
      expect(cell.includes("twice")).toBe(smallest.length > 1 && new Set(smallest).size === 1);
    },
  );
});

describe("The numbers in the guide of exploring", () => {
  const guide = read("docs/exploring.md");

  test("are the limits that an exploration has", { timeout: 60_000 }, () => {
    const { patienceMs, steps } = readLimits({ scenario: () => {}, subject: () => ({}) });
    expect(guide).toContain(`nothing happens for \`patience\` (${patienceMs / 1_000} s)`);
    expect(guide).toContain(`more than \`steps\` (${steps.toLocaleString("en")})`);
    expect(guide).toContain(`more than ${MEMORY_MB} MB in one step`);
  });

  test("include how long a world may take after another one hung", () => {
    expect(guide).toContain("ten times as long as the slowest that passed, and at least 100 ms");
    const patienceMs = (slowestMs: number, isShown: boolean) => {
      const limits = new AppLimits({ patienceMs: 5_000, steps: 10_000 });
      limits.note([], slowestMs, 1);
      limits.note([{ property: appDefects.hangs, message: "" }], 5_000, 1);
      limits.begin(isShown);
      return limits.patience.ms;
    };
    expect([patienceMs(30, false), patienceMs(2, false), patienceMs(2, true)]).toEqual([300, 100, 5_000]);
  });
});
