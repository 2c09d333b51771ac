import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseScenario, runScenario } from "../../src/index.ts";
import { jsonl, received, withReceiver } from "../capture/support.ts";
import { folderWith, ringbackEnds, root } from "./support.ts";

/** The README's first call, as its app got it on a night on which one answer was lost. */
const monday = parseScenario(`
scenario: last night
steps:
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }
deviations: [{ attempt: PT30S call.not_answered, is: unanswered }]
`);

describe("the commands of the README", () => {
  test("print what is shown below them, of which lines may be left out", async () => {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const [, shown = ""] = /```console\n([\s\S]*?)```/.exec(readme) ?? [];
    const [, imported = "", played = ""] = shown.split(/^\$ .*\n/m).map((each) => each.trimEnd());
    const commands = [...shown.matchAll(/^\$ npx ringback (.*)$/gm)].map(([, args]) => args);
    expect(commands).toEqual(["import monday.jsonl -o monday.yaml", "run monday.yaml"]);
    const folder = folderWith({
      "monday.jsonl": jsonl(received(runScenario(withReceiver(monday)).simulator)),
    });
    const file = join(folder, "monday.yaml");
    const importing = await ringbackEnds("import", join(folder, "monday.jsonl"), "-o", file);
    expect(importing.err.replaceAll(folder, "").replaceAll("/monday", "monday").trimEnd()).toBe(imported);
    const { out } = await ringbackEnds("run", file);
    const rest = out.split("\n");
    for (const line of played.split("\n").filter((each) => each.trim() !== "...")) {
      expect(rest, `the output has, in this order, the line ${line}`).toContain(line);
      rest.splice(0, rest.indexOf(line) + 1);
    }
  });
});
