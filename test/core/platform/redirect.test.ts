import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createSimulator, type EndpointRequest, type OrganisationInput, replay } from "../../../src/index.ts";
import { caller, dial, office, startMs, stateOf, stream, thrownBy } from "../../helpers.ts";

type Parameters = Partial<Readonly<Record<string, string | number | boolean>>>;

const vendorCall = { from: caller, to: dial.alice, vendorCallId: "CA1" };
const newSimulator = (organisation: OrganisationInput = office) =>
  createSimulator({ organisation, ids: "counter" });

/** A call that was handed over to an extension. */
function redirected(extension: string, parameters: Parameters = {}) {
  const sim = newSimulator();
  const call = sim.calls.redirect({ ...parameters, extension } as never, vendorCall);
  return { sim, call };
}

/** When the call closed without an answer, seconds from the start. */
function unansweredAfter(extension: string, parameters: Parameters): number {
  const { sim } = redirected(extension, parameters);
  return (sim.runUntil("call.not_answered").createdTimestamp - startMs) / 1000;
}

const flow = { returnTo: "flow", returnToId: "FW1" };
/** A name of 6 bytes, so `length - 6` more. */
const parameterOf = (bytes: number) => ({ "x-long": "l".repeat(bytes - 6) });

describe("a redirected call", () => {
  test("rings its extension by default, and every dial has the reason redirected", () => {
    const { sim, call } = redirected("101");
    expect(call.ringing()).toEqual([
      { user: "alice", endpoint: "mobile" },
      { user: "alice", endpoint: "desktop" },
    ]);
    expect(call.record).toMatchObject({
      direction: "inbound",
      isInternal: false,
      contactNumber: caller,
      companyNumber: dial.alice,
      vendorCallId: "CA1",
      status: "offered",
    });
    expect(call.record.parties[1]?.dials.map(({ reason }) => reason)).toEqual(["redirect", "redirect"]);
    expect(stream(sim)).toEqual(["0 call.started"]);
  });

  test("is answered and ended like any other call and does not return", () => {
    const { sim, call } = redirected("101", flow);
    call.answer("alice");
    call.hangup("caller");
    expect(stream(sim).map((line) => line.split(" ")[1])).toEqual([
      "call.started",
      "call.answered",
      "user.availability.updated",
      "call.hungup",
      "call.hungup",
      "user.availability.updated",
      "call.ended",
    ]);
    expect(sim.calls.returns).toEqual([]);
  });

  test("uses the user's unanswered step by default", () => {
    const { sim, call } = redirected("102");
    sim.runUntil("call.ended");
    expect(call.record.outcome).toEqual({ status: "missed", reason: "timeout" });
    expect(stream(sim).slice(0, 2)).toEqual(["0 call.started", "30000 call.not_answered"]);
  });

  test("uses the team's unanswered step by default", () => {
    const teams = office.teams.map((team) =>
      team.id === "support" ? { ...team, unanswered: { team: "billing" } } : team,
    );
    const sim = newSimulator({ ...office, teams });
    const call = sim.calls.redirect({ extension: "201" }, vendorCall);
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "120000 call.not_answered"]);
    expect(call.record).toMatchObject({ assignedCallGroup: { id: "billing" } });
  });

  test("to a team creates team offers", () => {
    const { call } = redirected("200");
    expect(call.ringing()).toEqual([{ user: "carol", endpoint: "mobile" }]);
    expect(call.record.parties[1]?.dials[0]?.reason).toBe("teamOffer");
  });

  test("has the organisation's id as organisationId, even if another is given", () => {
    const { call } = redirected("101", { organisationId: "acme" });
    expect(call.status).toBe("offered");
  });

  test.each([
    ["an unknown extension", { extension: "999" }, "not_found", "nobody has the extension 999"],
    [
      "another organisation",
      { extension: "101", organisationId: "other" },
      "not_found",
      "organisationId: expected acme, got other",
    ],
    ["no extension", {}, "invalid_argument", "extension: missing"],
    ["an unknown key", { extension: "101", retrunTo: "flow" }, "invalid_argument", "retrunTo: unknown key"],
    [
      "a key that every object has",
      { extension: "101", toString: "flow" },
      "invalid_argument",
      "toString: unknown key",
    ],
  ])("rejects %s and changes nothing", (_what, parameters, code, message) => {
    const sim = newSimulator();
    const before = stateOf(sim);
    const error = thrownBy(() => sim.calls.redirect(parameters as never, vendorCall));
    expect(error).toMatchObject({
      name: "CommandError",
      code,
      message: expect.stringContaining(message),
    });
    expect(stateOf(sim)).toEqual(before);
  });

  test("continues equally in a fork and in a replay, returns included", () => {
    const { sim } = redirected("101", { ...flow, "x-a": "1" });
    const fork = sim.fork();
    sim.runUntilIdle();
    fork.runUntilIdle();
    for (const again of [fork, replay(sim.journal())]) {
      expect(again.events.toJSONL()).toBe(sim.events.toJSONL());
      expect(again.calls.returns).toEqual(sim.calls.returns);
    }
    expect(sim.calls.returns).toHaveLength(1);
  });
});

