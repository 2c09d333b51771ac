import { describe, expect, test } from "vitest";
import { createSimulator, demoOrganisation, replay, type SimulatorOptions } from "../../../src/index.ts";
import { startMs, stream, thrownBy } from "../../helpers.ts";

const crm = "https://crm.acme.test";
const caller = "+6421555001";
const outside = "+6421555009";

/** Acme with some of its data actions, and devices that may and may not dial. */
function acme(dataActions: Record<string, string>, options: SimulatorOptions = {}) {
  return createSimulator({
    ids: "counter",
    ...options,
    organisation: {
      ...demoOrganisation,
      dataActions,
      devices: [
        ...demoOrganisation.devices,
        {
          id: "gate",
          displayName: "Gate",
          extension: "301",
          sipAddress: "sip:gate@acme.test",
          outboundAllowed: false,
        },
      ],
    },
  });
}

const asking = (answer: unknown, options: SimulatorOptions = {}) => {
  const sim = acme({ outboundCall: `${crm}/outbound` }, options);
  sim.network.route(crm, () => answer as never);
  return sim;
};

const queryOf = (url: string | undefined) => Object.fromEntries(new URL(url ?? "").searchParams);

describe("The Outbound Call data action", () => {
  test("is asked after call.started and before the dialling user is busy", () => {
    const sim = asking({ body: { action: "allow" }, after: "PT2S" });
    const call = sim.calls.outbound({ from: "alice", to: outside });
    sim.advance("PT1S");
    expect(stream(sim)).toEqual(["0 call.started"]);
    expect(sim.users.get("alice").record.availability.status).toBe("available");
    expect(call.ringing()).toEqual([]);
    sim.advance("PT1S");
    expect(stream(sim)).toEqual(["0 call.started", "2000 user.availability.updated"]);
    expect(call.ringing()).toEqual([{ number: outside, endpoint: "phone" }]);
  });

  test("blocks the call: call.started, call.ended, and no user becomes busy", () => {
    const sim = asking({ body: { action: "block" } });
    const call = sim.calls.outbound({ from: "alice", to: outside });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "0 call.ended"]);
    expect(call.record).toMatchObject({
      status: "blocked",
      outcome: { status: "blocked", reason: "dataAction" },
      summary: { outcome: "Blocked" },
      connections: [],
    });
  });

  test("is a GET with caller id, number, vendor's call id and flattened passthrough parameters", () => {
    const sim = asking({ body: { action: "allow" } });
    const call = sim.calls.outbound({
      from: "alice",
      to: outside,
      passthroughParameters: { "x-order": "a b&c" },
    });
    sim.advance(0);
    const [request] = sim.network.requests;
    expect(request).toMatchObject({ method: "GET", why: "outboundCall", recordId: call.id, body: "" });
    expect(queryOf(request?.to)).toEqual({
      callerId: "+6495550100",
      contactNumber: outside,
      vendorCallId: call.record.vendorCallId,
      "x-order": "a b&c",
    });
  });

  test("says which device dials", () => {
    const sim = asking({ body: { action: "allow" } });
    sim.calls.outbound({ from: "lobby", to: outside });
    sim.advance(0);
    expect(queryOf(sim.network.requests[0]?.to)).toMatchObject({
      deviceId: "lobby",
      deviceAddress: "sip:lobby@acme.test",
      deviceExtension: "300",
    });
  });

  test("can allow a device that may not dial", () => {
    const sim = asking({ body: { action: "allow" } });
    const call = sim.calls.outbound({ from: "gate", to: outside });
    sim.advance(0);
    expect(call.ringing()).toEqual([{ number: outside, endpoint: "phone" }]);
  });

  test.each([
    ["says nothing", { body: {} }],
    ["does not answer", { after: "PT6S", body: { action: "allow" } }],
  ])("leaves such a device blocked when the action %s", (_, answer) => {
    const sim = asking(answer);
    const call = sim.calls.outbound({ from: "gate", to: outside });
    sim.runUntilIdle();
    expect(call.record).toMatchObject({
      status: "blocked",
      outcome: { status: "blocked", reason: "notAllowed" },
      summary: { outcome: "Blocked" },
    });
  });

  test.each([
    ["a status other than 2xx", { status: 404, body: { action: "block" } }, "status 404"],
    ["a redirect", { status: 302 }, "status 302"],
    ["a body that is not JSON", { body: "block" }, "the body is not JSON"],
    [
      "a body that is not valid",
      { body: { action: "maybe" } },
      'action: expected one of allow, block, got "maybe"',
    ],
    ["a list for an object", { body: [] }, "expected an object"],
    ["an answer after more than 5 s", { after: 5_001, body: { action: "block" } }, "timeout"],
  ])("counts %s as no answer, and the call continues", (_, answer, failure) => {
    const sim = asking(answer);
    const call = sim.calls.outbound({ from: "alice", to: outside });
    sim.advance("PT5S");
    expect(call.ringing()).toEqual([{ number: outside, endpoint: "phone" }]);
    expect(sim.network.requests[0]).toMatchObject({ failure });
  });

  test("may answer at exactly 5 s", () => {
    const sim = asking({ after: 5_000, body: { action: "block" } });
    sim.calls.outbound({ from: "alice", to: outside });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "5000 call.ended"]);
    expect(sim.network.requests[0]).toMatchObject({ failure: null, endedTimestamp: sim.timestamp });
  });

  test("merges passthrough parameters: adds new keys and overrides existing ones", () => {
    const sim = asking({
      body: { action: "allow", passthroughParameters: { "x-b": "2", "x-a": "9", y: "no" } },
    });
    const call = sim.calls.outbound({ from: "alice", to: outside, passthroughParameters: { "x-a": "1" } });
    sim.advance(0);
    expect(call.record.passthroughParameters).toEqual({ "x-a": "9", "x-b": "2" });
  });

  test.each([
    ["adds passthrough parameters up to 1000 bytes in all", 993, []],
    [
      "leaves the stored passthrough parameters unchanged if the merged set exceeds 1000 bytes, and says so",
      994,
      [
        {
          path: "passthroughParameters",
          message: "expected at most 1000 bytes of names and values, with those that are stored, got 1001",
        },
      ],
    ],
  ])("%s", (_title, length, problems) => {
    const more = { "x-b": "b".repeat(length) };
    const sim = asking({ body: { action: "allow", passthroughParameters: more } });
    const call = sim.calls.outbound({ from: "alice", to: outside, passthroughParameters: { "x-a": "1" } });
    sim.advance(0);
    expect(call.record.passthroughParameters).toEqual({ "x-a": "1", ...(problems.length === 0 ? more : {}) });
    expect(call.ringing()).toHaveLength(1);
    expect(sim.network.requests[0]).toMatchObject({ failure: null, problems });
  });

  test("is not asked about internal calls", () => {
    const sim = asking({ body: { action: "block" } });
    const call = sim.calls.internal({ from: "alice", to: "102" });
    sim.advance(0);
    expect(call.status).toBe("offered");
    expect(sim.network.requests).toEqual([]);
  });

  test("has no effect on a call that was hung up meanwhile", () => {
    const sim = asking({ body: { action: "allow" }, after: "PT2S" });
    const call = sim.calls.outbound({ from: "alice", to: outside });
    sim.advance("PT1S");
    call.hangup("caller");
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "1000 call.not_answered"]);
    expect(call.record.outcome).toEqual({ status: "unanswered", reason: "cancelled" });
  });

  test("ends the call if the caller took another one meanwhile", () => {
    const sim = asking({ body: { action: "allow" }, after: "PT2S" });
    const dialled = sim.calls.outbound({ from: "alice", to: outside });
    const taken = sim.calls.inbound({ from: caller, to: "+6495550100" });
    sim.advance("PT1S");
    taken.answer("alice");
    sim.advance("PT5S");
    expect(dialled.record.outcome).toEqual({ status: "unanswered", reason: "cancelled" });
    expect(sim.users.get("alice").record.availability.callId).toBe(taken.id);
  });

  test("ends the call if the caller was suspended meanwhile", () => {
    const sim = asking({ body: { action: "allow" }, after: "PT2S" });
    const dialled = sim.calls.outbound({ from: "alice", to: outside });
    sim.advance("PT1S");
    sim.users.get("alice").setStatus("suspended");
    sim.advance("PT5S");
    expect(dialled.record.outcome).toEqual({ status: "unanswered", reason: "cancelled" });
    expect(sim.calls.live()).toEqual([]);
  });
});

