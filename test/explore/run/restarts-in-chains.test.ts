import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { runsOf } from "../../counts.ts";
import { missedLater as scenario, url } from "../missed-call.ts";

/** The first letter of what is answered late. */
let late = "a";
const crm = createServer(async ({ url: path = "" }, response) => {
  if (path.startsWith(`/${late}`)) for (let turns = 0; turns < 9; turns++) await turn();
  response.end("{}");
});
crm.listen(0, "127.0.0.1");
await once(crm, "listening");
const address = `http://127.0.0.1:${(crm.address() as AddressInfo).port}`;
afterAll(() => {
  crm.closeAllConnections();
  crm.close();
});

interface Durable {
  readonly jobs: Map<string, "new" | "done">;
  readonly lines: Set<string>;
}
type Work = (durable: Durable, id: string) => Promise<unknown>;

const writes = async ({ lines }: Durable, ...names: string[]) => {
  for (const name of names) {
    await fetch(`${address}/${name}`).then((answer) => answer.text());
    lines.add(name);
  }
};

/** Answers, and works; a new life does what is left. */
const explored = (work: Work) =>
  exploreReport({
    scenario,
    durable: (): Durable => ({ jobs: new Map(), lines: new Set() }),
    app: async (sim, durable) => {
      for (const [id, state] of durable.jobs) if (state === "new") await work(durable, id);
      sim.network.route(url, ({ body }) => {
        const { id } = JSON.parse(body).data.call;
        if (durable.jobs.has(id)) return 204;
        durable.jobs.set(id, "new");
        void work(durable, id);
        return 204;
      });
      return durable;
    },
    show: ({ jobs }) => [...jobs],
    forged: false,
    deviations: { kinds: ["restarted", "restartedAfter"] },
    eventually: {
      "what is done has all lines": (_, { jobs, lines }) =>
        expect(jobs.size === 0 || lines.size === 6).toBe(true),
    },
  });

const chains: Record<string, Work> = {
  "is right": async (durable, id) => {
    await Promise.all([writes(durable, "a1", "a2", "a3"), writes(durable, "b1", "b2", "b3")]);
    durable.jobs.set(id, "done");
  },
  "is done before": async (durable, id) => {
    durable.jobs.set(id, "done");
    await Promise.all([writes(durable, "a1", "a2", "a3"), writes(durable, "b1", "b2", "b3")]);
  },
  "is done after one of them": async (durable, id) => {
    const other = writes(durable, "b1", "b2", "b3");
    await writes(durable, "a1", "a2", "a3");
    durable.jobs.set(id, "done");
    await other;
  },
};

const line =
  "no world restarts the app before what it asks once it has waited for two services at once: name these by `sim.dependency`";

test.each(Object.entries(chains))(
  "An app that waits for two chains of requests, and %s, is judged the same whichever answers first",
  async (_, work) => {
    const texts = new Set<string>();
    for (let run = 0; run < runsOf(40); run++) {
      late = run % 2 === 0 ? "a" : "b";
      texts.add((await explored(work)).toText());
    }
    expect([...texts]).toEqual([expect.stringContaining(line)]);
  },
);

test("A report names no chains of an app that sends one request after the other, and last some at once", async () => {
  const report = await explored(async (durable, id) => {
    await writes(durable, "a1", "a2", "a3");
    await Promise.all([writes(durable, "b1"), writes(durable, "b2"), writes(durable, "b3")]);
    durable.jobs.set(id, "done");
  });
  expect(report.toText()).not.toContain(line);
});
