import { expect, test } from "vitest";
import { type ExploreBounds, exploreReport, wallboard } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";

const url = "https://crm.test/hooks";
const missedText = `
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550104" } }
`;
const missed = parseScenario(missedText);

interface Rows {
  readonly rows: readonly string[];
}

function rowForEachCall(sim: Simulator, { rows }: Rows): void {
  expect(rows).toEqual(sim.calls.list().map(({ id }) => id));
}

const explored = (subject: (sim: Simulator) => Rows, more: Partial<ExploreBounds> = {}) =>
  exploreReport({
    scenario: missed,
    subject,
    eventually: { "each call has a row": rowForEachCall },
    ...more,
  });

const headers = (sim: Simulator) => ({ authorization: `Bearer ${sim.token()}` });

/** A worker looks at intervals for jobs that are due; one that fails is due again later. */
function looksForJobs(everyMs: number, againMs: number, isRef = true) {
  return (sim: Simulator): Rows => {
    const [jobs, rows] = [new Map<string, number>(), [] as string[]];
    const look = async () => {
      for (const [id, dueMs] of jobs) {
        if (dueMs > Date.now()) continue;
        jobs.set(id, Number.POSITIVE_INFINITY);
        // the connection may be refused
        const answer = await sim.fetch(`/calls/${id}`, { headers: headers(sim) }).catch(() => undefined);
        if (answer?.ok === true) {
          rows.push(id);
          jobs.delete(id);
        } else jobs.set(id, Date.now() + againMs);
      }
    };
    const timer = setInterval(look, everyMs);
    if (!isRef) timer.unref();
    sim.network.route(url, ({ body }) => {
      const { id } = JSON.parse(body).data.call;
      if (!rows.includes(id) && !jobs.has(id)) jobs.set(id, 0);
      return 204;
    });
    return { rows };
  };
}

test.for([
  [1_000, 31_000],
  [1_000, 600_000],
  [100, 5_000],
  [60_000, 600_000],
])("A worker that looks each %i ms does a job that is due again in %i ms", async ([every = 0, again = 0]) => {
  const report = await explored(looksForJobs(every, again));
  expect(report.failures.map(({ story }) => story)).toEqual([]);
});

test("A worker whose interval is unref'd works, as it does beside a server", async () => {
  expect((await explored(looksForJobs(1_000, 60_000, false))).passed).toBe(true);
});

test("A job that is due after the horizon needs a longer one, which the failure names", async () => {
  const late = looksForJobs(1_000, 3_000_000);
  const { failures } = await explored(late, { deviations: { kinds: ["503"] } });
  expect(failures.map(({ story }) => story)).toEqual([expect.stringContaining("ends at its `horizon`")]);
  const longer = await explored(late, { deviations: { kinds: ["503"] }, horizon: "PT1H" });
  expect(longer.passed).toBe(true);
});

/** Asks for all calls at intervals, and for nothing else. */
const polls = (everyMs: number) => (sim: Simulator) => {
  const rows = new Set<string>();
  setInterval(async () => {
    const answer = await sim.fetch("/calls", { headers: headers(sim) }).catch(() => undefined);
    if (answer?.ok !== true) return;
    const { calls } = (await answer.json()) as { readonly calls: readonly { readonly id: string }[] };
    for (const { id } of calls) rows.add(id);
  }, everyMs);
  sim.network.route(url, () => 204);
  return {
    get rows() {
      return [...rows];
    },
  };
};

test("However often a poller asks, what is answered alike deviates three times", async () => {
  const [second, tenth] = [await explored(polls(1_000)), await explored(polls(100))];
  expect([second.failures, tenth.failures]).toEqual([[], []]);
  expect(second.worlds).toBeLessThanOrEqual(90);
  expect(tenth.worlds).toBeLessThanOrEqual(90);
});

