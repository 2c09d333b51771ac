import { describe, expect, test } from "vitest";
import { exploreReport } from "../../src/explore/index.ts";
import { parseScenario, replay, runScenario, type Simulator } from "../../src/index.ts";

const url = "https://crm.acme.test/hooks";
const scenario = parseScenario(`
scenario: A call that is looked up
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started] } }
  - { at: PT1S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
`);

/** Looks up each call that it receives. @returns the answers, and when they said to retry */
function lookup(sim: Simulator, ask: (path: string) => Promise<Response>) {
  const told: string[] = [];
  sim.network.route(url, async ({ body }) => {
    const answer = await ask(`/calls/${JSON.parse(body).data.call.id}`);
    const later = answer.headers.get("retry-after");
    told.push(`${answer.status}${later === null ? "" : ` after ${later}`}`);
    return 200;
  });
  return { told };
}

/** A client that asks once, with the token that it has. */
function hasty(sim: Simulator) {
  const headers = { authorization: `Bearer ${sim.token()}` };
  return lookup(sim, (path) => sim.fetch(path, { headers }));
}

/** A client that asks for a new token when its own has expired. */
function refreshing(sim: Simulator) {
  let token = sim.token();
  const ask = async (path: string): Promise<Response> => {
    const answer = await sim.fetch(path, { headers: { authorization: `Bearer ${token}` } });
    if (answer.status !== 401) return answer;
    token = sim.token();
    return ask(path);
  };
  return lookup(sim, ask);
}

const kinds = ["503", "429", "slow", "tokenExpired"] as const;

