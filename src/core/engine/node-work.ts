import { type AsyncListener, asyncModule as hooks } from "../foundation/async-hooks.ts";
import { nodeModule } from "../foundation/node-module.ts";
import { areTimersFake, realNextTick as nextTick, wallClockMs } from "../foundation/real-functions.ts";
import { replaceWhileFollowed, wrapAgain } from "./call-before.ts";
import { wrapChannels } from "./node-channels.ts";
import { Connections, followHttp2Stream } from "./node-connections.ts";
import { isSetByUs, setAsOurs } from "./own-work.ts";
import type { BesideLimit, PendingWork } from "./pending-work.ts";
import type { ServiceChains } from "./service-chains.ts";
import { wrapWebAssembly } from "./web-assembly-work.ts";
import { type CodeOf, isOfWorld, mayAsk, whoseCode } from "./whose-code.ts";

/** Taken before a test's fake timers can replace them. */
const { setImmediate } = nodeModule<{ setImmediate?(callback: () => void): object }>("node:timers") ?? {};

/** Requests to libuv and its thread pool. Each ends by itself. */
const requestTypes = /^(FSREQ|FILEHANDLECLOSEREQ|GETADDRINFO|GETNAMEINFO|QUERYWRAP|TCPCONNECT|PIPECONNECT)/;
/** Work of the thread pool for crypto. */
const jobTypes = /^(?!HTTP)[A-Z\d]+REQUEST$/;

/** What Node's scripts tell of, and the channels that modules written in Rust have as long as they are loaded. */
const lasting = /^(Timeout|Microtask|napi_rs_threadsafe_function|neon threadsafe function)$/;

/** What is called back whenever something arrives, which may be at once: the other end is mostly in this thread. */
const channelTypes = /^(MESSAGEPORT|HTTP2SESSION|HTTP2STREAM|UDPWRAP)$/;
/** What may call back at any time, in words. */
const watcherNames: Readonly<Record<string, string>> = {
  UDPWRAP: "a UDP socket",
  FSEVENTWRAP: "a file that it watches",
  STATWATCHER: "a file that it watches",
};
/** After something was sent within this thread, it arrives within so many turns of the event loop, also where it waits for a turn. */
const TURNS_TO_ARRIVE = 3;

type Kind = "request" | "job" | "native" | "channel" | "watcher" | "immediate" | "tick" | "other";

const kinds = new Map<string, Kind>();

function kindOf(type: string): Kind {
  let kind = kinds.get(type);
  if (kind === undefined) {
    kind = chooseKind(type);
    kinds.set(type, kind);
  }
  return kind;
}

function chooseKind(type: string): Kind {
  if (type === "TickObject") return "tick";
  if (type === "Immediate") return "immediate";
  if (requestTypes.test(type)) return "request";
  if (jobTypes.test(type)) return "job";
  if (channelTypes.test(type)) return "channel";
  if (type in watcherNames) return "watcher";
  const ofNode = hooks?.asyncWrapProviders;
  return ofNode === undefined || type in ofNode || lasting.test(type) ? "other" : "native";
}

/** Whether a script made it to keep its async context: it may never be called back. */
function isOfScript(resource: object): boolean {
  return hooks !== undefined && resource instanceof hooks.AsyncResource;
}

/** What was begun while somebody followed. */
class Following {
  private readonly requests = new Set<number>();
  /** Work for crypto. What is computed at once looks the same, but is never called back: it has no callback. */
  private readonly jobs = new Map<number, { readonly ondone?: unknown }>();
  /** The types of what native modules do, each named by its module. */
  private readonly native = new Map<number, string>();
  private readonly immediates = new Map<number, { readonly _destroyed?: boolean }>();
  /** Ports, sockets and streams over which something may arrive. */
  private readonly channels = new Set<number>();
  /** The streams of HTTP/2 among them that are open: nothing tells when the app writes to one. */
  private readonly streams = new Set<number>();
  /** How many turns of the event loop what was sent over one may take. */
  private turnsToArrive = 0;
  /** What nobody knows the end of, in words. */
  readonly unseen = new Set<string>();
  /** How much of it is under way of which no hook tells. */
  unhooked = 0;
  activity = 0;

  /** @param concerns whether it follows what this code begins */
  constructor(readonly concerns: (code: CodeOf) => boolean) {}

  /** Whether it follows the work with this number. */
  follows(id: number): boolean {
    return this.native.has(id);
  }

