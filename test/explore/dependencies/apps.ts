import type { ExploreOptions } from "../../../src/explore/index.ts";
import { Crm, crmLog, crmUrl, hear, oneCall, or503, post, reads, Table, twoCalls } from "./parts.ts";

/** An app with dependencies, and how it is found out if it is wrong. */
// biome-ignore lint/suspicious/noExplicitAny: each app has a state of its own
type App = ExploreOptions<any, any>;

interface Pair {
  readonly wrong: App;
  readonly right: App;
  /** The dependency, the call and the kind that find the wrong one out. */
  readonly found: string;
}

/** Writes each call into the CRM, and remembers that. */
const remembersAfter = (keyOf: (id: string) => string | undefined): App => ({
  scenario: oneCall,
  durable: () => ({ crm: new Crm(), seen: new Table() }),
  subject(sim, durable) {
    const crm = sim.dependency("crm", durable.crm.fetch);
    const seen = sim.dependency("db", durable.seen as Table, { reads });
    hear(sim, async (id) => {
      if (await seen.has(id)) return 204;
      if (!(await post(crm, id, keyOf(id))).ok) return 503;
      await seen.insert(id);
      return 204;
    });
    return durable;
  },
  ...crmLog,
});

const remembersFirst: App = {
  ...remembersAfter(() => undefined),
  subject(sim, durable) {
    const crm = sim.dependency("crm", durable.crm.fetch);
    const seen = sim.dependency("db", durable.seen as Table, { reads });
    hear(sim, (id) =>
      or503(async () => {
        if (!(await seen.insert(id))) return 204;
        return (await post(crm, id)).ok ? 204 : 503;
      }),
    );
    return durable;
  },
};

/** Remembers that it has begun and that it is done, and looks in the CRM for what it has begun. */
const looksInTheCrm: App = {
  ...remembersFirst,
  subject(sim, durable) {
    const crm = sim.dependency("crm", durable.crm.fetch);
    const seen = sim.dependency("db", durable.seen as Table<{ readonly done: boolean }>, { reads });
    hear(sim, (id) =>
      or503(async () => {
        if ((await seen.get(id))?.done === true) return 204;
        await seen.insert(id, { done: false });
        const found = await crm(`${crmUrl}/activities?call=${id}`);
        if (!found.ok) return 503;
        const isThere = (await found.json()).length > 0;
        if (!isThere && !(await post(crm, id, id)).ok) return 503;
        await seen.put(id, { done: true });
        return 204;
      }),
    );
    return durable;
  },
};

/** Answers first, then writes, and tries again a minute later. The job is only in memory. */
const jobInMemory: App = {
  scenario: oneCall,
  durable: () => ({ crm: new Crm() }),
  subject(sim, durable) {
    const crm = sim.dependency("crm", durable.crm.fetch);
    async function work(id: string): Promise<void> {
      const answer = await post(crm, id, id).catch(() => undefined);
      if (answer?.ok !== true) setTimeout(work, 60_000, id);
    }
    hear(sim, (id) => {
      void work(id);
      return 204;
    });
    return durable;
  },
  ...crmLog,
};

/** Keeps each job in a table until it is done. @param work does one job */
const outbox = (work: (ask: Crm["fetch"], jobs: Table, id: string) => Promise<void>): App => ({
  scenario: oneCall,
  durable: () => ({ crm: new Crm(), jobs: new Table() }),
  subject(sim, durable) {
    const crm = sim.dependency("crm", durable.crm.fetch);
    const jobs = sim.dependency("db", durable.jobs as Table, { reads });
    const resume = (): Promise<void> =>
      jobs.all().then(
        (all) => {
          for (const { id } of all) void work(crm, jobs, id);
        },
        () => void setTimeout(resume, 60_000),
      );
    void resume();
    hear(sim, async (id) => {
      const isStored = await jobs.insert(id).then(
        () => true,
        () => false,
      );
      if (!isStored) return 503;
      void work(crm, jobs, id);
      return 204;
    });
    return durable;
  },
  ...crmLog,
});

