import { describe, expect, test } from "vitest";
import { createSimulator, type OrganisationInput, replay, type Simulator } from "../../../src/index.ts";
import { caller, dial, office, startMs, stateOf, stream, thrownBy } from "../../helpers.ts";

const organisation = {
  ...office,
  features: { pbx: true },
  trunks: [
    {
      id: "pbx",
      name: "Old PBX",
      devices: [{ id: "till", displayName: "Till", extension: "401", model: "T-1" }],
      queues: [{ id: "desk", displayName: "Desk", extension: "402", description: "Front" }],
      users: [
        {
          id: "uma",
          displayName: "Uma",
          extension: "403",
          user: "alice",
          phoneNumbers: ["+6495550999"],
          jobTitle: "Buyer",
        },
      ],
    },
    { id: "spare", name: "Spare" },
  ],
} satisfies OrganisationInput;

const newSimulator = () => createSimulator({ organisation, ids: "counter" });
const trunk = (sim: Simulator) => sim.trunks.get("pbx");

const dates = {
  createdAt: "2026-07-01T00:00:00.000Z",
  createdTimestamp: startMs,
  lastModifiedAt: "2026-07-01T00:00:00.000Z",
  lastModifiedTimestamp: startMs,
};
const address = (extension: string) =>
  `https://redirect.ringback.test/telephony/redirect?extension=${extension}&organisationId=acme`;

describe("a trunk", () => {
  test("has devices, queues and users with their fields", () => {
    const sim = newSimulator();
    expect(sim.trunks.list().map(({ record }) => record)).toEqual([
      { id: "pbx", name: "Old PBX" },
      { id: "spare", name: "Spare" },
    ]);
    const common = { trunkId: "pbx", ...dates };
    expect(trunk(sim).devices.get("till").record).toEqual({
      ...common,
      id: "till",
      type: "trunkDevice",
      displayName: "Till",
      extension: "401",
      vendorRedirectUrl: address("401"),
      description: null,
      location: null,
      model: "T-1",
      product: null,
    });
    expect(trunk(sim).queues.get("desk").record).toEqual({
      ...common,
      id: "desk",
      type: "trunkGroup",
      displayName: "Desk",
      extension: "402",
      vendorRedirectUrl: address("402"),
      description: "Front",
    });
    expect(trunk(sim).users.get("uma").record).toEqual({
      ...common,
      id: "uma",
      type: "trunkUser",
      displayName: "Uma",
      extension: "403",
      vendorRedirectUrl: address("403"),
      description: null,
      department: null,
      jobTitle: "Buyer",
      location: null,
      manager: null,
      user: { id: "alice", displayName: "Alice Ng", email: "alice@acme.test" },
      phoneNumbers: ["+6495550999"],
    });
  });

  test("uses the dialect's names of types", () => {
    const sim = createSimulator({ organisation, dialect: { directoryTypes: { trunkGroup: "huntGroup" } } });
    expect(trunk(sim).queues.get("desk").record.type).toBe("huntGroup");
    expect(trunk(sim).users.get("uma").record.type).toBe("trunkUser");
  });
});