describe("timeout", () => {
  test.each([
    ["a user", "101", 9, 10],
    ["a user", "101", 10, 10],
    ["a user", "101", "45", 45],
    ["a user", "101", 70, 70],
    ["a user", "101", 71, 70],
    ["a user", "101", -5, 10],
    ["a device", "300", 9, 10],
    ["a device", "300", 300, 70],
    ["a team", "201", 9, 10],
    ["a team", "201", 71, 71],
    ["a team", "201", 300, 300],
    ["a team", "201", 301, 300],
  ])("of %s (%s) for %s is %d s", (_kind, extension, timeout, seconds) => {
    expect(unansweredAfter(extension, { timeout })).toBe(seconds);
  });

  test.each([
    ["a user", "101", "soon", 30],
    ["a user", "101", "", 30],
    ["a user", "101", "Infinity", 30],
    ["a device", "300", "10s", 30],
    ["a team", "201", "NaN", 60],
  ])("of %s (%s) ignores %j, which is no number: it is %d s", (_kind, extension, timeout, seconds) => {
    expect(unansweredAfter(extension, { timeout })).toBe(seconds);
  });
});

test("timeouts apply to the redirect's target, not to a team the call is transferred to", () => {
  const { sim, call } = redirected("101", { timeout: 10, nextOfferTimeout: 5 });
  call.answer("alice");
  call.transfer("sales", { by: "alice" });
  sim.runUntilIdle();
  expect(call.record.duration).toBe(60_000);
});

describe("nextOfferTimeout", () => {
  test.each([
    [4, 5],
    [5, 5],
    ["30", 30],
    [60, 60],
    [61, 60],
    ["later", 20],
    ["", 20],
  ])("%j rings a tier for %d s", (nextOfferTimeout, seconds) => {
    const { sim, call } = redirected("200", { nextOfferTimeout, timeout: 300 });
    sim.advance(seconds * 1000 - 1);
    expect(call.ringing()).toEqual([{ user: "carol", endpoint: "mobile" }]);
    sim.advance(1);
    expect(call.ringing()).toEqual([{ user: "dan", endpoint: "mobile" }]);
  });
});

describe("priority", () => {
  /** Which of two waiting calls rings when the team's only member becomes available: the first has the priority. */
  function firstIsOffered(priority: number | string | undefined, against: number): boolean {
    const sim = newSimulator();
    sim.users.get("carol").setAvailability("busy");
    const first = sim.calls.redirect(
      priority === undefined ? { extension: "201" } : { extension: "201", priority },
      vendorCall,
    );
    const second = sim.calls.redirect(
      { extension: "201", priority: against },
      { ...vendorCall, vendorCallId: "CA2" },
    );
    sim.users.get("carol").setAvailability("available");
    expect(first.ringing().length + second.ringing().length).toBe(1);
    return first.ringing().length === 1;
  }

  test.each([undefined, 0, 10, -1, 2.5, "high", "", "10"])("%j is 5", (priority) => {
    expect(firstIsOffered(priority, 4)).toBe(false);
    expect(firstIsOffered(priority, 6)).toBe(true);
  });

  test.each([
    [1, 2, true],
    ["9", 8, false],
    ["3", 2, false],
    ["3", 4, true],
  ])("%j and %d: the lower number goes first", (priority, against, isFirst) => {
    expect(firstIsOffered(priority, against)).toBe(isFirst);
  });
});

