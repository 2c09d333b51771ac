import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createSimulator, type Simulator } from "../../src/index.ts";
import { BareActors } from "./actors.ts";
import { BusyTeam } from "./busy-team.ts";
import { exploring, type Measures, server } from "./exploring.ts";
import { Floor } from "./floor.ts";
import { importing } from "./importing.ts";
import { largeOrganisation } from "./large-organisation.ts";
import { playCalls } from "./plain-call.ts";
import { restCall } from "./rest-call.ts";

/**
 * `npm run bench`: costs as ratios, measured in one run on one machine. Needs `--expose-gc` and a build. It is
 * bundled as the package is: tsx names each function as it is made, which takes up to a tenth of a call and happens
 * nowhere else. docs/performance.md records the figures and what dominates them.
 */

const gc = (globalThis as { gc?: () => void }).gc;
if (gc === undefined) throw new Error("run with node --expose-gc");

const cpuSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** Processor time, since other programs on the machine affect it least. */
const seconds = (run: () => void): number => {
  const start = cpuSeconds();
  run();
  return cpuSeconds() - start;
};

/**
 * Processor time of a run that follows one just like it. When a simulator is collected, V8 throws away code that it
 * compiled for it, and compiles it again in the next one: a long run pays for that once, a short one all the time.
 */
const secondsInLongRun = (run: () => void): number => {
  gc();
  run();
  return seconds(run);
};

/** The median of several measures of the same thing. */
const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const print = (what: string, value: string) =>
  process.stdout.write(`${what.padEnd(64)} ${value.padStart(14)}\n`);

/** With one listener that accepts every event, as a webhook would. */
function newSimulator(): Simulator {
  const simulator = createSimulator();
  const accept = () => 200;
  simulator.on("*", accept);
  return simulator;
}

function throughput(): void {
  const empty = Floor.check(playCalls);
  const rounds = Array.from({ length: 7 }, () => {
    const count = 10_000;
    const each = (run: () => void) => secondsInLongRun(run) / count;
    const repeat = (call: () => void) => () => {
      for (let index = 0; index < count; index++) call();
    };
    const [plain, hooked, actors, floor] = [newSimulator(), newSimulator(), new BareActors(), empty.again()];
    hooked.webhooks.create({ url: hooks, events: ["*"] });
    return {
      plain: each(() => playCalls(plain, count)),
      hooked: each(() => playCalls(hooked, count)),
      bare: each(repeat(() => actors.call())),
      floor: each(repeat(() => floor.call())),
    };
  }).slice(2); // the first rounds warm up
  const middle = (what: "plain" | "hooked" | "bare" | "floor") => median(rounds.map((round) => round[what]));
  const [plain, hooked, bare, floor] = [middle("plain"), middle("hooked"), middle("bare"), middle("floor")];
  const micros = (cost: number) => `${(cost * 1e6).toFixed(1)} µs`;
  print("whole simulator, plain answered call", micros(plain));
  print("the same with one webhook that accepts", micros(hooked));
  print("the same states in bare XState actors on a heap clock", micros(bare));
  print("the floor: the same events written by hand", micros(floor));
  print("ratio, simulator to bare actors (aim: 0.6)", (plain / bare).toFixed(2));
  print("ratio, simulator with a webhook to bare actors (aim: 0.8)", (hooked / bare).toFixed(2));
  print("ratio, simulator to the floor", (plain / floor).toFixed(2));
}

/**
 * The average over the second half of a run of each length, so that each length pays its share of garbage collection.
 */
function flatness(): void {
  for (let round = 0; round < 4; round++) playCalls(newSimulator(), 1_000); // warms up
  const costs = [1_000, 10_000, 100_000].map((size) => {
    const rounds = Array.from({ length: 3 }, () => {
      const simulator = newSimulator();
      playCalls(simulator, size / 2);
      return seconds(() => playCalls(simulator, size / 2)) / (size / 2);
    });
    const cost = median(rounds);
    print(`cost per call, second half of ${size} calls`, `${(cost * 1e6).toFixed(1)} µs`);
    return cost;
  });
  const [first = Number.NaN, , last = Number.NaN] = costs;
  print("ratio of cost per call, 100,000 calls to 1,000 (aim: 1.1)", (last / first).toFixed(2));
  flatnessWhenBounded();
}

