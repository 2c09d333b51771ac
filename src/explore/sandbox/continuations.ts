import { asyncModule } from "../../core/foundation/async-hooks.ts";
import { ownGlobal } from "../../core/foundation/real-functions.ts";
import { never } from "../../core/foundation/values.ts";
import { isOfPackage, isOwnOrOfNode } from "../../findings/code-place.ts";
import { isGated } from "./asking.ts";
import { callingFiles, findCallingFile } from "./call-sites.ts";
import { type AwaitStep, endCall, mayGoOn, noteCall, noteTransaction, packageOf } from "./database-uses.ts";
import { isOfDependency, worldOfCaller } from "./world-context.ts";

/**
 * Keeps the code of an app from going on after what it waits for, once its process is gone: what was under way is done, and nothing follows
 * on it. Each `await` of a promise asks for its `constructor`, and if that is another than usual, for its `then`.
 */

/** What runs some code, and may be gone. */
export interface KeptCode {
  readonly isOver: boolean;
  /** Set when its code was kept from going on. */
  isCut: boolean;
  /** The same, of what happened after its end. */
  isKept: boolean;
  /** Set when its code goes on nevertheless, by a callback. */
  wentOn: boolean;
  /** The transactions of database clients that wait for its code. */
  readonly transactions: Set<Transaction>;
  /** What it has taken out of pools of database clients, and not given back. */
  readonly taken: Set<Taken>;
}

/** A client that code has taken out of a pool. */
export interface Taken {
  /** Takes it out of the pool for good, since its connection may be in the middle of something. */
  drop(): void;
}

/** A transaction of a database's client that waits for what the app does in it. */
export interface Transaction {
  fail(): void;
}

type Then = (this: object, fulfilled?: unknown, rejected?: unknown) => Promise<unknown>;
type Settle = (value: unknown) => unknown;

/** How far up the stack the code is at most that waits or makes a promise: functions of Node may be above it. */
const FRAMES = 10;

/** … and how far up that of an app is at most which asks something of a package. */
const FRAMES_OF_PACKAGES = 30;
/** What leads to nothing outside the process. */
const ofNobody = /^(TickObject|Timeout|Immediate|Microtask)$/;

/** The words of their names that clients of databases have. */
const databases =
  /^(databases?|db|drizzle|duckdb|knex|kysely|libsql|maria|mariadb|mongo|mongodb|mongoose|mssql|mysql2?|objection|oracledb|orm|pg|pglite|postgres|postgresql|prisma|sequelize|slonik|sql|sqlite3?|typeorm)$/i;
/** … and those of queues of jobs that keep them in one: they are no clients. */
const queues = /^(boss|cron|jobs?|queues?|workers?)$/i;

/** The promises of the app's own functions. */
const ofApp = new WeakSet<object>();
/** The promises that clients of databases have made. */
const ofDatabases = new WeakSet<object>();
const hook = asyncModule?.createHook?.({
  init(_id, type, _trigger, resource) {
    if (isOurs || ofNobody.test(type)) return;
    const kept = keptNow();
    if (type === "PROMISE" && (kept !== undefined || isGated())) notePromise(resource);
    else if (kept !== undefined)
      kept.wentOn ||= kept.isOver && callingFiles(FRAMES_OF_PACKAGES).some(isOfApp);
  },
});

/** Those who tell whose code runs: mostly one. It keeps none where no life may end, and only uses of databases are counted. */
const tellers = new Set<() => KeptCode | undefined>();
/** Whether a promise is asked by this file. */
let isOurs = false;
const undo: (() => void)[] = [];

/**
 * Follows code through its waits from now on.
 * @param current returns what runs the code that runs now; undefined for code that is not to be kept
 * @returns what ends it; undefined where promises cannot be followed
 */
export function followContinuations(current: () => KeptCode | undefined): (() => void) | undefined {
  if (tellers.size === 0 && !install()) return undefined;
  if (tellers.size === 0) hook?.enable();
  tellers.add(current);
  return () => {
    if (!tellers.delete(current) || tellers.size > 0) return;
    hook?.disable();
    for (const each of undo.splice(0)) each();
  };
}

function install(): boolean {
  // Jest's tests have one of their own, and Node's functions return Node's
  const all = new Set([Promise, ownGlobal<PromiseConstructor>("Promise") ?? Promise]);
  const areFollowed = [...all].map(follow).every((isFollowed) => isFollowed);
  if (!areFollowed) for (const each of undo.splice(0)) each();
  return areFollowed;
}