describe("sendToVoicemail", () => {
  test.each([true, "true"])("%j sends a user's call to voicemail without ringing", (sendToVoicemail) => {
    const { sim, call } = redirected("102", { sendToVoicemail });
    expect(stream(sim)).toEqual(["0 call.started", "0 call.not_answered"]);
    expect(call.ringing()).toEqual([]);
    expect(call.record.parties.map(({ type, dials }) => [type, dials])).toEqual([
      ["external", []],
      ["voicemail", []],
    ]);
    call.leaveVoicemail({ duration: "PT60S" });
    sim.advance("PT15S");
    call.hangup("caller");
    expect(call.record).toMatchObject({
      outcome: { status: "missed", reason: "voicemail" },
      voicemail: { duration: 10 },
    });
    expect(sim.notifications.map(({ kind, to }) => [kind, to.userId])).toEqual([
      ["missedCall", "bob"],
      ["voicemail", "bob"],
      ["voicemailEmail", "bob"],
    ]);
  });

  test.each([false, "false", "yes", "TRUE", "1"])("%j rings the user", (sendToVoicemail) => {
    expect(redirected("102", { sendToVoicemail }).call.ringing()).toHaveLength(2);
  });

  test("keeps its reason if no message is left", () => {
    const { call } = redirected("102", { sendToVoicemail: true });
    call.hangup("caller");
    expect(call.record.outcome).toEqual({ status: "missed", reason: "sentToVoicemail" });
    expect(call.record.summary.outcome).toBe("Missed: sent to voicemail");
  });

  test("ignores availability", () => {
    const sim = newSimulator();
    sim.users.get("bob").setAvailability("busy");
    const call = sim.calls.redirect({ extension: "102", sendToVoicemail: true }, vendorCall);
    call.hangup("caller");
    expect(call.record.outcome).toEqual({ status: "missed", reason: "sentToVoicemail" });
  });

  test("sends a team's call to the team's voicemail without ringing its members or the next team", () => {
    const teams = office.teams.map((team) =>
      team.id === "support" ? { ...team, unanswered: { team: "billing" } } : team,
    );
    const sim = newSimulator({ ...office, teams });
    const call = sim.calls.redirect({ extension: "201", sendToVoicemail: true }, vendorCall);
    expect(stream(sim)).toEqual(["0 call.started", "0 call.not_answered"]);
    expect(call.record.parties.at(-1)).toMatchObject({
      type: "voicemail",
      displayName: "Voicemail of Support",
    });
    expect(sim.notifications.map(({ kind, to }) => [kind, to.userId])).toEqual([["missedCall", "carol"]]);
  });

  test("of a team's call names the team as target and group", () => {
    const { call } = redirected("201", { sendToVoicemail: true });
    expect(call.record).toMatchObject({
      directoryTarget: { id: "support" },
      assignedCallGroup: { id: "support", type: "team", extension: "201" },
    });
  });

  test.each([
    ["a user", "101"],
    ["a device", "300"],
  ])("without a voicemail of %s (%s) ends the call silently", (_kind, extension) => {
    const { sim, call } = redirected(extension, { sendToVoicemail: "true" });
    expect(stream(sim)).toEqual(["0 call.started", "0 call.not_answered"]);
    expect(call.record).toMatchObject({
      status: "missed",
      outcome: { status: "missed", reason: "sentToVoicemail" },
      endedTimestamp: startMs,
      connections: [],
    });
    expect(sim.calls.live()).toEqual([]);
    expect(sim.calls.returns).toEqual([]);
    expect(sim.pending()).toEqual([]);
    expect(sim.notifications).toEqual([]);
  });

  test.each([
    ["a user", "101"],
    ["a device", "300"],
  ])("without a voicemail of %s (%s) returns the call if a return is set", (_kind, extension) => {
    const { sim } = redirected(extension, { sendToVoicemail: "true", ...flow });
    expect(stream(sim)).toEqual(["0 call.started", "0 call.not_answered"]);
    expect(sim.calls.returns).toMatchObject([{ returnTo: "flow", returnReason: "sentToVoicemail" }]);
  });

  test("with a voicemail does not return the call", () => {
    const { sim, call } = redirected("102", { sendToVoicemail: true, ...flow });
    sim.runUntil("call.ended");
    expect(call.record.outcome).toEqual({ status: "missed", reason: "sentToVoicemail" });
    expect(sim.calls.returns).toEqual([]);
  });
});

