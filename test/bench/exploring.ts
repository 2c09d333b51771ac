import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Deviation } from "../../src/core/engine/deviations.ts";
import { exploreAs } from "../../src/explore/explore.ts";
import { exploreReport, type HttpSubject, httpSubject } from "../../src/explore/index.ts";
import { createSimulator, parseScenario, type Simulator } from "../../src/index.ts";

/** How a bench measures. */
export interface Measures {
  /** Processor time of this process so far, seconds. */
  cpuSeconds(): number;
  median(values: number[]): number;
  print(what: string, value: string): void;
  gc(): void;
}

const url = "https://crm.acme.test/hooks";
const scenario = parseScenario(`
scenario: A plain answered call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: ["*"] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }
  - { at: PT6S, answer: { call: c1, by: alice, endpoint: desktop } }
  - { at: PT66S, hangup: { call: c1, by: caller } }
`);
const EVENTS = 7;

/** Reads each request at once, and checks no property. */
function consumer(sim: Simulator): Map<string, string> {
  const seen = new Map<string, string>();
  sim.network.route(url, ({ body }) => {
    const { id, type } = JSON.parse(body) as { id: string; type: string };
    seen.set(id, type);
    return 200;
  });
  return seen;
}

function mustHaveHeard(seen: ReadonlyMap<string, string>, events: number): void {
  if (seen.size !== events) throw new Error(`the consumer heard of ${seen.size} events, not of ${events}`);
}

/** The steps of the scenario. */
async function playCall(sim: Simulator): Promise<void> {
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  await sim.advanceAsync(6_000);
  call.answer("alice", { endpoint: "desktop" });
  await sim.advanceAsync(60_000);
  call.hangup("caller");
}

const explored = (
  deviations: number,
  takes: (deviations: readonly Deviation[]) => void = () => {},
  more = {},
) =>
  exploreAs(
    {
      scenario,
      subject: consumer,
      eventually: { "hears of everything": (_, seen) => mustHaveHeard(seen, EVENTS) },
      deviations,
      ...more,
    },
    { onWorld: (outcome) => takes(outcome.deviations) },
  );

/** Repeats the call in one simulator. */
async function longRun(calls: number): Promise<void> {
  const sim = createSimulator(scenario.options);
  sim.webhooks.create({ url, events: ["*"] });
  const seen = consumer(sim);
  for (let index = 0; index < calls; index++) {
    await playCall(sim);
    await sim.advanceAsync(60_000);
  }
  mustHaveHeard(seen, calls * EVENTS);
}

/**
 * Runs the explored worlds without the explorer: it forks, applies the deviations, takes the steps, and reads the end
 * state.
 */
async function byHand(worlds: readonly (readonly Deviation[])[]): Promise<void> {
  const base = createSimulator(scenario.options);
  base.webhooks.create({ url, events: ["*"] });
  for (const deviations of worlds) {
    const sim = base.fork();
    for (const deviation of deviations) sim.command("deviate", deviation as never);
    const seen = consumer(sim);
    await playCall(sim);
    await sim.runUntilIdleAsync();
    mustHaveHeard(seen, EVENTS);
    sim.dispose();
  }
}

/** Measures a world's cost, and the explorer's share: choosing worlds, comparing them, checking them. */
export async function exploring({ cpuSeconds, median, print, gc }: Measures): Promise<void> {
  const worlds: (readonly Deviation[])[] = [];
  await explored(2, (deviations) => worlds.push(deviations));
  // without collecting all garbage in between, with which V8 throws compiled code away
  const cost = async (run: () => Promise<unknown>) => {
    const start = cpuSeconds();
    await run();
    return (cpuSeconds() - start) / worlds.length;
  };
  const rounds: { call: number; hand: number; world: number }[] = [];
  for (let round = 0; round < 21; round++)
    rounds.push({
      call: await cost(() => longRun(worlds.length)),
      hand: await cost(() => byHand(worlds)),
      world: await cost(() => explored(2)),
    });
  const warm = rounds.slice(10);
  const of = (value: (round: (typeof rounds)[number]) => number) => median(warm.map(value));
  const micros = (value: number) => `${(value * 1e6).toFixed(0)} µs`;
  print("one answered call in a long run, its webhook handled", micros(of(({ call }) => call)));
  print(
    `a world of that call, of ${worlds.length} with at most 2 deviations`,
    micros(of(({ world }) => world)),
  );
  print("ratio, world to call in a long run (aim: 2)", of(({ world, call }) => world / call).toFixed(2));
  print("ratio, the same worlds played by hand to that call", of(({ hand, call }) => hand / call).toFixed(2));
  print(
    "the explorer's own share of a world (aim: 0.1)",
    of(({ hand, world }) => 1 - hand / world).toFixed(2),
  );
  await memoryOfWorlds(print, gc);
}

/** A server that takes what it is sent. */
const receiver = `
const server = require("node:http").createServer((request, answer) => {
  let body = "";
  request.on("data", (chunk) => (body += chunk)).on("end", () => {
    if (body !== "") JSON.parse(body);
    answer.writeHead(204).end();
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

/** Measures how many worlds a second one Node server runs, of eight requests each besides its reset and its property. */
export async function server({ cpuSeconds, median, print }: Measures): Promise<void> {
  const child = spawn(process.execPath, ["-e", receiver], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [port] = (await once(child.stdout, "data")) as [Buffer];
    const subject = httpSubject({ url: `http://127.0.0.1:${String(port).trim()}`, reset: "/reset" });
    const rounds: { worldsPerSecond: number; cpu: number }[] = [];
    for (let round = 0; round < 9; round++) {
      const [start, startMs] = [cpuSeconds(), performance.now()];
      const { worlds } = await exploreReport({
        ...{ scenario, subject, deviations: 2, worlds: 400 },
        eventually: { answers: (_: Simulator, asked: HttpSubject) => asked.mustAnswer("/") },
      });
      const seconds = (performance.now() - startMs) / 1_000;
      rounds.push({ worldsPerSecond: worlds / seconds, cpu: (cpuSeconds() - start) / worlds });
    }
    const warm = rounds.slice(3);
    const rate = median(warm.map(({ worldsPerSecond }) => worldsPerSecond)).toFixed(0);
    print("worlds a second of one Node server, by wall-clock time (aim: 250)", rate);
    print(
      "processor time of such a world, without the server's",
      `${(median(warm.map(({ cpu }) => cpu)) * 1e6).toFixed(0)} µs`,
    );
  } finally {
    child.kill();
  }
}

/** Measures the memory that an exploration holds after a thousand worlds, and after a hundred thousand. */
async function memoryOfWorlds(print: Measures["print"], gc: () => void): Promise<void> {
  // V8 compiles its code first, since that memory belongs to no world
  await explored(5, () => {}, { worlds: 10_000 });
  const kept: number[] = [];
  let count = 0;
  const look = () => {
    if (++count !== 1_000 && count !== 100_000) return;
    gc();
    kept.push(process.memoryUsage().heapUsed / 1024 / 1024);
  };
  const report = await explored(5, look, { worlds: 100_000 });
  const [few = Number.NaN, many = Number.NaN] = kept;
  if (report.worlds !== 100_000) throw new Error(`there were only ${report.worlds} worlds`);
  print("memory in use after 1,000 worlds, and after 100,000", `${few.toFixed(1)}, ${many.toFixed(1)} MB`);
  print("ratio of the two (aim: 1)", (many / few).toFixed(2));
}
