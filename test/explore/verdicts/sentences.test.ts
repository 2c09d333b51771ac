import { describe, expect, test } from "vitest";
import { type ExploreFailure, exploreReport } from "../../../src/explore/index.ts";
import { createSimulator, parseScenario, type Simulator, verifySignature } from "../../../src/index.ts";

const url = "https://crm.acme.test/hooks";
const hook = `  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started, call.ended] } }`;
const scenario = parseScenario(`
scenario: A call is given up
steps:
${hook}
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT60S, hangup: { call: c1, by: caller } }
`);

type Handler = Parameters<Simulator["network"]["route"]>[1];

/** An app that answers as the handler does, and keeps nothing. */
const answering = (handler: Handler) => (sim: Simulator) => void sim.network.route(url, handler);

/** A property that fails in each world. */
const eventually = { "the call is noted": () => false };

async function firstFailure(
  subject: (sim: Simulator) => unknown,
  more: object = {},
): Promise<ExploreFailure> {
  const { failures } = await exploreReport({ scenario, subject, eventually, deviations: 0, ...more });
  return failures[0] as ExploreFailure;
}

describe("The sentence of a failure without deviations begins with its cause", () => {
  test("a request without a route", async () => {
    expect((await firstFailure(() => ({}))).story).toMatch(
      /^Requests to https:\/\/crm\.acme\.test\/hooks have no route, so the app never receives them\. Give the simulator one in `app`: `sim\.network\.route\("https:\/\/crm\.acme\.test\/hooks", handler\)`\./,
    );
  });

  test("nothing that reaches the app", async () => {
    const silent = parseScenario(
      'scenario: s\nsteps:\n  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550101" } }',
    );
    const { story } = await firstFailure(() => ({}), { scenario: silent });
    expect(story).toMatch(/^Nothing reaches the app\. Without any deviation/);
  });

  test("answers that are not 2xx, with their status, how many, and their first characters", async () => {
    const body = `the table\nactivities ${"x".repeat(200)}`;
    const { story } = await firstFailure(answering(() => ({ status: 500, body })));
    expect(story).toMatch(/^The app answers 500 \(the table activities x{58,60}…\) to all 20 requests\. /);
  });

  test("answers of which only some are not 2xx", async () => {
    const handler: Handler = ({ body }) => (JSON.parse(body).type === "call.started" ? 204 : 422);
    expect((await firstFailure(answering(handler))).story).toMatch(
      /^The app answers 422 to 1 of 2 requests\. /,
    );
  });

  test.each([
    ["answers 400 to everything", answering(() => 400)],
    ["answers 401 to everything", answering(() => 401)],
    [
      "misses a header in another case",
      answering(({ headers }) => {
        if (headers["X-Service-Timestamp"] === undefined) return { status: 401, body: "missing timestamp" };
        return 204;
      }),
    ],
    ["answers 403 to everything", answering(() => ({ status: 403, body: "invalid signature" }))],
  ])("an app that %s is asked how it checks signatures", async (_, subject) => {
    expect((await firstFailure(subject)).story).toContain(
      "does it sign the body as it came, or what it parsed, with this webhook's secret? It must find `sha256=` and hex digits in the header `x-service-signature`, whose name is in lower case. A timestamp is in milliseconds.",
    );
  });

  test("an app that refuses everything as expired is told the time of the world", async () => {
    const subject = (sim: Simulator) => {
      const { signingSecret } = sim.webhooks.create({ url, events: ["call.started"] });
      sim.network.route(url, ({ headers, body }) => {
        const now = "2030-01-01T00:00:00.000Z";
        const { valid, reason } = verifySignature({ headers, body, secret: signingSecret, now });
        return valid ? 204 : { status: 401, body: reason };
      });
    };
    const own = parseScenario(
      'scenario: s\nsteps:\n  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550101" } }',
    );
    expect((await firstFailure(subject, { scenario: own })).story).toMatch(
      /^The app answers 401 \(expired\) to the only request\. It is 2026-07-\d\dT[\d:.]+Z in this world, and a timestamp is in milliseconds: a check must compare these two\. /,
    );
  });

  test("a handler that takes longer than five seconds", async () => {
    const subject = (sim: Simulator) =>
      sim.network.route(url, async () => {
        await new Promise<void>((resolve) => sim.schedule("PT6S", resolve));
        return 204;
      });
    expect((await firstFailure(subject)).story).toMatch(
      /^The app takes longer than the 5 seconds that the platform waits, for all 20 requests\. Answer first, and do the work afterwards\. /,
    );
  });

  test("what the REST API refuses, and what it needs", async () => {
    const subject = (sim: Simulator) =>
      sim.network.route(url, async () => {
        await sim.fetch("/calls/call-1");
        return 204;
      });
    expect((await firstFailure(subject)).story).toMatch(
      /^The REST API answers 401 \(.*\) to .*GET \/calls\/call-1\. Its requests need the header `authorization: Bearer …`/,
    );
  });

  test("where tokens come from, if the REST API is asked for one", async () => {
    const subject = (sim: Simulator) =>
      sim.network.route(url, async () => {
        const { status } = await sim.fetch("/oauth/token", { method: "POST" });
        return status === 200 ? 204 : 500;
      });
    const { urls } = createSimulator();
    const { story } = await firstFailure(subject);
    expect(story).toMatch(
      /^The REST API answers 401 \(.*\) to .*POST \/oauth\/token\. The token endpoint is /,
    );
    expect(story).toContain(`The token endpoint is \`${urls.auth}/oauth/token\`.`);
  });

  test("a webhook that the platform disabled, and that nothing happens later", async () => {
    const impatient = parseScenario(`
scenario: Two calls
webhooks: { schedule: [PT0S], failureLimit: 1 }
steps:
${hook}
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT60S, inbound: { as: c2, from: "+6421555002", to: "+6495550102" } }
`);
    const { story } = await firstFailure(
      answering(() => 500),
      { scenario: impatient },
    );
    expect(story).toContain(
      "The platform disables the webhook https://crm.acme.test/hooks, since its deliveries fail",
    );
    expect(story).toContain("It sends nothing more until `PUT /webhooks/webhook-1` enables it again.");
  });
});

