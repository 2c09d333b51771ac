import { notFound } from "../../foundation/errors.ts";
import type { UserRecord } from "../../records/directory.ts";
import type { CoreServices } from "../base/core-services.ts";
import { ok, okPage, operationsWith, type PathParameter, type Tag } from "../declare/operation.ts";
import { singlePage } from "../declare/paging.ts";
import { queryEmail, queryFlag, queryNumber, queryText } from "../declare/query.ts";
import { defineList } from "../declare/wire-schemas.ts";
import type { Directory } from "./directory.ts";
import { directoryApi, isInDirectory } from "./listing.ts";
import { directoryEntry, user } from "./record.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
}

const operation = operationsWith<Needs>();

const tag: Tag = { name: "Directory", description: "Users, teams, devices and the entries of trunks" };

export const userParameter: PathParameter<CoreServices> = {
  description: "The user's id.",
  example: "alice",
  candidates: ({ tables }) => tables.users,
};

/**
 * The user of a path. Methods of the simulator take an e-mail address too, and may take a device.
 * @throws {CommandError} `not_found`
 */
export function userById({ tables }: Pick<CoreServices, "tables">, id: string): UserRecord {
  const user = tables.users.get(id);
  if (user === undefined) throw notFound("user", id, tables.users);
  return user;
}

export const directoryOperations = [
  operation({
    method: "get",
    path: "/users",
    id: "listUsers",
    tag,
    summary: "List users, or find one by e-mail address",
    description: "Every user of the organisation, suspended and invited ones too. `email` finds one.",
    query: {
      email: queryEmail("Only the user with this e-mail address, in whatever case."),
    },
    answers: { 200: defineList("users", user) },
    example: { query: { email: "alice@acme.test" } },
    handle(request) {
      const email = request.query.email?.toLowerCase();
      const isListed = (user: { readonly email: string }) =>
        email === undefined || user.email.toLowerCase() === email;
      return okPage("users", singlePage([...request.platform.tables.users].filter(isListed)));
    },
  }),
  operation({
    method: "get",
    path: "/users/{id}",
    id: "getUser",
    tag,
    summary: "Read a user",
    description: "The user with their present availability, location, teams and phone numbers.",
    params: { id: userParameter },
    answers: { 200: user },
    handle: ({ platform, params: { id = "" } }) => ok(userById(platform, id)),
  }),
  operation({
    method: "get",
    path: "/directory",
    id: "listDirectory",
    tag,
    summary: "List the entries of the directory",
    description: "Users, teams, devices and, with PBX augmentation, the devices, queues and users of trunks.",
    query: {
      extension: queryText("Only the entry with this extension."),
      ivrKey: queryText("Only entries with this key."),
      phoneNumber: queryNumber("Only entries with this number, in E.164; a plus is written %2B in a query."),
      includeSuspendedUsers: queryFlag("Suspended users too."),
      includeHiddenCallGroups: queryFlag("Hidden teams too."),
    },
    answers: { 200: defineList("entries", directoryEntry) },
    example: { query: { includeHiddenCallGroups: true } },
    handle({ platform, query }) {
      const entries = platform.directory.entries().filter((entry) => isInDirectory(entry, query));
      return okPage("entries", singlePage(entries.map(({ record }) => record)));
    },
  }),
  operation({
    method: "get",
    path: "/directory/{entryId}",
    id: "getDirectoryEntry",
    tag,
    summary: "Read an entry of the directory",
    description:
      "A user, a team, a device or an entry of a trunk, with the `vendorRedirectUrl` that connects a call to it.",
    params: {
      entryId: {
        description: "The entry's id.",
        example: "sales",
        candidates: (platform) => directoryApi(platform).list(),
      },
    },
    answers: { 200: directoryEntry },
    handle: ({ platform, params }) => ok(directoryApi(platform).get(params.entryId as string)),
  }),
];