describe("The Team Call data action", () => {
  const teamCall = (answer: unknown) => {
    const sim = acme({ teamCall: `${crm}/team` });
    sim.network.route(crm, answer as never);
    return sim;
  };

  test("is asked before the call is queued, with its parameters in the body", () => {
    const sim = teamCall({ after: "PT1S", body: {} });
    const call = sim.calls.inbound({ from: caller, to: "+6495550200" });
    sim.advance(999);
    expect(call.status).toBe("started");
    sim.advance(1);
    expect(call.status).toBe("offered");
    const [request] = sim.network.requests;
    expect(request).toMatchObject({ method: "POST", why: "teamCall", to: `${crm}/team` });
    expect(request?.headers).toMatchObject({ "content-type": "application/json" });
    const sales = { id: "sales", displayName: "Sales", extension: "200", type: "team" };
    expect(JSON.parse(request?.body ?? "")).toMatchObject({
      callId: call.id,
      contactNumber: caller,
      passthroughParameters: {},
      assignedCallGroup: sales,
      directoryTarget: sales,
    });
  });

  test("is asked for each team, also after a rollover, and the team's time starts when the call is queued", () => {
    const sim = teamCall({ after: "PT1S", body: {} });
    sim.calls.inbound({ from: caller, to: "+6495550200" });
    sim.runUntil("call.not_answered");
    const asked = sim.network.requests.map(
      ({ body, startedTimestamp }) =>
        `${startedTimestamp - Date.UTC(2026, 6, 1)} ${JSON.parse(body).assignedCallGroup.id}`,
    );
    expect(asked).toEqual(["0 sales", "61000 support"]);
    expect(stream(sim).at(-1)).toBe("122000 call.not_answered");
  });

  test("gives the team another name, in directoryTarget and assignedCallGroup", () => {
    const sim = teamCall({ body: { displayName: "VIP" } });
    const call = sim.calls.inbound({ from: caller, to: "+6495550200" });
    sim.advance(0);
    call.answer("bob");
    const named = { displayName: "Sales", overriddenDisplayName: "VIP" };
    expect(call.record).toMatchObject({ directoryTarget: named, assignedCallGroup: named });
  });

  test("sets the call's priority in the queue", () => {
    const sim = acme({ teamCall: `${crm}/team` });
    for (const member of ["bob", "carol"]) sim.users.get(member).setAvailability("busy");
    sim.teams.get("sales").removeMember("lobby");
    sim.network.route(crm, ({ body }) => ({
      body: { priority: JSON.parse(body).contactNumber === caller ? 1 : 9 },
    }));
    const usual = sim.calls.inbound({ from: outside, to: "+6495550200" });
    const first = sim.calls.inbound({ from: caller, to: "+6495550200" });
    sim.advance(0);
    expect(sim.teams.get("sales").waiting()).toEqual([first.id, usual.id]);
  });

  test.each([
    [0, 5],
    [1, 1],
    [9, 9],
    [10, 5],
    [1.5, 5],
    [-1, 5],
  ])("takes the priority %d as %d", (priority, taken) => {
    const sim = acme({ teamCall: `${crm}/team` });
    for (const member of ["bob", "carol"]) sim.users.get(member).setAvailability("busy");
    sim.teams.get("sales").removeMember("lobby");
    const ask = (given: unknown) => {
      sim.network.route(crm, () => ({ body: { priority: given } }));
      const { id } = sim.calls.inbound({ from: caller, to: "+6495550200" });
      sim.advance(0);
      return id;
    };
    const [asked, same, above] = [ask(priority), ask(taken), taken === 1 ? ask(1) : ask(taken - 1)];
    expect(sim.teams.get("sales").waiting()).toEqual(
      taken === 1 ? [asked, same, above] : [above, asked, same],
    );
    expect(sim.network.requests.map(({ failure, problems }) => [failure, problems])).toEqual(
      Array(3).fill([null, []]),
    );
  });

  test("is judged field by field: what cannot be taken is ignored and listed, and the rest counts", () => {
    const sim = teamCall({
      body: {
        priority: "high",
        displayName: "VIP",
        passthroughParameters: { "x-a": "1", "x-b": 2 },
        more: 1,
      },
    });
    const call = sim.calls.inbound({ from: caller, to: "+6495550200" });
    sim.advance(0);
    call.answer("bob");
    expect(call.record).toMatchObject({
      passthroughParameters: { "x-a": "1" },
      assignedCallGroup: { overriddenDisplayName: "VIP" },
    });
    const [request] = sim.network.requests;
    expect(request).toMatchObject({
      failure: null,
      problems: [{ path: "priority", message: 'expected a whole number from 1 to 9, got "high"' }],
    });
    expect(Object.isFrozen(request?.problems)).toBe(true);
    expect(replay(sim.journal()).network.requests[0]?.problems).toEqual(request?.problems);
  });

  test("takes null as no change", () => {
    const sim = teamCall({ body: { priority: null, displayName: null, passthroughParameters: null } });
    const call = sim.calls.inbound({
      from: caller,
      to: "+6495550200",
      passthroughParameters: { "x-order": "42" },
    });
    sim.advance(0);
    call.answer("bob");
    expect(call.record.passthroughParameters).toEqual({ "x-order": "42" });
    expect(call.record.assignedCallGroup).not.toHaveProperty("overriddenDisplayName");
    expect(sim.network.requests[0]).toMatchObject({ failure: null, problems: [] });
  });

  test.each(["x-a=1", ["x-a=1"], 1, true])(
    "takes passthrough parameters only as an object, not as %j",
    (given) => {
      const sim = teamCall({ body: { displayName: "VIP", passthroughParameters: given } });
      const call = sim.calls.inbound({ from: caller, to: "+6495550200" });
      sim.advance(0);
      expect(call.record.passthroughParameters).toEqual({});
      expect(sim.network.requests[0]).toMatchObject({
        failure: null,
        problems: [{ path: "passthroughParameters", message: expect.stringContaining("expected an object") }],
      });
    },
  );

  test("fails, with every reason, if nothing of it can be taken", () => {
    const sim = teamCall({ body: { priority: "high", displayName: 7 } });
    sim.calls.inbound({ from: caller, to: "+6495550200" });
    sim.advance(0);
    const [request] = sim.network.requests;
    expect(request?.problems.map(({ path }) => path)).toEqual(["priority", "displayName"]);
    expect(request?.failure).toMatch(/^priority: .*\ndisplayName: /);
  });

  test("has no effect if the caller hangs up before the answer", () => {
    const sim = teamCall({ after: "PT3S", body: {} });
    const call = sim.calls.inbound({ from: caller, to: "+6495550200" });
    sim.advance("PT1S");
    call.hangup("caller");
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "1000 call.not_answered"]);
    expect(call.record.status).toBe("abandoned");
  });
});