function flatnessWhenBounded(): void {
  const [few = Number.NaN, many = Number.NaN] = [1_000, 1_000_000].map((size) => {
    const rounds = Array.from({ length: size > 1_000 ? 1 : 5 }, () => {
      const simulator = createSimulator({ retain: { events: 1_000, calls: 100, journal: false } });
      playCalls(simulator, size / 2);
      return seconds(() => playCalls(simulator, size / 2)) / (size / 2);
    });
    return median(rounds);
  });
  print("the same, bounded with retain, 1,000,000 to 1,000 (aim: 1.1)", (many / few).toFixed(2));
}

/** The cost of a consumer's test: a simulator of its own, and one call. */
function newSimulators(): void {
  const count = 2_000;
  const rounds = Array.from({ length: 9 }, () => {
    const run = newSimulator();
    const [few = Number.NaN, many = Number.NaN] = [newSimulator, () => run].map((simulator) =>
      secondsInLongRun(() => {
        for (let index = 0; index < count; index++) playCalls(simulator(), 1);
      }),
    );
    return { few: (few / count) * 1e6, ratio: few / many };
  }).slice(2); // the first rounds warm up
  const micros = median(rounds.map(({ few }) => few));
  print("new simulator and one answered call", `${micros.toFixed(0)} µs`);
  print("ratio, to that call in a long run (aim: 1.5)", median(rounds.map(({ ratio }) => ratio)).toFixed(2));
}

/** The cost of a page of the REST API out of many calls, compared with only writing its body. */
async function restPage(): Promise<void> {
  const simulator = createSimulator({ retain: { journal: false, events: 1_000 } });
  playCalls(simulator, 100_000);
  const get = () =>
    simulator.fetch("/calls?limit=1000", { headers: { authorization: `Bearer ${simulator.token()}` } });
  const page: unknown = await (await get()).json();
  const count = 30;
  const costs: number[] = [];
  for (let round = 0; round < 7; round++) {
    const start = cpuSeconds();
    for (let index = 0; index < count; index++) await (await get()).text();
    const ours = cpuSeconds() - start;
    const alone = seconds(() => {
      for (let index = 0; index < count; index++) JSON.stringify(page);
    });
    costs.push(ours / alone);
  }
  print(
    "GET /calls?limit=1000 of 100,000 to JSON.stringify of it (aim: 2)",
    median(costs.slice(2)).toFixed(2),
  );
}

/** Each figure is the average over the second half of a run, when the team is as busy as it will be. */
function busyTeam(): void {
  new BusyTeam().play(2_000); // warms up
  const costs = [1_000, 10_000, 50_000].map((size) => {
    const rounds = Array.from({ length: size > 10_000 ? 1 : 3 }, () => {
      const team = new BusyTeam();
      team.play(size / 2);
      return seconds(() => team.play(size / 2)) / (size / 2);
    });
    const cost = median(rounds);
    const what = `cost per call, team of 50, nine tenths busy, second half of ${size}`;
    print(what, `${(cost * 1e6).toFixed(0)} µs`);
    return cost;
  });
  const [first = Number.NaN, middle = Number.NaN, last = Number.NaN] = costs;
  print("the same in calls per second, 10,000 calls", `${Math.round(1 / middle)} calls/s`);
  print("ratio of cost per call, 50,000 calls to 1,000 (aim: 1.3)", (last / first).toFixed(2));
}

function memory(): void {
  const measure = (options: Parameters<typeof createSimulator>[0]) => {
    const count = 10_000;
    const simulator = createSimulator(options);
    playCalls(simulator, 100);
    gc?.();
    const before = process.memoryUsage().heapUsed;
    playCalls(simulator, count);
    gc?.();
    const bytes = (process.memoryUsage().heapUsed - before) / count;
    return { bytes, simulator };
  };
  print("bytes kept per closed call, everything kept (aim: 4000)", `${Math.round(measure({}).bytes)} bytes`);
  print("the same of the floor: its events alone", `${Math.round(floorMemory())} bytes`);
  const bounded = measure({ retain: { events: 1_000, calls: 100, journal: false } });
  print("bytes kept per closed call, retain bounded", `${Math.round(bounded.bytes)} bytes`);
}

function floorMemory(): number {
  const floor = Floor.check(playCalls);
  const count = 10_000;
  gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < count; index++) floor.call();
  gc?.();
  const bytes = (process.memoryUsage().heapUsed - before) / count;
  if (floor.events.length !== 7 * count) throw new Error("the floor forgot its events");
  return bytes;
}

