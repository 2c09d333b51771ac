import { describe, expect, test } from "vitest";
import { vendorSignature } from "../../../src/core/network/vendor-signature.ts";
import { createSimulator, demoOrganisation, type OrganisationInput, replay } from "../../../src/index.ts";
import { serve } from "../../../src/server/index.ts";

const jane = "+6421555001";

describe("A call's record", () => {
  test("has the number, the extension and the e-mail address of every party, null where they do not apply", () => {
    const sim = createSimulator();
    const call = sim.calls.inbound({ from: jane, to: "+6495550100" });
    sim.advance("PT30S");
    expect(call.record.parties).toMatchObject([
      { type: "external", phoneNumber: jane, extension: null, email: null },
      { type: "user", phoneNumber: null, extension: "101", email: "alice@acme.test" },
      { type: "voicemail", phoneNumber: null, extension: null, email: null },
    ]);
    const lobby = sim.calls.inbound({ from: jane, to: "+6495550110" });
    expect(lobby.record.parties[1]).toMatchObject({ phoneNumber: null, extension: "300", email: null });
  });

  test("has a known contact's name everywhere, also in calls from inside", () => {
    const sim = createSimulator();
    const call = sim.calls.outbound({ from: "alice", to: jane });
    expect(call.record.parties[1]).toMatchObject({ displayName: "Jane Smith" });
    expect(call.record.summary).toMatchObject({
      header: "Outbound call from Alice Ng to Jane Smith",
      contactNumberDescription: `Jane Smith (${jane})`,
    });
  });

  test("uses contacts of the dialling user's personal phonebook", () => {
    const sim = createSimulator();
    const mum = "+6421555003";
    expect(sim.calls.outbound({ from: "alice", to: mum }).record.parties[1]?.displayName).toBe("Mum");
    expect(sim.calls.outbound({ from: "bob", to: mum }).record.parties[1]?.displayName).toBe(mum);
  });

  test("has the first and last name of the user who answered", () => {
    const sim = createSimulator();
    const call = sim.calls.inbound({ from: jane, to: "+6495550100" });
    call.answer("alice");
    expect(call.record.assignedUser).toMatchObject({ firstName: "Alice", lastName: "Ng" });
  });

  test("has both fields with the expiry of a message's recording", () => {
    const sim = createSimulator();
    const call = sim.calls.inbound({ from: jane, to: "+6495550100" });
    sim.advance("PT30S");
    call.leaveVoicemail({ duration: "PT10S" });
    sim.advance("PT20S");
    const { recordingUrlExpiresAt = "", recordingUrlExpiresTimestamp } = call.record.voicemail ?? {};
    expect(Date.parse(recordingUrlExpiresAt)).toBe(recordingUrlExpiresTimestamp);
  });

  test("gives the reason for a block, also for a device that may not dial", () => {
    const url = "https://crm.acme.test/outbound";
    const devices = [{ id: "lift", displayName: "Lift", extension: "301", outboundAllowed: false }];
    const numbers = [{ number: "+6495550150", owner: "lift" }];
    const sim = createSimulator({
      organisation: { id: "acme", devices, numbers, dataActions: { outboundCall: url } },
    });
    sim.network.route(url, { status: 500 });
    const call = sim.calls.outbound({ from: "lift", to: jane });
    sim.advance("PT10S");
    expect(call.record.outcome).toEqual({ status: "blocked", reason: "notAllowed" });
  });
});