const message = parseScenario(`
scenario: A message
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [conversation.message.created] } }
  - { at: PT1S, receiveMessage: { as: k, from: "+6421555001", to: "+6495550100", text: "hello" } }
`);

test("Ticks that only repeat are no steps, while a conversation lasts a day", async () => {
  const subject = (sim: Simulator) => {
    const [ids, queue] = [new Set<string>(), [] as string[]];
    setInterval(() => {
      for (const id of queue.splice(0)) ids.add(id);
    }, 1_000);
    sim.network.route(url, ({ body }) => {
      queue.push(JSON.parse(body).data.message.id);
      return 204;
    });
    return ids;
  };
  const report = await exploreReport({
    scenario: message,
    subject,
    eventually: { "the message is there": (_: Simulator, ids: Set<string>) => ids.size === 1 },
  });
  expect(report.failures.map(({ story }) => story)).toEqual([]);
});

test("A client that each request makes, and that ticks for ever, hides no failing handler", async () => {
  const subject = (sim: Simulator): Rows => {
    sim.network.route(url, () => {
      setInterval(() => {}, 30_000).unref();
      return 500;
    });
    return { rows: [] };
  };
  const { failures } = await explored(subject, { deviations: 0 });
  expect(failures.map(({ property }) => property)).toEqual(["refuses", "each call has a row"]);
  for (const { story } of failures) expect(story).toContain("answers 500 to all");
});

test("The smallest world of an app with a timer keeps a request that reached the app", async () => {
  const twoCalls = parseScenario(`
scenario: Two missed calls
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550104" } }
  - { at: PT60S, inbound: { as: c2, from: "+6421555002", to: "+6495550104" } }
`);
  const forgetsEachSecond = (sim: Simulator): Rows => {
    const rows: string[] = [];
    let heard = 0;
    setInterval(() => {}, 10_000);
    sim.network.route(url, ({ body }) => {
      if (heard++ % 2 === 0) rows.push(JSON.parse(body).data.call.id);
      return 204;
    });
    return { rows };
  };
  const { failures } = await explored(forgetsEachSecond, { scenario: twoCalls, deviations: 0 });
  expect(failures.map(({ smallest }) => smallest.scenario)).toEqual([
    expect.stringContaining("createWebhook"),
  ]);
});

test("A scenario's `until` lets a worker look for jobs until then, and stays in the smallest scenario", async () => {
  const halfAnHour = looksForJobs(60_000, 1_800_000);
  const without = await explored(halfAnHour, { deviations: { kinds: ["503"] } });
  expect(without.failures.map(({ story }) => story).join()).toContain("ends at its `horizon`");
  const scenario = parseScenario(missedText.replace("steps:", "until: PT2H\nsteps:"));
  const right = await explored(halfAnHour, { scenario, deviations: { kinds: ["503"] } });
  expect(right.failures).toEqual([]);
  const wrong = await explored(looksForJobs(60_000, 86_400_000), {
    scenario,
    deviations: { kinds: ["503"] },
  });
  expect(wrong.failures).toHaveLength(1);
  expect(wrong.toText()).toContain("until: PT2H");
});

test("A pool whose idle timer is set again by each check of a board lets its world end", async () => {
  let reads = 0;
  const report = await exploreReport({
    scenario: missed,
    app(sim: Simulator) {
      const live = new Set<string>();
      let idle: ReturnType<typeof setTimeout> | undefined;
      const query = async () => {
        clearTimeout(idle);
        idle = setTimeout(() => {}, 10_000);
        return [...live];
      };
      sim.network.route(url, ({ body }) => {
        live.delete(JSON.parse(body).data.call.id);
        void query();
        return 204;
      });
      return { query };
    },
    ...wallboard({
      live(board: { query(): Promise<string[]> }) {
        reads++;
        return board.query();
      },
    }),
    deviations: 0,
  });
  expect(report.failures).toEqual([]);
  expect(reads).toBeLessThan(300);
});