describe("The answer of the Call Insights data action", () => {
  const cards = [{ title: "Orders", items: [{ label: "Open", value: 2 }] }];
  const preferences = { contextSource: "crm", cardOrder: ["Orders"] };
  const answering = (body: unknown, options: SimulatorOptions = {}) => {
    const sim = acme({ callInsights: `${crm}/cards` }, options);
    sim.network.route(crm, { body } as never);
    const call = sim.calls.inbound({ from: caller, to: "+6495550100" });
    sim.advance("PT1S");
    return { sim, call };
  };

  test("is in sim.calls.insights: cards and preferences, when the call starts ringing and when it is over", () => {
    const { sim, call } = answering({ cards, preferences });
    call.hangup("caller");
    sim.advance("PT1S");
    expect(sim.calls.insights).toEqual([
      {
        callId: call.id,
        origin: "service.precall",
        cards,
        preferences,
        problems: ['preferences.contextSource: no card is of "crm"'],
        shownTo: ["alice"],
        createdAt: "2026-07-01T00:00:00.000Z",
        createdTimestamp: startMs,
      },
      expect.objectContaining({
        origin: "service.callhistory",
        shownTo: [],
        createdTimestamp: startMs + 1000,
      }),
    ]);
  });

  test.each([
    ["an object without preferences", { cards }],
    ["a list of cards, which is deprecated", cards],
  ])("has no preferences for %s", (_, body) => {
    expect(answering(body).sim.calls.insights).toMatchObject([{ cards, preferences: null }]);
  });

  test.each([
    ["no cards", {}],
    ["cards that are no list", { cards: "none" }],
    ["something else", 7],
  ])("is dropped for %s, and the request gives the reason", (_, body) => {
    const { sim } = answering(body);
    expect(sim.calls.insights).toEqual([]);
    expect(sim.network.requests[0]?.failure).toContain("expected");
  });

  test("is equal in a fork and a replay, is frozen, and is kept as long as retain.requests", () => {
    const { sim, call } = answering({ cards, preferences }, { retain: { requests: 1 } });
    for (const each of [sim.fork(), replay(sim.journal())])
      expect(each.calls.insights).toEqual(sim.calls.insights);
    expect(() => (sim.calls.insights[0] as unknown as { cards: unknown[] }).cards.push(1)).toThrow(TypeError);
    call.hangup("caller");
    sim.advance("PT1S");
    expect(sim.calls.insights).toMatchObject([{ origin: "service.callhistory" }]);
  });
});