const hooks = "https://crm.acme.test/hooks";

interface Hooked {
  /** How many webhooks there are. */
  readonly webhooks: number;
  readonly calls: number;
  /**
   * The endpoint: none, so that every delivery succeeds; a function that reads nothing; or one that reads headers and
   * body.
   */
  readonly handler: "none" | "ignores" | "reads";
  readonly journal: boolean;
}

/** The cost of one event of a run, with its deliveries. */
function hookedEvent({ webhooks: count, calls, handler, journal }: Hooked): number {
  const simulator = createSimulator({ retain: { journal } });
  for (let index = 0; index < count; index++)
    simulator.webhooks.create({ url: `${hooks}/${index}`, events: ["*"] });
  if (handler === "ignores") simulator.network.route(hooks, () => 200);
  if (handler === "reads")
    simulator.network.route(hooks, ({ body, headers }) => (body && headers ? 200 : 500));
  const cost = secondsInLongRun(() => {
    playCalls(simulator, calls);
    simulator.advance(0);
  });
  return (cost / (simulator.events.length / 2)) * 1e6;
}

/** The cost that webhooks add to a run, per event. Runs are compared only if all or none of them keep a journal. */
function webhooks(): void {
  const usual = { webhooks: 1, calls: 12_000, journal: false };
  const rounds = Array.from({ length: 7 }, () => ({
    none: hookedEvent({ ...usual, webhooks: 0, handler: "none" }),
    accepted: hookedEvent({ ...usual, handler: "none" }),
    ignored: hookedEvent({ ...usual, handler: "ignores" }),
    read: hookedEvent({ ...usual, handler: "reads" }),
    noneKept: hookedEvent({ ...usual, webhooks: 0, handler: "none", journal: true }),
    readKept: hookedEvent({ ...usual, handler: "reads", journal: true }),
    hundred: hookedEvent({ ...usual, webhooks: 100, calls: 50, handler: "none" }),
    alone: bodyAlone(usual.calls),
  })).slice(2); // the first rounds warm up
  const middle = (cost: (round: (typeof rounds)[number]) => number) => median(rounds.map(cost));
  const micros = (cost: number) => `${cost.toFixed(1)} µs`;
  const alone = middle((round) => round.alone);
  const read = middle((round) => round.read - round.none);
  const ignored = middle((round) => round.ignored - round.none);
  print("cost per event without a webhook and a journal", micros(middle((round) => round.none)));
  print("one webhook on *, accepted, adds per event", micros(middle((round) => round.accepted - round.none)));
  print("one webhook on *, to a function that reads nothing, adds", micros(ignored));
  print("one webhook on *, to a function that reads headers and body, adds", micros(read));
  print("the same with a journal", micros(middle((round) => round.readKept - round.noneKept)));
  print("JSON.stringify and HMAC of its body alone, per event", micros(alone));
  print("ratio, signed and read to its body alone (aim: 1.6)", (read / alone).toFixed(2));
  print("ratio, to a function that reads nothing to one that reads", (ignored / read).toFixed(2));
  const hundredth = (round: { hundred: number; none: number }) => (round.hundred - round.none) / 100;
  print("100 webhooks on *, add per event and webhook", micros(middle(hundredth)));
  deliveriesKept();
}

/** The cost of signing: writing the body, and computing the digest. */
function bodyAlone(calls: number): number {
  const simulator = createSimulator();
  playCalls(simulator, calls);
  const { events } = simulator;
  const cost = secondsInLongRun(() => {
    for (const event of events)
      createHmac("sha256", "secret")
        .update(`${event.createdTimestamp}.${JSON.stringify(event)}`)
        .digest("hex");
  });
  return (cost / events.length) * 1e6;
}

/** The simulator keeps the events anyway, so the difference is what the deliveries take. */
function deliveriesKept(): void {
  const bytes = (isHooked: boolean) => {
    const simulator = createSimulator();
    if (isHooked) simulator.webhooks.create({ url: hooks, events: ["*"] });
    gc?.();
    const before = process.memoryUsage().heapUsed;
    while (simulator.events.length < 100_000) playCalls(simulator, 100);
    simulator.advance(0);
    gc?.();
    return process.memoryUsage().heapUsed - before;
  };
  print("memory of 100,000 deliveries", `${((bytes(true) - bytes(false)) / 1e6).toFixed(0)} MB`);
}

