import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCapture } from "../../src/capture/index.ts";
import { exploreReport } from "../../src/explore/index.ts";
import { parseScenario, replay } from "../../src/index.ts";
import { serve } from "../../src/server/index.ts";
import { captured, jsonl } from "../capture/support.ts";
import { controlOf, served } from "../server/support.ts";
import { folderWith, lessons, ringback } from "./support.ts";

/** Git on Windows writes the files of a copy with these line ends. */
const onWindows = (text: string) => text.replaceAll("\n", "\r\n");

function convert(file: string) {
  writeFileSync(file, onWindows(readFileSync(file, "utf8")));
}

/** A folder with the first lesson and its organisation, and the named files beside it. */
function lessonFolder(...beside: readonly string[]): { folder: string; scenario: string } {
  const folder = folderWith();
  const name = "01-first-endpoint-wins";
  cpSync(join(lessons, "organisations"), join(folder, "organisations"), { recursive: true });
  cpSync(join(lessons, `${name}.yaml`), join(folder, `${name}.yaml`));
  const scenario = join(folder, `${name}.yaml`);
  for (const each of readdirSync(join(folder, "organisations"))) convert(join(folder, "organisations", each));
  convert(scenario);
  for (const each of beside) {
    cpSync(join(lessons, each.replace("NAME", name)), join(folder, each.replace("NAME", name)));
    convert(join(folder, each.replace("NAME", name)));
  }
  return { folder, scenario };
}

/** The journal file of a server that took one command. */
async function writtenJournal(): Promise<string> {
  const file = join(folderWith(), "run.jsonl");
  const { server } = await served({}, { journal: file });
  await controlOf(server.url).post("commands/inbound", { from: "+6421555001", to: "+6495550100" });
  await server.close();
  return file;
}

const scenario = `scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { url: "https://crm.acme.test/hooks", events: [call.started] } }
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550101" } }
`;

test.each<[string, () => void | Promise<void>]>([
  [
    "a scenario, its organisation and the short golden file",
    () => {
      const { scenario } = lessonFolder("NAME.golden.txt");
      expect(ringback("run", scenario)).toMatchObject({ code: 0, err: "" });
    },
  ],
  [
    "a whole golden file, and one that differs is named by its line",
    () => {
      const { folder, scenario } = lessonFolder();
      const golden = join(folder, "01-first-endpoint-wins.golden.jsonl");
      writeFileSync(golden, onWindows(ringback("run", scenario, "--format", "jsonl").out));
      expect(ringback("run", scenario)).toMatchObject({ code: 0, err: "" });
      writeFileSync(golden, readFileSync(golden, "utf8").replace("call.answered", "call.vanished"));
      expect(ringback("run", scenario).err).toContain(".golden.jsonl:2: the stream differs");
    },
  ],
  [
    "the digests of a folder",
    () => {
      const { scenario } = lessonFolder("streams.sha256");
      expect(ringback("run", scenario)).toMatchObject({ code: 0, err: "" });
    },
  ],
  [
    "the journal of a server, which also goes on in it",
    async () => {
      const file = await writtenJournal();
      convert(file);
      expect(ringback("journal", "check", file)).toMatchObject({ code: 0 });
      expect(ringback("run", file)).toMatchObject({ code: 0, err: "" });
      const journal = replay(readFileSync(file, "utf8")).journal();
      const server = await serve(replay(journal), { journal: file, resumed: { path: file, journal } });
      await controlOf(server.url).post("advance", { duration: "PT1M" });
      await server.close();
      expect(ringback("journal", "check", file).out).toContain("until 2026-07-01T00:01:00.000Z");
    },
  ],
  [
    "a capture, line by line",
    async () => {
      const text = jsonl(captured("01"));
      expect(await readCapture(onWindows(text))).toEqual(await readCapture(text));
    },
  ],
  [
    "a corpus, which does not keep the same failure twice",
    async () => {
      const corpus = join(folderWith(), "corpus");
      const fails = () =>
        exploreReport({
          ...{ scenario: parseScenario(scenario), subject: () => ({}), deviations: 0, corpus },
          eventually: { never: () => expect(1).toBe(2) },
        });
      await fails();
      const files = readdirSync(corpus);
      expect(files).toHaveLength(1);
      convert(join(corpus, String(files[0])));
      const { failures } = await fails();
      expect(failures).toHaveLength(1);
      expect(readdirSync(corpus)).toEqual(files);
    },
  ],
])("reads %s with the line ends of Windows", async (_, read) => read());