describe("The order of cards", () => {
  const [weather, visit, orders, note] = [
    { title: "Weather" },
    { id: "visit", title: "Last visit", contextSource: "crm" },
    { id: "orders", title: "Open orders", contextSource: "shop" },
    "just a text",
  ];
  const ordered = (preferences: unknown, cards: readonly unknown[] = [weather, visit, orders, note]) => {
    const sim = acme({ callInsights: `${crm}/cards` });
    sim.network.route(crm, { body: { cards, preferences } as object });
    sim.calls.inbound({ from: caller, to: "+6495550100" });
    sim.advance(0);
    return sim.calls.insights[0];
  };

  test.each<[string, unknown, readonly unknown[]]>([
    ["as they came, without preferences", undefined, [weather, visit, orders, note]],
    [
      "those that cardOrder names first, in its order",
      { cardOrder: ["orders", "visit"] },
      [orders, visit, weather, note],
    ],
    [
      "by title for a card without an id",
      { cardOrder: ["orders", "Weather"] },
      [orders, weather, visit, note],
    ],
    ["then those of the preferred source", { contextSource: "shop" }, [orders, weather, visit, note]],
    [
      "the named ones before those of the preferred source",
      { contextSource: "shop", cardOrder: ["Weather"] },
      [weather, orders, visit, note],
    ],
  ])("is %s", (_, preferences, cards) => {
    expect(ordered(preferences)).toMatchObject({ cards, problems: [] });
  });

  test("keeps cards of one name as they came", () => {
    const [first, second] = [
      { title: "Order", nr: 1 },
      { title: "Order", nr: 2 },
    ];
    expect(ordered({ cardOrder: ["Order"] }, [weather, first, second])?.cards).toEqual([
      first,
      second,
      weather,
    ]);
  });

  test.each<[string, unknown, readonly unknown[], readonly string[]]>([
    [
      "no object",
      "crm",
      [weather, visit, orders, note],
      ["preferences: expected { contextSource?, cardOrder? }"],
    ],
    [
      "a title, where the card has an id",
      { cardOrder: ["Last visit", "orders"] },
      [orders, weather, visit, note],
      ['preferences.cardOrder: no card is named "Last visit"'],
    ],
    [
      "a source that no card has, and an order that is no list",
      { contextSource: "erp", cardOrder: "orders" },
      [weather, visit, orders, note],
      [
        "preferences.cardOrder: expected a list of ids or titles of cards",
        'preferences.contextSource: no card is of "erp"',
      ],
    ],
    [
      "a list with more than texts",
      { contextSource: 7, cardOrder: [1, "orders"] },
      [orders, weather, visit, note],
      [
        "preferences.contextSource: expected text",
        "preferences.cardOrder: expected a list of ids or titles of cards",
      ],
    ],
    [
      "many names that nobody has",
      { cardOrder: ["a", "b", "c", "d", "e", "e", "f"] },
      [weather, visit, orders, note],
      ['preferences.cardOrder: no card is named "a", "b", "c", "d" and 2 more'],
    ],
  ])(
    "follows what it can of preferences with %s, and names the problem",
    (_, preferences, cards, problems) => {
      expect(ordered(preferences)).toMatchObject({ cards, problems, preferences });
    },
  );
});