/** @returns whether it could be done: built-in objects may be frozen */
function follow(own: PromiseConstructor): boolean {
  const { prototype } = own;
  const before = Object.getOwnPropertyDescriptors(prototype) as Record<string, PropertyDescriptor>;
  // its own type is generic, which no function that stands in for it can be
  const { then } = prototype as unknown as { then: Then };
  // the same to all who look at it, but for who compares
  const other = new Proxy(own, {
    get: (of, name) => (name === Symbol.species ? of : Reflect.get(of, name)),
  });
  const places = {
    constructor(promise: object) {
      return whoWaits({ promise, door: "constructor", then }) === undefined ? own : other;
    },
    // biome-ignore lint/suspicious/noThenProperty: it is the one of promises
    then(promise: object) {
      const waiting = whoWaits({ promise, door: "then", then });
      if (waiting === undefined) return then;
      if (waiting === "nobody") return never;
      const guarded: Then = function (fulfilled, rejected) {
        return guardedThen({ then, promise: this, ...waiting }, fulfilled, rejected);
      };
      return guarded;
    },
  };
  return Object.entries(places).every(([name, of]) => {
    const get = function (this: object) {
      // who asks the prototype itself wants to keep it
      return this === prototype ? before[name]?.value : of(this);
    };
    const isDefined = Reflect.defineProperty(prototype, name, {
      configurable: true,
      get,
      set(this: object, value: unknown) {
        const enumerable = this !== prototype;
        Reflect.defineProperty(this, name, { configurable: true, writable: true, enumerable, value });
      },
    });
    const was = before[name];
    if (isDefined && was !== undefined)
      undo.push(() => {
        const now = Object.getOwnPropertyDescriptor(prototype, name);
        if (now?.get === get) Reflect.defineProperty(prototype, name, was);
      });
    return isDefined;
  });
}

/** Who waits for a promise, if that matters. */
interface Waiting {
  readonly kept: KeptCode;
  /** Whether it is a transaction of a database's client, and not the app's own code. */
  readonly isTransaction: boolean;
}

/** A promise that is waited for, how it is asked, and the function that it has for that. */
interface Awaited {
  readonly promise: object;
  readonly door: AwaitStep;
  readonly then: Then;
}

/** Who waits for this promise, of what matters; `nobody` if it is what a database waits for which may not be used any more. */
function whoWaits({ promise, door, then }: Awaited): Waiting | "nobody" | undefined {
  if (isOurs) return undefined;
  const kept = keptNow();
  if (kept === undefined && !isGated()) return undefined;
  const of = codeNow();
  if (of === "app") {
    endCall();
    return kept && { kept, isTransaction: false };
  }
  if (!isPackage(of)) return undefined;
  const owner = kept ?? worldOfCaller();
  if (owner !== undefined && !mayGoOn(of.name, { promise, door, owner })) return "nobody";
  if (!ofApp.has(promise)) return undefined;
  if (owner !== undefined) whileOurs(() => noteTransaction(owner, promise, then));
  return kept && { kept, isTransaction: true };
}

/** What runs the code that runs now. A dependency's client is not kept: it stands for what is elsewhere. */
function keptNow(): KeptCode | undefined {
  for (const current of tellers) {
    const kept = current();
    if (kept !== undefined) return isOfDependency() ? undefined : kept;
  }
  return undefined;
}

/** Whether the code that runs now, or that threw what is reported now, is gone: nobody hears of its errors. */
export function isOfEndedCode(): boolean {
  return [...tellers].some((current) => current()?.isOver === true);
}

function notePromise(promise: object): void {
  const of = codeNow();
  if (of === "app") ofApp.add(promise);
  else if (isPackage(of)) {
    ofDatabases.add(promise);
    noteCall(of.name);
  }
}

/** Whose code runs now: the app's, or that of a database's client. */
function codeNow(): "app" | { readonly name: string } | "others" {
  const file = findCallingFile(FRAMES, (each) => each !== "" && each !== thisFile && each !== ofHooks);
  if (file === undefined || isOwnOrOfNode(file)) return "others";
  if (isOfApp(file)) return "app";
  const name = packageOf.exec(file)?.[1] ?? "";
  return isDatabase(name) ? { name } : "others";
}

