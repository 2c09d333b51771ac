import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { assumptionWords } from "../../../src/core/platform/declare/assumption-words.ts";
import { usualAssumptions } from "../../../src/core/platform/declare/assumptions.ts";
import {
  type AssumptionsInput,
  createSimulator,
  InputError,
  parseScenario,
  replay,
  runScenario,
  type Simulator,
  verifySignature,
} from "../../../src/index.ts";
import { caller, dial, office, startMs, stream, thrownBy } from "../../helpers.ts";

/** What a lesson's run is if the platform does otherwise. */
function lesson(
  number: string,
  name: string,
  assume: AssumptionsInput,
  seed: string | number = 1,
): Simulator {
  const text = readFileSync(new URL(`../../../scenarios/${number}-${name}.yaml`, import.meta.url), "utf8");
  const { options, ...scenario } = parseScenario(text);
  const assuming = {
    ...scenario,
    expect: undefined,
    expectAttempts: undefined,
    options: { ...options, assume, seed },
  };
  return runScenario(assuming).simulator;
}
const first = (assume: AssumptionsInput, seed?: string | number) =>
  lesson("01", "first-endpoint-wins", assume, seed);

const since = (sim: Simulator) => (ms: number) => (ms - sim.startTimestamp) / 1000;
/** The second and the type of each event. */
const lines = (sim: Simulator) => {
  const second = since(sim);
  return sim.events.map(({ createdTimestamp, type }) => `${second(createdTimestamp)} ${type}`);
};

/** The bodies that a webhook gets in a call that Alice answers. */
function bodies(assume: AssumptionsInput) {
  const sim = createSimulator({ organisation: office, ids: "counter", assume });
  sim.webhooks.create({ url: "https://app.test/hooks", events: ["call.answered"] });
  sim.calls.inbound({ from: caller, to: dial.alice }).answer("alice");
  sim.runUntilIdle();
  const [request] = sim.network.requests;
  if (request === undefined) throw new Error("no request was sent");
  return { sim, request, body: JSON.parse(request.body as string) };
}

