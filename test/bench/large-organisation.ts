import { createSimulator, type OrganisationInput, replay, type Simulator } from "../../src/index.ts";
import type { Measures } from "./exploring.ts";
import { playCalls } from "./plain-call.ts";

/** An organisation with teams of 25. Every second user has a manager and a number of their own. */
function organisationOf(count: number): OrganisationInput {
  const number = (index: number) => `+649${String(5_000_000 + index)}`;
  return {
    id: "acme",
    users: Array.from({ length: count }, (_, index) => ({
      id: index === 0 ? "alice" : `user-${index}`,
      email: `user-${index}@acme.test`,
      displayName: `User ${index}`,
      endpoints: ["desktop"],
      extension: String(100_000 + index),
      ...(index % 2 === 0 ? {} : { manager: "alice" }),
    })),
    teams: Array.from({ length: count / 25 }, (_, index) => ({
      id: `team-${index}`,
      displayName: `Team ${index}`,
      extension: String(500_000 + index),
      members: Array.from({ length: 25 }, (_, at) => ({
        user: index + at === 0 ? "alice" : `user-${index * 25 + at}`,
      })),
    })),
    numbers: [
      { number: "+6495550100", owner: "alice" },
      ...Array.from({ length: count / 2 }, (_, index) => ({
        number: number(index),
        owner: index === 0 ? "alice" : `user-${index * 2}`,
      })),
    ],
  };
}

/** Lists that come whole: each grows with the organisation. */
const wholeLists = ["/users", "/directory", "/teams"];

interface Costs {
  readonly create: number;
  readonly fork: number;
  readonly replayed: number;
  readonly call: number;
  /** A page of calls, which does not grow with the organisation. */
  readonly page: number;
  /** Each of `wholeLists`, for each user. */
  readonly lists: readonly number[];
}

/** What grows with the organisation, and what should not: 10,000 users and 400 teams against 1,000 and 40. */
export async function largeOrganisation(measures: Measures): Promise<void> {
  const { median, print } = measures;
  const costs = { few: [] as Costs[], many: [] as Costs[] };
  for (let round = 0; round < 7; round++) {
    costs.few.push(await costsOf(1_000, measures));
    costs.many.push(await costsOf(10_000, measures));
  }
  const middle = (cost: (of: Costs) => number) => {
    const [few = Number.NaN, many = Number.NaN] = [costs.few, costs.many].map((rounds) =>
      median(rounds.slice(2).map(cost)),
    );
    return { many, ratio: (many / few).toFixed(2) };
  };
  const created = middle(({ create }) => create);
  print("creating a simulator with 10,000 users (aim: 300)", `${(created.many * 1e3).toFixed(0)} ms`);
  print("ratio, 10,000 users to 1,000, creating (aim: 13)", created.ratio);
  const replaying = middle(({ replayed }) => replayed);
  print("replaying a run of 100 calls with 10,000 users", `${(replaying.many * 1e3).toFixed(0)} ms`);
  print("ratio, replaying", replaying.ratio);
  const forking = middle(({ fork }) => fork);
  print("a fork with 10,000 users", `${(forking.many * 1e6).toFixed(0)} µs`);
  print("ratio, a fork (aim: 3)", forking.ratio);
  print("ratio, a call (aim: 1.3)", middle(({ call }) => call).ratio);
  print("ratio, /calls?limit=100 (aim: 1.5)", middle(({ page }) => page).ratio);
  for (const [index, path] of wholeLists.entries())
    print(`ratio, all of ${path}, for each user (aim: 1.5)`, middle(({ lists }) => lists[index] ?? 0).ratio);
  await contacts(measures);
}

async function costsOf(users: number, { cpuSeconds, median, gc }: Measures): Promise<Costs> {
  const organisation = organisationOf(users);
  gc();
  const seconds = <T>(run: () => T) => {
    const start = cpuSeconds();
    const result = run();
    return { took: cpuSeconds() - start, result };
  };
  const { took: create, result: simulator } = seconds(() => createSimulator({ organisation }));
  playCalls(simulator, 100);
  const journal = simulator.journal();
  const replayed = seconds(() => replay(journal)).took;
  simulator.fork(); // the first one after a change shares what is there
  const forks = Array.from({ length: 30 }, () => seconds(() => simulator.fork()).took);
  const call = median(Array.from({ length: 9 }, () => seconds(() => playCalls(simulator, 100)).took));
  const read = async (path: string) => {
    const rounds: number[] = [];
    for (let round = 0; round < 9; round++) {
      const start = cpuSeconds();
      await pageOf(simulator, path);
      rounds.push(cpuSeconds() - start);
    }
    return median(rounds);
  };
  const page = await read("/calls?limit=100");
  const lists: number[] = [];
  for (const path of wholeLists) lists.push((await read(path)) / users);
  return { create, replayed, fork: median(forks), call, page, lists };
}

/** All pages of as many contacts as one upload may have, against those of a tenth of them. */
async function contacts({ cpuSeconds, median, print, gc }: Measures): Promise<void> {
  const costs: number[] = [];
  for (const count of [4_700, 47_000]) {
    const simulator = createSimulator({ retain: { journal: false } });
    simulator.phonebooks.put("crm", {
      contacts: Array.from({ length: count }, (_, index) => ({
        id: `contact-${index}`,
        phoneNumbers: [`+64215${String(index).padStart(6, "0")}`],
      })),
    });
    gc();
    const rounds: number[] = [];
    for (let round = 0; round < 5; round++) {
      const start = cpuSeconds();
      await walk(simulator, "/phonebooks/crm/contacts", "contacts", count);
      rounds.push((cpuSeconds() - start) / count);
    }
    costs.push(median(rounds));
  }
  const [few = Number.NaN, many = Number.NaN] = costs;
  print("all pages of 47,000 contacts, each contact", `${(many * 1e6).toFixed(1)} µs`);
  print("ratio, each of 47,000 contacts to each of 4,700 (aim: 1.5)", (many / few).toFixed(2));
}

async function pageOf(simulator: Simulator, path: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${simulator.token()}` };
  const response = await simulator.fetch(path, { headers });
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  return JSON.parse(await response.text()) as Record<string, unknown>;
}

/** Reads all pages. @throws {Error} unless there are as many records */
async function walk(simulator: Simulator, path: string, name: string, expected: number): Promise<void> {
  let count = 0;
  let next = "";
  do {
    const page = await pageOf(simulator, `${path}?limit=100&next=${encodeURIComponent(next)}`);
    count += (page[name] as unknown[]).length;
    next = (page.meta as { next: string }).next;
  } while (next !== "");
  if (count !== expected) throw new Error(`${path} lists ${count}, not ${expected}`);
}