describe("a return", () => {
  test.each([
    ["flow", "FW1"],
    ["taskQueue", "WW1"],
    ["application", "app:main"],
    ["postEndpoint", "https://vendor.test/back?a=1"],
  ])("to a %s is recorded, and the call closes with call.not_answered", (returnTo, returnToId) => {
    const { sim, call } = redirected("101", { returnTo, returnToId });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "30000 call.not_answered"]);
    expect(call.record.outcome).toEqual({ status: "missed", reason: "timeout" });
    expect(sim.calls.returns).toEqual([
      {
        callId: "call-1",
        vendorCallId: "CA1",
        returnTo,
        returnToId,
        returnReason: "timeout",
        createdAt: "2026-07-01T00:00:30.000Z",
        takenBack: null,
        nextCallId: null,
        createdTimestamp: startMs + 30_000,
      },
    ]);
  });

  test("to a postEndpoint is posted by the vendor, signed with its secret", () => {
    const sim = createSimulator({
      organisation: office,
      dialect: { vendor: "acmetel", vendorSecret: "s3cret" },
      network: { unrouted: "refuse" },
    });
    const posts: EndpointRequest[] = [];
    const url = "https://vendor.test/back?a=1";
    sim.network.route("https://vendor.test/", (request) => {
      posts.push(request);
      return 204;
    });
    sim.calls.redirect({ extension: "101", returnTo: "postEndpoint", returnToId: url }, vendorCall);
    sim.runUntilIdle();
    expect(posts).toHaveLength(1);
    const [post] = posts;
    const form = Object.fromEntries(new URLSearchParams(post?.body));
    expect(form).toEqual({ parentCallId: "CA1", from: caller, to: dial.alice, returnReason: "timeout" });
    const message = `${url}from${caller}parentCallIdCA1returnReasontimeoutto${dial.alice}`;
    expect(post).toMatchObject({
      url,
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "x-acmetel-signature": createHmac("sha1", "s3cret").update(message).digest("base64"),
      },
    });
    expect(sim.network.requests).toMatchObject([{ why: "return", failure: null }]);
  });

  test("to a postEndpoint may be URL-encoded, as in the query", () => {
    const returnToId = "https://vendor.test/back?a=1";
    const { sim } = redirected("101", {
      returnTo: "postEndpoint",
      returnToId: encodeURIComponent(returnToId),
    });
    sim.runUntilIdle();
    expect(sim.calls.returns).toMatchObject([{ returnToId }]);
    expect(sim.network.requests).toMatchObject([{ to: returnToId, why: "return" }]);
  });

  test("to a postEndpoint that refuses it leaves the call unchanged, and the request gives the reason", () => {
    const sim = createSimulator({ organisation: office, network: { unrouted: "refuse" } });
    sim.calls.redirect(
      { extension: "101", returnTo: "postEndpoint", returnToId: "https://vendor.test/back" },
      vendorCall,
    );
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "30000 call.not_answered"]);
    expect(sim.network.requests).toMatchObject([{ why: "return", failure: "refused", answer: null }]);
  });

  test("replaces the user's voicemail, and the user still sees a missed call", () => {
    const { sim } = redirected("102", flow);
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "30000 call.not_answered"]);
    expect(sim.calls.returns).toHaveLength(1);
    expect(sim.notifications.map(({ kind, to }) => [kind, to.userId])).toEqual([["missedCall", "bob"]]);
  });

  test("replaces the team's unanswered step", () => {
    const teams = office.teams.map((team) =>
      team.id === "support" ? { ...team, unanswered: { team: "billing" } } : team,
    );
    const sim = newSimulator({ ...office, teams });
    sim.calls.redirect({ extension: "201", timeout: 15, ...flow }, vendorCall);
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "15000 call.not_answered"]);
    expect(sim.calls.returns).toMatchObject([{ returnReason: "timeout" }]);
  });

  test("gives the reason declined", () => {
    const { sim, call } = redirected("102", flow);
    call.decline("bob");
    expect(sim.calls.returns).toMatchObject([{ returnReason: "declined" }]);
  });

  test("gives the reason that the user was not available", () => {
    const { sim } = redirected("105", flow);
    expect(stream(sim)).toEqual(["0 call.started", "0 call.not_answered"]);
    expect(sim.calls.returns).toMatchObject([{ returnReason: "unavailable" }]);
  });

  test("gives the reason that no member of the team was available", () => {
    const sim = newSimulator();
    sim.users.get("carol").setAvailability("busy");
    sim.calls.redirect({ extension: "201", ...flow }, vendorCall);
    sim.runUntilIdle();
    expect(sim.calls.returns).toMatchObject([{ returnReason: "noAvailableMembers" }]);
  });

  test("is skipped when the caller gives up", () => {
    const { sim, call } = redirected("102", flow);
    call.hangup("caller");
    expect(call.record.outcome).toEqual({ status: "abandoned", reason: "callerHungUp" });
    expect(sim.calls.returns).toEqual([]);
  });

  test.each<[string, Parameters]>([
    ["an http URL", { returnTo: "postEndpoint", returnToId: "http://vendor.test/back" }],
    ["no URL", { returnTo: "postEndpoint", returnToId: "vendor" }],
    ["a broken encoding", { returnTo: "postEndpoint", returnToId: "https%3A%2F%2Fvendor.test%2F%E9" }],
    ["an unknown kind", { returnTo: "queue", returnToId: "Q1" }],
    ["no destination", { returnTo: "flow" }],
    ["an empty destination", { returnTo: "flow", returnToId: "" }],
    ["an empty URL", { returnTo: "postEndpoint", returnToId: "" }],
    ["an empty kind", { returnTo: "", returnToId: "FW1" }],
    ["no kind", { returnToId: "FW1" }],
  ])("with %s is ignored, and the usual rules apply", (_what, parameters) => {
    const { sim, call } = redirected("102", parameters);
    sim.runUntil("call.ended");
    expect(call.record.outcome).toEqual({ status: "missed", reason: "timeout" });
    expect(sim.calls.returns).toEqual([]);
  });
});

