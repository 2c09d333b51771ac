import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { restDocument } from "../../docs/generate/reference/document.ts";
import { eventGroups } from "../../docs/generate/reference/event-groups.ts";
import { scenarioFileSchema } from "../../docs/generate/reference/keys.ts";
import { smallestOrganisation } from "../../docs/generate/reference/organisation.ts";
import { restFiles } from "../../docs/generate/reference/rest-files.ts";
import { eventTypes } from "../../src/core/platform/declare/events.ts";
import { commandOfStep } from "../../src/core/scenario/schema.ts";
import { createSimulator } from "../../src/index.ts";

/** The pages of `docs/reference`, as `npm run generate` wrote them; `test/generated-pages.ts` says whether they are new. */
const page = (name: string) =>
  readFileSync(new URL(`../../docs/reference/${name}.md`, import.meta.url), "utf8");

/** The part of a page below a heading of this level, up to the next. */
function sectionOf(text: string, title: string, level = 2): string {
  const marks = "#".repeat(level);
  const start = text.indexOf(`\n${marks} ${title}\n`);
  expect(start, title).toBeGreaterThan(-1);
  const rest = text.slice(start + 1);
  const end = rest.search(new RegExp(`\\n#{1,${level}} `));
  return end < 0 ? rest : rest.slice(0, end);
}

const document = await restDocument();
const isOld = (id: string) => id.endsWith("Deprecated");
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, operation]) =>
    method === "servers" || isOld(operation.operationId)
      ? []
      : [{ name: `${method.toUpperCase()} ${path}`, path, method: method.toUpperCase(), operation }],
  ),
);

describe("The reference of the REST API", () => {
  test.each(operations)(
    "shows $name with parameters, request, answer, errors and events",
    ({ path, method, operation }) => {
      const text = page(`rest-${restFiles[operation.tags[0] ?? ""]}`);
      const section = sectionOf(text, operation.summary);
      expect(section).toContain(`**${method}** \`${path}\``);
      for (const { name, description } of operation.parameters ?? [])
        expect(sectionOf(section, name, 3)).toContain(description);
      expect(section).toContain("```bash\ncurl ");
      expect(section).toContain("await sim.fetch(");
      expect(section).toContain("**Answer 20");
      expect(section).toContain("| status | when | ask again? |");
      for (const type of operation["x-events"] ?? []) expect(section).toContain(`[\`${type}\`](`);
    },
  );

  test("says of `modified` what it is, below a heading of its own", () => {
    const section = sectionOf(page("rest-calls"), "modified", 3);
    expect(section).toContain("Only calls that were created or modified at this instant or later");
  });
});

describe("The reference of events", () => {
  test("has every event on one page", () => {
    expect(eventGroups.flatMap(({ types }) => types).toSorted()).toEqual([...eventTypes].sort());
  });

  test.each(eventGroups.flatMap(({ file, types }) => types.map((type) => [type, file] as const)))(
    "shows what %s means, what brings it about, what follows, and a whole body",
    (type, file) => {
      const section = sectionOf(page(file), type);
      const { summary, requestBody } = document.webhooks[type]?.post ?? {};
      expect(section).toContain(`${summary}.`);
      for (const title of ["Sent", "Brought about by", "What follows"])
        expect(section).toContain(`<p class="label">${title}</p>`);
      expect(section).toMatch(/\| \d+ of \d+/);
      const [, body = ""] = /```json fold\n([\s\S]*?)\n```/.exec(section) ?? [];
      expect(JSON.parse(body)).toEqual(requestBody?.content?.["application/json"]?.example);
      expect(section).toContain(`type: "${type}";`);
    },
  );
});

describe("The reference of files", () => {
  test("begins with an organisation that works", () => {
    const text = page("organisation");
    expect(text).toContain(smallestOrganisation);
    expect(text.indexOf(smallestOrganisation)).toBeLessThan(text.indexOf("## Three rules"));
    const sim = createSimulator({ organisation: parse(smallestOrganisation) });
    const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550200" });
    call.answer("mia");
    expect(call.record.answeredAt).not.toBeNull();
  });

  test("has every key of an organisation, of a scenario and of its steps", () => {
    const { properties = {} } = scenarioFileSchema();
    const organisation = properties.organisation?.anyOf?.find((shape) => shape.properties !== undefined);
    const texts = [page("organisation"), page("scenario"), page("steps")] as const;
    const isThere = (text: string, name: string) =>
      text.includes(`| \`${name}\` |`) ||
      text.includes(`| \`${name}[]\` |`) ||
      text.includes(`\n## ${name}\n`);
    const missing = [
      ...Object.keys(organisation?.properties ?? {}).filter((name) => !isThere(texts[0], name)),
      ...Object.keys(properties).filter((name) => !isThere(texts[1], name)),
      ...Object.keys(commandOfStep).filter((name) => !isThere(texts[2], name)),
    ];
    expect(missing).toEqual([]);
    expect(sectionOf(texts[0], "users")).toContain("| `workingHours.monday … sunday[]` |");
    expect(sectionOf(texts[0], "teams")).toContain("| `members[].priority` | whole number, 1 to 100 | `1` |");
  });
});