  begin(kind: Kind, id: number, { type, resource }: { type: string; resource: object }): void {
    this.activity++;
    const watcher = watcherNames[type];
    if (watcher !== undefined) this.unseen.add(watcher);
    if (kind === "watcher") return;
    if (kind === "channel") this.beginChannel(id, type, resource);
    else if (kind === "request") this.requests.add(id);
    else if (kind === "job") this.jobs.set(id, resource);
    else if (kind === "native") this.beginNative(id, type);
    else this.immediates.set(id, resource);
  }

  end(id: number): void {
    const { requests, jobs, native, immediates } = this;
    if (requests.delete(id) || jobs.delete(id) || immediates.delete(id)) this.activity++;
    else if (native.delete(id)) this.nativeEnded();
    else if (this.channels.has(id)) this.noteSent();
  }

  /** Called when it is gone, and for each promise. */
  destroyed(id: number): void {
    if (this.streams.delete(id)) disableEndings();
    else if (!this.native.has(id)) return;
    this.end(id);
  }

  /** Whether it matters when something is gone. */
  get needsEndings(): boolean {
    return this.native.size > 0 || this.streams.size > 0;
  }

  /** Called when it begins to be waited for what is under way. */
  waitBegins(): void {
    if (this.streams.size > 0) this.turnsToArrive = TURNS_TO_ARRIVE;
  }

  /** Something was sent, or has arrived and may be answered. */
  noteSent(): void {
    this.activity++;
    this.turnsToArrive = TURNS_TO_ARRIVE;
  }

  /** Whether something may be on its way within this thread. */
  get isSent(): boolean {
    return this.turnsToArrive > 0;
  }

  /** Called before each turn of the event loop. */
  turnBegins(): void {
    if (this.turnsToArrive > 0) this.turnsToArrive--;
  }

  private beginChannel(id: number, type: string, resource: object): void {
    this.channels.add(id);
    this.noteSent();
    if (type !== "HTTP2STREAM") return;
    this.streams.add(id);
    endings?.enable();
    followHttp2Stream(resource);
  }

  private beginNative(id: number, type: string): void {
    this.native.set(id, type);
    endings?.enable();
  }

  private nativeEnded(): void {
    this.activity++;
    disableEndings();
  }

  /** What native modules have under way, in words. */
  get nativeWork(): readonly string[] {
    return [...this.native.values()].map((type) => `a native module (${type})`);
  }

  /** Whether anything is under way. */
  get isOpen(): boolean {
    return this.isElsewhere || this.hasImmediates || this.isSent;
  }

  /** Whether other threads or the system work on something. */
  get isElsewhere(): boolean {
    if (this.unhooked > 0 || this.requests.size > 0 || this.native.size > 0) return true;
    for (const [id, { ondone }] of this.jobs) {
      if (ondone !== undefined) return true;
      this.jobs.delete(id);
    }
    return false;
  }

  get hasImmediates(): boolean {
    for (const [id, { _destroyed }] of this.immediates) {
      if (_destroyed !== true) return true;
      this.immediates.delete(id);
    }
    return false;
  }
}

/** Those who follow now: mostly one. */
const followings = new Set<Following>();

/** Those whose app runs now, or what that has begun. @param trigger what runs, of which a native module may not keep whose it is */
function concerned(trigger?: number): Following[] {
  const code = whoseCode();
  return [...followings].filter(
    (each) => each.concerns(code) || (trigger !== undefined && each.follows(trigger)),
  );
}

let ticks = 0;

function noteEnd(id: number): void {
  for (const each of followings) each.end(id);
}

/** What a native module began may go away without being called back. Each promise takes time while this is followed. */
const endings = hooks?.createHook?.({
  trackPromises: false,
  destroy(id) {
    for (const each of followings) each.destroyed(id);
  },
});

function disableEndings(): void {
  if (![...followings].some((each) => each.needsEndings)) endings?.disable();
}

const callbacks: AsyncListener = {
  trackPromises: false,
  init(id, type, trigger, resource) {
    if (type === "PROMISE" || isSetByUs()) return; // two waits must not take each other for the app
    const kind = kindOf(type);
    if (kind === "native" && isOfScript(resource)) return;
    if (kind === "native") mayAsk("a native module", "other");
    if (kind === "tick") ticks++;
    else if (kind !== "other")
      for (const each of concerned(trigger)) each.begin(kind, id, { type, resource });
  },
  after: noteEnd,
};

const hook = hooks?.createHook?.(callbacks);

