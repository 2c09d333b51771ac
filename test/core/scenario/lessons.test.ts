import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { goldenPath, goldenProblems } from "../../../src/cli/golden.ts";
import { demoOrganisation, parseScenario, runScenario, type Scenario } from "../../../src/index.ts";
import { type LessonText, readLesson } from "../../../src/inspector/lesson.ts";
import { readLessons } from "../../../src/inspector/template.ts";
import { isWhole } from "../../counts.ts";
import { firstOtherLine, lineMarks } from "../../line-marks.ts";
import { expectListed, expectNone } from "../../lists.ts";
import { example, expecting, janeCalls, withSteps } from "./support.ts";

const folder = fileURLToPath(new URL("../../../scenarios", import.meta.url));
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const names = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
const organisations = Object.fromEntries(
  readdirSync(join(folder, "organisations")).map((name) => [
    name.replace(".yaml", ""),
    read(join("organisations", name)),
  ]),
);

const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictTuples: false });
const validate = ajv.compile(JSON.parse(read("scenario.schema.json")));

const scenarios = new Map(names.map((name) => [name, parseScenario(read(name), { organisations })]));
const runs = new Map<string, ReturnType<typeof runScenario>>();

/** The run of a lesson, which is played once. */
function runOf(name: string): ReturnType<typeof runScenario> {
  const run = runs.get(name) ?? runScenario(scenarios.get(name) as Scenario);
  runs.set(name, run);
  return run;
}

/** Marks of the lines of each lesson's stream. `npm run accept` writes them. */
const marksFile = new URL("lesson-lines.txt", import.meta.url);
const marks = new Map(
  readFileSync(marksFile, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" ") as [name: string, marks: string]),
);
const isAccepted = process.env.UPDATE !== undefined;
const linesOf = (name: string) => runOf(name).simulator.events.toJSONL().trimEnd().split("\n");

/** The first line of a lesson's stream that differs from what was recorded, and what it is now. */
const firstOther = (name: string) => firstOtherLine(marks.get(name) ?? "", linesOf(name));

/** The first problem, which the editor underlines, if there is one. */
function schemaProblem(text: string): string | undefined {
  validate(parse(text));
  const [error] = validate.errors ?? [];
  return error && `${error.instancePath} ${error.message}`;
}

/** The names of all fields below a value; passthrough parameters may have any name. */
function fieldsOf(value: unknown, path: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((each) => fieldsOf(each, `${path}[]`));
  return Object.entries(value).flatMap(([key, each]) =>
    key.startsWith("x-") ? [] : [`${path}.${key}`, ...fieldsOf(each, `${path}.${key}`)],
  );
}

describe.each(names)("the lesson %s", (name) => {
  const text = read(name);
  const scenario = scenarios.get(name) as Scenario;

  test("names the schema in its first line, for editors", () => {
    expect(text.split("\n")[0]).toBe("# yaml-language-server: $schema=./scenario.schema.json");
  });

  test("is valid by the schema", () => {
    expect(schemaProblem(text)).toBeUndefined();
  });

  test("produces the stream it expects", () => {
    const where = `scenarios/${name}: write under \`expect\` the events of its golden file`;
    expect(scenario.expect?.length ?? 0, where).toBeGreaterThan(0);
    expect(runOf(name).report).toBe("");
  });

  test("has one golden file, equal to its stream", () => {
    const path = join(folder, name);
    const goldens = [goldenPath(path, "full"), goldenPath(path, "short")];
    const update = "write it with `npm run accept`";
    expect(
      goldens.filter((each) => existsSync(each)),
      update,
    ).toHaveLength(1);
    const problems = goldenProblems({ path, scenario }, runOf(name)).map(
      ({ cause, place }) =>
        `${place?.replace(folder, "scenarios")}: ${cause}scenarios/${name}, whole stream: ${firstOther(name)}\nnpm run accept takes it if it is meant`,
    );
    expectNone(problems);
  });
});