describe("each alternative of an assumption shows in the stream", () => {
  test("call.not_answered comes for each team that missed the call", () => {
    const usual = ["0 call.started", "120 call.not_answered", "123 call.hungup", "123 call.ended"];
    const teams = (sim: Simulator) =>
      sim.events.ofType("call.not_answered").map(({ data }) => data.call.assignedCallGroup?.displayName);
    const once = lesson("20", "the-next-team-and-then-voicemail", {});
    expect(lines(once)).toEqual(usual);
    const perTeam = lesson("20", "the-next-team-and-then-voicemail", { notAnswered: "perTeam" });
    expect(lines(perTeam)).toEqual([usual[0], "60 call.not_answered", ...usual.slice(1)]);
    expect(teams(perTeam)).toEqual(["Sales", "Support"]);
    expect(perTeam.events.ofType("call.not_answered")[0]?.data.call.status).toBe("offered");
  });

  test("call.started names whom an inbound call is for", () => {
    const target = (sim: Simulator) => sim.events.ofType("call.started")[0]?.data.call.directoryTarget;
    expect(target(first({}))).toBeUndefined();
    expect(target(first({ startedTarget: "present" }))).toMatchObject({
      type: "user",
      displayName: "Alice Ng",
    });
  });

  test("the status in call.answered is still started", () => {
    const sim = first({ answeredStatus: "started" });
    expect(sim.events.ofType("call.answered")[0]?.data.call.status).toBe("started");
    expect(sim.events.ofType("call.hungup")[0]?.data.call.status).toBe("accepted");
  });

  test("a user who rings is busy in events", () => {
    const rules = (sim: Simulator) =>
      sim.events.ofType("user.availability.updated").map(({ data: { user }, createdTimestamp }) => {
        const { status, notAvailableRule } = user.availability;
        return `${since(sim)(createdTimestamp)} ${status} ${notAvailableRule}`;
      });
    expect(rules(first({ ringingAvailability: "announced" }))).toEqual([
      "0 busy ringing",
      "6 busy busyOnACall",
      "66 available null",
    ]);
    const missed = lesson("03", "nobody-answers", { ringingAvailability: "announced" });
    expect(rules(missed)).toEqual(["0 busy ringing", "30 available null"]);
  });

  test("a user who rings for two calls has an event of being free once neither rings", () => {
    const sim = createSimulator({ organisation: office, assume: { ringingAvailability: "announced" } });
    const one = sim.calls.inbound({ from: caller, to: dial.alice });
    const other = sim.calls.inbound({ from: "+6421555002", to: dial.alice });
    one.hangup("caller");
    const told = () => sim.events.ofType("user.availability.updated").length;
    expect(told()).toBe(2);
    other.hangup("caller");
    expect(told()).toBe(3);
  });

  test("an event comes after a delay, with the record as it was before", () => {
    const sim = first({ eventDelay: "PT1.74S" });
    expect(lines(sim)).toEqual(
      lines(first({})).map((line) => line.replace(/^\d+/, (at) => `${Number(at) + 1.74}`)),
    );
    const [answered] = sim.events.ofType("call.answered");
    expect(since(sim)(answered?.data.call.answeredTimestamp as number)).toBe(6);
    expect(answered?.data.call.status).toBe("accepted");
  });

  test("the delay of an event may be drawn, so that events overtake each other", () => {
    const sim = first({ eventDelay: { uniform: [0, 90_000] } });
    expect([...lines(sim)].sort()).not.toEqual(lines(first({})).sort());
    expect(sim.events).toHaveLength(7);
  });

  test("users who are offered a call ring after a delay", () => {
    const sim = createSimulator({ organisation: office, assume: { dialLatency: 1085 } });
    const call = sim.calls.inbound({ from: caller, to: dial.bob });
    sim.advance(1084);
    expect(call.ringing()).toEqual([]);
    sim.advance(1);
    expect(call.ringing()[0]).toMatchObject({ user: "bob" });
    const dialled = call.record.parties.flatMap(({ dials }) =>
      dials.map((each) => each.startedTimestamp - startMs),
    );
    expect(new Set(dialled)).toEqual(new Set([1085]));
    sim.advance("PT29.999S");
    expect(stream(sim)).toEqual(["0 call.started"]);
    sim.advance(1);
    expect(stream(sim)).toEqual(["0 call.started", "31085 call.not_answered"]);
  });

  test("nobody rings for a caller who gives up before the delay is over", () => {
    const sim = createSimulator({ organisation: office, assume: { dialLatency: "PT2S" } });
    sim.calls.inbound({ from: caller, to: dial.bob }).hangup("caller");
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "0 call.not_answered"]);
  });

  test("a team's time begins when its members ring", () => {
    const sim = lesson("16", "the-second-tier-rings-after-twenty-seconds", { dialLatency: "PT2S" });
    expect(sim.events.ofType("call.not_answered")).toEqual([]);
    expect(lines(sim).slice(0, 2)).toEqual(
      lines(lesson("16", "the-second-tier-rings-after-twenty-seconds", {})).slice(0, 2),
    );
  });

  test("the event of the party who hung up comes last", () => {
    const order = (assume: AssumptionsInput) =>
      first(assume)
        .events.ofType("call.hungup")
        .map(({ data }) => data.party.type);
    expect(order({})).toEqual(["external", "user"]);
    expect(order({ sameInstant: "reversed" })).toEqual(["user", "external"]);
  });

  test("events of one instant come in reverse, each record's own in their order", () => {
    expect(lines(first({ sameInstant: "reversed" }))).toEqual([
      "0 call.started",
      "6 user.availability.updated",
      "6 call.answered",
      "66 user.availability.updated",
      "66 call.hungup",
      "66 call.hungup",
      "66 call.ended",
    ]);
  });

  test("events that are delayed come in reverse too", () => {
    const types = (assume: AssumptionsInput) => first(assume).events.map(({ type }) => type);
    const delayed = types({ sameInstant: "reversed", eventDelay: "PT2S" });
    expect(delayed).toEqual(types({ sameInstant: "reversed" }).slice(0, delayed.length));
    expect(delayed.length).toBeGreaterThan(2);
  });

  test("events of one instant come in an order that is drawn from the seed", () => {
    const orders = new Set(
      ["a", "b", "c", "d", "e", "f", "g", "h"].map((seed) =>
        lines(first({ sameInstant: "seeded" }, seed)).join(),
      ),
    );
    expect(orders.size).toBeGreaterThan(2);
    for (const order of orders) {
      expect(order.split(",").sort()).toEqual(lines(first({})).sort());
      expect(order.indexOf("call.answered")).toBeGreaterThan(order.indexOf("call.started"));
      expect(order.lastIndexOf("call.hungup")).toBeLessThan(order.indexOf("call.ended"));
    }
    expect(lines(first({ sameInstant: "seeded" }, "a"))).toEqual(
      lines(first({ sameInstant: "seeded" }, "a")),
    );
  });

  test("call.answered comes after the user is busy", () => {
    expect(lines(first({ sameInstant: "reversed" })).slice(0, 3)).toEqual([
      "0 call.started",
      "6 user.availability.updated",
      "6 call.answered",
    ]);
  });

  test("a user is available again after call.ended", () => {
    expect(lines(first({ freedAfter: "ended" })).slice(3)).toEqual([
      "66 call.hungup",
      "66 call.hungup",
      "66 call.ended",
      "66 user.availability.updated",
    ]);
  });

  test("a call whose caller gives up closes with call.ended", () => {
    expect(lines(lesson("07", "the-caller-gives-up", { abandoned: "ended" }))).toEqual([
      "0 call.started",
      "11 call.ended",
    ]);
    expect(lines(lesson("03", "nobody-answers", { abandoned: "ended" }))).toEqual([
      "0 call.started",
      "30 call.not_answered",
    ]);
  });

  test("no event comes when voicemail takes a call", () => {
    const sim = lesson("04", "leaving-a-voicemail", { voicemailTaken: "silent" });
    expect(lines(sim).slice(0, 3)).toEqual(["0 call.started", "47 call.hungup", "47 call.ended"]);
    const nobodyTakes = (assume: AssumptionsInput) =>
      lines(lesson("23", "an-outbound-call-that-nobody-takes", assume));
    expect(nobodyTakes({ voicemailTaken: "silent" })).toEqual(nobodyTakes({}));
  });

  test("a user's own event comes after those of their teams", () => {
    const sim = lesson("17", "an-answered-team-call", { sameInstant: "reversed" });
    expect(lines(sim).slice(1, 4)).toEqual([
      "6 team.availability.updated",
      "6 user.availability.updated",
      "6 call.answered",
    ]);
  });

  test("a team has an event with any change of a member's availability", () => {
    const told = (teamNews: "totals" | "members") => {
      const sim = createSimulator({ organisation: office, assume: { teamNews } });
      sim.users.get("dan").setAvailability("busy");
      sim.users.get("dan").setAvailability("offline");
      return sim.events.ofType("team.availability.updated").length;
    };
    const teams = office.teams.filter(({ members }) =>
      members.some((member) => JSON.stringify(member).includes("dan")),
    );
    expect(told("totals")).toBe(teams.length);
    expect(told("members")).toBe(2 * teams.length);
  });

  test("a call that a team passes on keeps its place in the queue", () => {
    const first = (queueOrder: "queue" | "call") => {
      const teams = office.teams.map((team) =>
        team.id === "support" ? { ...team, timeout: "PT10S", unanswered: { team: "billing" } } : team,
      );
      const numbers = [
        { number: "+6495550201", owner: "support" },
        { number: "+6495550202", owner: "billing" },
      ];
      const sim = createSimulator({ organisation: { ...office, numbers, teams }, assume: { queueOrder } });
      sim.users.get("carol").setAvailability("busy");
      const passedOn = sim.calls.inbound({ from: caller, to: "+6495550201" });
      sim.advance("PT5S");
      const direct = sim.calls.inbound({ from: "+6421555002", to: "+6495550202" });
      sim.advance("PT10S");
      sim.users.get("carol").setAvailability("available");
      expect(passedOn.ringing().length + direct.ringing().length).toBe(1);
      return passedOn.ringing().length === 1 ? "passed on" : "direct";
    };
    expect(first("queue")).toBe("direct");
    expect(first("call")).toBe("passed on");
  });

  test("a single record that a handler reads is as it was before the instant, the first time", async () => {
    const read = async (restConsistency: "immediate" | "behind", journal = true) => {
      const sim = createSimulator({ organisation: office, assume: { restConsistency }, retain: { journal } });
      const answers: string[] = [];
      const ask = async (path: string) => {
        const answer = await sim.fetch(path, { headers: { authorization: `Bearer ${sim.token()}` } });
        const { status, calls } = (await answer.json()) as { status?: string; calls?: unknown[] };
        return `${answer.status} ${calls?.length ?? status}`;
      };
      sim.webhooks.create({ url: "https://app.test/hooks", events: ["call.started", "call.answered"] });
      sim.network.route("https://app.test/hooks", async ({ body }) => {
        const { type, data } = JSON.parse(body);
        const one = `/calls/${data.call.id}`;
        answers.push([type, await ask(one), await ask(one), await ask("/calls")].join(", "));
        return 204;
      });
      await sim.advanceAsync("PT1S");
      const call = sim.calls.inbound({ from: caller, to: dial.alice });
      await sim.advanceAsync("PT5S");
      call.answer("alice");
      await sim.advanceAsync("PT5S");
      answers.push(await ask(`/calls/${call.id}`));
      return answers;
    };
    expect(await read("immediate")).toEqual([
      "call.started, 200 offered, 200 offered, 200 0",
      "call.answered, 200 accepted, 200 accepted, 200 0",
      "200 accepted",
    ]);
    for (const journal of [true, false])
      expect(await read("behind", journal), `journal: ${journal}`).toEqual([
        "call.started, 404 undefined, 200 offered, 200 0",
        "call.answered, 200 offered, 200 accepted, 200 0",
        "200 accepted",
      ]);
  });

  test("contact.shared comes after the deprecated event", () => {
    const sim = lesson("34", "notes-and-contacts-after-a-call", { sameInstant: "reversed" });
    expect(lines(sim).slice(-4)).toEqual([
      "3600 call.contact_assigned_with_add",
      "3600 contact.shared",
      "7200 call.contact_assigned_with_update",
      "7200 contact.shared",
    ]);
  });

  test("transcript.created comes before call.transcript.created", () => {
    const sim = lesson("04", "leaving-a-voicemail", { sameInstant: "reversed" });
    expect(lines(sim).slice(-3)).toEqual([
      "77 transcript.created",
      "77 call.transcript.created",
      "77 call.transcription_completed",
    ]);
  });

  test("parties in bodies have the ids of their users, or their numbers", () => {
    const { body } = bodies({ partyIds: "entry" });
    const ids = body.data.call.parties.map(({ id }: { readonly id: string }) => id);
    expect(ids).toEqual([caller, "alice"]);
    expect(body.data.call.connections.map(({ partyId }: { readonly partyId: string }) => partyId)).toEqual(
      ids,
    );
  });

  test("the timestamp header has the instant of the event, also in a retry", () => {
    const timestamps = (assume: AssumptionsInput) => {
      const sim = createSimulator({ organisation: office, assume });
      sim.webhooks.create({ url: "https://app.test/hooks", events: ["call.started"] });
      sim.network.route("https://app.test/hooks", { status: 503 });
      sim.calls.inbound({ from: caller, to: dial.alice });
      sim.advance("PT10M");
      return sim.network.requests.map(({ headers }) => Number(headers["x-service-timestamp"]) - startMs);
    };
    expect(new Set(timestamps({ signedAt: "event" }))).toEqual(new Set([0]));
    expect(new Set(timestamps({})).size).toBeGreaterThan(1);
  });
});