describe("Timers that are unref'd run, as beside a server, and what comes after the horizon is in the sentence", () => {
  /** Notes calls that are over once the REST API says so, and asks again after a minute. */
  const retrying = (sim: Simulator) => {
    const noted: string[] = [];
    const note = async (id: string): Promise<void> => {
      const answer = await sim.fetch(`/calls/${id}`, { headers: { authorization: `Bearer ${sim.token()}` } });
      if (answer.ok) noted.push(id);
      else setTimeout(() => void note(id), 60_000).unref();
    };
    sim.network.route(url, ({ body }) => {
      const { type, data } = JSON.parse(body);
      if (type === "call.ended") void note(data.call.id);
      return 204;
    });
    return noted;
  };

  test("a retry by a timer that is unref'd comes", async () => {
    const report = await exploreReport({
      ...{ scenario, subject: retrying, deviations: { kinds: ["503"] } },
      eventually: { "the call is noted": (_: Simulator, noted: string[]) => noted.length === 1 },
    });
    expect(report.failures).toEqual([]);
  });

  test("an interval of a failing app", async () => {
    const late = answering(() => {
      setInterval(() => {}, 60_000).unref();
      return 204;
    });
    expect((await firstFailure(late)).story).toMatch(
      /^Without any deviation.* The world ends at its `horizon`, after which a timer of 60 seconds would only repeat\.$/s,
    );
  });
});

test("With a deviation, the sentence says how many answers were not 2xx, and gives no advice", async () => {
  const subject = (sim: Simulator) => {
    const types = new Set<string>();
    sim.network.route(url, async ({ body }) => {
      const { type } = JSON.parse(body) as { type: string };
      if (type !== "call.ended") return 204;
      const answer = await sim.fetch("/calls", { headers: { authorization: `Bearer ${sim.token()}` } });
      if (!answer.ok) return 401;
      types.add(type);
      return 204;
    });
    return { types };
  };
  const failure = await firstFailure(subject, {
    deviations: { kinds: ["503"] },
    eventually: {
      "all is delivered at once": (sim: Simulator) =>
        expect(sim.network.requests.filter(({ failure: why }) => why !== null)).toEqual([]),
    },
  });
  expect(failure.story).toMatch(/^When .* does not hold: .* The app answers 401 to 1 of 2 requests\.$/s);
});

