import { InputError, joinPath, type Keys, namesOf, type Problem } from "../../foundation/errors.ts";
import { defaultEndpoints, type Organisation, type TeamInput, type UserInput } from "./schema.ts";

/** Names in a list of the organisation. Paths are made only for what is wrong, since there may be 10,000 users. */
interface NamedList {
  /** The names, with undefined for what has none. */
  readonly names: readonly (string | undefined)[];
  readonly path: (index: number) => Keys;
}

type Report = (path: Keys, message: string, choices?: readonly string[]) => void;

/**
 * Checks what a schema cannot: ids, extensions, e-mail addresses and numbers are unique, and every reference leads to
 * something.
 * @throws {InputError} listing every problem with its path
 */
export function checkReferences(organisation: Organisation, root: Keys): void {
  const problems: Problem[] = [];
  const report = (path: Keys, message: string, choices?: readonly string[]) =>
    problems.push({ keys: [...root, ...path], message, ...(choices === undefined ? {} : { choices }) });
  for (const lists of uniqueNames(organisation)) checkUnique(lists, report);
  checkTargets(organisation, report);
  const [first, ...more] = problems;
  if (first !== undefined) throw new InputError(first.keys, first.message, more, first);
}

/** Checks that the names in some lists differ from each other. */
function checkUnique(lists: readonly NamedList[], report: Report): void {
  const seen = new Map<string, number>();
  let place = 0;
  for (const { names, path } of lists)
    for (let index = 0; index < names.length; index++, place++) {
      const name = names[index];
      if (name === undefined) continue;
      const key = name.toLowerCase();
      const first = seen.get(key);
      if (first === undefined) seen.set(key, place);
      else {
        const other = joinPath(pathAt(lists, first).slice(0, -1));
        report(path(index), `duplicate of ${other} (${JSON.stringify(name)})`);
      }
    }
}

/** The path of a name by its place in all the lists. */
function pathAt([list, ...others]: readonly NamedList[], place: number): Keys {
  if (list === undefined) return [];
  const count = list.names.length;
  return place < count ? list.path(place) : pathAt(others, place - count);
}

/** Lists of names that must each be unique, some of them together. */
function uniqueNames(organisation: Organisation): NamedList[][] {
  const {
    users = [],
    teams = [],
    devices = [],
    numbers = [],
    locations = [],
    phonebooks = [],
    trunks = [],
  } = organisation;
  const named = (list: string, key: string, items: readonly object[], under: Keys = []): NamedList => ({
    names: items.map((item) => {
      const name = (item as Record<string, unknown>)[key];
      return typeof name === "string" ? name : undefined;
    }),
    path: (index) => [...under, list, index, key],
  });
  const trunkItems = (key: string) =>
    trunks.flatMap((trunk, index) =>
      (["devices", "queues", "users"] as const).map((list) =>
        named(list, key, trunk[list] ?? [], ["trunks", index]),
      ),
    );
  const entries = (key: string) => [
    named("users", key, users),
    named("teams", key, teams),
    named("devices", key, devices),
    ...trunkItems(key),
  ];
  return [
    entries("id"),
    entries("extension"),
    [named("users", "email", users)],
    [named("numbers", "number", numbers)],
    [named("locations", "id", locations)],
    [named("phonebooks", "id", phonebooks)],
    [named("trunks", "id", trunks)],
    ...phonebooks.map((phonebook, index) => [
      named("contacts", "id", phonebook.contacts ?? [], ["phonebooks", index]),
    ]),
    ...users.flatMap(({ endpoints = [] }, index) => {
      if (endpoints.length < 2) return [];
      const path = (at: number) => ["users", index, "endpoints", at, "id"];
      return [[{ names: endpoints.map(idOf), path }]];
    }),
    ...teams.map(({ members = [] }, index) => {
      const names = members.map((member) => ("user" in member ? member.user : member.device));
      const path = (at: number) => ["teams", index, "members", at, memberKey(members[at])];
      return [{ names, path }];
    }),
  ];
}

type Endpoint = NonNullable<UserInput["endpoints"]>[number];
type Member = NonNullable<TeamInput["members"]>[number];

function idOf(endpoint: Endpoint): string {
  return typeof endpoint === "string" ? endpoint : endpoint.id;
}

function memberKey(member: Member | undefined): "user" | "device" {
  return member !== undefined && "user" in member ? "user" : "device";
}

/** Names that a reference may have, in their order. */
class Names {
  private readonly set: ReadonlySet<string>;

  constructor(
    readonly what: string,
    readonly names: readonly string[],
  ) {
    this.set = new Set(names);
  }

  has(name: string): boolean {
    return this.set.has(name);
  }
}

/** Checks that every reference leads to something. */
function checkTargets(organisation: Organisation, report: Report): void {
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
  const named = (what: string, items: readonly { readonly id: string }[]) =>
    new Names(
      what,
      items.map(({ id }) => id),
    );
  const user = named("user", users);
  const device = named("device", devices);
  const team = named("team", teams);
  const location = named("location", locations);
  const owner = new Names("user, team or device", [...user.names, ...team.names, ...device.names]);
  const check = (name: string | undefined, among: Names, path: () => Keys) => {
    if (name === undefined || among.has(name)) return;
    const { what, names } = among;
    report(path(), `no ${what} has the id ${JSON.stringify(name)}; known: ${namesOf(names)}`, names);
  };

  for (const [at, number] of numbers.entries()) check(number.owner, owner, () => ["numbers", at, "owner"]);
  for (const [at, each] of users.entries()) {
    check(each.manager, user, () => ["users", at, "manager"]);
    check(each.location, location, () => ["users", at, "location"]);
  }
  for (const [at, { behaviour, endpoints = defaultEndpoints }] of users.entries()) {
    const answer = behaviour?.answer;
    if (answer === undefined || answer === "never" || answer.endpoint === undefined) continue;
    const theirs = new Names("endpoint of theirs", endpoints.map(idOf));
    check(answer.endpoint, theirs, () => ["users", at, "behaviour", "answer", "endpoint"]);
  }
  for (const [at, { members = [], unanswered }] of teams.entries()) {
    for (const [index, member] of members.entries())
      if ("user" in member) check(member.user, user, () => ["teams", at, "members", index, "user"]);
      else check(member.device, device, () => ["teams", at, "members", index, "device"]);
    if (unanswered !== undefined && "team" in unanswered)
      check(unanswered.team, team, () => ["teams", at, "unanswered", "team"]);
  }
  for (const [at, { createdBy }] of webhooks.entries())
    check(createdBy, user, () => ["webhooks", at, "createdBy"]);
  if (phonebooks.some(({ id }) => id.includes("@"))) {
    const emails = new Names(
      "user",
      users.map(({ email }) => email.toLowerCase()),
    );
    for (const [at, { id }] of phonebooks.entries())
      if (id.includes("@")) check(id.toLowerCase(), emails, () => ["phonebooks", at, "id"]);
  }
  for (const [at, trunk] of trunks.entries())
    for (const [index, each] of (trunk.users ?? []).entries())
      check(each.user ?? undefined, user, () => ["trunks", at, "users", index, "user"]);
}
