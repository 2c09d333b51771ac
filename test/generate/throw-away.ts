import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * A part of the platform that tests add to a copy of the tree by the table of docs/architecture.md alone: parcels, with a
 * machine, a table, a duration, a service, a record, an event, a command, an operation and `sim.parcels`, in five files.
 */

const inFolder: Readonly<Record<string, string>> = {
  "resource.ts": `import { eventDataSchema, one, record, textField } from "../../records/fields.ts";
import type { CoreServices } from "../base/core-services.ts";
import { defineEvents } from "../base/define-events.ts";
import { step } from "../base/shortest.ts";
import { okPage, operationsWith, type Tag } from "../declare/operation.ts";
import { singlePage } from "../declare/paging.ts";
import { defineList } from "../declare/wire-schemas.ts";
import { user } from "../directory/record.ts";

export const parcel = record({ type: "ParcelRecord", component: "Parcel" }, "A parcel at the front desk.", {
  id: textField("The parcel's id."),
  userId: textField("Whom it is for."),
});

export const parcelEvents = defineEvents({
  "parcel.arrived": {
    data: eventDataSchema("A parcel arrives.", { user: one(user, "Whom it is for.") }),
    page: "contacts",
    settings: [],
    instant: undefined,
    laws: [],
    shortest: { title: "A parcel arrives", steps: [step("receiveParcel", "PT0S", { user: "alice" })] },
    example(sim) {
      sim.command("receiveParcel", { user: "alice" });
      sim.advance("P1D");
    },
  },
});

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
  "commands/receive-parcel.ts": `import { object, text } from "../../../foundation/input-schemas.ts";
import { theUser } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import type { Parcels } from "../parcels.ts";

export const receiveParcel = defineCommand({
  summary: "a parcel arrives for a user",
  schema: object({
    /** Whom it is for, by id or e-mail address. */
    user: text(),
  }),
  actor: theUser,
  describe: () => "gets a parcel",
  run: ({ parcels }: { readonly parcels: Parcels }, { user }) => parcels.receive(user),
  example: () => ({ user: "alice" }),
});
`,
  "parcels.ts": `import type { ParcelRecord } from "../../generated/records.ts";
import type { CoreServices } from "../base/core-services.ts";
import { defineService } from "../declare/service.ts";
import type { Directory } from "../directory/directory.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
}

/** Parcels at the front desk. */
export class Parcels {
  constructor(private readonly services: Needs) {}

  receive(user: string): void {
    const { directory, machines, settings, tables } = this.services;
    const id = "parcel-1";
    tables.parcels.insert({ id, userId: directory.user(user).id });
    machines.start("parcel", id, { recordId: id }, { keptMs: settings.timing.parcelKept });
  }
}

export const parcels = defineService({ create: (services: Needs) => new Parcels(services) });

/** \`sim.parcels\`: what is at the front desk. */
export interface ParcelsApi {
  /**
   * Every parcel.
   * @example
   * sim.parcels.list(); // => []
   */
  list(): ParcelRecord[];
}

export function parcelsApi({ tables }: CoreServices): ParcelsApi {
  return { list: () => [...tables.parcels] };
}
`,
};

const machine = `import { emit, setup } from "xstate";

/** A parcel. */
export const parcelMachine = setup({
  types: {
    input: {} as { readonly keptMs: number },
    context: {} as { readonly keptMs: number },
    events: {} as { readonly type: "FETCH" },
    emitted: {} as { readonly type: "sentBack" },
  },
  delays: { kept: ({ context }) => context.keptMs },
}).createMachine({
  id: "parcel",
  context: ({ input }) => input,
  initial: "waiting",
  states: {
    waiting: { after: { kept: "back" }, on: { FETCH: "fetched" } },
    fetched: { type: "final" },
    back: { type: "final", entry: emit({ type: "sentBack" }) },
  },
});
`;

const part = `import { parcelMachine } from "../../../../machines/parcel.ts";
import type { ParcelRecord } from "../../generated/records.ts";
import { Table } from "../../records/table.ts";
import { belongsTo, definePart, ownMachine } from "./define-part.ts";

export const parcelsPart = definePart({
  tables: { parcels: () => new Table<ParcelRecord>() },
  machines: {
    parcel: ownMachine({
      machine: parcelMachine,
      about: belongsTo(),
      facts: "shown elsewhere",
      timers: { kept: { subject: "the parcel", verb: "is sent back" } },
    }),
  },
  timing: {
    /** How long a parcel is kept. */
    parcelKept: 86_400_000,
  },
});
`;

const platform = "src/core/platform";

/** Its files, by their paths from the root. */
const files: Readonly<Record<string, string>> = {
  "machines/parcel.ts": machine,
  [`${platform}/parts/parcels.ts`]: part,
  ...Object.fromEntries(
    Object.entries(inFolder).map(([name, text]) => [`${platform}/parcels/${name}`, text] as const),
  ),
};

/** What is written into files that stand already: a text behind another. */
const additions: readonly (readonly [path: string, behind: string, text: string])[] = [
  [
    `${platform}/reactions/reactions.ts`,
    "  ...webhookFactReactions,\n",
    '  parcel: { sentBack: [publish("parcel.arrived", (p) => ({ user: p.directory.user("alice") }))] },\n',
  ],
  [`${platform}/reactions/reactions.ts`, "  makeRaiser,\n", "  publish,\n"],
];

/** Adds the parcels to a copy of the tree. */
export function addParcels(root: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const [path, behind, text] of additions) {
    const before = readFileSync(join(root, path), "utf8");
    if (!before.includes(behind)) throw new Error(`${path} lacks ${behind}`);
    writeFileSync(join(root, path), before.replace(behind, `${behind}${text}`));
  }
}