describe("an entry of a trunk", () => {
  test("is added with its id or a new one, and is then in the directory", () => {
    const sim = newSimulator();
    sim.advance("PT1S");
    const till = trunk(sim).devices.add({ displayName: "Till 2", extension: "411", product: "POS" });
    expect(till.record).toMatchObject({
      id: "trunk-device-1",
      product: "POS",
      createdTimestamp: startMs + 1_000,
    });
    expect(sim.trunks.get("spare").users.add({ id: "vic", displayName: "Vic", extension: "412" }).id).toBe(
      "vic",
    );
    expect(
      trunk(sim)
        .devices.list()
        .map(({ id }) => id),
    ).toEqual(["till", "trunk-device-1"]);
    expect(
      trunk(sim)
        .users.list()
        .map(({ id }) => id),
    ).toEqual(["uma"]);
    expect(sim.directory.list({ extension: "411" })).toEqual([till.record]);
  });

  test("is updated in the given fields only", () => {
    const sim = newSimulator();
    sim.advance("PT1S");
    trunk(sim).users.update("uma", { extension: "413", department: "Sales" });
    expect(trunk(sim).users.get("uma").record).toMatchObject({
      displayName: "Uma",
      extension: "413",
      vendorRedirectUrl: address("413"),
      department: "Sales",
      jobTitle: "Buyer",
      user: { id: "alice" },
      createdTimestamp: startMs,
      lastModifiedTimestamp: startMs + 1_000,
    });
    trunk(sim).users.update("uma", { jobTitle: null, user: null });
    expect(trunk(sim).users.get("uma").record).toMatchObject({
      jobTitle: null,
      user: null,
      department: "Sales",
    });
    trunk(sim).users.update("uma", { user: "bob@acme.test" });
    expect(trunk(sim).users.get("uma").record.user?.id).toBe("bob");
  });

  test("frees its extension when it changes or the entry is removed", () => {
    const sim = newSimulator();
    trunk(sim).devices.update("till", { extension: "413" });
    trunk(sim).devices.add({ id: "till-2", displayName: "Till 2", extension: "401" });
    trunk(sim).devices.remove("till");
    trunk(sim).devices.add({ id: "till", displayName: "Till 3", extension: "413" });
    expect(
      trunk(sim)
        .devices.list()
        .map(({ record }) => [record.id, record.extension]),
    ).toEqual([
      ["till-2", "401"],
      ["till", "413"],
    ]);
  });

  test.each<[string, (sim: Simulator) => unknown, string, string]>([
    [
      "added with a user's extension",
      (sim) => trunk(sim).queues.add({ displayName: "Q", extension: "101" }),
      "conflict",
      "the extension 101 is alice's: choose another",
    ],
    [
      "updated to another entry's extension",
      (sim) => trunk(sim).queues.update("desk", { extension: "401" }),
      "conflict",
      "the extension 401 is till's: choose another",
    ],
    [
      "added with a team's id",
      (sim) => trunk(sim).queues.add({ id: "sales", displayName: "Q", extension: "411" }),
      "conflict",
      'the directory has an entry with the id "sales" already',
    ],
    [
      "added with an unknown service user",
      (sim) => trunk(sim).users.add({ displayName: "U", extension: "411", user: "zoe" }),
      "not_found",
      'no user is known as "zoe"',
    ],
    [
      "got as another kind",
      (sim) => trunk(sim).queues.get("till"),
      "not_found",
      'no queue of trunk pbx is known as "till"; known: desk',
    ],
    [
      "removed from another trunk",
      (sim) => sim.trunks.get("spare").devices.remove("till"),
      "not_found",
      'no device of trunk spare is known as "till"; known: none',
    ],
    ["looked for in an unknown trunk", (sim) => sim.trunks.get("x"), "not_found", "known: pbx, spare"],
    [
      "of an unknown kind",
      (sim) => sim.command("addTrunkEntry", { trunk: "pbx", kind: "fax" } as never),
      "invalid_argument",
      'expected one of device, queue, user, got "fax"',
    ],
    [
      "added with a field of another kind",
      (sim) => trunk(sim).queues.add({ displayName: "Q", extension: "411", model: "X" } as never),
      "invalid_argument",
      "addTrunkEntry: model: unknown key",
    ],
  ])("is refused when %s, and changes nothing", (_what, act, code, message) => {
    const sim = newSimulator();
    const before = stateOf(sim);
    const error = thrownBy(() => act(sim)) as Error;
    expect(error).toMatchObject({ code });
    expect(error.message).toContain(message);
    expect(stateOf(sim)).toEqual(before);
    expect(trunk(sim).queues.add({ displayName: "Q", extension: "499" }).id).toBe("trunk-queue-1");
  });

  test.each<[string, (sim: Simulator) => unknown]>([
    ["list", (sim) => sim.trunks.list()],
    ["get", (sim) => sim.trunks.get("pbx")],
    [
      "addTrunkEntry",
      (sim) =>
        sim.command("addTrunkEntry", { trunk: "pbx", kind: "queue", displayName: "Q", extension: "9" }),
    ],
    [
      "updateTrunkEntry",
      (sim) => sim.command("updateTrunkEntry", { trunk: "pbx", kind: "queue", id: "desk" }),
    ],
    [
      "removeTrunkEntry",
      (sim) => sim.command("removeTrunkEntry", { trunk: "pbx", kind: "queue", id: "desk" }),
    ],
  ])("is refused without features.pbx: %s", (_what, act) => {
    const sim = createSimulator({ organisation: { ...organisation, features: {} } });
    expect(thrownBy(() => act(sim))).toMatchObject({
      code: "not_allowed",
      message: "trunks need the PBX augmentation feature: set features.pbx to true in the organisation",
    });
  });
});