/** Whether the runtime calls hooks: others than Node may have them without effect. */
function areHooksCalled(): boolean {
  if (hook === undefined || hooks === undefined) return false;
  const before = ticks;
  hook.enable();
  new hooks.AsyncResource("TickObject");
  hook.disable();
  return ticks > before;
}

/** Notes that something was sent of which no hook tells. @param unseen what it leads to, in words, if nobody knows when it ends */
function noteSent(unseen?: string): void {
  for (const each of concerned()) {
    each.noteSent();
    if (unseen !== undefined) each.unseen.add(unseen);
  }
}

/** Notes work of which no hook tells. @returns a function that notes its end */
function beginUnhooked(): () => void {
  const followed = concerned();
  for (const each of followed) each.unhooked++;
  return () => {
    for (const each of followed) {
      each.unhooked--;
      each.activity++;
    }
  };
}

type Transform = (this: unknown, chunk: unknown, encoding: unknown, done: (...of: unknown[]) => void) => void;

let isZlibWrapped = false;

/** Follows compression, of which no hook tells: its streams do. */
function wrapCompression(): void {
  if (isZlibWrapped) return;
  isZlibWrapped = true;
  const zlib = nodeModule<{ Gzip: { prototype: object } }>("node:zlib");
  const base = zlib && Object.getPrototypeOf(Object.getPrototypeOf(zlib.Gzip.prototype));
  if (base === undefined) return;
  replaceWhileFollowed<Transform>(base, "_transform", (transform) => {
    const following: Transform = function (chunk, encoding, done) {
      const end = beginUnhooked();
      transform.call(this, chunk, encoding, (...of) => {
        end();
        done(...of);
      });
    };
    return following;
  });
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setAsOurs(() => void setImmediate?.(resolve));
  });
}

/** An app that sets ticks without end counts as still after so many. */
const MOST_TICKS = 1_000;

/** Resolves in a tick, when the promises that are ready have run. */
function tick(): Promise<void> {
  return new Promise((resolve) => {
    setAsOurs(() => void nextTick?.(resolve));
  });
}

/** After so many turns of the event loop, the machine is left to others between two of them. */
const QUICK_TURNS = 50;