function startUp(): void {
  const built = pathToFileURL(resolve("dist/index.js")).href;
  const script = `
    const start = process.hrtime.bigint();
    const worked = process.cpuUsage();
    const { createSimulator } = await import(${JSON.stringify(built)});
    const imported = process.hrtime.bigint();
    const simulator = createSimulator();
    const call = simulator.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    call.answer("alice"); call.hangup("caller");
    if (simulator.events.at(-1).type !== "call.ended") throw new Error("no call.ended");
    const { user, system } = process.cpuUsage(worked);
    console.log([imported - start, process.hrtime.bigint() - start].map((ns) => Number(ns) / 1e6).join(" "), (user + system) / 1e3);`;
  const runs = Array.from({ length: 9 }, () =>
    execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
    })
      .split(" ")
      .map(Number),
  );
  print("import, fresh process", `${median(runs.map(([imported]) => imported ?? 0)).toFixed(0)} ms`);
  print(
    "from import to the first call.ended, fresh process",
    `${median(runs.map(([, ended]) => ended ?? 0)).toFixed(0)} ms`,
  );
  print("the same, processor time", `${median(runs.map(([, , worked]) => worked ?? 0)).toFixed(0)} ms`);
}

/** Each user's hours begin and end on every weekday. */
function workingHours(): void {
  const days = ["monday", "tuesday", "wednesday", "thursday", "friday"];
  const zones = ["Europe/London", "Pacific/Auckland", "America/New_York", "Asia/Kolkata"];
  const users = Array.from({ length: 1_000 }, (_, index) => ({
    id: `user-${index}`,
    email: `user-${index}@acme.test`,
    displayName: `User ${index}`,
    extension: String(1_000 + index),
    timezone: zones[index % zones.length] ?? "UTC",
    workingHours: Object.fromEntries(days.map((day) => [day, [{ from: "09:00", to: "17:30" }]])),
  }));
  const simulator = createSimulator({ organisation: { id: "acme", users }, retain: { events: 1_000 } });
  const cost = seconds(() => simulator.advance("P365D"));
  print("a year of 1,000 users' working hours", `${cost.toFixed(1)} s`);
}

function forks(): void {
  const cost = (closedCalls: number) => {
    const simulator = createSimulator();
    playCalls(simulator, closedCalls);
    simulator.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    const times = Array.from({ length: 200 }, () => {
      // between forks the run goes on, as it does in use
      playCalls(simulator, 0);
      return seconds(() => simulator.fork());
    });
    return median(times.slice(20));
  };
  for (let round = 0; round < 5; round++) cost(1_000); // warm up
  const [few, many] = [cost(10), cost(10_000)];
  print("fork with 10 closed calls", `${(few * 1e6).toFixed(1)} µs`);
  print("fork with 10,000 closed calls", `${(many * 1e6).toFixed(1)} µs`);
}

/**
 * A busy year: many conversations with pending timers. Each had a message from outside and a reply. Measures the cost
 * of one more message to each of the newest conversations.
 */
function conversations(): void {
  const numberOf = (index: number) => `+64215${String(index).padStart(6, "0")}`;
  const costs = [1_000, 100_000].map((size) => {
    const simulator = createSimulator({ retain: { journal: false, events: 1_000 } });
    const write = (index: number) => {
      const number = numberOf(index);
      simulator.conversations.receive({ from: number, to: "+6495550100", text: "Hello" });
      simulator.conversations.sendMessage({
        from: "+6495550100",
        to: number,
        body: "Hi",
        closeTimer: "P180D",
      });
    };
    for (let index = 0; index < size; index++) write(index);
    gc?.();
    const count = 1_000;
    const rounds = Array.from({ length: 7 }, () =>
      seconds(() => {
        for (let index = size - count; index < size; index++) write(index);
      }),
    );
    const cost = median(rounds) / (2 * count);
    print(`cost per message with ${size} conversations pending`, `${(cost * 1e6).toFixed(1)} µs`);
    if (size === 100_000) {
      const pending = median(Array.from({ length: 5 }, () => seconds(() => simulator.pending())));
      print(`pending() of ${simulator.pending().length} timers`, `${(pending * 1e3).toFixed(0)} ms`);
    }
    return cost;
  });
  const [few = Number.NaN, many = Number.NaN] = costs;
  print("ratio of cost per message, 100,000 conversations to 1,000", (many / few).toFixed(2));
  longConversation();
}

