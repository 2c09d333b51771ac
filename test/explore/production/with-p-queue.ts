import { setTimeout as sleep } from "node:timers/promises";
import PQueue from "p-queue";
import { parseScenario, type Simulator } from "ringback";
import { callLog } from "ringback/explore";
import { production } from "./production.ts";

/** Answers 204 and works in a queue, two jobs at a time. The faulty one has its jobs in memory only. */

const url = "https://crm.acme.test/hooks";

/** What outlives a restart: the calls to look up, and those that are stored with their length. */
interface Store {
  readonly jobs: Set<string>;
  readonly calls: Map<string, number>;
}

function logger(keepsJobs: boolean) {
  return (sim: Simulator, { jobs, calls }: Store) => {
    const queue = new PQueue({ concurrency: 2 });
    const lookUp = async (id: string) => {
      for (let waitMs = 1_000; ; waitMs *= 2) {
        const headers = { authorization: `Bearer ${sim.token()}` };
        const answer = await sim
          .fetch(`/calls/${id}`, { headers, signal: AbortSignal.timeout(20_000) })
          .catch(() => undefined);
        if (answer?.ok === true) {
          calls.set(id, (await answer.json()).duration / 1_000);
          jobs.delete(id);
          return;
        }
        await sleep(waitMs);
      }
    };
    for (const id of jobs) void queue.add(() => lookUp(id));
    sim.network.route(url, ({ body }) => {
      const { id } = JSON.parse(body).data.call;
      if (keepsJobs) jobs.add(id);
      void queue.add(() => lookUp(id));
      return 204;
    });
    return { calls, idle: () => queue.onIdle() };
  };
}

const durable = (): Store => ({ jobs: new Set(), calls: new Map() });

export const withPQueue = production({
  scenario: parseScenario(`
scenario: A call
steps:
  - { at: PT0S, createWebhook: { url: "${url}", events: [call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT5S, answer: { call: c1, by: alice } }
  - { at: PT65S, hangup: { call: c1, by: caller } }
`),
  faulty: { durable, subject: logger(false) },
  corrected: { durable, subject: logger(true) },
  show: ({ calls }) => calls,
  ...callLog({
    rows: ({ calls }: Pick<Store, "calls">) => [...calls].map(([callId, seconds]) => ({ callId, seconds })),
  }),
});
