import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TreeCopy } from "../tree-copy.ts";

/**
 * A resource that is added to a copy of the tree by the table of docs/architecture.md alone: a folder with its record, its
 * event, its operation and a command, its part with a table and a duration, and a line in each of three lists. Everything
 * else must follow.
 */

const files: Readonly<Record<string, string>> = {
  "record.ts": `import { record, textField } from "../../records/fields.ts";

export const parcel = record({ type: "ParcelRecord", component: "Parcel" }, "A parcel at the front desk.", {
  id: textField("The parcel's id."),
  userId: textField("Whom it is for."),
});
`,
  "events.ts": `import { eventDataSchema, one } from "../../records/fields.ts";
import { defineEvents } from "../base/define-events.ts";
import { step } from "../base/shortest.ts";
import { user } from "../directory/record.ts";

export const parcelEvents = defineEvents({
  "parcel.arrived": {
    data: eventDataSchema("A parcel arrives.", { user: one(user, "Whom it is for.") }),
    page: "contacts",
    settings: [],
    instant: undefined,
    laws: [],
    shortest: { title: "A parcel arrives", steps: [step("receiveParcel", "PT0S", { user: "alice" })] },
  },
});
`,
  "commands/receive-parcel.ts": `import { object, text } from "../../../foundation/input-schemas.ts";
import type { CoreServices } from "../../base/core-services.ts";
import { theUser } from "../../declare/description.ts";
import type { Directory } from "../../directory/directory.ts";
import { defineCommand } from "../../guards/define-command.ts";

interface Needs extends CoreServices {
  readonly directory: Directory;
}

export const receiveParcel = defineCommand({
  about: "a parcel arrives for a user",
  schema: object({
    /** Whom it is for, by id or e-mail address. */
    user: text(),
  }),
  actor: theUser,
  describe: () => "gets a parcel",
  run({ directory, tables, settings }: Needs, { user }) {
    if (settings.timing.parcelKept === 0) return;
    tables.parcels.insert({ id: "parcel-1", userId: directory.user(user).id });
  },
  example: () => ({ user: "alice" }),
});
`,
  "operations.ts": `import type { CoreServices } from "../base/core-services.ts";
import { okPage, operationsWith, type Tag } from "../declare/operation.ts";
import { singlePage } from "../declare/paging.ts";
import { defineList } from "../declare/wire-schemas.ts";
import { parcel } from "./record.ts";

const operation = operationsWith<CoreServices>();
const tag: Tag = { name: "Parcels", description: "What is at the front desk" };

export const parcelOperations = [
  operation({
    method: "get",
    path: "/parcels",
    id: "listParcels",
    tag,
    summary: "List parcels",
    description: "Every parcel at the front desk.",
    answers: { 200: defineList("parcels", parcel) },
    handle: ({ platform }) => okPage("parcels", singlePage([...platform.tables.parcels])),
  }),
];
`,
};

const part = `import type { ParcelRecord } from "../../generated/records.ts";
import { Table } from "../../records/table.ts";
import { definePart } from "./define-part.ts";

export const parcelsPart = definePart({
  tables: { parcels: () => new Table<ParcelRecord>() },
  tasks: { "parcel: sent back": { subject: "the parcel", verb: "is sent back" } },
  timing: {
    /** How long a parcel is kept. */
    parcelKept: 86_400_000,
  },
});
`;

let copy: TreeCopy;
beforeAll(() => {
  copy = new TreeCopy();
  const platform = join(copy.root, "src/core/platform");
  mkdirSync(join(platform, "parcels/commands"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(platform, "parcels", name), text);
  writeFileSync(join(platform, "parts/parcels.ts"), part);
  const list = (name: string, imports: string, before: string, line: string) => {
    const path = join(platform, name);
    const text = readFileSync(path, "utf8");
    expect(text).toContain(before);
    writeFileSync(path, `${imports}\n${text.replace(before, `${line}${before}`)}`);
  };
  const resource =
    'import { parcelEvents } from "../parcels/events.ts";\nimport { parcelOperations } from "../parcels/operations.ts";';
  const line = "  parcels: { events: parcelEvents, operations: parcelOperations },\n";
  list("catalogue/resources.ts", resource, "} as const satisfies", line);
  list("parts/parts.ts", 'import { parcelsPart } from "./parcels.ts";', "  restPart,\n]", "  parcelsPart,\n");
  const command = 'import { receiveParcel } from "../parcels/commands/receive-parcel.ts";';
  list("catalogue/commands.ts", command, "} as const satisfies", "  receiveParcel,\n");
});
afterAll(() => copy.remove());

test.skipIf(process.env.RUNS === undefined)(
  "A resource that is added by the table of the architecture compiles, and documents list it",
  { timeout: 900_000 },
  async () => {
    const generated = await copy.run("docs/generate/main.ts", "src/core/generated");
    expect(generated.err + generated.out).toContain("src/core/generated/records.ts");
    const read = (path: string) => readFileSync(join(copy.root, path), "utf8");
    expect(read("src/core/generated/records.ts")).toContain('"parcel.arrived"');
    expect(read("src/core/generated/wire.ts")).toContain('listParcels: List<"parcels", ParcelRecord>');
    const api = await copy.run("docs/generate/make-api-types.ts");
    expect(api.err).toBe("");
    const types = await copy.run("node_modules/typescript-native/bin/tsc", "--noEmit", "-p", ".");
    expect(types.out + types.err).toBe("");
  },
);