/**
 * Each message makes a version of the conversation, which lists all its messages when it is read. Nobody reads it
 * here.
 */
function longConversation(): void {
  const rounds = Array.from({ length: 15 }, () => {
    const simulator = createSimulator({ retain: { journal: false, events: 1_000 } });
    const write = () =>
      simulator.conversations.receive({ from: "+6421555001", to: "+6495550100", text: "Hello" });
    const cost = (from: number, to: number) =>
      seconds(() => {
        for (let index = from; index < to; index++) write();
      }) /
      (to - from);
    const [, first, , last] = [cost(0, 500), cost(500, 1_000), cost(1_000, 9_500), cost(9_500, 10_000)];
    return { first, last };
  }).slice(5); // the first rounds warm up
  const first = median(rounds.map((round) => round.first));
  const last = median(rounds.map((round) => round.last));
  print("cost of the 1,000th message of one conversation", `${(first * 1e6).toFixed(1)} µs`);
  print("cost of the 10,000th message of one conversation", `${(last * 1e6).toFixed(1)} µs`);
  print("ratio, the 10,000th to the 1,000th (aim: 1.2)", (last / first).toFixed(2));
}

/** The largest body that is accepted: tens of thousands of contacts. Their number must not slow caller look-up. */
async function upload(): Promise<void> {
  const contacts = Array.from({ length: 47_000 }, (_, index) => ({
    firstName: "Contact",
    lastName: `Number ${index}`,
    phoneNumbers: [`+64215${String(index).padStart(6, "0")}`],
    emailAddresses: [`contact-${index}@crm.test`],
  }));
  const body = JSON.stringify({ id: "crm", name: "CRM", contacts });
  const simulator = createSimulator({ retain: { journal: false, events: 1_000, calls: 100 } });
  const put = async () => {
    const headers = { authorization: `Bearer ${simulator.token()}`, "content-type": "application/json" };
    const start = process.hrtime.bigint();
    const { status } = await simulator.fetch("/phonebooks", { method: "PUT", headers, body });
    if (status !== 200) throw new Error(`PUT /phonebooks answered ${status}`);
    return Number(process.hrtime.bigint() - start) / 1e9;
  };
  gc?.();
  const before = process.memoryUsage().heapUsed;
  const first = await put();
  gc?.();
  const kept = process.memoryUsage().heapUsed - before;
  const again = median([await put(), await put(), await put()]);
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  const what = `PUT /phonebooks of ${contacts.length} contacts, ${megabytes(body.length)} MB`;
  print(what, `${first.toFixed(2)} s`);
  print("the same again, replacing them", `${again.toFixed(2)} s`);
  print("memory kept of them", `${megabytes(kept)} MB`);
  const few = createSimulator({ retain: { journal: false, events: 1_000, calls: 100 } });
  const cost = (each: Simulator) =>
    median(Array.from({ length: 9 }, () => seconds(() => playCalls(each, 300))));
  const [small, large] = [cost(few), cost(simulator)];
  print("ratio of cost per call, with these contacts to with three", (large / small).toFixed(2));
}

const measures: Measures = { cpuSeconds, median, print, gc: () => gc() };

const parts: Record<string, () => void | Promise<void>> = {
  throughput,
  flatness,
  newSimulators,
  busyTeam,
  memory,
  startUp,
  forks,
  webhooks,
  restPage,
  restCall: () => restCall(measures),
  conversations,
  workingHours,
  upload,
  largeOrganisation: () => largeOrganisation(measures),
  exploring: () => exploring(measures),
  server: () => server(measures),
  importing: () => importing(measures),
};

// `npm run bench -- throughput memory` runs these parts alone
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0)
  throw new Error(
    `no part of the bench is ${unknown.join(", ")}: there are ${Object.keys(parts).join(", ")}`,
  );
const names = wanted.length === 0 ? Object.keys(parts) : wanted;
for (const name of names)
  if (names.length > 1) runAlone(name);
  else await parts[name]?.();

/** Runs a part in a process of its own: what another leaves behind, and what V8 compiled for it, does not count. */
function runAlone(name: string): void {
  const itself = fileURLToPath(import.meta.url);
  execFileSync(process.execPath, [...process.execArgv, itself, name], { stdio: "inherit" });
}