/** Leaves the machine to others. Not by a timer, since those of the app's time may be set in its place. */
function leaveMachineFor(ms: number): void {
  // made here: a page of a browser may not have shared memory, and loads this file too
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Of no code. */
const ofNobody = () => false;

/** How long work beside the app may go on by itself once it has gone on for too long, ms of real time. */
const BESIDE_AGAIN_MS = 100;

/** What Node has under way, as one simulator follows it. */
class NodeWork implements PendingWork {
  private readonly connections = new Connections();
  private own = new Following(ofNobody);
  /**
   * Beside a world, another test may write files; but a server that was there before the world works for the app that has written to
   * it. What else goes on then looks the same.
   */
  private others = new Following(ofNobody);
  /** How much of it counts, once it has gone on by itself for too long. */
  private counted: number | undefined;
  /** How many ticks the app had set when none of them was left; undefined if that is not known. */
  private ticksOver: number | undefined;

  constructor(private readonly beside: () => BesideLimit) {}

  follow(): () => void {
    const isInWorld = isOfWorld();
    const own = new Following((code) => (isInWorld ? isOfWorld(code) : code === "others"));
    const others = new Following((code) => isInWorld && code === "others" && this.connections.isSpokenTo);
    Object.assign(this, { own, others, counted: undefined });
    this.ticksOver = undefined;
    wrapAgain();
    wrapCompression();
    wrapWebAssembly(beginUnhooked);
    wrapChannels(noteSent);
    if (followings.size === 0) hook?.enable();
    for (const each of [own, others]) followings.add(each);
    const end = this.connections.follow();
    return () => {
      this.ticksOver = undefined;
      for (const each of [own, others]) followings.delete(each);
      if (followings.size === 0) for (const each of [hook, endings]) each?.disable();
      end();
    };
  }

  get activity(): number {
    return this.own.activity + this.connections.activity;
  }

  get activityBeside(): number {
    return this.counted ?? this.others.activity;
  }

  get waitingFor(): readonly string[] {
    return [...this.connections.waitingFor, ...this.own.nativeWork, ...this.others.nativeWork];
  }

  get isElsewhere(): boolean {
    return this.own.isElsewhere || this.others.isElsewhere || this.connections.oweAnswers;
  }

  get unseen(): readonly string[] {
    return [...new Set([...this.own.unseen, ...this.others.unseen])];
  }

  get isOnDatabase(): boolean {
    return this.connections.isOnPostgres;
  }

  get databaseTime(): string | undefined {
    return this.connections.databaseTime;
  }

  closeTransactions(): boolean {
    return this.connections.closeTransactions();
  }

  closeRequests(): boolean {
    return this.connections.closeRequests();
  }

  get chains(): ServiceChains {
    return this.connections.chains;
  }

  forgetProcesses(): void {
    this.connections.forgetProcesses();
  }

  readonly turn = turn;

  async isUnderWay(): Promise<boolean> {
    await this.untilNoMicrotask();
    const isOpen = [this.own, this.others].some((each) => each.isElsewhere || each.hasImmediates);
    return isOpen || this.connections.areBusy(false);
  }

  untilQuiet(giveUp: () => boolean, isBrief: boolean): Promise<void> {
    // a handler that is not done when all ticks have run is open, and others may run beside it
    const start = isBrief ? setImmediate : nextTick;
    for (const each of [this.own, this.others]) each.waitBegins();
    return new Promise((resolve) => {
      // mostly nothing is under way then, and each promise takes time where hooks follow it
      const look = () => resolve(this.isStill(isBrief) ? undefined : this.untilStill(giveUp, isBrief));
      setAsOurs(() => void start?.(look));
    });
  }

  async untilWaitingFor(addresses: readonly string[]): Promise<number> {
    let waiting: number | undefined;
    const isOnlyWaiting = () => {
      waiting = this.isOpen ? undefined : this.connections.waitingOnlyFor(addresses);
      return waiting !== undefined;
    };
    await this.untilQuiet(isOnlyWaiting, false);
    return waiting ?? 0;
  }

  /** Whether nothing is under way, in a tick or in an immediate. */
  private isStill(isInImmediate: boolean): boolean {
    // if the app has set no tick, none was left when ours ran, and all promises had
    const areTicksOver = isInImmediate || ticks === this.ticksOver;
    return areTicksOver && !this.isOpen && this.connections.isEmpty;
  }

  private get isOpen(): boolean {
    return this.own.isOpen || this.others.isOpen;
  }

  private async untilStill(giveUp: () => boolean, isBrief: boolean): Promise<void> {
    const { own, others, connections } = this;
    let goesOn = { activity: this.activity, sinceMs: wallClockMs() };
    for (let turns = 0; ; turns++) {
      await this.untilNoMicrotask();
      if (goesOn.activity !== this.activity) goesOn = { activity: this.activity, sinceMs: wallClockMs() };
      const limit = this.beside();
      const isBesideOver = others.isOpen && wallClockMs() - goesOn.sinceMs > limit.besideMs;
      if (isBesideOver) {
        this.counted ??= others.activity;
        limit.besideMs = Math.min(limit.besideMs, BESIDE_AGAIN_MS);
      }
      const isOpen = own.isOpen || (others.isOpen && !isBesideOver);
      if (!isOpen && !connections.areBusy(isBrief)) return;
      if (giveUp()) return;
      for (const each of [own, others]) each.turnBegins();
      await turn();
      // immediates need only this thread, unless they wait for others
      const isAlone = !own.isElsewhere && !others.isElsewhere && connections.waitingFor.length === 0;
      if (!isOpen && !areTimersFake) await connections.untilRead(1);
      else if (!isOpen || (turns >= QUICK_TURNS && !isAlone)) leaveMachineFor(1);
    }
  }

  /** Resolves when no promise is ready and no tick is set. */
  private async untilNoMicrotask(): Promise<void> {
    let still = 0;
    // microtasks end before a tick runs, and what an earlier tick began ends before the next one
    for (let round = 0; still < 2 && round < MOST_TICKS; round++) {
      const before = ticks;
      await tick();
      still = ticks > before ? 0 : still + 1;
    }
    this.ticksOver = still < 2 ? undefined : ticks;
  }
}

let isNode: boolean | undefined;

/** Follows what Node has under way; undefined in other runtimes. @param beside returns the limit that holds now */
export function createNodeWork(beside: () => BesideLimit): PendingWork | undefined {
  // asked when it is first needed: hooks cost every process time from then on
  isNode ??=
    nextTick !== undefined && setImmediate !== undefined && !("clock" in setImmediate) && areHooksCalled();
  return isNode ? new NodeWork(beside) : undefined;
}