describe("a call to an entry of a trunk", () => {
  test("rings it like a device when redirected to its extension", () => {
    const sim = newSimulator();
    const call = sim.calls.redirect({ extension: "402" }, { from: caller, to: dial.sales });
    expect(call.ringing()).toEqual([{ device: "desk", endpoint: "sip" }]);
    call.answer("desk");
    call.hangup("caller");
    expect(stream(sim)).toEqual([
      "0 call.started",
      "0 call.answered",
      "0 call.hungup",
      "0 call.hungup",
      "0 call.ended",
    ]);
    expect(call.record).toMatchObject({
      directoryTarget: { id: "desk", type: "device", displayName: "Desk", extension: "402", email: null },
      assignedUser: null,
      parties: [{ type: "external" }, { type: "device", entryId: "desk", extension: "402" }],
    });
  });

  test("rings it when a colleague dials its extension, and when a call is transferred to it", () => {
    const sim = newSimulator();
    const internal = sim.calls.internal({ from: "bob", to: "403" });
    expect(internal.ringing()).toEqual([{ device: "uma", endpoint: "sip" }]);
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice");
    call.transfer("401", { by: "alice" });
    expect(call.ringing()).toEqual([{ device: "till", endpoint: "sip" }]);
  });

  test("is unanswered at once while it is on another call, otherwise after the ringing time", () => {
    const sim = newSimulator();
    const first = sim.calls.redirect({ extension: "401" }, { from: caller, to: dial.sales });
    first.answer("till");
    const second = sim.calls.redirect({ extension: "401" }, { from: caller, to: dial.sales });
    expect(second.record.outcome).toEqual({ status: "missed", reason: "unavailable" });
    first.hangup("till");
    const third = sim.calls.redirect({ extension: "401", timeout: 20 }, { from: caller, to: dial.sales });
    sim.advance("PT20S");
    expect(third.record.outcome).toEqual({ status: "missed", reason: "timeout" });
  });

  test("prevents its removal while it rings and talks", () => {
    const sim = newSimulator();
    const call = sim.calls.redirect({ extension: "401" }, { from: caller, to: dial.sales });
    const removing = () => trunk(sim).devices.remove("till");
    expect(thrownBy(removing)).toMatchObject({ code: "busy" });
    call.answer("till");
    expect(thrownBy(removing)).toMatchObject({
      code: "busy",
      message: "till is rung for or on call call-1: remove it when that is over",
    });
    call.hangup("till");
    removing();
    expect(
      thrownBy(() => sim.calls.redirect({ extension: "401" }, { from: caller, to: dial.sales })),
    ).toMatchObject({
      code: "not_found",
    });
  });

  test("continues after the entry left and was removed", () => {
    const sim = newSimulator();
    const call = sim.calls.internal({ from: "alice", to: "401" });
    call.answer("till");
    call.add("102", { by: "alice" });
    call.answer("bob");
    call.hangup("till");
    trunk(sim).devices.remove("till");
    call.hangup("bob");
    sim.runUntilIdle();
    expect(call.record.outcome).toMatchObject({ status: "answered" });
    expect(sim.events.toTimeline()).toContain("Till");
  });

  test("cannot be started by an entry, and an entry cannot join a team", () => {
    const sim = newSimulator();
    expect(thrownBy(() => sim.calls.outbound({ from: "till", to: caller }))).toMatchObject({
      code: "not_found",
    });
    expect(thrownBy(() => sim.teams.get("sales").setMember("till"))).toMatchObject({ code: "not_found" });
  });
});

describe("a run with trunks", () => {
  const change = (sim: Simulator) => {
    trunk(sim).devices.update("till", { extension: "499" });
    trunk(sim).queues.remove("desk");
    const added = trunk(sim).users.add({ displayName: "Vic", extension: "402", user: "bob" });
    sim.calls.redirect({ extension: "402" }, { from: caller, to: dial.sales }).answer(added.id);
  };

  test("is equal in a replay", () => {
    const sim = newSimulator();
    change(sim);
    expect(stateOf(replay(JSON.stringify(sim.journal())))).toEqual(stateOf(sim));
  });

  test("continues in a fork, which leaves the first run unchanged", () => {
    const sim = newSimulator();
    const [before, fork] = [stateOf(sim), sim.fork()];
    change(fork);
    expect(stateOf(sim)).toEqual(before);
    change(sim);
    expect(stateOf(sim)).toEqual(stateOf(fork));
  });
});

describe("a trunk user's phone number", () => {
  test("can be called, and rings them like a device", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: "+6495550999" });
    expect(call.ringing()).toEqual([{ device: "uma", endpoint: "sip" }]);
    call.answer("uma");
    expect(call.record).toMatchObject({ companyNumber: "+6495550999", directoryTarget: { id: "uma" } });
  });

  test("is the target of a transfer to it", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice");
    call.transfer("+6495550999", { by: "alice" });
    expect(call.ringing()).toEqual([{ device: "uma", endpoint: "sip" }]);
  });

  test("cannot be called once they are removed", () => {
    const sim = newSimulator();
    trunk(sim).users.remove("uma");
    const error = thrownBy(() => sim.calls.inbound({ from: caller, to: "+6495550999" }));
    expect(error).toMatchObject({ code: "unknown_number" });
  });
});
