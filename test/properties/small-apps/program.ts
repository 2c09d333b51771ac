import fc from "fast-check";

/** Small apps from a grammar. Each is written once, as routines that say what they wait for; `model.ts` and the test run them. */
export interface Program {
  /** Where it notes which calls it has taken, so that it takes each once. */
  readonly knows: "nothing" | "memory" | "store";
  /** When it looks there: as the request comes, as it stores, or both. */
  readonly looks: "first" | "last" | "twice";
  /** When it notes a call there. */
  readonly notes: "first" | "last";
  /** Whether it answers before its work or after it. */
  readonly answers: "first" | "last";
  /** How its work begins. A queue does one job after the other. */
  readonly begins: "at once" | "in an immediate" | "by a timer" | "in a queue";
  /** What it asks of the platform, or of a CRM: to read, to enter a call, or to enter a call that it names, which is entered once. */
  readonly asks: "nothing" | "a call" | "a change" | "a contact" | "an entry" | "a named entry";
  /** How often it asks until it is answered, and how long it pauses between, ms. */
  readonly tries: number;
  readonly pauseMs: number;
  /** Whether it keeps its jobs in the store until they are done, and begins them again when it starts. */
  readonly keepsJobs: boolean;
  /** What it stores: a row, or a total that it has read before it asked. */
  readonly stores: "row" | "total";
  /** When it stores: before it asks, or once it was answered. */
  readonly storesWhen: "before" | "answered";
  /** Whether its store outlives it. */
  readonly isDurable: boolean;
}

export const programs: fc.Arbitrary<Program> = fc
  .record({
    knows: fc.constantFrom("nothing", "memory", "store", "store"),
    looks: fc.constantFrom("first", "last", "twice"),
    notes: fc.constantFrom("first", "last"),
    answers: fc.constantFrom("first", "last"),
    begins: fc.constantFrom("at once", "in an immediate", "by a timer", "in a queue"),
    asks: fc.constantFrom("nothing", "a call", "a change", "a contact", "an entry", "a named entry"),
    tries: fc.constantFrom(1, 2, 4),
    pauseMs: fc.constantFrom(1_000, 40_000),
    keepsJobs: fc.boolean(),
    stores: fc.constantFrom("row", "row", "total"),
    storesWhen: fc.constantFrom("before", "answered", "answered"),
    isDurable: fc.boolean(),
  } as const)
  // a handler that waits for a queue would only be one that waits
  .filter(({ answers, begins }) => answers === "first" || begins !== "in a queue")
  // who has noted a call always knows it as it stores
  .filter(({ looks, notes }) => notes === "last" || looks === "first");

/** What an app stores, and what its CRM has. */
export interface Store {
  readonly known: Set<string>;
  readonly jobs: Set<string>;
  readonly rows: string[];
  total: number;
  readonly entries: string[];
}

export const emptyStore = (): Store => ({
  known: new Set(),
  jobs: new Set(),
  rows: [],
  total: 0,
  entries: [],
});

/** Whether each call was stored once, and entered once by an app that enters calls. */
export function isRight({ asks, stores }: Program, store: Store, calls: readonly string[]): boolean {
  const isEachOnce = (list: readonly string[]) => list.toSorted().join() === calls.toSorted().join();
  if (asks.endsWith("entry") && !isEachOnce(store.entries)) return false;
  return stores === "total" ? store.total === calls.length : isEachOnce(store.rows);
}

/** What the CRM does on a request. */
export function enter({ entries }: Store, method: string, path: string): void {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (method === "POST" || (method === "PUT" && !entries.includes(name))) entries.push(name);
}

export type Method = "GET" | "PUT" | "POST";

/** What a routine waits for; `begin` waits for nothing. */
export type Does =
  | {
      readonly does: "ask";
      readonly whom: "platform" | "crm";
      readonly method: Method;
      readonly path: string;
    }
  | { readonly does: "sleep"; readonly ms: number }
  | { readonly does: "turn" }
  | { readonly does: "begin"; readonly work: Routine<void> };

/** Code that goes on with whether it was answered, if it has asked. */
export type Routine<T> = Generator<Does, T, boolean>;

/** One life of an app. */
export interface App {
  /** What it does as it starts. */
  start(): Routine<void>;
  /** Takes a call of which it is told. @returns the status that it answers */
  take(call: string): Routine<number>;
}

function requestOf(asks: Exclude<Program["asks"], "nothing">, call: string): Does {
  const does = "ask";
  if (asks === "a call") return { does, whom: "platform", method: "GET", path: `/calls/${call}` };
  if (asks === "a change") return { does, whom: "platform", method: "PUT", path: "/phonebooks/missed" };
  const method = asks === "a contact" ? "GET" : asks === "an entry" ? "POST" : "PUT";
  return { does, whom: "crm", method, path: `/entries/${call}` };
}

export function appOf(program: Program, store: Store): App {
  const { knows, looks, notes, answers, begins, asks, tries, pauseMs, keepsJobs, storesWhen } = program;
  const known = knows === "store" ? store.known : new Set<string>();
  const isKnown = (call: string) => knows !== "nothing" && known.has(call);
  const queue: string[] = [];
  let isDraining = false;

  function* isAnswered(call: string): Routine<boolean> {
    if (asks === "nothing") return true;
    for (let left = tries; left > 0; left--) {
      if (yield requestOf(asks, call)) return true;
      if (left > 1) yield { does: "sleep", ms: pauseMs };
    }
    return false;
  }

  function keep(call: string, total: number): void {
    if (looks === "first" || !isKnown(call)) {
      store.rows.push(call);
      store.total = total + 1;
    }
    known.add(call);
  }

  function* work(call: string): Routine<boolean> {
    const { total } = store;
    if (storesWhen === "before") keep(call, total);
    if (!(yield* isAnswered(call))) return false;
    if (storesWhen === "answered") keep(call, total);
    store.jobs.delete(call);
    return true;
  }

  function* drain(): Routine<void> {
    if (isDraining) return;
    isDraining = true;
    for (let call = queue.shift(); call !== undefined; call = queue.shift()) yield* work(call);
    isDraining = false;
  }

  function* begun(call: string): Routine<boolean> {
    if (begins === "in an immediate") yield { does: "turn" };
    if (begins === "by a timer") yield { does: "sleep", ms: 2_000 };
    return yield* work(call);
  }

  function* later(call: string): Routine<void> {
    if (begins !== "in a queue") {
      yield* begun(call);
      return;
    }
    queue.push(call);
    yield* drain();
  }

  return {
    *start() {
      for (const call of store.jobs) yield { does: "begin", work: later(call) };
    },
    *take(call) {
      if (looks !== "last" && isKnown(call)) return 204;
      if (notes === "first") known.add(call);
      if (keepsJobs) store.jobs.add(call);
      if (answers === "last") return (yield* begun(call)) ? 204 : 503;
      yield { does: "begin", work: later(call) };
      return 204;
    },
  };
}
