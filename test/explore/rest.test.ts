import { describe, expect, test } from "vitest";
import { exploreReport } from "../../src/explore/index.ts";
import { parseScenario, runScenario, type Simulator } from "../../src/index.ts";

const url = "https://crm.acme.test/hooks";
const scenario = parseScenario(`
scenario: A call that is looked up
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started] } }
  - { at: PT1S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
`);

/** Looks up each call that it hears of. @returns what it was told, and when it was told to come back */
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

/** One that asks for another token when its own has expired. */
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

const kinds = ["503", "429", "tokenExpired"] as const;

describe("A request of the subject to the REST API", () => {
  test("may be answered 503 or 429, or find its token expired", async () => {
    const told = new Set<string>();
    const { worlds, complete } = await exploreReport({
      scenario,
      subject: hasty,
      eventually: { "is noted": (_, subject) => void told.add(subject.told.join()) },
      deviations: { kinds },
    });
    expect([...told]).toEqual(["200", "503", "429 after 30", "401"]);
    expect([worlds, complete]).toEqual([4, true]);
  });

  test("fails a client that keeps an expired token, and none that asks for another", async () => {
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

  test("deviates as a scenario says without the explorer, and is kept and told of as such", async () => {
    const { simulator } = runScenario(parseScenario("scenario: Nothing\nsteps: []\n"));
    simulator.command("deviate", { what: "rest", at: 0, of: "GET /users", is: "429", after: "PT7S" });
    const headers = { authorization: `Bearer ${simulator.token()}` };
    const answer = await simulator.fetch("/users", { headers });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "7"]);
    expect(simulator.rest.requests).toMatchObject([{ path: "/users", status: 429, isFault: true }]);
    expect(simulator.events.toTimeline()).toContain("asks GET /users: 429 (deviation)");
    expect((await simulator.fetch("/users", { headers })).status).toBe(200);
  });

  test("counts no fault where it deviates", async () => {
    const { simulator } = runScenario(parseScenario("scenario: Nothing\nsteps: []\n"));
    simulator.rest.fault({ status: 500, times: 1 });
    simulator.command("deviate", { what: "rest", at: 0, of: "GET /users", is: "503" });
    const headers = { authorization: `Bearer ${simulator.token()}` };
    const statuses: number[] = [];
    for (let time = 0; time < 3; time++) statuses.push((await simulator.fetch("/users", { headers })).status);
    expect(statuses).toEqual([503, 500, 200]);
  });
});