describe("parameters that start with x-", () => {
  test("are stored with the call and are in its events", () => {
    const { sim } = redirected("101", { "x-ticket": "4711", "x-name": "Jürgen" });
    sim.runUntilIdle();
    const calls = [...sim.events.ofType("call.started"), ...sim.events.ofType("call.not_answered")];
    expect(calls.map(({ data }) => data.call.passthroughParameters)).toEqual([
      { "x-ticket": "4711", "x-name": "Jürgen" },
      { "x-ticket": "4711", "x-name": "Jürgen" },
    ]);
  });

  test("are stored up to 1000 bytes", () => {
    expect(redirected("101", parameterOf(1_000)).call.record.passthroughParameters).toEqual(
      parameterOf(1_000),
    );
  });

  test("are all discarded above 1000 bytes, and the call proceeds", () => {
    const { call } = redirected("101", { "x-a": "1", ...parameterOf(998) });
    expect(call.record.passthroughParameters).toEqual({});
    expect(call.ringing()).toHaveLength(2);
  });

  test("are ignored unless their value is text", () => {
    const { call } = redirected("101", { "x-count": 3, "x-a": "1" } as never);
    expect(call.record.passthroughParameters).toEqual({ "x-a": "1" });
  });
});

describe("connectApplication", () => {
  const connect = (parameters: Record<string, unknown>, extension = "101") => {
    const sim = newSimulator();
    const call = sim.calls.connectApplication({ extension, accountId: "AC1", parameters }, vendorCall);
    return { sim, call };
  };

  test("connects to an extension like a redirect without parameters", () => {
    const { sim, call } = connect({});
    expect(call.record).toMatchObject({ vendorCallId: "CA1", contactNumber: caller, direction: "inbound" });
    expect(call.record.parties[1]?.dials[0]?.reason).toBe("redirect");
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "30000 call.not_answered"]);
  });

  test("stores parameters that start with x- and have text, and ignores others", () => {
    const { call } = connect({ "x-a": "1", "x-n": 2, timeout: "10" });
    expect(call.record.passthroughParameters).toEqual({ "x-a": "1" });
  });

  test("discards parameters above 1000 bytes, and the call proceeds", () => {
    const { call } = connect(parameterOf(1_001));
    expect(call.record.passthroughParameters).toEqual({});
    expect(call.ringing()).toHaveLength(2);
  });

  test("is refused from another account, if the organisation has one", () => {
    const sim = newSimulator({ ...office, accountId: "AC1" });
    const connectFrom = (accountId: string) =>
      sim.calls.connectApplication({ extension: "101", accountId, parameters: {} }, vendorCall);
    expect(thrownBy(() => connectFrom("AC2"))).toMatchObject({
      code: "not_found",
      message: expect.stringContaining("accountId: expected AC1, got AC2"),
    });
    expect(sim.events).toEqual([]);
    expect(connectFrom("AC1").ringing()).toHaveLength(2);
  });

  test("rejects an unknown extension and an unknown key", () => {
    expect(thrownBy(() => connect({}, "999"))).toMatchObject({ code: "not_found" });
    const given = { extension: "101", accountId: "AC1", colour: "red" };
    expect(thrownBy(() => newSimulator().calls.connectApplication(given as never, vendorCall))).toMatchObject(
      {
        code: "invalid_argument",
      },
    );
  });
});

