import { describe, expect, test } from "vitest";
import { playWorld } from "../../../src/explore/explore.ts";
import { callLog, exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";
import { isWhole } from "../../counts.ts";

const url = "https://crm.acme.test/hooks";
const scenario = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550104" } }
`);

/** What outlives a restart: the jobs that are to be done, and what was done. */
class Database {
  readonly jobs = new Map<string, { readonly id: string; lockedUntil: number }>();
  readonly rows: { readonly callId: string }[] = [];

  add(id: string): void {
    if (!this.has(id) && !this.jobs.has(id)) this.jobs.set(id, { id, lockedUntil: 0 });
  }

  has(id: string): boolean {
    return this.rows.some(({ callId }) => callId === id);
  }

  log(callId: string): void {
    if (!this.has(callId)) this.rows.push({ callId });
  }
}

type Begin = (sim: Simulator, database: Database) => ((id: string) => unknown) | undefined;

/** An app that hears of calls. @param begin what it does when it begins; returns what it does once it has stored a job */
function appOf(begin: Begin) {
  return (sim: Simulator, database: Database) => {
    const stored = begin(sim, database);
    sim.network.route(url, async ({ body }) => {
      const { id } = JSON.parse(body).data.call;
      database.add(id);
      await stored?.(id);
      return 204;
    });
    return database;
  };
}

/** Asks the REST API for a call. */
async function isThere(sim: Simulator, id: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${sim.token()}` };
  const answer = await sim.fetch(`/calls/${id}`, { headers }).catch(() => Response.error());
  return answer.ok;
}

/** Locks a job, asks the REST API, and logs the call. */
const locks =
  (leaseMs: number): Begin =>
  (sim, database) => {
    setInterval(async () => {
      for (const job of database.jobs.values()) {
        if (job.lockedUntil > Date.now()) continue;
        job.lockedUntil = Date.now() + leaseMs;
        if (await isThere(sim, job.id)) {
          database.log(job.id);
          database.jobs.delete(job.id);
        } else job.lockedUntil = 0;
      }
    }, 60_000);
    return undefined;
  };

/** Takes a job from the queue before it is done, or after. */
const takes =
  (isFirst: boolean): Begin =>
  (sim, database) => {
    const work = async () => {
      for (const id of [...database.jobs.keys()]) {
        if (isFirst) database.jobs.delete(id);
        if (await isThere(sim, id)) {
          database.log(id);
          database.jobs.delete(id);
        } else database.add(id);
      }
      setTimeout(work, 2_000);
    };
    setTimeout(work, 2_000);
    return undefined;
  };

const json = { "content-type": "application/json" };

/** Sends a text for a call, until that works. */
async function send(sim: Simulator, id: string): Promise<void> {
  for (;;) {
    const headers = { authorization: `Bearer ${sim.token()}`, ...json };
    const body = JSON.stringify({
      companyAddress: "+6495550100",
      contactAddresses: ["+6421555010"],
      routingAction: "assign_owner",
      messageContent: { text: id },
    });
    const answer = await sim
      .fetch("/conversationMessages", { method: "POST", headers, body })
      .catch(() => Response.error());
    if (answer.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Notes that it has texted, before or after. */
const texts =
  (notesFirst: boolean): Begin =>
  (sim, database) =>
  async (id) => {
    if (database.has(id)) return;
    if (notesFirst) database.log(id);
    await send(sim, id);
    database.log(id);
  };

/** How long the CRM takes to answer, ms. */
const CRM_MS = 300;

/**
 * Asks the REST API, writes into the CRM, which answers later, and then notes that the job is done. A new life does what the one before left.
 * @param isOnce whether the CRM takes each call once
 */
const posts =
  (isOnce: boolean): Begin =>
  (sim, database) => {
    const work = async (id: string): Promise<void> => {
      if (!(await isThere(sim, id))) return void setTimeout(work, 1_000, id);
      if (isOnce) database.log(id);
      else database.rows.push({ callId: id });
      await new Promise((resolve) => setTimeout(resolve, CRM_MS));
      database.jobs.delete(id);
    };
    const begun = new Set(database.jobs.keys());
    for (const id of begun) void work(id);
    return (id) => {
      if (begun.has(id) || !database.jobs.has(id)) return;
      begun.add(id);
      void work(id);
    };
  };

const logged = callLog({ rows: ({ rows }: Database) => rows });
const texted = {
  eventually: {
    "each missed call is texted": (sim: Simulator) => {
      const count = sim.events.ofType("conversation.message.created").length;
      expect(count).toBeGreaterThanOrEqual(sim.events.ofType("call.not_answered").length);
    },
  },
};

const atRest = (asked: string) => `the app restarts before ${asked} reaches the REST API`;

const apps = {
  "locks a job for ever": [
    locks(Number.POSITIVE_INFINITY),
    locks(300_000),
    logged,
    atRest("GET /calls/call-1"),
  ],
  "takes a job out before it is done": [takes(true), takes(false), logged, atRest("GET /calls/call-1")],
  "notes that it has sent, and then sends": [
    texts(true),
    texts(false),
    texted,
    atRest("POST /conversationMessages"),
  ],
  "writes a call before it has noted that": [
    posts(false),
    posts(true),
    logged,
    "the app restarts while it waits for its timer of 300 ms",
  ],
} as const;

describe.each(Object.entries(apps))("An app that %s", (_, [wrong, right, properties, when]) => {
  const explored = (begin: Begin) => ({
    ...{ scenario, app: appOf(begin), durable: () => new Database() },
    ...properties,
  });

  test("is found out by a restart while it waits, which its scenario plays again", async () => {
    const { failures } = await exploreReport(explored(wrong));
    expect(failures.map(({ story }) => story.split(",")[0])).toEqual([`When ${when}`]);
    const again = parseScenario(failures[0]?.smallest.scenario ?? "");
    expect((await playWorld({ ...explored(wrong), scenario: again })).failures).toHaveLength(1);
  });

  test("has a right twin, which holds with two deviations", async () => {
    const kinds = ["lost", "refused", "restarted", "restartedAfter"] as const;
    const deviations = isWhole ? 2 : { atMost: 2, kinds };
    const { failures } = await exploreReport({ ...explored(right), deviations });
    expect(failures.map(({ story }) => story)).toEqual([]);
  });
});