describe("The cards of a call", () => {
  const members = [
    { user: "alice" },
    { user: "bob" },
    { user: "carol", priority: 2 },
    { device: "lobby", priority: 2 },
  ];
  const team = { id: "sales", displayName: "Sales", extension: "300", members };
  const user = (id: string, extension: string) => ({
    id,
    email: `${id}@acme.test`,
    displayName: id,
    extension,
  });
  const withTeam = (after = "PT1S") => {
    const sim = createSimulator({
      seed: 1,
      organisation: {
        id: "acme",
        numbers: [
          { number: "+6495550100", owner: "sales" },
          { number: "+6495550101", owner: "alice" },
        ],
        users: [user("alice", "101"), user("bob", "102"), user("carol", "103")],
        devices: [{ id: "lobby", displayName: "Lobby", extension: "104" }],
        teams: [team],
        dataActions: { callInsights: `${crm}/cards` },
      },
    });
    sim.network.route(crm, { after, body: { cards: [{ title: "Orders" }] } });
    return sim;
  };
  const shown = (sim: ReturnType<typeof withTeam>) => sim.calls.insights.map(({ shownTo }) => shownTo);

  test("reach the users who ring when they come, then whoever begins to ring later, but no device", () => {
    const sim = withTeam();
    sim.calls.inbound({ from: caller, to: "+6495550100" });
    sim.advance("PT0.999S");
    expect(shown(sim)).toEqual([]);
    sim.advance("PT0.001S");
    expect(shown(sim)).toEqual([["alice", "bob"]]);
    sim.advance("PT19S");
    expect(shown(sim)).toEqual([["alice", "bob", "carol"]]);
    // the team begins again, with those who know the cards
    sim.advance("PT20S");
    expect(shown(sim)).toEqual([["alice", "bob", "carol"]]);
  });

  test("do not reach who stopped ringing before, but who answered", () => {
    const sim = withTeam("PT4S");
    const call = sim.calls.inbound({ from: caller, to: "+6495550100" });
    sim.advance("PT2S");
    call.answer("bob");
    sim.advance("PT2S");
    expect(shown(sim)).toEqual([["bob"]]);
  });

  test("reach who dialled, and nobody once the call is over", () => {
    const sim = withTeam();
    const call = sim.calls.outbound({ from: "alice", to: outside });
    sim.advance("PT1S");
    expect(shown(sim)).toEqual([["alice"]]);
    call.hangup("alice");
    const brief = sim.calls.inbound({ from: caller, to: "+6495550101" });
    brief.hangup("caller");
    sim.runUntilIdle();
    expect(shown(sim)).toEqual([["alice"], [], [], []]);
  });

  test("reach whoever the call is transferred to", () => {
    const sim = withTeam();
    const call = sim.calls.inbound({ from: caller, to: "+6495550101" });
    sim.advance("PT1S");
    call.answer("alice");
    call.transfer("103", { by: "alice" });
    expect(shown(sim)).toEqual([["alice", "carol"]]);
  });

  test("are in the timeline and in diagrams, with who sees them", () => {
    const sim = withTeam();
    sim.network.route(crm, {
      after: "PT1S",
      body: { cards: [{ title: "Orders" }, {}], preferences: { cardOrder: ["Visits"] } },
    });
    const call = sim.calls.inbound({ from: caller, to: "+6495550101" });
    sim.advance("PT1S");
    call.hangup("caller");
    sim.runUntilIdle();
    const cards =
      '2 cards: Orders, a card without a title (preferences.cardOrder: no card is named "Visits")';
    const timeline = sim.events.toTimeline();
    expect(timeline).toContain(`| alice: sees ${cards}`);
    expect(timeline).toContain(`| acme: keeps ${cards}`);
    expect(sim.events.toMermaid()).toContain(": sees 2 cards: Orders, a card without a title");
  });

  test("are the same in a fork that was made before they came", () => {
    const sim = withTeam();
    sim.calls.inbound({ from: caller, to: "+6495550100" });
    const fork = sim.fork();
    for (const each of [sim, fork]) each.advance("PT30S");
    expect(fork.calls.insights).toEqual(sim.calls.insights);
    expect(replay(sim.journal()).calls.insights).toEqual(sim.calls.insights);
    expect(sim.events.toTimeline()).toContain("carol: sees 1 card: Orders");
    expect(replay(sim.journal()).events.toTimeline()).toBe(sim.events.toTimeline());
  });
});