describe("the lessons", () => {
  // they only help to tell what differs
  test.runIf(isWhole || isAccepted)("have marks of their lines", () => {
    const now = names.map((name) => `${name} ${lineMarks(linesOf(name))}\n`).join("");
    if (isAccepted) writeFileSync(marksFile, now);
    const how = "test/core/scenario/lesson-lines.txt is out of date: run npm run accept";
    expect(readFileSync(marksFile, "utf8"), how).toBe(now);
  });

  test("have unique numbers", () => {
    const numbers = names.map((name) => /^(\d\d)-[a-z]+(-[a-z]+)*\.yaml$/.exec(name)?.[1]);
    expect(numbers).not.toContain(undefined);
    expect(new Set(numbers).size).toBe(names.length);
  });

  test("have unique titles", () => {
    const titles = [...scenarios.values()].map(({ title }) => title);
    expect(new Set(titles).size).toBe(names.length);
  });

  test("have a title, a notice and a question as a playground reads them", () => {
    const shown = (JSON.parse(readLessons()) as LessonText[]).map(readLesson);
    expect(shown.map(({ name }) => `${name}.yaml`)).toEqual(names);
    for (const [index, { title, notice, question }] of shown.entries()) {
      const { title: whole, description = "" } = scenarios.get(names[index] ?? "") ?? {};
      expect(question).not.toBe("");
      const how = `${names[index]}: begin it with \`scenario: …\` and \`description: >\`, as the page reads them`;
      expect([title, notice], how).toEqual([whole, description.trim().replaceAll(/\s+/g, " ")]);
    }
  });

  test("have no golden file or digest without a lesson", () => {
    const lessons = names.map((name) => name.replace(".yaml", ""));
    const goldens = readdirSync(folder).filter((name) => name.includes(".golden."));
    const named = goldens.map((name) => name.replace(/\.golden\..*/, ""));
    expectListed("scenarios/, the golden files", named, lessons);
    const digests = read("streams.sha256").trimEnd().split("\n");
    const digested = digests.map((line) => line.split("  ")[1] ?? "");
    expectListed("scenarios/streams.sha256", digested, lessons);
  });

  test("cover every event type and every field in full golden files", () => {
    const fields = (text: string) =>
      text
        .trimEnd()
        .split("\n")
        .flatMap((line) => {
          const event = JSON.parse(line);
          return [`type ${event.type}`, ...fieldsOf(event, "")];
        });
    const isFull = (name: string) => existsSync(goldenPath(join(folder, name), "full"));
    const streams = names.map((name) => {
      const { simulator } = runOf(name);
      return { isFull: isFull(name), fields: fields(simulator.events.toJSONL()) };
    });
    const shown = new Set(streams.flatMap(({ isFull, fields }) => (isFull ? fields : [])));
    const hidden = streams.flatMap(({ fields }) => fields.filter((field) => !shown.has(field)));
    expectNone(
      [...new Set(hidden)].map(
        (field) =>
          `no full golden file shows ${field}: make one of a lesson that has it (docs/contributing.md, "What a change changes")`,
      ),
    );
  });

  test("use the default organisation of simulators", () => {
    const fromFile = parseScenario("scenario: T\norganisation: acme\nsteps: []\n", { organisations });
    const built = parseScenario("scenario: T\nsteps: []\n");
    expect(fromFile.options.organisation).toEqual(built.options.organisation);
    expect(fromFile.options.organisation?.id).toBe(demoOrganisation.id);
  });
});

describe("scenario.schema.json", () => {
  test("accepts the documentation's example", () => {
    expect(schemaProblem(example)).toBeUndefined();
  });

  test.each([
    ["without steps", "scenario: T\n"],
    ["without a title", "steps: []\n"],
    ["with an unknown key", "scenario: T\nsteps: []\ncolour: red\n"],
    ["with unknown ids", "scenario: T\nids: random\nsteps: []\n"],
    ["with an unknown timing", "scenario: T\ntiming: { ringTime: PT5S }\nsteps: []\n"],
    ["with a timing that is no duration", "scenario: T\ntiming: { ringTimeout: soon }\nsteps: []\n"],
    ["with an unknown step", withSteps(["{ at: PT0S, ring: { call: c1 } }"])],
    [
      "with two commands in a step",
      withSteps([`${janeCalls.slice(0, -2)}, hangup: { call: c1, by: caller } }`]),
    ],
    ["with a step without a command", withSteps(["{ at: PT0S }"])],
    ["with a step without a time", withSteps(["{ hangup: { call: c1, by: caller } }"])],
    ["with a time that is no duration", withSteps(["{ at: 5 s, hangup: { call: c1, by: caller } }"])],
    ["with an argument that is missing", withSteps(["{ at: PT0S, hangup: { call: c1 } }"])],
    ["with an unknown argument", withSteps(["{ at: PT0S, hangup: { call: c1, by: caller, endpoint: x } }"])],
    ["with a number that is none", withSteps([janeCalls.replace("+6421555001", "021555001")])],
    ["with a number out of quotes", withSteps([janeCalls.replace('"+6421555001"', "+6421555001")])],
    ["with an expected line without an offset", expecting("call.started")],
    ["with an unknown type of event", expecting("PT0S call.begun")],
    ["with an unknown key beside an event", expecting("{ event: PT0S call.started, macth: {} }")],
    ["with an organisation without an id", "scenario: T\norganisation: { name: Office }\nsteps: []\n"],
  ])("rejects a scenario %s, like the command", (_, text) => {
    expect(schemaProblem(text)).toBeDefined();
    expect(() => parseScenario(text)).toThrow();
  });
});
