import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseScenario, runScenario } from "../../src/index.ts";
import { toMermaid } from "../../src/story/mermaid.ts";
import { ladder } from "./ladder.ts";

/** Our own ladder of each lesson, by the diagram that its page and the README have as text. */
export function ladders(root: string): Map<string, string> {
  const folder = join(root, "scenarios");
  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  const organisations = Object.fromEntries(
    readdirSync(join(folder, "organisations")).map((name) => [
      name.replace(/\.yaml$/, ""),
      read(`organisations/${name}`),
    ]),
  );
  const lessons = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  return new Map(
    lessons.map((name) => {
      const scenario = parseScenario(read(name), { organisations });
      const story = { ...runScenario(scenario).simulator.story(), title: scenario.title };
      return [toMermaid(story).trim(), ladder(story)];
    }),
  );
}