async function triesForEver(ask: Crm["fetch"], jobs: Table, id: string, waitMs = 60_000): Promise<void> {
  const answer = await post(ask, id, id).catch(() => undefined);
  if (answer?.ok !== true) setTimeout(triesForEver, waitMs, ask, jobs, id, 2 * waitMs);
  else await jobs.remove(id).catch(() => {});
}

async function triesThreeTimes(ask: Crm["fetch"], jobs: Table, id: string): Promise<void> {
  for (let left = 3; left > 0; left--) {
    const answer = await post(ask, id, id).catch(() => undefined);
    if (answer?.ok === true) break;
  }
  await jobs.remove(id).catch(() => {});
}

/** Looks for jobs every minute. */
const polls = (work: (ask: Crm["fetch"], jobs: Table, id: string) => Promise<void>): App => ({
  ...outbox(work),
  subject(sim, durable) {
    const crm = sim.dependency("crm", durable.crm.fetch);
    const jobs = sim.dependency("db", durable.jobs as Table, { reads });
    setInterval(async () => {
      try {
        for (const { id } of await jobs.all()) await work(crm, jobs, id);
      } catch {}
    }, 60_000);
    hear(sim, (id) => or503(() => jobs.insert(id).then(() => 204)));
    return durable;
  },
});

/** Writes each call into the CRM. @param statusFor its answer to one of the CRM's; undefined: it could not be asked */
const passesOn = (statusFor: (status: number | undefined) => number): App => ({
  scenario: oneCall,
  durable: () => ({ crm: new Crm() }),
  subject(sim, durable) {
    const crm = sim.dependency("crm", durable.crm.fetch);
    hear(sim, async (id) => statusFor((await post(crm, id, id).catch(() => undefined))?.status));
    return durable;
  },
  ...crmLog,
});

interface Count {
  readonly count: number;
}
interface Of {
  readonly contact: string;
}

/** Keeps the calls, and how many each contact has. */
const counting = (
  write: (calls: Table<Of>, counters: Table<Count>, id: string, contact: string) => Promise<void>,
): App => ({
  scenario: oneCall,
  durable: () => ({ calls: new Table<Of>(), counters: new Table<Count>() }),
  subject(sim, durable) {
    const calls = sim.dependency("calls", durable.calls as Table<Of>, { reads });
    const counters = sim.dependency("counters", durable.counters as Table<Count>, { reads });
    hear(sim, (id, contact) => or503(() => write(calls, counters, id, contact).then(() => 204)));
    return durable;
  },
  eventually: {
    "the counters count the calls": async (sim, { counters }) => {
      const all: readonly Count[] = await counters.all();
      return all.reduce((sum, { count }) => sum + count, 0) === sim.calls.list().length;
    },
  },
});

/** Asks for a token once. */
const withToken = (tokenOf: (login: () => Promise<string>) => () => Promise<string>): App => ({
  scenario: oneCall,
  durable: () => ({ crm: new Crm(), login: { token: async () => "t" } }),
  subject(sim, durable) {
    const crm = sim.dependency("crm", durable.crm.fetch);
    const login = sim.dependency("login", durable.login as { token(): Promise<string> }, {
      reads: ["token"],
    });
    const token = tokenOf(() => login.token());
    hear(sim, (id) =>
      or503(async () => {
        await token();
        return (await post(crm, id, id)).ok ? 204 : 503;
      }),
    );
    return durable;
  },
  ...crmLog,
});

/** Says something once for each call. @param say says it, and remembers that */
const saying = (
  say: (send: (key: string) => Promise<void>, marks: Table, id: string) => Promise<void>,
  isKeyed = false,
): App => ({
  scenario: oneCall,
  durable: () => ({ marks: new Table(), sent: [] }),
  subject(sim, durable) {
    const send = async (key: string) => {
      if (!isKeyed || !durable.sent.includes(key)) durable.sent.push(key);
    };
    const chat = sim.dependency("chat", { send });
    const marks = sim.dependency("db", durable.marks as Table, { reads });
    hear(sim, (id) => or503(() => say((key) => chat.send(key), marks, id).then(() => 204)));
    return durable;
  },
  eventually: { "nothing is said twice": (sim, { sent }) => sent.length <= sim.calls.list().length },
});

