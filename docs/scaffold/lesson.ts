import { readdirSync } from "node:fs";
import { join } from "node:path";
import { check, type Kind, pascal, spoken, toSay } from "./addition.ts";
import { Refused } from "./tree.ts";

const TEXTS = "docs/generate/lesson-texts.ts";
const EXERCISES = "scenarios/exercises.json";

/** A lesson: a scenario that plays, with the next number, and its question. */
export const lesson: Kind = {
  usage: "<name>",
  about: "a lesson, such as `a-parked-call`",
  add(tree, given) {
    const name = check("lesson", given, /^[a-z]+(-[a-z]+)*$/, "a-parked-call");
    const lessons = readdirSync(join(tree.root, "scenarios")).filter((file) => file.endsWith(".yaml"));
    if (lessons.some((file) => file.replace(/^\d+-/, "") === `${name}.yaml`))
      throw new Refused(`there is a lesson ${name} already; choose another name`);
    const last = Math.max(...lessons.map((file) => Number.parseInt(file, 10)));
    const file = `scenarios/${String(last + 1).padStart(2, "0")}-${name}.yaml`;
    tree.create(
      file,
      [
        "# yaml-language-server: $schema=./scenario.schema.json",
        `scenario: ${pascal(spoken(name))}`,
        "description: >",
        `  Someone calls Alice, who answers and hangs up. ${toSay("what to notice")}.`,
        "organisation: acme",
        "seed: 1",
        "start: 2026-07-01T09:00:00Z",
        "steps:",
        '  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }',
        "  - { at: PT6S, answer: { call: c1, by: alice, endpoint: desktop } }",
        "  - { at: PT66S, hangup: { call: c1, by: alice } }",
        "expect:",
        "  - PT0S call.started",
        "  - PT6S call.answered",
        "  - PT6S user.availability.updated",
        "  - PT66S call.hungup",
        "  - PT66S user.availability.updated",
        "  - PT66S call.hungup",
        "  - PT66S call.ended",
        "",
      ].join("\n"),
    );
    tree.addToObject(
      TEXTS,
      "lessonTexts",
      name,
      `    "${name}": {\n      question: "${toSay(`what ${spoken(name)} answers`)}",\n    }`,
    );
    const exercises = tree.read(EXERCISES);
    tree.insert(
      EXERCISES,
      exercises.trimEnd().length - "\n}".length,
      `,\n  "${name}": {\n    "question": "${toSay("what a change of the steps answers")}",\n    "patch": [{ "op": "replace", "path": "/steps/1/at", "value": "PT7S" }]\n  }`,
    );
    return [
      `${file}: its title, what to notice, its steps and the stream that you expect`,
      `${TEXTS}: its question`,
      `${EXERCISES}: its exercise, a question and the patch of steps that answers it`,
      `its golden file, the whole stream: npx tsx src/cli/main.ts run ${file} --update; for the short form, create an empty ${file.replace(/yaml$/, "golden.txt")} before`,
    ];
  },
};