describe("the assumption bodyText", () => {
  const textOf = (assume: AssumptionsInput, more: object = {}) => {
    const sim = createSimulator({ organisation: office, ids: "counter", assume, ...more });
    sim.webhooks.create({ url: "https://app.test/hooks", events: ["call.started"], signingSecret: "s3cret" });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    const [request] = sim.network.requests;
    if (request === undefined) throw new Error("no request was sent");
    const { headers, body } = request as { headers: Record<string, string>; body: string };
    const isGenuine = (text: string) =>
      verifySignature({ headers, body: text, secret: "s3cret", now: startMs }).valid;
    return { body, isGenuine };
  };
  const again = (body: string) => JSON.stringify(JSON.parse(body));

  test("bodies have a space after the first brace, or none", () => {
    const spaced = textOf({}).body;
    const compact = textOf({ bodyText: "compact" }).body;
    expect(compact).toBe(again(compact));
    expect(spaced).toBe(`{ ${compact.slice(1)}`);
  });

  test("the signature is over the body as it is sent", () => {
    const spaced = textOf({});
    expect(spaced.isGenuine(spaced.body)).toBe(true);
    expect(spaced.isGenuine(again(spaced.body))).toBe(false);
    const compact = textOf({ bodyText: "compact" });
    expect(compact.isGenuine(again(compact.body))).toBe(true);
  });

  test("the bodies that a dialect writes have the space too", () => {
    const dialect = (body: unknown) => ({ dialect: { write: () => body } });
    expect(textOf({}, dialect({ kind: "call" })).body).toBe('{ "kind":"call"}');
    expect(textOf({}, dialect({})).body).toBe("{ }");
    expect(textOf({}, dialect([{ kind: "call" }])).body).toBe('[{"kind":"call"}]');
    expect(textOf({ bodyText: "compact" }, dialect({ kind: "call" })).body).toBe('{"kind":"call"}');
  });

  test("a fork and a replay write bodies as their run does", () => {
    for (const bodyText of ["spaced", "compact"] as const) {
      const sim = createSimulator({ organisation: office, assume: { bodyText } });
      sim.webhooks.create({ url: "https://app.test/hooks", events: ["call.started"] });
      sim.calls.inbound({ from: caller, to: dial.alice });
      sim.runUntilIdle();
      const bodiesOf = (run: Simulator) => run.network.requests.map(({ body }) => body);
      expect(bodiesOf(sim)).toHaveLength(1);
      expect(bodiesOf(sim.fork())).toEqual(bodiesOf(sim));
      expect(bodiesOf(replay(sim.journal()))).toEqual(bodiesOf(sim));
    }
  });
});