describe("dialLink", () => {
  const contactNumber = "+6421555009";

  test("makes an outbound call for the user, with its parameters", () => {
    const sim = newSimulator();
    const result = sim.calls.dialLink({
      user: "alice@acme.test",
      contactNumber,
      callerId: dial.sales,
      "x-ticket": "4711",
    });
    expect("call" in result && result.call.record).toMatchObject({
      direction: "outbound",
      contactNumber,
      companyNumber: dial.sales,
      passthroughParameters: { "x-ticket": "4711" },
    });
    expect(stream(sim)).toEqual(["0 call.started", "0 user.availability.updated"]);
  });

  test("makes the call with 1000 bytes of parameters", () => {
    const result = newSimulator().calls.dialLink({ user: "alice", contactNumber, ...parameterOf(1_000) });
    expect(result).toHaveProperty("call");
  });

  test.each([
    ["its callerId", { callerId: dial.sales }, dial.sales],
    ["no callerId", {}, null],
  ])("opens the dial pad above 1000 bytes, prefilled with the number and %s, and makes no call", (...row) => {
    const [, given, callerId] = row;
    const sim = newSimulator();
    const result = sim.calls.dialLink({ user: "alice", contactNumber, ...given, ...parameterOf(1_001) });
    expect(result).toEqual({ dialPad: { contactNumber, callerId } });
    expect(sim.events).toHaveLength(0);
    expect(sim.calls.list()).toEqual([]);
    expect(sim.users.get("alice").record.availability.status).toBe("available");
  });

  test("counts only valid parameters", () => {
    const passthroughParameters = { ignored: "l".repeat(2_000), "x-a": "1" };
    const result = newSimulator().calls.dialLink({ user: "alice", contactNumber, passthroughParameters });
    expect("call" in result && result.call.record.passthroughParameters).toEqual({ "x-a": "1" });
  });

  test.each([
    ["an unknown user", { user: "nobody", contactNumber }, "not_found"],
    ["an unknown user over the limit", { user: "nobody", contactNumber, ...parameterOf(1_001) }, "not_found"],
    ["an unknown key", { user: "alice", contactNumber, callerid: dial.sales }, "invalid_argument"],
    ["a number that is none", { user: "alice", contactNumber: "021" }, "invalid_argument"],
    ["no number", { user: "alice" }, "invalid_argument"],
  ])("rejects %s and changes nothing", (_what, link, code) => {
    const sim = newSimulator();
    const before = stateOf(sim);
    expect(thrownBy(() => sim.calls.dialLink(link as never))).toMatchObject({ name: "CommandError", code });
    expect(stateOf(sim)).toEqual(before);
  });

  test("is refused while the user is on a call", () => {
    const sim = newSimulator();
    sim.calls.dialLink({ user: "alice", contactNumber });
    expect(thrownBy(() => sim.calls.dialLink({ user: "alice", contactNumber }))).toMatchObject({
      code: "busy",
    });
  });
});