function isPackage(of: ReturnType<typeof codeNow>): of is { readonly name: string } {
  return typeof of === "object";
}

function isDatabase(name: string): boolean {
  const words = name.split(/[^a-z\d]+/i);
  return words.some((word) => databases.test(word)) && !words.some((word) => queues.test(word));
}

/** Who calls WebAssembly, such as the parser of undici, stands below it. */
function isOfApp(file: string): boolean {
  return file !== "" && !file.startsWith("wasm:") && !isOwnOrOfNode(file) && !isOfPackage(file);
}

const [thisFile] = callingFiles(1);
/** Node's file that tells of promises. */
const ofHooks = "node:internal/async_hooks";

interface Waited extends Waiting {
  readonly then: Then;
  readonly promise: object;
}

function guardedThen(waited: Waited, fulfilled: unknown, rejected: unknown): Promise<unknown> {
  const { then, promise, kept, isTransaction } = waited;
  const [onFulfilled, onRejected] = isTransaction
    ? inTransaction(kept, fulfilled, rejected)
    : [
        guard(kept, fulfilled, ofDatabases.has(promise) ? (value) => noteTaken(kept, value) : undefined),
        guard(kept, rejected),
      ];
  return whileOurs(() => then.call(promise, onFulfilled, onRejected));
}

function whileOurs<T>(ask: () => T): T {
  isOurs = true;
  try {
    return ask();
  } finally {
    isOurs = false;
  }
}

/** Calls back unless the code is gone. @param heard is called in any case before, with what comes */
function guard(kept: KeptCode, settle: unknown, heard?: (value: unknown) => void): unknown {
  if (typeof settle !== "function") return settle;
  return (value: unknown) => {
    heard?.(value);
    if (!kept.isOver) return (settle as Settle)(value);
    kept.isCut = true;
    kept.isKept = true;
    return never();
  };
}

/** A client of a database that a pool has given. */
interface Pooled {
  release(...given: unknown[]): unknown;
  /** Clients that have it are out of the pool then. */
  destroy?(): unknown;
}

/** Notes what a client of a database gives to code, which may be gone. */
function noteTaken(kept: KeptCode, value: unknown): void {
  if (typeof (value as Partial<Pooled> | null | undefined)?.release !== "function") return;
  const taken = followUse(kept, value as Pooled);
  if (kept.isOver) taken.drop();
}

/** Follows a client until it is given back. */
function followUse(kept: KeptCode, client: Pooled): Taken {
  const before = Object.getOwnPropertyDescriptor(client, "release");
  const { release } = client;
  const forget = () => {
    kept.taken.delete(taken);
    if (before === undefined) Reflect.deleteProperty(client, "release");
    else Reflect.defineProperty(client, "release", before);
  };
  const taken: Taken = {
    drop() {
      forget();
      const end = client.destroy === undefined ? () => release.call(client, true) : () => client.destroy?.();
      // one that will not be dropped stays taken, of which the next life hears: the app did not call this
      new Promise((resolve) => resolve(end())).catch(() => {});
    },
  };
  kept.taken.add(taken);
  const value = (...given: unknown[]) => {
    forget();
    return release.apply(client, given);
  };
  Reflect.defineProperty(client, "release", { configurable: true, writable: true, value });
  return taken;
}

/** Takes the clients out of their pools that code did not give back: nobody else will. */
export function dropTaken({ taken }: KeptCode): void {
  for (const each of [...taken]) each.drop();
}

/** Calls back, unless the transaction has failed. */
function inTransaction(kept: KeptCode, fulfilled: unknown, rejected: unknown): unknown[] {
  let isFailed = false;
  const transaction: Transaction = {
    fail() {
      isFailed = true;
      if (typeof rejected === "function") rejected(new Error("the app restarts"));
    },
  };
  kept.transactions.add(transaction);
  const settling = (settle: unknown) => (value: unknown) => {
    kept.transactions.delete(transaction);
    if (isFailed) return never();
    if (typeof settle === "function") return settle(value);
    if (settle === rejected) throw value;
    return value;
  };
  return [settling(fulfilled), settling(rejected)];
}

/** Lets the transactions fail that still wait: who runs the code for which they wait is gone. */
export function failTransactions({ transactions }: KeptCode): boolean {
  const open = [...transactions];
  transactions.clear();
  for (const each of open) each.fail();
  return open.length > 0;
}