describe("A returned call", () => {
  test.each([
    ["a secret that follows from the seed", {}],
    ["the vendor's secret", { vendorSecret: "s3cret" }],
  ])("is posted in a request that is signed with %s", (_, dialect: { vendorSecret?: string }) => {
    const sim = createSimulator({ dialect });
    const returnToId = "https://ivr.acme.test/returned";
    sim.calls.redirect(
      { extension: "103", returnTo: "postEndpoint", returnToId },
      { from: jane, to: "+6495550103" },
    );
    sim.advance("PT31S");
    const [request] = sim.network.requests.filter(({ why }) => why === "return");
    const form = Object.fromEntries(new URLSearchParams(request?.body));
    const { vendorSecret } = sim.credentials;
    expect(request?.headers["x-vendor-signature"]).toBe(vendorSignature(vendorSecret, returnToId, form));
    expect(vendorSecret).toBe(createSimulator({ dialect }).credentials.vendorSecret);
    expect(createSimulator({ dialect, seed: 2 }).credentials.vendorSecret === vendorSecret).toBe(
      "vendorSecret" in dialect,
    );
  });
});

test("A content analysis created by the service names its call", () => {
  const features = { recording: true, transcription: true, analysis: true };
  const sim = createSimulator({ organisation: { ...demoOrganisation, features } });
  const call = sim.calls.inbound({ from: jane, to: "+6495550100" });
  call.answer("alice");
  sim.advance("PT30S");
  call.hangup("caller");
  const { contentAnalysis } = sim.runUntil("content_analysis.completed").data;
  expect(contentAnalysis.request).toEqual({ source: { type: "call", id: call.id } });
  const recordings = call.record.recordings.map(({ id }) => ({ id }));
  expect(sim.analysis.create({ analyzer: "mood", content: { recordings } }).request).toBeNull();
});

describe("A user who is not active", () => {
  const statusOf = (sim: ReturnType<typeof createSimulator>, id: string) =>
    sim.users.get(id).record.availability;

  test("is offline from the start", () => {
    expect(statusOf(createSimulator(), "erin")).toMatchObject({ status: "offline", notAvailableRule: null });
  });

  test("is offline while suspended, whatever status is set, and back once active", () => {
    const sim = createSimulator();
    sim.users.get("bob").setStatus("suspended");
    expect(statusOf(sim, "bob").status).toBe("offline");
    sim.users.get("bob").setAvailability("available");
    expect(statusOf(sim, "bob").status).toBe("offline");
    sim.users.get("bob").setStatus("active");
    expect(statusOf(sim, "bob").status).toBe("available");
    expect(sim.events.ofType("user.availability.updated")).toHaveLength(2);
  });

  test("is offline after the current call", () => {
    const sim = createSimulator();
    const call = sim.calls.inbound({ from: jane, to: "+6495550100" });
    call.answer("alice");
    sim.users.get("alice").setStatus("suspended");
    expect(statusOf(sim, "alice").notAvailableRule).toBe("busyOnACall");
    call.hangup("caller");
    expect(statusOf(sim, "alice").status).toBe("offline");
  });
});

describe("An organisation", () => {
  const user = (id: string, extension: string, more: object = {}) => ({
    ...{ id, email: `${id}@acme.test`, displayName: id, extension },
    ...more,
  });

  test("sets a user's release channel, and whether the directory was synced", () => {
    const users = [
      user("ana", "1", { desktopEnrolledReleaseChannel: "beta", isDirectorySynced: true }),
      user("ben", "2"),
    ];
    const sim = createSimulator({ organisation: { id: "acme", users } });
    expect(sim.users.list().map(({ record }) => record)).toMatchObject([
      { desktopEnrolledReleaseChannel: "beta", isDirectorySynced: true },
      { desktopEnrolledReleaseChannel: "stable", isDirectorySynced: false },
    ]);
  });

  test.each([
    ["ben", "who created it", "ben"],
    [undefined, "the first active user", "cara"],
  ])("notifies a webhook's creator when it is disabled: createdBy %s, %s", (createdBy, _, told) => {
    const url = "https://crm.acme.test/hooks";
    const organisation: OrganisationInput = {
      id: "acme",
      users: [
        user("ana", "1", { status: "suspended" }),
        user("ben", "2", { status: "invited" }),
        user("cara", "3"),
      ],
      webhooks: [{ url, events: ["*"], ...(createdBy === undefined ? {} : { createdBy }) }],
    };
    const sim = createSimulator({ organisation, webhooks: { failureLimit: 0 } });
    sim.network.route(url, 400);
    expect(sim.webhooks.list()[0]?.createdBy).toBe(createdBy ?? null);
    sim.users.get("cara").setAvailability("busy");
    sim.runUntilIdle();
    expect(sim.notifications.filter(({ kind }) => kind === "webhookDisabled")).toMatchObject([
      { to: { userId: told } },
    ]);
  });

  test("rejects a webhook without a creator", () => {
    const webhooks = [{ url: "https://crm.acme.test/hooks", events: ["*" as const], createdBy: "nobody" }];
    expect(() => createSimulator({ organisation: { id: "acme", webhooks } })).toThrow(
      "webhooks[0].createdBy",
    );
  });
});

