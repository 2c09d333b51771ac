import { readFileSync } from "node:fs";
import { stringify } from "yaml";
import type { CommandName } from "../../../src/core/platform/base/core-services.ts";
import { eventsByCommands } from "../../../src/core/rest/openapi/paths.ts";
import { commandOfStep } from "../../../src/core/scenario/schema.ts";
import { banner } from "../banner.ts";
import { fenced } from "../markdown.ts";
import { lessonsFolder } from "../played-lessons.ts";
import { commandSentence } from "../scenario-descriptions.ts";
import { eventLink } from "./event-groups.ts";
import {
  exampleIn,
  type FileSchema,
  filePage,
  keysOf,
  keyTable,
  lessonValues,
  scenarioFileSchema,
  type Values,
} from "./keys.ts";
import { meaningOf, type Schema, shapesOf } from "./schema-words.ts";

/** The lesson that the page begins with: it is short, and has a team, a step that is tied to an event and an expectation. */
const FIRST = "01-first-endpoint-wins.yaml";

/** Keys that have a page or a section of their own. */
const elsewhere: readonly string[] = ["organisation", "steps", "expect", "questions"];

/** `docs/reference/scenario.md`: the keys of a scenario file. */
export function scenarioPage(): string {
  const schema = scenarioFileSchema();
  const page = filePage(schema);
  const top = keysOf({ ...schema, properties: withoutInner(schema) }, page);
  const inner = Object.entries(schema.properties ?? {}).filter(
    ([name, field]) => !elsewhere.includes(name) && keysOf(field, page).length > 0,
  );
  const exampleOf = (path: string) =>
    lessonValues()
      .map((each) => each[path])
      .find((each) => each !== undefined && isShort(each));
  const behaviour = (name: string, title: string) => [
    `## Behaviour of a ${title}`,
    keyTable(keysOf(schema.$defs[name] ?? {}, page), page, () => undefined),
  ];
  return [
    banner("scenarios/scenario.schema.json"),
    "# Scenario",
    "A file says who does what when, and what must happen. `npx ringback run FILE` plays it, `check` lists every mistake in it, and `run --write-expect` writes what happens into it. [The guide to scenario files](../scenarios.md) explains them; [all steps](steps.md) have a page of their own, and so has [the organisation](organisation.md). The [three rules](organisation.md#three-rules) hold here too.",
    fenced(
      "yaml",
      readFileSync(new URL(FIRST, lessonsFolder), "utf8").replace(/^# yaml-language-server.*\n/, ""),
    ),
    "## The keys of the file",
    keyTable(top, page, ({ path }) => exampleOf(path)),
    "## expect",
    expectWords(schema),
    ...inner.flatMap(([name, field]) => [
      `## ${name}`,
      meaningOf(field),
      ...lessonExample(name),
      keyTable(keysOf(field, page), page, () => undefined),
    ]),
    ...behaviour("userBehaviour", "user"),
    ...behaviour("callerBehaviour", "caller"),
    "",
  ].join("\n\n");
}

function withoutInner(schema: FileSchema): Readonly<Record<string, Schema>> {
  const link: Readonly<Record<string, string>> = {
    organisation: "text, or [an organisation](organisation.md)",
    steps: "list of [steps](steps.md)",
    expect: "list of [lines](#expect)",
    questions: "list of [questions](../questions.md)",
  };
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(
      ([name, { description = "", default: missing, ...field }]) => {
        const isObject = keysOf({ ...field, description }, filePage(schema)).length > 0;
        const type = link[name] ?? (isObject ? `[object](#${name})` : undefined);
        const shown = { description, ...(missing === undefined ? {} : { default: missing }) };
        return [
          name,
          type === undefined
            ? { ...field, ...shown }
            : { ...shown, type: type.replace("[object](#deviations)", "list of [deviations](#deviations)") },
        ];
      },
    ),
  );
}

function isShort(value: unknown): boolean {
  return stringify(value, { collectionStyle: "flow", lineWidth: 0 }).length <= 80;
}

function lessonExample(name: string): string[] {
  const example = exampleIn(lessonValues(), name);
  return example === undefined ? [] : [fenced("yaml", example)];
}

function expectWords(schema: FileSchema): string {
  const page = filePage(schema);
  const items = schema.properties?.expect?.items ?? {};
  const match = lessonValues()
    .flatMap(({ expect = [] }) => expect as unknown[])
    .find((each) => typeof each === "object");
  const keys = shapesOf(items, page).flatMap((shape) => keysOf(shape, page));
  return [
    "Each line has an instant, from the start, and the type of an event. All events are there, in order. A line with braces also compares fields, or says how a delivery went.",
    fenced(
      "yaml",
      stringify({
        expect: ["PT0S call.started", "PT6S call.answered", ...(match === undefined ? [] : [match])],
      }),
    ),
    keyTable(keys.filter(firstOfName()), page, () => undefined),
  ].join("\n\n");
}

function firstOfName(): (key: { readonly path: string }) => boolean {
  const seen = new Set<string>();
  return ({ path }) => !seen.has(path) && seen.add(path).has(path);
}

/** `docs/reference/steps.md`: every step with its keys. */
export function stepsPage(): string {
  const schema = scenarioFileSchema();
  const page = filePage(schema);
  const when = ["at", "on", "of", "nth", "plus"].map((name) => ({
    path: name,
    name,
    schema: schema.$defs[`when.${name}`] ?? {},
    isRequired: false,
    isOfForm: false,
  }));
  const names = Object.keys(commandOfStep).sort();
  return [
    banner("scenarios/scenario.schema.json"),
    "# Steps",
    "What a scenario's `steps` may do. A step has one of these names, its keys, and when it is played. `sim` has a method for each, and `sim.command(name, keys)` takes the same.",
    names.map((name) => `[\`${name}\`](#${name.toLowerCase()})`).join(" · "),
    "## When a step is played",
    fenced(
      "yaml",
      stringify(
        {
          steps: [
            { at: "PT6S", answer: { call: "a", by: "alice" } },
            { on: "call.ended", of: "a", plus: "PT2S", inbound: { from: "+6421555001", to: "+6495550100" } },
          ],
        },
        { lineWidth: 0, flowCollectionPadding: true },
      ),
    ),
    keyTable(when, page, () => undefined),
    ...names.map((name) => stepSection(name, schema)),
    "",
  ].join("\n\n");
}

function stepSection(name: string, schema: FileSchema): string {
  const command = (commandOfStep as Readonly<Record<string, CommandName>>)[name] as CommandName;
  const page = filePage(schema);
  if (name !== command) return `## ${name}\n\nThe same as [\`${command}\`](#${command.toLowerCase()}).`;
  const args = schema.$defs[command] ?? {};
  const events = eventsByCommands([command]);
  const example = lessonValues()
    .flatMap(({ steps = [] }) => steps as Values[])
    .find((step) => step[name] !== undefined);
  const keys = keysOf(args, page);
  return [
    `## ${name}`,
    commandSentence(command),
    ...(example === undefined
      ? []
      : [fenced("yaml", `- ${stringify(example, { collectionStyle: "flow", lineWidth: 0 }).trim()}`)]),
    ...(keys.length === 0 ? [] : [keyTable(keys, page, () => undefined)]),
    ...(events.length === 0 ? [] : [`Leads to ${events.map(eventLink).join(", ")}.`]),
  ].join("\n\n");
}
