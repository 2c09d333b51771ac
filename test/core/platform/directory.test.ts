import { describe, expect, test } from "vitest";
import { createSimulator, type OrganisationInput, type Simulator } from "../../../src/index.ts";
import { dial, office, thrownBy } from "../../helpers.ts";

// parts without a name of their own
type DirectoryFilter = NonNullable<Parameters<Simulator["directory"]["list"]>[0]>;

const invited = {
  id: "ivy",
  email: "ivy@acme.test",
  displayName: "Ivy",
  extension: "106",
  status: "invited",
  ivrKey: "1",
  mobile: "+6421555100",
} as const;

const organisation = {
  ...office,
  features: { pbx: true },
  users: [...office.users, invited],
  teams: [
    ...office.teams,
    { id: "secret", displayName: "Secret", extension: "203", hidden: true, ivrKey: "1" },
  ],
  trunks: [
    {
      id: "pbx",
      name: "Old PBX",
      devices: [{ id: "till", displayName: "Till", extension: "401", ivrKey: "4" }],
      queues: [{ id: "desk", displayName: "Desk", extension: "402" }],
      users: [{ id: "uma", displayName: "Uma", extension: "403", phoneNumbers: ["+6495550999"] }],
    },
  ],
} satisfies OrganisationInput;

const newSimulator = (more: Partial<OrganisationInput> = {}) =>
  createSimulator({ organisation: { ...organisation, ...more } });
const found = (filter?: DirectoryFilter) =>
  newSimulator()
    .directory.list(filter)
    .map(({ id }) => id);

describe("directory.list", () => {
  test("returns users, teams, devices and trunk entries, except suspended users and hidden teams", () => {
    expect(found()).toEqual([
      ...["alice", "bob", "carol", "dan", "ivy"],
      ...["support", "sales", "billing"],
      "lobby",
      ...["till", "desk", "uma"],
    ]);
  });

  test.each<[DirectoryFilter, string[]]>([
    [{ extension: "101" }, ["alice"]],
    [{ extension: "105" }, []],
    [{ extension: "105", includeSuspendedUsers: true }, ["erin"]],
    [{ extension: "203" }, []],
    [{ extension: "203", includeHiddenCallGroups: true }, ["secret"]],
    [{ extension: "402" }, ["desk"]],
    [{ extension: "10" }, []],
    [{ phoneNumber: dial.sales }, ["sales"]],
    [{ phoneNumber: dial.lobby }, ["lobby"]],
    [{ phoneNumber: "+6495550999" }, ["uma"]],
    [{ phoneNumber: "+6421555100" }, []],
    [{ ivrKey: "1" }, ["ivy"]],
    [{ ivrKey: "1", includeHiddenCallGroups: true }, ["ivy", "secret"]],
    [{ ivrKey: "4" }, ["till"]],
    [{ ivrKey: "1", extension: "101" }, []],
  ])("with %j finds %j", (filter, ids) => {
    expect(found(filter)).toEqual(ids);
  });

  test("omits trunk entries without features.pbx", () => {
    const sim = newSimulator({ features: {} });
    expect(sim.directory.list({ extension: "401" })).toEqual([]);
    expect(thrownBy(() => sim.directory.get("till"))).toMatchObject({ code: "not_found" });
  });

  test("rejects an unknown filter", () => {
    const error = thrownBy(() => found({ name: "Alice" } as DirectoryFilter));
    expect(error).toMatchObject({
      code: "invalid_argument",
      message:
        "directory.list: name: unknown key, expected one of: extension, ivrKey, phoneNumber, includeSuspendedUsers, includeHiddenCallGroups",
    });
  });
});

describe("directory.get", () => {
  test.each(["alice", "erin", "secret", "lobby", "till", "uma"])("returns the entry %s by its id", (id) => {
    expect(newSimulator().directory.get(id).id).toBe(id);
  });

  test.each(["zoe", "alice@acme.test", "101"])("throws not_found for %s", (id) => {
    expect(thrownBy(() => newSimulator().directory.get(id))).toMatchObject({ code: "not_found" });
  });
});

describe("an entry's record", () => {
  test("has an ivrKey only if one was set", () => {
    const sim = newSimulator();
    expect(sim.users.get("ivy").record.ivrKey).toBe("1");
    expect("ivrKey" in sim.users.get("alice").record).toBe(false);
  });

  test("has its redirect address with parameters in alphabetical order", () => {
    const addresses = newSimulator()
      .directory.list()
      .map((entry) => [entry.extension, entry.vendorRedirectUrl]);
    for (const [extension, address] of addresses)
      expect(address).toBe(
        `https://redirect.ringback.test/telephony/redirect?extension=${extension}&organisationId=acme`,
      );
  });

  test("has no mobile with features.excludeEmployeePhoneNumbers", () => {
    expect(newSimulator().users.get("ivy").record.mobile).toBe("+6421555100");
    const sim = newSimulator({ features: { excludeEmployeePhoneNumbers: true } });
    expect("mobile" in sim.users.get("ivy").record).toBe(false);
  });
});

describe("users.list", () => {
  test("finds users by e-mail address in any case", () => {
    const sim = newSimulator();
    expect(sim.users.list({ email: "IVY@acme.test" }).map(({ id }) => id)).toEqual(["ivy"]);
    expect(sim.users.list({ email: "zoe@acme.test" })).toEqual([]);
    expect(sim.users.list()).toHaveLength(6);
  });
});