describe("Voicemail", () => {
  const user = (id: string, extension: string, more: object = {}) => ({
    ...{ id, email: `${id}@acme.test`, displayName: id, extension },
    ...more,
  });
  const organisation: OrganisationInput = {
    id: "acme",
    users: [user("ann", "1"), user("ben", "2", { voicemail: false })],
    devices: [{ id: "lobby", displayName: "Lobby", extension: "3" }],
    teams: [
      { id: "sales", displayName: "Sales", extension: "4", members: [{ user: "ben" }], voicemail: false },
    ],
    numbers: [
      { number: "+6495550101", owner: "ann" },
      { number: "+6495550102", owner: "ben" },
      { number: "+6495550104", owner: "sales" },
    ],
  };
  const inVoicemail = (call: { readonly record: { readonly parties: readonly { type: string }[] } }) =>
    call.record.parties.some(({ type }) => type === "voicemail");

  test.each([
    ["a user of whom nothing is said", "+6495550101", true],
    ["a user with voicemail: false", "+6495550102", false],
    ["a team without an unanswered step", "+6495550104", false],
  ])("takes the unanswered call of %s (%s): %s", (_, to, taken) => {
    const sim = createSimulator({ organisation });
    const call = sim.calls.inbound({ from: jane, to });
    sim.advance("PT61S");
    expect(inVoicemail(call)).toBe(taken);
    expect(sim.users.get("ann").record.hasVoicemail).toBe(true);
    expect(sim.users.get("ben").record.hasVoicemail).toBe(false);
    expect(sim.notifications.map(({ kind }) => kind)).toEqual(["missedCall"]);
  });

  test.each([
    ["a user of whom nothing is said", "1", true],
    ["a user with voicemail: false", "2", false],
    ["a device", "3", false],
    ["a team, whatever it says", "4", true],
  ])("takes a call that is sent to the voicemail of %s (extension %s): %s", (_, extension, taken) => {
    const sim = createSimulator({ organisation });
    const call = sim.calls.redirect({ extension, sendToVoicemail: true }, { from: jane, to: "+6495550199" });
    expect(inVoicemail(call)).toBe(taken);
    // without voicemail the call closes silently
    expect(sim.notifications).toHaveLength(taken ? 1 : 0);
    expect(sim.calls.live()).toHaveLength(taken ? 1 : 0);
  });
});