describe("A request of the app to the REST API", () => {
  test("may get 503 or 429, a slow or very slow answer, or an expired token", async () => {
    const told = new Set<string>();
    const { worlds, complete } = await exploreReport({
      scenario,
      subject: hasty,
      eventually: { "is noted": (_, subject) => void told.add(subject.told.join()) },
      deviations: { kinds },
    });
    expect([...told]).toEqual(["200", "503", "429 after 30", "200,200", "401"]);
    expect([worlds, complete]).toEqual([6, true]);
  });

  test.each([
    ["awaited by its handler", true],
    ["after its handler has returned", false],
  ])("that is repeated without end at one instant, %s, is named soon", async (_, isAwaited) => {
    const subject = (sim: Simulator) => {
      const headers = { authorization: `Bearer ${sim.token()}` };
      const poll = async () => {
        while ((await sim.fetch("/calls", { headers })).status !== 404);
      };
      sim.network.route(url, async () => {
        const polling = poll();
        if (isAwaited) await polling;
        return 204;
      });
    };
    const { failures, worlds } = await exploreReport({ scenario, subject, steps: 100 });
    expect(failures.map(({ property, message }) => [property, message.split("\n")[0]])).toEqual([
      [
        "the app never comes to rest",
        "the app asks the REST API more than 100 times without letting time pass: more than the limit of `steps`",
      ],
    ]);
    expect(worlds).toBeLessThan(20);
  });

  test("by which a bot answers its own messages is named by how long bodies become, in one world", async () => {
    const chat = parseScenario(`
scenario: A message to a bot
steps:
  - { at: PT0S, createWebhook: { as: bot, url: "${url}", events: [conversation.message.created] } }
  - { at: PT1S, receiveMessage: { from: "+6421555001", to: "+6495550100", text: Hello } }
`);
    const bot = (answersOwn: boolean) => (sim: Simulator) => {
      sim.network.route(url, async ({ body }) => {
        const { message } = JSON.parse(body).data;
        if (message.direction === "outbound" && !answersOwn) return 204;
        const answer = await sim.fetch("/conversationMessages", {
          method: "POST",
          headers: { authorization: `Bearer ${sim.token()}`, "content-type": "application/json" },
          body: JSON.stringify({
            contactAddresses: ["+6421555001"],
            companyAddress: "+6495550100",
            messageContent: { text: "Thank you." },
          }),
        });
        return answer.ok ? 204 : 500;
      });
      return {};
    };
    const explored = (subject: ReturnType<typeof bot>) =>
      exploreReport({ scenario: chat, subject, steps: 1_000 });
    const { failures, result } = await explored(bot(true));
    expect(failures.map(({ property, message }) => [property, message.split("\n")[0]])).toEqual([
      [
        "the app never comes to rest",
        expect.stringMatching(
          /^in \d{3} steps the bodies of webhooks took more than 6\.4 MB, the limit for 1,000 `steps`\. Those of a conversation have all of its messages: does it answer its own\?$/,
        ),
      ],
    ]);
    expect(result).toMatchObject({
      worlds: 1,
      endsEarly: "without deviations the app never comes to rest at PT1S, so no deviation was tried",
    });
    expect((await explored(bot(false))).failures).toEqual([]);
  });

  test("may be answered from before the instant, if that is named", async () => {
    const answered = parseScenario(`
scenario: A call that is answered
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started, call.answered] } }
  - { at: PT1S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT6S, answer: { call: c1, by: alice } }
`);
    const subject = (sim: Simulator) => {
      const read: string[] = [];
      const ask = async (path: string) => {
        const answer = await sim.fetch(path, { headers: { authorization: `Bearer ${sim.token()}` } });
        return ((await answer.json()) as { status?: string }).status ?? String(answer.status);
      };
      sim.network.route(url, async ({ body }) => {
        const one = `/calls/${JSON.parse(body).data.call.id}`;
        read.push(`${await ask(one)} ${await ask(one)}`);
        await ask("/calls");
        return 204;
      });
      return { read };
    };
    const seen: string[] = [];
    const explored = (kinds?: ["behind"]) =>
      exploreReport({
        ...{ scenario: answered, subject, deviations: kinds === undefined ? 1 : { kinds } },
        eventually: { "is noted": (_, { read }) => void seen.push(read.join(", ")) },
      });
    const { worlds } = await explored(["behind"]);
    expect(worlds).toBe(1 + 4); // each of the four requests for the call, none for the list
    expect(seen).toEqual([
      "offered offered, accepted accepted",
      "404 offered, accepted accepted",
      "offered 404, accepted accepted",
      "offered offered, offered accepted",
      "offered offered, accepted offered",
      // the world without deviations is run once more at the end
      "offered offered, accepted accepted",
    ]);
    seen.length = 0;
    await explored();
    expect(seen.filter((each) => each.includes("404") || each.includes("accepted offered"))).toEqual([]);
  });

  test("that is answered from before the instant breaks a client that believes the record", async () => {
    const report = await exploreReport({
      scenario,
      subject: hasty,
      eventually: { "the call is known": (_, { told }) => expect(told).toEqual(["200"]) },
      deviations: { kinds: ["behind"] },
    });
    expect(report.failures[0]?.story).toContain(
      'When GET /calls/call-1 answers with what was there before this instant, "the call is known" does not hold',
    );
    const { scenario: text = "" } = report.failures[0]?.smallest ?? {};
    expect(text).toContain("{ rest: PT0S GET /calls/call-1, is: behind }");
    const replayed = await exploreReport({
      ...{ scenario: parseScenario(text), subject: hasty, deviations: 0 },
      eventually: { "the call is known": (_, { told }) => expect(told).toEqual(["200"]) },
    });
    expect(replayed.failures.map(({ property }) => property)).toEqual(["the call is known"]);
  });

  test("fails a client that takes a slow answer for the current state", async () => {
    const answered = parseScenario(`
scenario: A call that is answered at once
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started, call.answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT0.5S, answer: { call: c1, by: alice } }
`);
    const shown = (isNewer: (known: number, fresh: number) => boolean) => (sim: Simulator) => {
      const headers = { authorization: `Bearer ${sim.token()}` };
      const wall = { status: "", at: 0 };
      sim.network.route(url, async ({ body }) => {
        const answer = await sim.fetch(`/calls/${JSON.parse(body).data.call.id}`, { headers });
        const call = (await answer.json()) as { status: string; lastModifiedTimestamp: number };
        if (isNewer(wall.at, call.lastModifiedTimestamp))
          Object.assign(wall, { status: call.status, at: call.lastModifiedTimestamp });
        return 200;
      });
      return wall;
    };
    const eventually = {
      "shows the call as it is": (sim: Simulator, { status }: { status: string }) =>
        expect(status).toBe(sim.calls.list()[0]?.status),
    };
    const explored = { scenario: answered, eventually, deviations: { kinds: ["slow"] as const } };
    const careless = await exploreReport({ ...explored, subject: shown(() => true) });
    expect(careless.failures[0]?.smallest.scenario).toMatch(
      /rest: PT0S GET \/calls\/\S+, is: slow, after: PT1S/,
    );
    const careful = await exploreReport({ ...explored, subject: shown((known, fresh) => fresh >= known) });
    expect(careful.failures).toEqual([]);
    expect(careful.toText()).toContain("all of them");
  });

  test("is not slow while the app is being built", async () => {
    const report = await exploreReport({
      scenario,
      subject: async (sim) => {
        await sim.fetch("/users", { headers: { authorization: `Bearer ${sim.token()}` } });
        return hasty(sim);
      },
      deviations: { kinds: ["slow"] },
    });
    expect(report.failures).toEqual([]);
    expect(report.worlds).toBe(3);
  });

  test("fails a client that keeps an expired token, but not one that asks for another", async () => {
    const eventually = {
      "is told": (_: Simulator, subject: { told: string[] }) => expect(subject.told).toEqual(["200"]),
    };
    const deviations = { kinds: ["tokenExpired"] as const };
    const careless = await exploreReport({ scenario, subject: hasty, eventually, deviations });
    expect(careless.failures.map(({ smallest }) => smallest.deviations)).toMatchObject([
      [{ what: "rest", is: "tokenExpired" }],
    ]);
    expect(careless.failures[0]?.smallest.scenario).toMatch(/rest: PT0S GET \/calls\/\S+, is: tokenExpired/);
    const careful = await exploreReport({ scenario, subject: refreshing, eventually, deviations });
    expect(careful.failures).toEqual([]);
  });

  test("deviates as planned in a scenario, even without exploring, and is shown as a deviation", async () => {
    const { simulator } = runScenario(parseScenario("scenario: Nothing\nsteps: []\n"));
    simulator.command("deviate", { what: "rest", at: 0, of: "GET /users", is: "429", after: "PT7S" });
    const headers = { authorization: `Bearer ${simulator.token()}` };
    const answer = await simulator.fetch("/users", { headers });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "7"]);
    expect(simulator.rest.requests).toMatchObject([{ path: "/users", status: 429, isFault: true }]);
    expect(simulator.events.toTimeline()).toContain("asks GET /users: 429 (deviation)");
    simulator.advance("PT6S");
    const early = await simulator.fetch("/users", { headers });
    expect([early.status, early.headers.get("retry-after")]).toEqual([429, "1"]);
    expect((await simulator.fetch("/locations", { headers })).status).toBe(200);
    simulator.advance("PT1S");
    expect((await simulator.fetch("/users", { headers })).status).toBe(200);
  });

  test("can be slow in a scenario, and is shown as slow", async () => {
    const text =
      "scenario: Nothing\nsteps: []\ndeviations:\n  - { rest: PT0S GET /users, is: slow, after: PT7S }\n";
    const [planned] = parseScenario(text).deviations;
    const { simulator } = runScenario(parseScenario("scenario: Nothing\nsteps: []\n"));
    simulator.command("deviate", planned?.deviation as never);
    const headers = { authorization: `Bearer ${simulator.token()}` };
    const answer = simulator.fetch("/users", { headers });
    await expect.poll(() => simulator.rest.requests.length, { interval: 1 }).toBe(1);
    simulator.advance("PT7S");
    expect((await answer).status).toBe(200);
    expect(simulator.events.toTimeline()).toContain("asks GET /users: 200 (deviation), 7s later");
    expect(replay(simulator.journal()).rest.requests).toEqual(simulator.rest.requests);
  });

  test("does not use up a fault when it deviates", async () => {
    const { simulator } = runScenario(parseScenario("scenario: Nothing\nsteps: []\n"));
    simulator.rest.fault({ status: 500, times: 1 });
    simulator.command("deviate", { what: "rest", at: 0, of: "GET /users", is: "503" });
    const headers = { authorization: `Bearer ${simulator.token()}` };
    const statuses: number[] = [];
    for (let time = 0; time < 3; time++) statuses.push((await simulator.fetch("/users", { headers })).status);
    expect(statuses).toEqual([503, 500, 200]);
  });
});