describe("The state in a sentence", () => {
  test("is that of the end, even if the app works after the last request", async () => {
    const subject = (sim: Simulator) => {
      const board = { last: "" };
      sim.network.route(url, ({ body }) => {
        const { type } = JSON.parse(body) as { type: string };
        sim.schedule("PT2S", () => {
          board.last = type;
        });
        return 204;
      });
      return board;
    };
    const { story } = await firstFailure(subject, {
      deviations: { kinds: ["lost"] },
      eventually: {
        "ends with the end": (_: Simulator, { last }: { last: string }) => last === "call.ended",
      },
    });
    expect(story).toMatch(/the app ends with \{last: "call\.started"\}, not \{last: "call\.ended"\}\.$/);
  });

  test("is that of the moment at which a property of `always` broke", async () => {
    const subject = (sim: Simulator) => {
      const board = { open: 0 };
      sim.network.route(url, ({ body }) => {
        board.open += JSON.parse(body).type === "call.started" ? 1 : -1;
        return 204;
      });
      return board;
    };
    const { story } = await firstFailure(subject, {
      ...{ deviations: { kinds: ["lost"] }, eventually: undefined },
      always: { "is never negative": (_: Simulator, { open }: { open: number }) => open >= 0 },
    });
    // in the end, it is 0 in both worlds
    expect(story).toMatch(/the app then has \{open: -1\}, not \{open: 0\}\.$/);
  });

  test("shows only what differs between the worlds, and no ids that differ between any two", async () => {
    const subject = (sim: Simulator) => {
      const rows = new Map<string, object>();
      sim.network.route(url, ({ body }) => {
        const { type, data } = JSON.parse(body);
        const { id } = data.call as { id: string };
        rows.set(id, { key: crypto.randomUUID(), notes: "x".repeat(3_000), last: type });
        return 204;
      });
      return rows;
    };
    const { story, nearest, message } = await firstFailure(subject, {
      deviations: { kinds: ["lost"] },
      show: (rows: Map<string, object>) => ({ rows, version: 7 }),
      eventually: {
        "ends with the end": (_: Simulator, rows: Map<string, { last: string }>) =>
          [...rows.values()].every(({ last }) => last === "call.ended"),
      },
    });
    expect(message).toContain("returned false");
    const [fails, holds] = ["call.started", "call.ended"].map(
      (last) => `{rows: {call-1: {last: "${last}", …}}, …}`,
    );
    expect(story).toContain(`the app ends with ${fails}, not ${holds}.`);
    expect(nearest?.difference?.states).toBeDefined();
  });

  const twice = {
    deviations: { kinds: ["unanswered"] },
    eventually: {
      "is noted once": (_: Simulator, { ended }: { ended: readonly object[] }) => ended.length === 1,
    },
  };

  test("shows where two long texts differ", async () => {
    const subject = (sim: Simulator) => {
      const app = { ended: [] as object[], log: "" };
      sim.network.route(url, ({ body }) => {
        const { type } = JSON.parse(body);
        if (type === "call.ended") app.ended.push({});
        app.log += `${type} ${"and so on ".repeat(30)}`;
        return 204;
      });
      return app;
    };
    const { story } = await firstFailure(subject, { ...twice, show: ({ log }: { log: string }) => log });
    expect(story).toMatch(
      /the app ends with "…n and so on call\.ended and so on .{100,200}…, not "…n and so on "\.$/,
    );
  });

  test("shows no random ids of entries that only one of the worlds has", async () => {
    const subject = (sim: Simulator) => {
      const app = { ended: [] as object[], jobs: new Map<string, object>() };
      sim.network.route(url, ({ body }) => {
        const { type } = JSON.parse(body);
        const trace = crypto.randomUUID();
        app.jobs.set(crypto.randomUUID(), { type, trace });
        if (type === "call.ended") app.ended.push({ trace, type });
        return 204;
      });
      return app;
    };
    const { story } = await firstFailure(subject, twice);
    const job = '{type: "call.ended", trace: …}';
    expect(story).toContain(
      `the app ends with {ended: […, {trace: …, type: "call.ended"}], jobs: {…, …: ${job}}}, not {ended: […], jobs: {…}}.`,
    );
  });
});