describe("The members of a team", () => {
  const organisation: OrganisationInput = {
    ...demoOrganisation,
    teams: [
      { id: "all", displayName: "All", extension: "202", members: [{ user: "bob" }, { user: "dave" }] },
      ...(demoOrganisation.teams ?? []),
    ],
  };
  const newSimulator = () => createSimulator({ organisation });
  type Sim = ReturnType<typeof newSimulator>;
  const members = (sim: Sim, team = "sales") => sim.teams.get(team).record.teamMembers;
  const bob = (sim: Sim) => sim.users.get("bob").record;

  test("are the directory's users and devices, with their priority", () => {
    const sim = newSimulator();
    expect(members(sim)).toEqual([
      { ...bob(sim), priority: 1 },
      { ...sim.users.get("carol").record, priority: 1 },
      { ...sim.devices.get("lobby").record, priority: 2, isAvailable: true },
    ]);
  });

  test.each<[what: string, change: (sim: Sim) => void, shown: object]>([
    [
      "availability",
      (sim) => sim.users.get("bob").setAvailability("busy"),
      { availability: { status: "busy" } },
    ],
    [
      "reason for being busy, which changes no total",
      (sim) => {
        sim.users.get("bob").setAvailability("busy");
        sim.users.get("bob").setAvailability("busy", { reason: "lunch" });
      },
      { availability: { notAvailableReason: "lunch" } },
    ],
    ["status", (sim) => sim.users.get("bob").setStatus("suspended"), { status: "suspended" }],
    ["location", (sim) => sim.locations.addUser("london", "bob"), { location: { id: "london" } }],
    ["want of a location", (sim) => sim.locations.removeUser("auckland", "bob"), { location: null }],
    [
      "endpoints",
      (sim) => sim.users.get("bob").setEndpoint("desk", { registered: false }),
      { endpoints: [{}, {}, { id: "desk", registered: false }] },
    ],
    [
      "call",
      (sim) => sim.calls.inbound({ from: jane, to: "+6495550102" }).answer("bob"),
      { availability: { notAvailableRule: "busyOnACall" }, vendor: "vendor" },
    ],
  ])("show a user's %s in each of their teams", (_, change, shown) => {
    const sim = newSimulator();
    change(sim);
    expect(members(sim)[0]).toMatchObject(shown);
    for (const each of [sim, sim.fork(), replay(sim.journal())])
      for (const team of ["sales", "all"])
        expect(members(each, team)[0]).toEqual({ ...bob(each), priority: 1 });
  });

  test("show the new redirect address once the platform is served elsewhere", async () => {
    const sim = newSimulator();
    const running = await serve(sim, { port: 0 });
    await running.close();
    expect(bob(sim).vendorRedirectUrl).toContain(running.url);
    expect(members(sim)).toEqual([
      { ...bob(sim), priority: 1 },
      { ...sim.users.get("carol").record, priority: 1 },
      { ...sim.devices.get("lobby").record, priority: 2, isAvailable: true },
    ]);
  });

  test("name their teams, in the order of the organisation, as they join and leave", () => {
    const sim = newSimulator();
    const teamsOf = (id: string) => sim.users.get(id).record.teams.map((team) => team.id);
    expect(bob(sim).teams).toEqual([
      { id: "all", type: "team", displayName: "All", extension: "202", email: null },
      { id: "sales", type: "team", displayName: "Sales", extension: "200", email: null },
    ]);
    expect(teamsOf("alice")).toEqual([]);
    sim.teams.get("support").setMember("bob", { priority: 3 });
    expect(teamsOf("bob")).toEqual(["all", "sales", "support"]);
    sim.teams.get("all").removeMember("bob");
    expect(teamsOf("bob")).toEqual(["sales", "support"]);
    for (const team of ["sales", "support"])
      expect(members(sim, team).find(({ id }) => id === "bob")).toMatchObject(bob(sim));
  });

  test("are the same in events and in the REST API", async () => {
    const sim = newSimulator();
    sim.users.get("bob").setAvailability("busy");
    const [updated] = sim.events.ofType("team.availability.updated");
    expect(updated?.data.team.teamMembers[0]).toEqual({ ...bob(sim), priority: 1 });
    const headers = { authorization: `Bearer ${sim.token()}` };
    const get = async (path: string) => (await sim.fetch(`${sim.urls.api}${path}`, { headers })).json();
    const [{ teamMembers }] = (await get("/teams")).teams;
    const { users } = await get("/users?email=bob@acme.test");
    expect(teamMembers[0]).toEqual({ ...users[0], priority: 1 });
    expect(users[0].teams).toMatchObject([{ id: "all" }, { id: "sales" }]);
  });
});
