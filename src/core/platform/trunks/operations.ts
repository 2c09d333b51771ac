import * as v from "valibot";
import { either, object, text } from "../../foundation/input-schemas.ts";
import type { TrunkKind } from "../../records/trunk.ts";
import type { CommandInput, CoreServices } from "../base/core-services.ts";
import { created, done, type Operation, ok, okPage, operationsWith, type Tag } from "../declare/operation.ts";
import { listPage, pagingQuery } from "../declare/paging.ts";
import { defineBody, defineList, nothing, takingBack } from "../declare/wire-schemas.ts";
import { trunk, trunkEntries as trunkEntrySchemas, userReference } from "../directory/record.ts";
import { trunkEntryFields } from "../organisation/schema.ts";
import type { Trunks } from "./trunks.ts";

export interface Needs extends CoreServices {
  readonly trunks: Trunks;
}

const operation = operationsWith<Needs>();

const tag: Tag = {
  name: "Trunks",
  description: "Entries of trunks to other phone systems, with PBX augmentation",
};
const params: Operation<Needs>["params"] = {
  trunkId: { description: "The trunk's id.", example: "warehouse-pbx" },
};

/** Without PBX augmentation every trunk operation answers 403. */
function guard(platform: Needs): void {
  platform.trunks.list();
}

const withId = {
  /** The entry's id, unique in the directory. @default one is made */
  id: v.optional(text()),
};
const trunkBodies = {
  device: defineBody("NewTrunkDevice", object({ ...withId, ...trunkEntryFields.device })),
  queue: defineBody("NewTrunkQueue", object({ ...withId, ...trunkEntryFields.queue })),
  user: defineBody("NewTrunkUser", object({ ...withId, ...trunkEntryFields.user })),
} satisfies Record<TrunkKind, v.GenericSchema>;

const userId = {
  /** The user's id. */
  id: text(),
};

/** A user of the service: named by whoever writes a body, or as `GET` answers them. */
const serviceUser = v.pipe(
  either(
    [text(), takingBack(userId, userReference)],
    "expected a user's id or e-mail address, or the user as GET answers them",
  ),
  v.transform((given) => (typeof given === "string" ? given : given.id)),
);

const trunkUserChanges = {
  ...v.partial(v.object(trunkEntryFields.user)).entries,
  /**
   * The user of the service whom they are associated with, by id or e-mail address, or as `GET` answers them; null if
   * none.
   */
  user: v.optional(v.nullable(serviceUser)),
};

const trunkChanges = {
  device: defineBody(
    "TrunkDeviceChanges",
    takingBack(v.partial(v.object(trunkEntryFields.device)).entries, trunkEntrySchemas.device),
  ),
  queue: defineBody(
    "TrunkQueueChanges",
    takingBack(v.partial(v.object(trunkEntryFields.queue)).entries, trunkEntrySchemas.queue),
  ),
  user: defineBody("TrunkUserChanges", takingBack(trunkUserChanges, trunkEntrySchemas.user)),
} satisfies Record<TrunkKind, v.GenericSchema>;

const names = { device: "trunkDevices", queue: "trunkQueues", user: "trunkUsers" } as const;
const examples = {
  device: { displayName: "Loading dock", extension: "6101", model: "T46", product: "Yealink" },
  queue: { displayName: "Dispatch", extension: "6201", description: "The old dispatch queue" },
  user: {
    displayName: "Wiremu Cole",
    extension: "6301",
    user: "carol@acme.test",
    phoneNumbers: ["+6495550190"],
  },
} as const;

export const trunkOperations = [
  operation({
    method: "get",
    path: "/trunks",
    id: "listTrunks",
    tag,
    summary: "List trunks",
    description:
      "The SIP trunks to other phone systems. They are made in the account portal, and only with the PBX feature.",
    query: pagingQuery,
    guard,
    answers: { 200: defineList("trunks", trunk) },
    handle: (request) => okPage("trunks", listPage(request, request.platform.tables.trunks)),
  }),
  ...entryOperations("device"),
  ...entryOperations("queue"),
  ...entryOperations("user"),
];

