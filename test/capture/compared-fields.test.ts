import { expect, test } from "vitest";
import { BodyMatcher, compared, isNotCompared, notCompared } from "../../src/capture/judge/compare.ts";
import { eventData } from "../../src/core/platform/catalogue/events.ts";
import { expectNone } from "../lists.ts";

/** The parts of a schema that lead to its fields. */
interface Schema {
  readonly pipe?: readonly [Schema, ...unknown[]];
  readonly wrapped?: Schema;
  getter?(): Schema;
  readonly options?: readonly (Schema | string)[];
  readonly item?: Schema;
  readonly entries?: Readonly<Record<string, Schema>>;
}
type Compared = string | { readonly [name: string]: unknown };

/** Whether only its presence is compared: the default for what events carry. */
const isByPresence = (record: string, name: string) => record === "data" && !isNotCompared(name);

/** A field in a record of events. */
interface Field {
  readonly record: string;
  readonly name: string;
  readonly isCompared: boolean;
}

/** The fields of a schema, and of what is compared in them. */
function* fieldsIn(schema: Schema, how: Compared, record: string): Iterable<Field> {
  const inside = schema.pipe?.[0] ?? schema.wrapped ?? schema.getter?.() ?? schema.item;
  if (inside !== undefined) {
    const isList = schema.item !== undefined && typeof how !== "string" && "list" in how;
    yield* fieldsIn(inside, isList ? (how.list as Compared) : how, record);
  }
  for (const option of schema.options ?? [])
    if (typeof option !== "string") yield* fieldsIn(option, how, record);
  if (typeof how === "string") return;
  for (const [name, field] of Object.entries(schema.entries ?? {})) {
    const own = how[name];
    yield { record, name, isCompared: own !== undefined || isByPresence(record, name) };
    if (own !== undefined) yield* fieldsIn(field, own as Compared, name);
  }
}

const fields = Object.values(eventData).flatMap((schema) => [
  ...fieldsIn(schema as unknown as Schema, compared, "data"),
]);
const names = new Set(fields.flatMap(({ name, isCompared }) => (isCompared ? [name] : [])));
const listed = Object.values(notCompared).flat();

test("Each field of each event is compared with a capture's, or in a list with the reason why not", () => {
  const forgotten = fields.filter(
    ({ record, name, isCompared }) =>
      !isCompared && !listed.includes(`${record}.${name}`) && (names.has(name) || !listed.includes(name)),
  );
  expectNone(
    [...new Set(forgotten.map(({ record, name }) => `${record}.${name}`))].map(
      (each) => `${each}: compare it in src/capture/judge/compare.ts, or say in \`notCompared\` why not`,
    ),
  );
});

test("Everything that is listed as not compared is a field that is not", () => {
  const left = new Set(
    fields.flatMap(({ record, name, isCompared }) => (isCompared ? [] : [name, `${record}.${name}`])),
  );
  expect(listed.filter((name) => !left.has(name))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
});

test("A record of which neither list knows is compared by whether it is null or empty", () => {
  const matcher = new BodyMatcher(0);
  expect(matcher.compare({ parcel: { id: "a" } }, { parcel: { id: "b" } })).toEqual([]);
  expect(matcher.compare({ parcel: null }, { parcel: { id: "b" } })).toMatchObject([{ path: "parcel" }]);
  // a name that is not compared in a user is compared in an event
  expect(matcher.compare({ location: null }, { location: { id: "b" } })).toMatchObject([
    { path: "location" },
  ]);
});
