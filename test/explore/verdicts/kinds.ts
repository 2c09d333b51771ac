import type { DeviationKind } from "../../../src/explore/index.ts";
import type { Simulator } from "../../../src/index.ts";

/** Forms of one app, which stores each missed call once, and the kinds of deviations that are tried by default. */

const url = "https://crm.acme.test/hooks";

const kinds = [
  ...["lost", "unanswered", "duplicated", "late", "overlapping", "refused", "rejected"],
  ...["timers", "503", "429", "slow", "answers", "restarted", "restartedAfter"],
] as readonly DeviationKind[];

/** What outlives a restart of the app. */
export interface Database {
  readonly rows: string[];
  readonly jobs: string[];
}

export const emptyDatabase = (): Database => ({ rows: [], jobs: [] });

/** What an app of one form may use. */
interface Tools {
  readonly sim: Simulator;
  readonly db: Database;
  /** Asks for a call until the platform answers. */
  ask(path: string): Promise<{ readonly calls: { readonly id: string; readonly endedAt: string | null }[] }>;
  /** Asks for a call and stores it. */
  work(id: string): Promise<void>;
  /** Keeps a job until it is done. */
  keep(id: string): void;
  done(id: string): void;
}

/** Builds the app, and returns what takes a call of which a webhook tells. */
type Form = (tools: Tools) => (id: string) => unknown;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Each begins again what an earlier life left in its database. */
const forms: Readonly<Record<string, Form>> = {
  "answers last":
    ({ work }) =>
    (id) =>
      work(id),
  "answers first": ({ db, work, keep, done }) => {
    const start = async (id: string) => {
      await work(id);
      done(id);
    };
    for (const id of db.jobs) void start(id);
    return (id) => {
      keep(id);
      void start(id);
    };
  },
  queue: ({ db, work, keep, done }) => {
    let isRunning = false;
    const drain = async () => {
      if (isRunning) return;
      isRunning = true;
      for (let [id] = db.jobs; id !== undefined; [id] = db.jobs) {
        await work(id);
        done(id);
      }
      isRunning = false;
    };
    setImmediate(() => void drain());
    return (id) => {
      keep(id);
      setImmediate(() => void drain());
    };
  },
  timer: ({ db, work, keep, done }) => {
    const start = (id: string) =>
      setTimeout(async () => {
        await work(id);
        done(id);
      }, 2_000);
    for (const id of db.jobs) start(id);
    return (id) => {
      keep(id);
      start(id);
    };
  },
  poller: ({ ask, work }) => {
    const seen = new Set<string>();
    const poll = async () => {
      const { calls } = await ask("/calls?limit=100");
      for (const { id, endedAt } of calls) {
        if (endedAt === null || seen.has(id)) continue;
        seen.add(id);
        await work(id);
      }
      setTimeout(poll, 60_000);
    };
    setTimeout(poll, 60_000);
    return () => {};
  },
  outbox: ({ db, work, keep, done }) => {
    const send = async () => {
      for (const id of [...db.jobs]) {
        await work(id);
        done(id);
      }
      setTimeout(send, 30_000);
    };
    setTimeout(send, 30_000);
    return (id) => keep(id);
  },
};

/** How the app stores: a right one looks whether it has the call. `stored` is told of each time at which it stores. */
export interface Storing {
  readonly isRight: boolean;
  stored?(db: Database, id: string): void;
}

/** Builds an app of one form. */
export function build(form: Form, sim: Simulator, db: Database, { isRight, stored }: Storing): Database {
  const ask: Tools["ask"] = async (path) => {
    for (let ms = 1_000; ; ms *= 2) {
      const headers = { authorization: `Bearer ${sim.token()}` };
      const answer = await sim.fetch(path, { headers }).catch(() => undefined);
      if (answer?.ok === true) return answer.json();
      await pause(ms);
    }
  };
  const take = form({
    ...{ sim, db, ask },
    async work(id) {
      await ask(`/calls/${id}`);
      stored?.(db, id);
      if (!isRight || !db.rows.includes(id)) db.rows.push(id);
    },
    keep(id) {
      if (!db.jobs.includes(id)) db.jobs.push(id);
    },
    done(id) {
      if (db.jobs.includes(id)) db.jobs.splice(db.jobs.indexOf(id), 1);
    },
  });
  sim.network.route(url, async ({ body }) => {
    const { call } = JSON.parse(body).data as { call: { id: string } };
    await take(call.id);
    return 204;
  });
  return db;
}

/** The form of a name. */
export function formOf(name: string): Form {
  const form = forms[name];
  if (form === undefined) throw new Error(`there is no form ${name}`);
  return form;
}

export const missedCall = `
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { url: "${url}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550104" } }
`;

type Pair = readonly [DeviationKind, DeviationKind];

/** A row of the table. */
export interface Row {
  readonly form: string;
  readonly pair: Pair;
  readonly isDurable: boolean;
}

const names = Object.keys(forms);

export const rows: readonly Row[] = kinds
  .flatMap((one, index) => kinds.slice(index + 1).map((other): Pair => [one, other]))
  .flatMap((pair) =>
    names.flatMap((form) => [true, false].map((isDurable): Row => ({ form, pair, isDurable }))),
  )
  // what is not durable cannot restart
  .filter(({ pair, isDurable }) => isDurable || pair.every((kind) => !kind.startsWith("restarted")));

/** Each kind and each form at least once. */
export const someRows: readonly Row[] = kinds
  .filter((_, index) => index % 2 === 0)
  .map((one, index): Row => {
    const other = kinds[2 * index + 1] as DeviationKind;
    return { form: names[index % names.length] ?? "", pair: [one, other], isDurable: true };
  });