/** Says it, then remembers it. */
async function saysFirst(send: (key: string) => Promise<void>, marks: Table, id: string): Promise<void> {
  if (await marks.has(id)) return;
  await send(id);
  await marks.insert(id);
}

/** Keeps the calls of today. */
const today = (
  add: (lists: Table<{ readonly calls?: readonly string[] }>, id: string) => Promise<unknown>,
  isList: boolean,
): App => ({
  scenario: twoCalls,
  durable: () => ({ lists: new Table() }),
  subject(sim, durable) {
    const lists = sim.dependency("db", durable.lists as Table, { reads });
    hear(sim, (id) => or503(() => add(lists, id).then(() => 204)));
    return durable;
  },
  eventually: {
    "today has each call": async (sim, { lists }) => {
      const all = isList ? ((await lists.get("today"))?.calls ?? []) : await lists.all();
      return all.length === sim.calls.list().length;
    },
  },
});

/** Twelve defects that only show when what the app needs fails, each with an app that does without. */
export const pairs: Readonly<Record<string, Pair>> = {
  "writes, then remembers": {
    wrong: remembersAfter(() => undefined),
    right: remembersAfter((id) => id),
    found: "crm POST /activities: unanswered",
  },
  "remembers, then writes": { wrong: remembersFirst, right: looksInTheCrm, found: "db insert: unanswered" },
  "answers first, with the job in memory": {
    wrong: jobInMemory,
    right: outbox(triesForEver),
    found: "crm POST /activities: restarted",
  },
  "takes a job out before it is done": {
    wrong: polls(async (ask, jobs, id) => {
      await jobs.remove(id);
      const answer = await post(ask, id, id).catch(() => undefined);
      if (answer?.ok !== true) await jobs.insert(id);
    }),
    right: polls(async (ask, jobs, id) => {
      const answer = await post(ask, id, id).catch(() => undefined);
      if (answer?.ok === true) await jobs.remove(id);
    }),
    found: "db remove: unanswered",
  },
  "swallows errors": {
    wrong: passesOn(() => 204),
    right: passesOn((status = 503) => (status < 300 ? 204 : 503)),
    found: "crm POST /activities: refused",
  },
  "passes a 429 on as 400": {
    wrong: passesOn((status = 503) => (status >= 500 ? 503 : status >= 400 ? 400 : 204)),
    right: passesOn((status = 503) => (status >= 400 ? 503 : 204)),
    found: "crm POST /activities: 429",
  },
  "tries three times at once": {
    wrong: outbox(triesThreeTimes),
    right: outbox(triesForEver),
    found: "crm POST /activities: outage",
  },
  "writes two tables": {
    wrong: counting(async (calls, counters, id, contact) => {
      if (!(await calls.insert(id, { contact }))) return;
      await counters.put(contact, { count: ((await counters.get(contact))?.count ?? 0) + 1 });
    }),
    right: counting(async (calls, counters, id, contact) => {
      await calls.insert(id, { contact });
      const own = (await calls.all()).filter((row) => row.contact === contact);
      await counters.put(contact, { count: own.length });
    }),
    found: "calls insert: unanswered",
  },
  "keeps a refused token": {
    wrong: withToken((login) => {
      let token: Promise<string> | undefined;
      return () => {
        token ??= login();
        return token;
      };
    }),
    right: withToken((login) => {
      let token: string | undefined;
      return async () => {
        token ??= await login();
        return token;
      };
    }),
    found: "login token: refused",
  },
  "says something inside a transaction": {
    wrong: saying(saysFirst),
    right: saying(saysFirst, true),
    found: "chat send: unanswered",
  },
  "sends a mail, then marks it": {
    wrong: saying(saysFirst),
    right: saying(async (send, marks, id) => {
      if (await marks.insert(id)) await send(id);
    }),
    found: "chat send: unanswered",
  },
  "reads a list, and writes it back": {
    wrong: today(async (lists, id) => {
      const { calls = [] } = (await lists.get("today")) ?? {};
      if (!calls.includes(id)) await lists.put("today", { calls: [...calls, id] });
    }, true),
    right: today((lists, id) => lists.insert(id), false),
    found: "db get: slow",
  },
};