describe("the assumption unspecified", () => {
  const usual = bodies({}).body;
  const text = (value: object) => JSON.stringify(value);

  test("changes nothing by default", () => {
    expect(bodies({ unspecified: "nothing" }).body).toEqual(usual);
  });

  test("adds an unknown field to each object", () => {
    const { body } = bodies({ unspecified: "unknownField" });
    expect(body.unspecified).toEqual({ is: "unspecified" });
    expect(body.data.call.parties[0].unspecified).toEqual({ is: "unspecified" });
    expect(body.data.call.id).toBe(usual.data.call.id);
  });

  test("sends webhooks an event of an unknown type beside each event", () => {
    const { sim } = bodies({ unspecified: "unknownEvent" });
    const [known, unknown] = sim.network.requests.map(({ body }) => JSON.parse(body as string));
    expect([known.type, unknown.type]).toEqual(["call.answered", "call.unspecified"]);
    expect(sim.events.map(({ type }) => type)).not.toContain("call.unspecified");
    expect(unknown.id).not.toBe(known.id);
    expect(unknown.data).toEqual(known.data);
  });

  test("replaces a reason with an unknown one", () => {
    const { body } = bodies({ unspecified: "unknownValue" });
    expect(body.data.call.parties[1].dials[0].reason).toBe("unspecified");
  });

  test("writes null for absent fields, or leaves fields with null out", () => {
    const started = (unspecified: "null" | "absent") => {
      const sim = createSimulator({ organisation: office, assume: { unspecified } });
      sim.webhooks.create({ url: "https://app.test/hooks", events: ["call.started"] });
      sim.calls.inbound({ from: caller, to: dial.alice });
      sim.advance(0);
      return { sim, call: JSON.parse(sim.network.requests[0]?.body as string).data.call };
    };
    expect(started("null").call).toMatchObject({
      directoryTarget: null,
      assignedCallGroup: null,
      outcome: null,
    });
    expect(started("null").sim.events[0]?.data).not.toHaveProperty("call.directoryTarget");
    const { sim, call } = started("absent");
    expect(text(call)).not.toContain(":null");
    expect(sim.events.ofType("call.started")[0]?.data.call.outcome).toBeNull();
  });

  test("changes the order of keys", () => {
    const { body } = bodies({ unspecified: "keyOrder" });
    expect(body).toEqual(usual);
    expect(text(body)).not.toBe(text(usual));
  });

  test("changes the form of ids", () => {
    const { sim, body } = bodies({ unspecified: "ids" });
    expect(body.data.call.id).toMatch(/^[0-9a-f]{8}-/);
    expect(sim.calls.get(body.data.call.id).record.id).toBe(body.data.call.id);
  });

  test("writes instants in whole seconds", () => {
    const { body } = bodies({ unspecified: "seconds" });
    expect(body.createdAt).toBe("2026-07-01T00:00:00Z");
    expect(body.data.call.startedAt).toBe("2026-07-01T00:00:00Z");
    expect(body.createdTimestamp).toBe(startMs);
  });

  test("leaves passthrough parameters as they are", () => {
    const given = { "x-reason": "a", "x-at": "2026-07-01T00:00:00.000Z" };
    for (const unspecified of ["unknownField", "unknownValue", "absent", "keyOrder", "seconds"] as const) {
      const sim = createSimulator({ organisation: office, assume: { unspecified } });
      sim.webhooks.create({ url: "https://app.test/hooks", events: ["call.started"] });
      sim.calls.inbound({ from: caller, to: dial.alice, passthroughParameters: given });
      sim.advance(0);
      const { call } = JSON.parse(sim.network.requests[0]?.body as string).data;
      expect(text(call.passthroughParameters), unspecified).toBe(text(given));
    }
  });
});

