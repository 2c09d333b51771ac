import { readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { type AnyStateMachine, createMachine } from "xstate";
import { parse } from "yaml";
import { exportsOf } from "../docs/generate/api.ts";
import { type Reached, reachedPlaces } from "../docs/generate/coverage.ts";
import { publicMembers, publicParameters } from "../docs/generate/described.ts";
import { entries } from "../docs/generate/entries.ts";
import { errorNames, FIXTURE_FILES } from "../docs/generate/errors.ts";
import { machinesPage } from "../docs/generate/machines.ts";
import { PageInputs, readBy } from "../docs/generate/page-inputs.ts";
import { pages } from "../docs/generate/pages.ts";
import { forgetProgram } from "../docs/generate/source.ts";
import { machines } from "../machines/index.ts";
import { createSimulator, demoOrganisation } from "../src/index.ts";
import { noteReads } from "./file-reads.ts";
import { expectListed, expectNone } from "./lists.ts";

const onDisk = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

/** The text of docs/generate/banner.ts. */
const isMarked = /Made from .+ by `npm run generate`\. Do not edit\./;

// the tests of other files run in the same process, where each collection of garbage would look at it
afterAll(forgetProgram);

const noted = noteReads();
afterAll(noted.end);

/** Vitest reads the modules that tests import. */
const isImported = (path: string) => path.startsWith("node_modules/") || path.includes(".vite");

/** Pages that nobody writes by hand. */
const wholePages = pages.filter(({ isPart }) => isPart !== true);

describe("A generated page", () => {
  it.each(pages.map((page) => [page.path, page] as const))("is current: %s", async (path, { content }) => {
    expect(onDisk(path), `${path} is out of date: run npm run generate`).toBe(await content());
  });

  it("is made from what `npm run generate` looks at to see whether it is current", async () => {
    noted.end();
    const inputs = await PageInputs.read();
    const modules = new Set(inputs?.filesOf("pages.ts"));
    expect(modules.size).toBeGreaterThan(800);
    const isDeclared = (path: string, by: readonly string[]) =>
      [...by.flatMap((module) => readBy[module] ?? [])].some(
        (each) => path === each || path.startsWith(`${each}/`),
      );
    // the tests of a page read it; nothing is made from that
    const reads = noted.reads.filter(({ by }) => by.some((module) => modules.has(module)));
    expect(new Set(reads.map(({ path }) => path)).size).toBeGreaterThan(800);
    const unknown = reads.filter(
      ({ path, by }) => !isDeclared(path.replace(/\/$/, ""), by) && !isImported(path),
    );
    expectNone([
      ...new Set(
        unknown.map(
          ({ path, by }) => `docs/generate/page-inputs.ts, readBy: ${by.join(" or ")} reads ${path}`,
        ),
      ),
    ]);
  });

  it("says that it is made, and from what", () => {
    const bare = wholePages.filter(({ path }) => !path.endsWith(".json") && !isMarked.test(onDisk(path)));
    expectNone(bare.map(({ path }) => `${path} has no banner: use docs/generate/banner.ts`));
  });

  it("is marked as generated for reviews", () => {
    const patterns = [...onDisk(".gitattributes").matchAll(/^(\S+) linguist-generated$/gm)].map(
      ([, pattern = ""]) => pattern,
    );
    const covers = (pattern: string, path: string) =>
      pattern.endsWith("/**") ? path.startsWith(pattern.slice(0, -2)) : pattern === path;
    const bare = wholePages.filter(({ path }) => !patterns.some((pattern) => covers(pattern, path)));
    expectNone(bare.map(({ path }) => `.gitattributes: add "${path} linguist-generated"`));
  });
});

describe("Input from outside", () => {
  it("is described: every field of an organisation and of every command's arguments", () => {
    const lines = onDisk("src/core/generated/inputs.ts").split("\n");
    const fields = lines.flatMap((line, index) =>
      /^ +readonly \w+\??: /.test(line) ? [{ line, before: lines[index - 1] ?? "" }] : [],
    );
    expect(fields.length).toBeGreaterThan(300);
    const bare = fields.filter(({ before }) => !before.trim().startsWith("/** "));
    expectNone(
      bare.map(
        ({ line }) => `${line.trim()} has no comment: write it in the field's schema, in src/core/platform`,
      ),
    );
  });
});

describe("The page of coverage", () => {
  it("says for every state and transition either what reaches it or why nothing can", () => {
    const isExplained = ({ by, why }: Reached) => (by === undefined) === (why !== undefined);
    const wrong = reachedPlaces().filter((each) => !isExplained(each));
    expectNone(
      wrong.map(({ name, by }) =>
        by === undefined
          ? `${name} is not reached: write a scenario in test/transitions/ or a lesson that goes there, or say in src/stories/unreachable.ts why nothing can`
          : `${name} is reached by ${by}: remove it from src/stories/unreachable.ts`,
      ),
    );
  });
});

describe("The pages of the API", () => {
  it("covers every entry of the package", () => {
    const { exports } = JSON.parse(onDisk("package.json"));
    const names = Object.keys(exports).filter((name) => !name.endsWith(".json"));
    const packed = names.map((name) => name.replace(/^\./, "ringback"));
    expectListed("docs/generate/entries.ts, `entries`", Object.keys(entries), packed);
  });

  it("can be imported by at most 220 names", () => {
    const names = Object.keys(entries).map((entry) => ({
      entry,
      count: exportsOf(entry).filter(({ isImported }) => isImported).length,
    }));
    const all = names.reduce((sum, { count }) => sum + count, 0);
    expect(all, JSON.stringify(names)).toBeLessThanOrEqual(220);
  });

  it.each(Object.keys(entries))("has a docstring for every export of %s", (entry) => {
    const all = exportsOf(entry);
    expect(all.length).toBeGreaterThan(0);
    const bare = all.filter(({ doc }) => doc === "");
    expectNone(bare.map(({ name }) => `${name} of ${entries[entry]}: write a comment above its declaration`));
  });

  it("describes every member of every public interface and class", () => {
    const members = publicMembers();
    expectNone(members.flatMap(({ isDescribed, at }) => (isDescribed ? [] : [`${at}: write a comment`])));
    expect(members.map(({ at }) => at)).toContain(
      "src/core/network/endpoint-request.ts: EndpointRequest.url",
    );
  });

  it("describes every parameter of every public function and method", () => {
    const parameters = publicParameters();
    expectNone(parameters.flatMap(({ isDescribed, at }) => (isDescribed ? [] : [`${at}: write an @param`])));
    expect(parameters.map(({ at }) => at)).toContain(
      "src/core/simulator/virtual-time.ts: VirtualTime.advance(duration)",
    );
  });

  it("refers to no document outside the package", () => {
    const all = pages.filter(({ path }) => path.startsWith("docs/api/"));
    expect(all.length).toBeGreaterThan(20);
    expectNone(all.flatMap(({ path }) => (/\bdecisions(,|\.md| section)/i.test(onDisk(path)) ? [path] : [])));
  });

  it("has no page left from an object that is gone", () => {
    const made = pages.flatMap(({ path }) => (path.startsWith("docs/api/") ? [path.slice(9)] : []));
    expectListed("docs/api/", readdirSync(new URL("../docs/api/", import.meta.url)), made);
  });
});

describe("The page of errors", () => {
  const page = onDisk("docs/errors.md");

  it("has a remedy for every error that the code throws", () => {
    const named = [...page.matchAll(/^## `(\w+)`$/gm)].map(([, name = ""]) => name);
    const missing = errorNames().filter((name) => name !== "CommandError" && !named.includes(name));
    expectNone(missing.map((name) => `docs/generate/errors.ts: say what to do about ${name}`));
    expect(page.match(/^\*What to do next:\* \S/gm)?.length).toBe(page.match(/^##+ `/gm)?.length);
  });

  it("describes every code of a CommandError", () => {
    const [, codes = ""] = /^## CommandError$([\s\S]*?)^## `/m.exec(page) ?? [];
    const sections = codes.split(/^### /m).slice(1);
    expect(sections.length).toBeGreaterThan(10);
    const empty = sections.filter((section) => !/^- \S/m.test(section));
    expectNone(empty.map((section) => `docs/errors.md: no error has the code ${section.split("\n")[0]}`));
  });

  it("has every text of an error", () => {
    const all = readdirSync(new URL("../src/", import.meta.url), { recursive: true, encoding: "utf8" })
      .map((path) => path.replaceAll("\\", "/"))
      // a value that a page shows is not an error, nor is a verdict on a fixture
      .filter(
        (path) => /\.ts$/.test(path) && !/^(inspect|generated)\//.test(path) && !FIXTURE_FILES.test(path),
      )
      .flatMap((path) => beginningsIn(onDisk(`src/${path}`)).map((text) => ({ path, text })));
    expect(all.length).toBeGreaterThan(200);
    const words = page.replaceAll("&lt;", "<");
    const missing = all.filter(({ text }) => !words.includes(text));
    expectNone(missing.map(({ path, text }) => `src/${path}: docs/errors.md does not have "${text}"`));
  });

  it("has no picture in the place of a text", () => {
    expectNone(page.match(/^- &lt;[a-z]+ [a-z-]+=".*$/gm) ?? []);
  });

  it("has every message, including composed ones and those of schemas", () => {
    expect(page).toContain("time never goes backwards");
    expect(page).toContain("cannot hang up: call … is …; allowed: …");
    expect(page).toContain("- expected a phone number in E.164");
    expect(page).toContain("`method_not_allowed`: … does not take …; it takes …");
  });
});

describe("A page of a lesson", () => {
  it("exists for every lesson and nothing else", () => {
    const lessons = readdirSync(new URL("../scenarios/", import.meta.url)).filter((name) =>
      name.endsWith(".yaml"),
    );
    const expected = ["README.md", ...lessons.map((name) => name.replace(/-.*/, ".md"))];
    expectListed("docs/lessons/", readdirSync(new URL("../docs/lessons/", import.meta.url)), expected);
  });
});

describe("The page of the machines", () => {
  const sections = onDisk("docs/machines.md").split(/^## /m).slice(1);

  it("has a section with a description, a diagram and two tables for every machine", () => {
    expect(sections.map((section) => section.split("\n")[0])).toEqual(
      Object.values(machines).map(({ id }) => id),
    );
    for (const section of sections)
      expect(section).toMatch(/^\w+\n\n\S[^\n]{40,}\n\n```mermaid\n[^`]+```\n\n\| State[\s\S]+\n\n\| Event/);
  });

  it.each(Object.values(machines).map((machine) => [machine.id, machine] as const))(
    "draws exactly the states and events of the %s machine",
    (id, machine) => {
      const section = sections.find((each) => each.startsWith(`${id}\n`)) ?? "";
      checkDiagram(machine, diagramOf(section));
    },
  );

  it("describes every state", () => {
    const states = (Object.values(machines) as AnyStateMachine[]).flatMap(({ id, states }) =>
      Object.values(states).map((state) => ({ id, state })),
    );
    const bare = states.filter(({ state }) => !state.description);
    expectNone(
      bare.map(({ id, state }) => `machines/: the state ${state.key} of ${id} has no \`description\``),
    );
  });

  it("draws states inside states", () => {
    const nested = createMachine({
      id: "nested",
      initial: "open",
      states: {
        open: {
          initial: "waiting",
          on: { CLOSE: "closed" },
          states: { waiting: { on: { TAKE: "taken" } }, taken: { type: "final" } },
        },
        closed: { type: "final" },
      },
    });
    expect(diagramOf(machinesPage({ nested }))).toEqual([
      "stateDiagram-v2",
      "  [*] --> open",
      "  state open {",
      "    [*] --> open_waiting",
      "    open_taken --> [*]",
      "  }",
      "  open --> closed : CLOSE",
      "  open_waiting --> open_taken : TAKE",
      "  closed --> [*]",
    ]);
  });
});

describe("The editor's schema of scenarios", () => {
  it("describes every property, also beside a reference", () => {
    const schema = JSON.parse(onDisk("scenarios/scenario.schema.json"));
    // what a choice claims is described in docs/questions.md, which lists every word
    const { occurrence: _, plainClaim: __, claim: ___, ...definitions } = schema.$defs;
    const all = propertiesOf({ ...schema, $defs: definitions });
    // the schema describes once for all steps when a step runs
    const textOf = ({ description, $ref = "" }: Property): string | undefined =>
      $ref.startsWith("#/$defs/when.") ? schema.$defs[$ref.replace("#/$defs/", "")].description : description;
    expect(all.length).toBeGreaterThan(500);
    const bare = all.filter(([, property]) => !textOf(property)?.endsWith("."));
    expectNone(
      bare.map(
        ([name]) =>
          `${name} of scenarios: write a sentence above it in its schema, in src/core/scenario or src/core/platform`,
      ),
    );
  });
});

describe("The demo organisation's file", () => {
  it("is the default organisation of simulators", () => {
    const read = parse(onDisk("scenarios/organisations/acme.yaml"));
    expect(read).toEqual(demoOrganisation);
    expect(createSimulator({ organisation: read }).journal().options).toEqual(
      createSimulator().journal().options,
    );
  });
});

/**
 * The beginnings of the texts of errors, up to the first inserted value. This reads the text of a file. The page's
 * generator reads it in another way, so the two do not miss the same texts.
 */
function beginningsIn(source: string): string[] {
  const code = source.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, "");
  const texts = [
    ...code.matchAll(/["'`](expected [^"'`$]*[a-z])/g),
    ...code.matchAll(/new \w+Error\(\s*(?:\[[^\]]*\],\s*)?(?:"\w+",\s*)?["'`]([a-zA-Z][^"'`$]*[a-z])/g),
  ];
  return texts.map(([, text = ""]) => text).filter((text) => text.includes(" "));
}

interface Property {
  readonly description?: string;
  readonly $ref?: string;
}

/** Every property of every object that a JSON schema describes. */
function propertiesOf(schema: unknown): [name: string, property: Property][] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties } = schema as { readonly properties?: Readonly<Record<string, Property>> };
  const inside = Object.values(schema).flatMap(propertiesOf);
  // a property may itself be called `properties`
  const isList = properties !== undefined && !("type" in properties && typeof properties.type === "string");
  return isList ? [...Object.entries(properties), ...inside] : inside;
}

function diagramOf(page: string): string[] {
  return (/```mermaid\n([^`]*)\n```/.exec(page)?.[1] ?? "").split("\n");
}

function checkDiagram(machine: AnyStateMachine, lines: readonly string[]): void {
  const arrows = lines.flatMap((line) => {
    const [, from, to, label = ""] = /^ +(\S+) --> (\S+)(?: : (.+))?$/.exec(line) ?? [];
    return from === undefined || to === undefined ? [] : [{ from, to, label }];
  });
  const declared = lines.flatMap((line) => /^ +state "any state" as (\S+)$/.exec(line)?.[1] ?? []);
  expect(arrows.length + declared.length, "lines that are understood").toBe(lines.length - 1);

  const states = Object.keys(machine.states);
  const drawn = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  expect([...drawn].sort()).toEqual([...states, ...declared, "[*]"].sort());
  expect(arrows.filter(({ from }) => from === "[*]").length).toBe(1);

  const labels = arrows.flatMap(({ label }) => label.replace(/ \[\w+\]$/, "").split(", "));
  const events = machine.events.map((event) => event.replace(/^xstate\.after\.(\w+)\..*$/, "after $1"));
  expect([...new Set(labels)].filter((label) => label !== "" && label !== "always").sort()).toEqual(
    [...new Set(events)].sort(),
  );
}