describe("The Call Insights data action", () => {
  const insights = (answer: unknown, options: SimulatorOptions = {}) => {
    const sim = acme({ callInsights: `${crm}/cards` }, options);
    sim.network.route(crm, answer as never);
    return sim;
  };

  test("is asked when the call starts ringing and when it is over, without delaying it", () => {
    const sim = insights({ after: "PT4S", body: { cards: [] } });
    const call = sim.calls.inbound({
      from: caller,
      to: "+6495550100",
      passthroughParameters: { "x-order": "42" },
    });
    expect(call.ringing()).toHaveLength(2);
    sim.advance("PT1S");
    call.hangup("caller");
    sim.runUntilIdle();
    const queries = sim.network.requests.map(({ to }) => queryOf(to));
    expect(queries.map(({ origin }) => origin)).toEqual(["service.precall", "service.callhistory"]);
    expect(queries[0]).toMatchObject({ callId: call.id, contactNumber: caller, "x-order": "42" });
  });

  test("carries the service's name", () => {
    const sim = insights(200, { dialect: { serviceName: "spoke" } });
    sim.calls.inbound({ from: caller, to: "+6495550100" });
    sim.advance(0);
    expect(queryOf(sim.network.requests[0]?.to).origin).toBe("spoke.precall");
  });

  test.each([
    ["cards and preferences", { cards: [{ title: "VIP" }], preferences: { order: [] } }, null, []],
    ["cards and preferences of null", { cards: [], preferences: null }, null, []],
    ["a bare list of cards, which is deprecated", [{ title: "VIP" }], null, []],
    ["cards, and ignores preferences that are none", { cards: [], preferences: "x" }, null, ["preferences"]],
    [
      "cards, and ignores parts of preferences",
      { cards: [], preferences: { contextSource: 1, cardOrder: [1] } },
      null,
      ["preferences.contextSource", "preferences.cardOrder"],
    ],
    ["nothing without cards", { card: 1 }, "expected { cards, preferences? } or a list of cards", []],
    [
      "nothing with cards of null",
      { cards: null },
      "expected { cards, preferences? } or a list of cards",
      [],
    ],
    ["nothing with cards that are none", { cards: 1, preferences: {} }, /^expected \{ cards/, ["cards"]],
  ])("takes %s", (_, body, failure, paths) => {
    const sim = insights({ body });
    sim.calls.inbound({ from: caller, to: "+6495550100" });
    sim.advance(0);
    const [request] = sim.network.requests;
    if (failure === null) expect(request?.failure).toBeNull();
    else expect(request?.failure).toMatch(failure);
    expect(request?.problems.map(({ path }) => path)).toEqual(paths);
  });
});

describe("An endpoint", () => {
  test("is not called in a replay, which has the same stream and answers", () => {
    const sim = asking({ body: { action: "block" }, after: "PT1S" });
    sim.calls.outbound({ from: "alice", to: outside });
    sim.runUntilIdle();
    const again = replay(JSON.stringify(sim.journal()));
    expect(again.events.toJSONL()).toBe(sim.events.toJSONL());
    expect(again.journal()).toEqual(sim.journal());
    expect(again.network.requests.map(({ answer }) => answer)).toEqual(
      sim.network.requests.map(({ answer }) => answer),
    );
  });

  test("whose code throws answers 500, and the time method rethrows the error", () => {
    const sim = acme({ outboundCall: crm });
    sim.network.route(crm, () => {
      throw new TypeError("broken");
    });
    const call = sim.calls.outbound({ from: "alice", to: outside });
    expect(() => sim.advance(0)).toThrow(new TypeError("broken"));
    expect(sim.network.requests[0]?.failure).toBe("status 500");
    expect(call.ringing()).toHaveLength(1);
  });

  test("that returns a promise leaves the request due in a synchronous run, and is called once", async () => {
    const sim = acme({ outboundCall: crm });
    let calls = 0;
    sim.network.route(crm, async () => {
      calls++;
      return { body: { action: "block" } };
    });
    const call = sim.calls.outbound({ from: "alice", to: outside });
    const due = sim.pending();
    expect(thrownBy(() => sim.advance("PT1S"))).toMatchObject({ code: "not_allowed" });
    expect(sim.pending()).toEqual(due);
    await sim.advanceAsync("PT1S");
    expect(call.status).toBe("blocked");
    expect(calls).toBe(1);
  });

  test("may issue commands on its call", () => {
    const sim = acme({ outboundCall: crm });
    sim.network.route(crm, () => {
      sim.calls.live()[0]?.hangup("caller");
      return { body: { action: "allow" } };
    });
    sim.calls.outbound({ from: "alice", to: outside });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "0 call.not_answered"]);
    expect(replay(sim.journal()).events.toJSONL()).toBe(sim.events.toJSONL());
  });

  test("may not advance time", () => {
    const sim = asking({ body: {} });
    sim.network.route(`${crm}/outbound`, () => {
      sim.advance("PT1S");
      return 200;
    });
    sim.calls.outbound({ from: "alice", to: outside });
    expect(thrownBy(() => sim.advance(0))).toMatchObject({ code: "not_allowed" });
  });

  test("gives a fork the same answers", () => {
    const sim = asking({ body: { action: "block" } });
    sim.calls.outbound({ from: "alice", to: outside });
    const fork = sim.fork();
    sim.runUntilIdle();
    fork.runUntilIdle();
    expect(fork.events.toJSONL()).toBe(sim.events.toJSONL());
  });
});