describe("the option assume", () => {
  test("has words for each assumption, with its default and the other values", () => {
    for (const { name, usual, others } of assumptionWords) {
      const value: unknown = usualAssumptions[name];
      expect(value === 0 ? "none" : value, name).toBe(usual);
      expect(others.length, name).toBeGreaterThan(0);
      for (const other of others)
        expect(createSimulator({ assume: { [name]: other } }).options.assume[name], name).not.toEqual(value);
    }
    expect(assumptionWords.length).toBeGreaterThanOrEqual(10);
  });

  test("has a test above for each", () => {
    const tests = readFileSync(new URL(import.meta.url), "utf8");
    expect(
      assumptionWords.filter(({ name }) => !tests.includes(`{ ${name}: `) && !tests.includes(`{ ${name} }`)),
    ).toEqual([]);
  });

  test("is in the journal, so that a replay assumes the same", () => {
    const sim = first({ freedAfter: "ended", eventDelay: "PT2S", sameInstant: "seeded" });
    expect(sim.journal().options.assume).toMatchObject({ freedAfter: "ended", eventDelay: 2000 });
    expect(replay(sim.journal()).events.toJSONL()).toBe(sim.events.toJSONL());
  });

  test("holds in a fork, which also publishes the delayed events", () => {
    const sim = createSimulator({ organisation: office, assume: { eventDelay: "PT2S" } });
    sim.calls.inbound({ from: caller, to: dial.bob });
    const fork = sim.fork();
    for (const each of [sim, fork]) {
      each.runUntilIdle();
      expect(stream(each).slice(0, 2)).toEqual(["2000 call.started", "32000 call.not_answered"]);
    }
  });

  test("names an unknown assumption and a wrong value", () => {
    const wrong = (assume: object) => (thrownBy(() => createSimulator({ assume })) as InputError).message;
    expect(thrownBy(() => createSimulator({ assume: { notAnswred: "once" } as object }))).toBeInstanceOf(
      InputError,
    );
    expect(wrong({ notAnswred: "perTeam" })).toContain("notAnswered");
    expect(wrong({ notAnswered: "twice" })).toContain("expected one of once, perTeam");
    expect(wrong({ eventDelay: "soon" })).toContain("assume.eventDelay");
  });

  test.each(["hangupOrder", "answerOrder", "availabilityOrder", "contactShared", "transcriptOrder"])(
    "refuses %s, an order that sameInstant reverses",
    (name) => {
      expect(() => createSimulator({ assume: { [name]: "reversed" } as never })).toThrow(
        new RegExp(`^assume.${name}: unknown key, expected one of: .*sameInstant`),
      );
    },
  );

  test("stands in the head of a scenario", () => {
    const scenario = parseScenario("scenario: x\nassume: { notAnswered: perTeam }\nsteps: []\n");
    expect(runScenario(scenario).simulator.options.assume.notAnswered).toBe("perTeam");
    const error = thrownBy(() => parseScenario("scenario: x\nassume: { notAnswered: maybe }\nsteps: []\n"));
    expect((error as Error).message).toContain("line 2");
  });
});
