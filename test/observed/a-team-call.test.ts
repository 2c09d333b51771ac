import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parseScenario, runScenario } from "../../src/index.ts";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const { simulator, events } = runScenario(parseScenario(readFileSync(path("a-team-call.yaml"), "utf8")));

test("A scenario of the profile observed has the events of its golden file", () => {
  const golden = readFileSync(path("a-team-call.golden.jsonl"), "utf8");
  expect(events.map((event) => `${JSON.stringify(event)}\n`).join("")).toBe(golden);
});

test("A scenario of the profile observed sends the bodies of its golden file", async () => {
  const bodies = simulator.network.requests.map(({ body }) => `${body}\n`).join("");
  await expect(bodies).toMatchFileSnapshot(path("a-team-call.bodies.jsonl"));
});
