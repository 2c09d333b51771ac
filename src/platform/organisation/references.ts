import { InputError, joinPath, type Keys, namesOf, type Problem } from "../../engine/errors.ts";
import { defaultEndpoints, type Organisation } from "./schema.ts";

interface Named {
  readonly path: Keys;
  readonly value: string;
}

/**
 * Checks what a schema cannot: ids, extensions, e-mail addresses and numbers are unique, and every reference leads to
 * something.
 * @throws {InputError} listing every problem with its path
 */
export function checkReferences(organisation: Organisation, root: Keys): void {
  const problems: Problem[] = [];
  const report = (path: Keys, message: string, choices?: readonly string[]) =>
    problems.push({ keys: [...root, ...path], message, ...(choices === undefined ? {} : { choices }) });

  for (const kind of uniqueNames(organisation)) {
    const seen = new Map<string, Keys>();
    for (const { path, value } of kind) {
      const key = value.toLowerCase();
      const first = seen.get(key);
      if (first === undefined) seen.set(key, path);
      else report(path, `duplicate of ${joinPath(first.slice(0, -1))} (${JSON.stringify(value)})`);
    }
  }
  for (const { path, value, among, what } of references(organisation)) {
    if (!among.has(value)) {
      const known = among.names;
      report(path, `no ${what} has the id ${JSON.stringify(value)}; known: ${namesOf(known)}`, known);
    }
  }
  const [first, ...more] = problems;
  if (first !== undefined) throw new InputError(first.keys, first.message, more, first);
}

/** Lists of names that must each be unique. */
function uniqueNames(organisation: Organisation): Named[][] {
  const {
    users = [],
    teams = [],
    devices = [],
    numbers = [],
    locations = [],
    phonebooks = [],
    trunks = [],
  } = organisation;
  const named = (list: string, key: string, items: readonly object[], under: Keys = []): Named[] =>
    items.flatMap((item, index) => {
      const value = (item as Record<string, unknown>)[key];
      return typeof value === "string" ? [{ path: [...under, list, index, key], value }] : [];
    });
  const trunkItems = (key: string) =>
    trunks.flatMap((trunk, index) =>
      (["devices", "queues", "users"] as const).flatMap((list) =>
        named(list, key, trunk[list] ?? [], ["trunks", index]),
      ),
    );
  const entries = (key: string) => [
    ...named("users", key, users),
    ...named("teams", key, teams),
    ...named("devices", key, devices),
    ...trunkItems(key),
  ];
  return [
    entries("id"),
    entries("extension"),
    named("users", "email", users),
    named("numbers", "number", numbers),
    named("locations", "id", locations),
    named("phonebooks", "id", phonebooks),
    named("trunks", "id", trunks),
    ...phonebooks.map((phonebook, index) =>
      named("contacts", "id", phonebook.contacts ?? [], ["phonebooks", index]),
    ),
    ...users.map((user, index) =>
      (user.endpoints ?? []).map((endpoint, at) => ({
        path: ["users", index, "endpoints", at, "id"],
        value: typeof endpoint === "string" ? endpoint : endpoint.id,
      })),
    ),
    ...teams.map((team, index) =>
      (team.members ?? []).map((member, at) => ({
        path: ["teams", index, "members", at, "user" in member ? "user" : "device"],
        value: "user" in member ? member.user : member.device,
      })),
    ),
  ];
}

/** Names that a reference may have, in their order. */
class Names {
  private readonly set: ReadonlySet<string>;

  constructor(readonly names: readonly string[]) {
    this.set = new Set(names);
  }

  has(name: string): boolean {
    return this.set.has(name);
  }
}

interface Reference extends Named {
  readonly among: Names;
  readonly what: string;
}

function references(organisation: Organisation): Reference[] {
  const {
    users = [],
    teams = [],
    devices = [],
    numbers = [],
    locations = [],
    phonebooks = [],
    trunks = [],
    webhooks = [],
  } = organisation;
  const ids = (items: readonly { id: string }[]) => new Names(items.map((item) => item.id));
  const user = { among: ids(users), what: "user" };
  const device = { among: ids(devices), what: "device" };
  const team = { among: ids(teams), what: "team" };
  const location = { among: ids(locations), what: "location" };
  const owner = {
    among: new Names([...user.among.names, ...team.among.names, ...device.among.names]),
    what: "user, team or device",
  };
  const emails = { among: new Names(users.map((each) => each.email.toLowerCase())), what: "user" };

  return [
    ...numbers.map((number, at) => ({ path: ["numbers", at, "owner"], value: number.owner, ...owner })),
    ...users.flatMap((each, at) => [
      ...(each.manager === undefined
        ? []
        : [{ path: ["users", at, "manager"], value: each.manager, ...user }]),
      ...(each.location === undefined
        ? []
        : [{ path: ["users", at, "location"], value: each.location, ...location }]),
    ]),
    ...users.flatMap(({ behaviour, endpoints = [...defaultEndpoints] }, at) => {
      const answer = behaviour?.answer;
      if (answer === undefined || answer === "never" || answer.endpoint === undefined) return [];
      const among = new Names(
        endpoints.map((endpoint) => (typeof endpoint === "string" ? endpoint : endpoint.id)),
      );
      const path = ["users", at, "behaviour", "answer", "endpoint"];
      return [{ path, value: answer.endpoint, among, what: "endpoint of theirs" }];
    }),
    ...teams.flatMap((each, at) => [
      ...(each.members ?? []).map((member, index) =>
        "user" in member
          ? { path: ["teams", at, "members", index, "user"], value: member.user, ...user }
          : { path: ["teams", at, "members", index, "device"], value: member.device, ...device },
      ),
      ...(each.unanswered !== undefined && "team" in each.unanswered
        ? [{ path: ["teams", at, "unanswered", "team"], value: each.unanswered.team, ...team }]
        : []),
    ]),
    ...webhooks.flatMap(({ createdBy }, at) =>
      createdBy === undefined ? [] : [{ path: ["webhooks", at, "createdBy"], value: createdBy, ...user }],
    ),
    ...phonebooks.flatMap((each, at) =>
      each.id.includes("@")
        ? [{ path: ["phonebooks", at, "id"], value: each.id.toLowerCase(), ...emails }]
        : [],
    ),
    ...trunks.flatMap((trunk, at) =>
      (trunk.users ?? []).flatMap((each, index) =>
        each.user == null
          ? []
          : [{ path: ["trunks", at, "users", index, "user"], value: each.user, ...user }],
      ),
    ),
  ];
}