describe("A failure's report", () => {
  test("shows the first 2,000 characters of a message", async () => {
    const eventually = {
      "says all that it knows": () => {
        throw new Error(`it knows ${"this and ".repeat(1_000)}`);
      },
    };
    const report = await exploreReport({ scenario, subject: () => ({}), eventually, deviations: 0 });
    const [failure] = report.failures;
    expect(failure?.message).toHaveLength(9_009);
    expect(report.toText().length).toBeLessThan(8_000);
    expect(report.toText()).toContain("… (7,009 characters more)");
    expect(failure?.smallest.scenario?.length).toBeLessThan(3_000);
  });

  const keepsTypes = (sim: Simulator) => {
    const types: string[] = [];
    sim.network.route(url, ({ body }) => {
      types.push(JSON.parse(body).type);
      return 204;
    });
    return types;
  };

  test("shows the message of the world that was found beside that of the smallest, if they differ", async () => {
    const calls = parseScenario(`
scenario: Three calls
steps:
${hook}
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT60S, inbound: { as: c2, from: "+6421555002", to: "+6495550102" } }
`);
    const nothing = { "nothing comes": (_: Simulator, types: string[]) => expect(types).toHaveLength(0) };
    const report = await exploreReport({
      ...{ scenario: calls, subject: keepsTypes, eventually: nothing, deviations: 0 },
    });
    const [failure] = report.failures;
    expect(failure?.found).toMatch(/to have a length of \+?0 but got [34]$/);
    expect(failure?.message).toMatch(/but got [12]$/m);
    expect(report.toText()).toContain(`first found as: ${failure?.found}`);
  });

  test.each(["always", "settled", "eventually"] as const)(
    "names `%s` in its replay, if that was given",
    async (group) => {
      const once = {
        "at most once": (_: Simulator, types: string[]) => expect(types.length).toBeLessThan(3),
      };
      const given = { scenario, subject: keepsTypes, [group]: once };
      const [failure] = (await exploreReport({ ...given, deviations: { kinds: ["unanswered"] } })).failures;
      expect(failure?.replay).toBe(
        `save it as FILE, then explore({ scenario: "FILE", deviations: 0, subject, ${group} })`,
      );
      const replayed = parseScenario(failure?.smallest.scenario ?? "");
      expect((await exploreReport({ ...given, scenario: replayed, deviations: 0 })).failures).toHaveLength(1);
    },
  );

  test("says in how many worlds a property of `sometimes` held", async () => {
    const sometimes = {
      "hears of the end first": (_: Simulator, types: string[]) => types[0] === "call.ended",
    };
    const report = await exploreReport({ scenario, subject: keepsTypes, sometimes });
    const [held] = report.result.held;
    expect(held?.worlds).toBeGreaterThan(0);
    expect(held?.worlds).toBeLessThan(report.worlds);
    expect(report.toText()).toContain(
      `"hears of the end first" held in ${held?.worlds} of ${report.worlds} worlds`,
    );
  });

  test("does not say that an app sent no request which sent one that was never answered", async () => {
    const subject = (sim: Simulator) => void sim.fetch("/calls");
    const report = await exploreReport({ scenario: parseScenario("scenario: s\nsteps: []"), subject });
    expect(report.toText()).not.toContain("sent no request");
  });
});

test("The sentence of a failure without deviations names what a fault of the scenario refused", async () => {
  const { failures } = await exploreReport({
    scenario(simulator: Simulator) {
      simulator.webhooks.create({ url: "https://crm.test/", events: ["call.started"] });
      simulator.rest.fault({ path: "/calls", status: 429, for: "PT1M" });
      simulator.calls.inbound({ from: "+6421555001", to: "+6495550104" });
    },
    subject(simulator: Simulator) {
      const known = new Set<string>();
      simulator.network.route("https://crm.test/", async ({ body }) => {
        const { id } = JSON.parse(body).data.call;
        const headers = { authorization: `Bearer ${simulator.token()}` };
        if ((await simulator.fetch(`/calls/${id}`, { headers })).ok) known.add(id);
        return 204;
      });
      return known;
    },
    deviations: 0,
    eventually: { "the call is known": (_: Simulator, known: ReadonlySet<string>) => known.size === 1 },
  });
  expect(failures[0]?.story).toMatch(/^The REST API answers 429 .*GET \/calls\/\S+\./);
});
