import { describe, expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";

const url = "https://crm.acme.test/hooks";

/** Keeps the calls that the REST API says were missed. It asks whenever it hears anything. */
function readsWhatItMissed({ repairs }: { readonly repairs: boolean }) {
  return (sim: Simulator): Set<string> => {
    const missed = new Set<string>();
    const ask = (path: string, init: RequestInit = {}) => {
      const headers = { authorization: `Bearer ${sim.token()}`, "content-type": "application/json" };
      return sim.fetch(path, { ...init, headers });
    };
    sim.network.route(url, async () => {
      const answer = await ask("/calls?limit=1000");
      if (!answer.ok) return 503;
      const { calls } = (await answer.json()) as { calls: { id: string; outcome: { status: string } }[] };
      for (const { id, outcome } of calls) if (outcome.status === "missed") missed.add(id);
      return 204;
    });
    const endMs = sim.timestamp + 3_600_000;
    const enableAgain = async () => {
      const { webhooks } = (await (await ask("/webhooks")).json()) as {
        webhooks: { id: string; enabled: boolean }[];
      };
      for (const { id, enabled } of webhooks)
        if (!enabled) await ask(`/webhooks/${id}`, { method: "PUT", body: '{"enabled":true}' });
      if (sim.timestamp < endMs) sim.schedule("PT1M", enableAgain);
    };
    if (repairs) sim.schedule("PT1M", enableAgain);
    return missed;
  };
}

const eventually = {
  "each missed call is on the list": (sim: Simulator, missed: Set<string>) => {
    for (const { data } of sim.events.ofType("call.not_answered")) expect(missed).toContain(data.call.id);
  },
};

/** So that a webhook is disabled after two deliveries that failed. */
const impatient = "webhooks: { schedule: [PT0S, PT10S], failureLimit: 1 }";
const hook = `  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }`;
const missedCalls = (...seconds: number[]) =>
  seconds.map((at, nth) => `  - { at: PT${at}S, inbound: { from: "+642155500${nth}", to: "+6495550103" } }`);

const outages = { atMost: 1, kinds: ["outage"] } as const;

describe("The smallest world in which the platform disabled a webhook", () => {
  const scenario = parseScenario(
    [
      "scenario: A bad morning",
      impatient,
      "steps:",
      hook,
      ...missedCalls(0, 40, 80, 3_000),
      "until: PT3H",
    ].join("\n"),
  );

  test("has that webhook disabled too, and its outage is one that an exploration of it has", async () => {
    const given = { subject: readsWhatItMissed({ repairs: false }), eventually };
    const [failure] = (await exploreReport({ ...given, scenario, deviations: outages })).failures;
    const smallest = failure?.smallest.scenario ?? "";

    const eventuallyEnabled = {
      "is enabled": (sim: Simulator) => expect(sim.webhooks.list()[0]?.enabled).toBe(true),
    };
    const enabled = { scenario: parseScenario(smallest), deviations: 0, eventually: eventuallyEnabled };
    expect((await exploreReport({ ...given, ...enabled })).failures).toHaveLength(1);

    const [withoutIts] = smallest.split("deviations:\n");
    const again = { ...given, scenario: parseScenario(withoutIts ?? ""), deviations: outages };
    const offered = (await exploreReport(again)).failures.map(({ smallest: { deviations } }) => deviations);
    expect(offered).toEqual([failure?.smallest.deviations]);
  });

  test("passes with the right repair, since something happens after it", async () => {
    const broken = { subject: readsWhatItMissed({ repairs: false }), eventually, deviations: outages };
    const [failure] = (await exploreReport({ ...broken, scenario })).failures;
    const repaired = { subject: readsWhatItMissed({ repairs: true }), eventually };
    const smallest = parseScenario(failure?.smallest.scenario ?? "");
    expect((await exploreReport({ ...repaired, scenario: smallest, deviations: 0 })).failures).toEqual([]);
    expect((await exploreReport({ ...repaired, scenario, deviations: outages })).failures).toEqual([]);
  });
});

describe("The smallest world without deviations", () => {
  test("has no type of event that the world did not have", async () => {
    const scenario = parseScenario(`
scenario: A ring group, answered by one
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered, call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550200" } }
  - { at: PT5S, answer: { call: c1, by: bob } }
  - { at: PT65S, hangup: { call: c1, by: caller } }
`);
    const subject = (sim: Simulator) => {
      const told: Record<string, number> = {};
      sim.network.route(url, ({ body }) => {
        const { parties } = JSON.parse(body).data.call as {
          parties: { type: string; email: string; dials: { outcome: string }[] }[];
        };
        for (const { type, email, dials } of parties)
          if (type === "user" && dials.some(({ outcome }) => outcome !== "answered"))
            told[email] = (told[email] ?? 0) + 1;
        return 204;
      });
      return told;
    };
    const eventually = {
      "nobody is told that they missed what a colleague took": (_: Simulator, told: object) =>
        expect(Object.keys(told)).toEqual([]),
    };
    const [failure] = (await exploreReport({ scenario, subject, eventually, deviations: 0 })).failures;
    expect(failure?.smallest.scenario).toContain("answer: { call: c1, by: bob }");
    expect(failure?.message).toContain("expected [ 'bob@acme.test', 'carol@acme.test' ]");
  });

  describe.each<[string, string, (sim: Simulator, type: string) => unknown]>([
    [
      "what the REST API refuses",
      "The REST API answers 404",
      async (sim) => {
        const { ok } = await sim.fetch("/call/1", { headers: { authorization: `Bearer ${sim.token()}` } });
        return ok ? "stored" : 204;
      },
    ],
    [
      "an answer of the app that is not 2xx",
      "The app answers 500 to",
      (_, type) => (type === "call.ended" ? 500 : 204),
    ],
    [
      "an answer of the app that comes too late",
      "The app takes longer than the 5 seconds that the platform waits",
      (sim, type) =>
        new Promise((resolve) => {
          if (type === "call.ended") sim.schedule("PT6S", () => resolve(204));
          else resolve(204);
        }),
    ],
  ])("has %s", (_, cause, handle) => {
    test("although the property also fails where that does not happen, as one does that counts this scenario's calls", async () => {
      const scenario = parseScenario(`
scenario: Two calls
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started, call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
  - { at: PT5S, answer: { call: c1, by: carol } }
  - { at: PT20S, hangup: { call: c1, by: caller } }
  - { at: PT60S, inbound: { as: c2, from: "+6421555002", to: "+6495550103" } }
  - { at: PT65S, answer: { call: c2, by: carol } }
  - { at: PT90S, hangup: { call: c2, by: caller } }
`);
      const subject = (sim: Simulator) => {
        const rows: string[] = [];
        sim.network.route(url, async ({ body }) => {
          const { type, data } = JSON.parse(body);
          const answer = await handle(sim, type);
          if (answer === "stored") rows.push(data.call.id);
          return answer === "stored" ? 204 : (answer as 204);
        });
        return rows;
      };
      const eventually = {
        "two rows": (_: Simulator, rows: readonly string[]) => expect(rows).toHaveLength(2),
      };
      const [failure] = (await exploreReport({ scenario, subject, eventually, deviations: 0 })).failures;
      expect(failure?.story).toContain(cause);
      expect(failure?.story.indexOf(cause)).toBe(0);
    });
  });
});

/** An app that knows who hung up first, by a field that is null while somebody is on the bridge. */
const whoHungUpFirst = (sim: Simulator) => {
  const first: string[] = [];
  sim.network.route(url, ({ body }) => {
    const { call, party } = JSON.parse(body).data;
    if (call.connections.some(({ leftAt }: { leftAt: unknown }) => leftAt === null)) first.push(party.type);
    return 204;
  });
  return first;
};

describe("A failure that needs a deviation", () => {
  const app = {
    subject: whoHungUpFirst,
    eventually: { "a user hung up first": (_: Simulator, first: string[]) => first[0] === "user" },
    deviations: { kinds: ["unspecified"] } as const,
  };
  const asScenario = parseScenario(`
scenario: Alice hangs up
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.hungup] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }
  - { at: PT5S, answer: { call: c1, by: alice } }
  - { at: PT35S, hangup: { call: c1, by: alice } }
`);
  const asFunction = (sim: Simulator) => {
    sim.webhooks.create({ url, events: ["call.hungup"] });
    const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    call.answer("alice");
    sim.schedule("PT30S", () => call.hangup("alice"));
  };

  test.each([
    ["a scenario", asScenario],
    ["a function that schedules its end", asFunction],
  ])("keeps the steps of %s that can be played without it", async (_, scenario) => {
    const { failures } = await exploreReport({ scenario, ...app });
    expect(failures.map(({ smallest, dependsOn }) => [smallest.deviations.length, dependsOn.length])).toEqual(
      [[1, 1]],
    );
    const text = failures[0]?.smallest.scenario ?? "";
    expect(text).toContain("hangup: { call: c1, by: alice }");
    const messages = async (played: string) =>
      (await exploreReport({ ...app, scenario: parseScenario(played), deviations: 0 })).failures.map(
        ({ property }) => property,
      );
    expect(await messages(text)).toEqual(["a user hung up first"]);
    expect(await messages(text.replace(/^assume:\n.*\n/m, ""))).toEqual([]);
  });
});

test("The sentence counts requests without the copies of doubled ones", async () => {
  const scenario = parseScenario(`
scenario: Two hang-ups at one instant
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.hungup] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }
  - { at: PT5S, answer: { call: c1, by: alice } }
  - { at: PT65S, hangup: { call: c1, by: caller } }
`);
  const subject = (sim: Simulator) => {
    const got: string[] = [];
    sim.network.route(url, ({ body }) => {
      got.push(JSON.parse(body).id);
      return 204;
    });
    return got;
  };
  const { failures } = await exploreReport({
    ...{ scenario, subject, deviations: { atMost: 2, kinds: ["duplicated"] } },
    eventually: { "at most three": (_: Simulator, got: string[]) => got.length < 4 },
  });
  const [{ story, smallest }] = failures as [(typeof failures)[0]];
  expect(story).toMatch(/^When call.hungup arrives twice, and then the second call.hungup arrives twice, /);
  expect(smallest.scenario).toContain(
    "when call.hungup arrives twice, and the second call.hungup arrives twice\n",
  );
  // as the run counts them
  expect(smallest.scenario).toContain("nth: 3");
});

test.each<[string, (sim: Simulator) => unknown]>([
  [
    "polls",
    (sim) => {
      const headers = { authorization: `Bearer ${sim.token()}` };
      return setInterval(() => void sim.fetch("/users", { headers }).catch(() => {}), 60_000);
    },
  ],
  ["has a callback of the simulator", (sim) => sim.schedule("PT5S", () => {})],
])("The smallest world of an app that loses requests, and %s, has one that reaches it", async (_, begin) => {
  const subject = (sim: Simulator) => {
    const rows = new Set<string>();
    let isFirst = true;
    begin(sim);
    sim.network.route(url, ({ body }) => {
      if (isFirst) rows.add(JSON.parse(body).data.call.id);
      isFirst = false;
      return 204;
    });
    return rows;
  };
  const scenario = parseScenario(["scenario: Two", "steps:", hook, ...missedCalls(0, 60)].join("\n"));
  const { failures } = await exploreReport({
    ...{ scenario, subject, deviations: 0 },
    eventually: {
      "each has a row": (sim, rows) =>
        expect([...rows]).toEqual(sim.events.ofType("call.not_answered").map(({ data }) => data.call.id)),
    },
  });
  expect(failures[0]?.smallest.scenario?.match(/createWebhook|inbound/g)).toEqual([
    "createWebhook",
    "inbound",
    "inbound",
  ]);
});
