import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { parseScenario, runScenario } from "../../../src/index.ts";

/** A part of the schema of scenario files. */
interface Schema {
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
}

const path = new URL("../../../scenarios/scenario.schema.json", import.meta.url);
const root = JSON.parse(readFileSync(path, "utf8")) as Schema & {
  readonly $defs: Readonly<Record<string, Schema>>;
};

const organisation = {
  id: "clinic",
  features: {},
  numbers: [
    { number: "+6495550200", owner: "front" },
    { number: "+6495550101", owner: "mia", sms: true },
  ],
  users: [
    {
      id: "mia",
      displayName: "Mia Kaur",
      email: "mia@clinic.test",
      extension: "101",
      endpoints: [{ id: "a", type: "mobile" }],
    },
    { id: "tom", displayName: "Tom Ash", email: "tom@clinic.test", extension: "102" },
  ],
  teams: [
    {
      id: "front",
      displayName: "Front desk",
      extension: "200",
      unanswered: { voicemail: true },
      members: [{ user: "mia" }, { user: "tom" }],
    },
  ],
  devices: [{ id: "door", displayName: "Door", extension: "300" }],
  phonebooks: [{ id: "patients" }],
  trunks: [{ id: "lab", name: "Lab", users: [{ id: "kim", displayName: "Kim Roy", extension: "400" }] }],
  webhooks: [{ url: "https://clinic.test/hooks", events: ["*"] }],
};

const scenario = {
  scenario: "a call to a team, and one that nobody answers",
  organisation,
  timing: {},
  assume: {},
  network: {},
  dialect: { directoryTypes: {} },
  webhooks: {},
  urls: {},
  steps: [
    { at: "PT0S", inbound: { as: "a", from: "+6421555001", to: "+6495550200" } },
    { at: "PT5S", answer: { call: "a", by: "mia" } },
    { at: "PT20S", transfer: { call: "a", by: "mia", target: "tom" } },
    { at: "PT40S", hangup: { call: "a", by: "caller" } },
    { on: "call.ended", inbound: { as: "b", from: "+6421555002", to: "+6495550200" } },
    { on: "call.not_answered", of: "b", plus: "PT10S", leaveVoicemail: { call: "b", duration: "PT20S" } },
    { at: "PT6M", sendMessage: { from: "mia", to: "+6421555001", body: "See you." } },
  ],
};

/** A value with each missing key at its default, and how many there were. */
function fill(
  schema: Schema,
  value: unknown,
): { readonly value: unknown; readonly filled: readonly string[] } {
  const shapes = shapesOf(schema);
  if (Array.isArray(value)) {
    const items = value.map((item) =>
      fill(shapes.find(({ items }) => items !== undefined)?.items ?? {}, item),
    );
    return { value: items.map((item) => item.value), filled: items.flatMap(({ filled }) => filled) };
  }
  if (typeof value !== "object" || value === null) return { value, filled: [] };
  const given = value as Readonly<Record<string, unknown>>;
  const known = shapes.find(({ properties = {} }) => Object.keys(given).every((key) => key in properties));
  if (known === undefined)
    throw new Error(`no part of the schema has all of ${Object.keys(given).join(", ")}`);
  const filled: string[] = [];
  const entries = Object.entries(known.properties ?? {}).flatMap(([key, part]): [string, unknown][] => {
    if (key in given) {
      const inside = fill(part, given[key]);
      filled.push(...inside.filled.map((each) => `${key}.${each}`));
      return [[key, inside.value]];
    }
    if (part.default === undefined) return [];
    filled.push(key);
    return [[key, part.default]];
  });
  return { value: Object.fromEntries(entries), filled };
}

function shapesOf({ $ref, anyOf = [], ...schema }: Schema): Schema[] {
  const referred = $ref === undefined ? undefined : root.$defs[$ref.replace("#/$defs/", "")];
  return [schema, ...anyOf.flatMap(shapesOf), ...(referred === undefined ? [] : shapesOf(referred))];
}

test("Each default in the schema of scenario files is what a missing key means", () => {
  const { value, filled } = fill(root, scenario);
  expect(filled).toEqual(
    expect.arrayContaining([
      "seed",
      "timing.ringTimeout",
      "assume.notAnswered",
      "organisation.timezone",
      "organisation.users.status",
      "organisation.teams.members.priority",
      "organisation.users.endpoints.registered",
      "steps.transfer.warm",
    ]),
  );
  expect(filled.length).toBeGreaterThan(60);
  const run = (text: unknown) => {
    const { simulator } = runScenario(parseScenario(stringify(text)));
    const { events, directory, network, users } = simulator;
    return {
      events: [...events],
      entries: directory.list(),
      requests: network.requests,
      users: users.list(),
    };
  };
  expect(JSON.stringify(run(value), null, 1)).toBe(JSON.stringify(run(scenario), null, 1));
});