function entryOperations<const K extends TrunkKind>(kind: K) {
  return [...readOperations(kind), ...writeOperations(kind)];
}

/** What the operations of each kind of entry have in common. */
function partsOf<const K extends TrunkKind>(kind: K) {
  const name = names[kind];
  return {
    name,
    title: `Trunk${kind[0]?.toUpperCase()}${kind.slice(1)}` as `Trunk${Capitalize<K>}`,
    collection: `/trunks/{trunkId}/${name}`,
    entryParams: { ...params, id: { description: "The entry's id.", example: `${kind}-1` } },
    schema: trunkEntrySchemas[kind] as v.GenericSchema,
    get: (platform: Needs, { trunkId = "", id = "" }: Readonly<Record<string, string>>) =>
      platform.trunks.entry(trunkId, kind, id),
  };
}

function readOperations<const K extends TrunkKind>(kind: K) {
  const { name, title, collection, entryParams, schema, get } = partsOf(kind);
  return [
    operation({
      method: "get",
      path: collection,
      id: `list${title}s`,
      tag,
      summary: `List the ${kind}s of a trunk`,
      description: "Page by page, in the order in which they were added.",
      params,
      query: pagingQuery,
      guard,
      answers: { 200: defineList(name, schema) },
      handle(request) {
        const { id } = request.platform.trunks.get(request.params.trunkId ?? "");
        const isListed = (entry: { readonly trunkId: string }) => entry.trunkId === id;
        return okPage(name, listPage(request, request.platform.tables.trunkEntries[kind], { isListed }));
      },
    }),
    operation({
      method: "get",
      path: `${collection}/{id}`,
      id: `get${title}`,
      tag,
      summary: `Read a ${kind} of a trunk`,
      description: "With the `vendorRedirectUrl` that connects a call to it.",
      params: entryParams,
      guard,
      answers: { 200: schema },
      handle: (request) => ok(get(request.platform, request.params)),
    }),
  ];
}

function writeOperations<const K extends TrunkKind>(kind: K) {
  const { title, collection, entryParams, schema, get } = partsOf(kind);
  return [
    operation({
      method: "post",
      path: collection,
      id: `create${title}`,
      tag,
      summary: `Add a ${kind} to a trunk`,
      description: "Its extension must be nobody else's.",
      params,
      guard,
      body: trunkBodies[kind],
      commands: ["addTrunkEntry"],
      errors: [409],
      answers: { 201: schema },
      example: { body: examples[kind] },
      handle({ platform, params: { trunkId = "" }, body }) {
        const args = { ...(body as object), trunk: trunkId, kind } as CommandInput<"addTrunkEntry">;
        const id = platform.runValidated("addTrunkEntry", args);
        return created(get(platform, { trunkId, id }));
      },
    }),
    operation({
      method: "put",
      path: `${collection}/{id}`,
      id: `update${title}`,
      tag,
      summary: `Change a ${kind} of a trunk`,
      description: "What is left out stays as it is.",
      params: entryParams,
      guard,
      body: trunkChanges[kind],
      commands: ["updateTrunkEntry"],
      errors: [409],
      answers: { 200: schema },
      example: { body: { displayName: "Renamed" } },
      handle({ platform, params: given, body }) {
        const { trunkId = "", id = "" } = given;
        const args = {
          ...(body as object),
          trunk: trunkId,
          kind,
          id,
        } as CommandInput<"updateTrunkEntry">;
        platform.runValidated("updateTrunkEntry", args);
        return ok(get(platform, given));
      },
    }),
    operation({
      method: "delete",
      path: `${collection}/{id}`,
      id: `delete${title}`,
      tag,
      summary: `Remove a ${kind} from a trunk`,
      description: "A call that rings or talks there goes on.",
      params: entryParams,
      guard,
      commands: ["removeTrunkEntry"],
      errors: [409],
      answers: { 200: nothing },
      handle({ platform, params: { trunkId = "", id = "" } }) {
        platform.command("removeTrunkEntry", { trunk: trunkId, kind, id });
        return done;
      },
    }),
  ];
}
