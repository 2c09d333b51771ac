import { banner } from "../banner.ts";
import { fenced } from "../markdown.ts";
import { exampleAt, filePage, keysOf, keyTable, scenarioFileSchema, wholeExample } from "./keys.ts";
import { meaningOf, shapesOf } from "./schema-words.ts";

/** The organisation that the page begins with. A test plays it. */
export const smallestOrganisation = `id: clinic
name: Harbour Clinic
timezone: Pacific/Auckland
numbers:
  - { number: "+6495550200", owner: front }
users:
  - { id: mia, displayName: Mia Kaur, email: mia@clinic.test, extension: "103" }
teams:
  - { id: front, displayName: Front desk, extension: "200", members: [ { user: mia } ] }
`;

const rules = [
  "## Three rules\n",
  "- **Durations have a unit:** `PT20S`, `PT1M30S`, `P1D`.",
  '- **Numbers, extensions and hours stand in quotes:** `"+6495550100"`, `"101"`, `"09:00"`. YAML would read them as numbers.',
  '- **Opening or business hours are `workingHours` of users,** in their time zone; a team has none of its own. A night shift is two spans: one to `"24:00"`, and one from `"00:00"` on the next day.',
].join("\n");

/** `docs/reference/organisation.md`: the keys of an organisation. */
export function organisationPage(): string {
  const schema = scenarioFileSchema();
  const page = filePage(schema);
  const organisation = schema.properties?.organisation ?? {};
  const [object = {}] = shapesOf(organisation, page).filter(({ properties }) => properties !== undefined);
  const all = Object.entries(object.properties ?? {});
  const keys = keysOf(object, page);
  const isSection = (name: string) =>
    keys.some(({ path }) => path.startsWith(`${name}.`) || path.startsWith(`${name}[].`));
  const plain = all.filter(([name]) => !isSection(name)).map(([name]) => name);
  const sections = all
    .filter(([name]) => isSection(name))
    .map(([name, field]) => {
      const start = new RegExp(`^${name}(\\[\\])?\\.`);
      const own = keys.filter(({ path }) => start.test(path));
      const example = wholeExample(name);
      const within = own.map((key) => ({ ...key, path: key.path.replace(start, "") }));
      return [
        `## ${name}`,
        meaningOf(field),
        ...(example === undefined ? [] : [fenced("yaml", example)]),
        keyTable(within, page, ({ path }) => exampleAt(`${name}.${path}`)),
      ].join("\n\n");
    });
  return [
    banner("scenarios/scenario.schema.json"),
    "# Organisation",
    "Who has which number, phone and team. Write it under `organisation:` in a [scenario](scenario.md), or in a file of `organisations/` beside the scenario, and name the file there: `organisation: clinic`. `createSimulator({ organisation })` takes the same keys. Only `id` is required. `npx ringback check calls.yaml` says what is wrong with a scenario and with the organisation that it names.",
    fenced("yaml", smallestOrganisation),
    rules,
    "## The organisation itself",
    keyTable(
      keys.filter(({ path }) => plain.includes(path.replace("[]", ""))),
      page,
      ({ path }) => exampleAt(path),
    ),
    ...sections,
    "",
  ].join("\n\n");
}
