import { Hono } from "hono";
import { createSimulator } from "../../src/index.ts";
import type { Measures } from "./exploring.ts";
import { playCalls } from "./plain-call.ts";

/** One call read by the REST API, compared with a bare Hono route that answers the same record. */
export async function restCall({ cpuSeconds, median, print, gc }: Measures): Promise<void> {
  const simulator = createSimulator({ retain: { journal: false, events: 1_000, requests: 100 } });
  playCalls(simulator, 100);
  const [call] = simulator.calls.list();
  if (call === undefined) throw new Error("no call was played");
  const { id, record } = call;
  const bare = new Hono();
  bare.get("/calls/:id", (c) => (c.req.param("id") === id ? c.json(record) : c.notFound()));
  const init = { headers: { authorization: `Bearer ${simulator.token()}` } };
  const url = `${simulator.urls.api}/calls/${id}`;
  const ways = {
    ours: () => simulator.fetch(url, init),
    alone: async () => bare.fetch(new Request(url, init)),
  };
  if ((await (await ways.ours()).text()) !== (await (await ways.alone()).text()))
    throw new Error("the bare route answers something else");
  const count = 3_000;
  const rounds: { ours: number; alone: number }[] = [];
  for (let round = 0; round < 9; round++) {
    const costs = { ours: 0, alone: 0 };
    for (const way of ["ours", "alone"] as const) {
      gc();
      const start = cpuSeconds();
      for (let index = 0; index < count; index++) await (await ways[way]()).text();
      costs[way] = ((cpuSeconds() - start) / count) * 1e6;
    }
    rounds.push(costs);
  }
  const warm = rounds.slice(2);
  print("sim.fetch of one call", `${median(warm.map(({ ours }) => ours)).toFixed(1)} µs`);
  print("the same record from a bare Hono route", `${median(warm.map(({ alone }) => alone)).toFixed(1)} µs`);
  print(
    "ratio, sim.fetch to bare Hono (aim: 1.5)",
    median(warm.map(({ ours, alone }) => ours / alone)).toFixed(2),
  );
}
