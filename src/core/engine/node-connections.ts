import { nodeModule } from "../foundation/node-module.ts";
import { realNextTick as nextTick, realClearTimeout, realSetTimeout } from "../foundation/real-functions.ts";
import { callBefore, keepWrapped, replaceWhileFollowed } from "./call-before.ts";
import {
  asWriter,
  followUndici,
  type HttpConnection,
  hasRequest,
  isKeptBack,
  isOfHttp,
  isUnended,
  leave,
} from "./http-connections.ts";
import { noteHandle, openHandles, ownerOf } from "./node-handles.ts";
import { countAsked, PostgresAnswers } from "./postgres-answers.ts";
import { PostgresClock } from "./postgres-clock.ts";
import { type ClientMessage, readClientMessages } from "./postgres-messages.ts";
import { refuseAsEnded } from "./postgres-refusals.ts";
import { ServiceChains } from "./service-chains.ts";
import { isOfWorld, mayAsk, standsForOthers, whoseCode } from "./whose-code.ts";

/** The parts of `net.Socket` that are used. */
interface Socket extends HttpConnection {
  readonly remoteAddress?: string;
  readonly remotePort?: number;
  readonly localPort?: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  push(chunk: Uint8Array): unknown;
  /** Set if a server took the connection. */
  readonly server?: unknown;
  /** Set for the streams of this process itself. */
  readonly _isStdio?: boolean;
  readonly _handle?: (HttpConnection["_handle"] & { readonly reading?: boolean; hasRef?(): boolean }) | null;
  listenerCount(event: string): number;
}

/** Something whose answers only another process or thread can give. */
interface Peer {
  readonly name: () => string;
  /** Set for a connection; a process or a thread has none. */
  readonly socket: Socket | undefined;
  /** Set for a process: whether the app waits for its end, whatever it says before. */
  readonly isEndAwaited: (() => boolean) | undefined;
  isOver: boolean;
  /** Whether the app wrote to it after it last read from it. */
  owes: boolean;
  /** How often it was looked at since. */
  looks: number;
  /** How many answers Postgres owes; undefined if nothing says that it is Postgres. */
  asked: number | undefined;
}

/** What something that is written asks Postgres. */
interface AskedPostgres {
  /** How many answers; undefined if no client of Postgres writes it. */
  readonly asks?: number | undefined;
  /** The function by which it asks for the time. */
  readonly time?: string | undefined;
}

/** What a connection has brought of the answers of Postgres. */
type EndedAnswers = Pick<PostgresAnswers, "isKnown" | "isAtEnd" | "isInTransaction"> & {
  readonly count: number;
};

const answers = new WeakMap<object, PostgresAnswers>();
const clocks = new WeakMap<object, PostgresClock>();

/** A peer that has answered says no more if it is silent for so many looks, 1 ms apart. */
const SILENT_LOOKS = 5;

/** The peers to which an app has spoken, as one simulator follows them. */
export class Connections {
  private readonly peers = new Map<object, Peer>();
  /** The connections over which the app itself, and not a property, has asked Postgres something. */
  private readonly toPostgres = new Set<Socket>();
  /** Those of them that stand in a transaction. */
  private readonly inTransaction = new Set<Socket>();
  /** The connections over which the app itself has sent a request by HTTP. */
  private readonly toHttp = new Set<Socket>();
  /** What the app has asked by undici, as long as that is not answered to the end. */
  private readonly asked = new Set<object>();
  readonly chains = new ServiceChains();
  /** How often the app wrote to one or read from one. */
  activity = 0;
  /** Whether the app wrote to any. */
  isSpokenTo = false;
  /** The function by which the app first asked Postgres for its time. */
  databaseTime: string | undefined;
  private wake: () => void = () => {};

  /**
   * Follows connections, processes and threads from now on, if code of a world runs.
   * @returns a function that ends this
   */
  follow(): () => void {
    if (!isOfWorld()) return () => {};
    wrapOnce();
    this.peers.clear();
    this.toPostgres.clear();
    this.toHttp.clear();
    this.asked.clear();
    this.isSpokenTo = false;
    followers.add(this);
    return () => followers.delete(this);
  }

  /** The peers that owe an answer, in words. */
  get waitingFor(): readonly string[] {
    return [...this.peers.values()].filter(isBusy).map(({ name }) => name());
  }

  /** Whether the app has said something to a peer that has not answered. */
  get oweAnswers(): boolean {
    return [...this.peers.values()].some((peer) => !peer.isOver && owesAnswer(peer));
  }

  /** Whether the app has spoken to none, or to none that may still send something. */
  get isEmpty(): boolean {
    return this.peers.size === 0;
  }

  /**
   * Whether a peer may still send something.
   * @param isBrief whether those that owe an answer are also waited for only as long as they may be silent
   */
  areBusy(isBrief: boolean): boolean {
    if (this.peers.size === 0) return false;
    let isAnyBusy = false;
    for (const [key, peer] of this.peers) {
      peer.looks++;
      const isLate = peer.looks > SILENT_LOOKS;
      const isSilent = isLate && !owesAnswer(peer);
      if (peer.isOver || peer.socket?.destroyed === true || isSilent) this.peers.delete(key);
      else if (isBusy(peer) && !(isLate && isBrief)) isAnyBusy = true;
    }
    return isAnyBusy;
  }

  /**
   * How many answers from these addresses are waited for.
   * @returns undefined if anything else may still come
   */
  waitingOnlyFor(addresses: readonly string[]): number | undefined {
    const busy = [...this.peers.values()].filter(isBusy);
    const isApart = (peer: Peer) => owesAnswer(peer) && addresses.includes(peer.name());
    return busy.every(isApart) ? busy.length : undefined;
  }

  /** Whether the app has a connection to Postgres. */
  get isOnPostgres(): boolean {
    for (const each of this.toPostgres) if (each.destroyed) this.toPostgres.delete(each);
    return this.toPostgres.size > 0;
  }

  /** Whether a connection to Postgres stands in a transaction of the app. */
  isInTransaction(socket: Socket): boolean {
    return this.inTransaction.has(socket);
  }

  /** Closes the app's connections to Postgres that stand in a transaction, which rolls it back. @returns whether there were any */
  closeTransactions(): boolean {
    const open = [...this.inTransaction].filter(({ destroyed }) => !destroyed);
    this.inTransaction.clear();
    for (const socket of open) socket.destroy();
    return open.length > 0;
  }

  /** Notes that the app asks something by HTTP. @param socket undefined as long as nothing of it is written */
  noteRequest(request: object, socket?: Socket): void {
    if (whoseCode() !== "app" || standsForOthers()) return;
    if (socket === undefined) this.asked.add(request);
    else this.toHttp.add(socket);
  }

  /** Notes that a request by undici is answered to the end, or has failed. */
  noteAnswered(request: object): void {
    this.asked.delete(request);
  }

  /**
   * Closes the connections over which the app has asked something by HTTP whose answer it has not read: who may ask after it needs
   * their places. @returns whether there were any, or anything waits for such a place
   */
  closeRequests(): boolean {
    const open = [...this.toHttp].filter(hasRequest);
    this.toHttp.clear();
    for (const each of open) leave(each);
    return open.length > 0 || this.asked.size > 0;
  }

  /** Waits no longer for processes and threads, until the app writes to one. */
  forgetProcesses(): void {
    for (const [key, { socket }] of this.peers) if (socket === undefined) this.peers.delete(key);
  }

  noteWrite(key: object, { name, socket, isEndAwaited }: Written, { asks, time }: AskedPostgres = {}): void {
    this.activity++;
    this.isSpokenTo = true;
    if (whoseCode() === "app") this.databaseTime ??= time;
    const before = this.peers.get(key);
    const asked = asks === undefined ? undefined : asks + (before?.asked ?? 0);
    if ((asks ?? 0) > 0 && whoseCode() === "app") this.toPostgres.add(key as Socket);
    const isQuestion = (asks ?? 0) > 0 || isOfHttp(key as Socket);
    if (isQuestion && whoseCode() === "app") this.chains.noteQuestion(key as Socket);
    this.peers.set(key, {
      name,
      socket,
      isEndAwaited,
      isOver: before?.isOver === true,
      owes: true,
      looks: 0,
      asked,
    });
  }

  noteRead(key: object, ended?: EndedAnswers): void {
    if (ended?.isInTransaction === true && this.toPostgres.has(key as Socket))
      this.inTransaction.add(key as Socket);
    else if (ended !== undefined) this.inTransaction.delete(key as Socket);
    const peer = this.peers.get(key);
    if (peer === undefined) return;
    this.activity++;
    if (peer.asked !== undefined) peer.asked = Math.max(0, peer.asked - (ended?.count ?? 0));
    const isAnswered = ended?.isAtEnd === true && peer.asked === 0;
    peer.owes = ended?.isKnown === true && (peer.asked ?? 0) > 0;
    this.chains.noteHeard(key, peer.owes);
    // one that has said all need not be silent for long
    peer.looks = isAnswered ? SILENT_LOOKS : 0;
    this.wake();
  }

  /** Resolves after some real time, or as soon as a peer has sent something. */
  untilRead(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = realSetTimeout(resolve, ms);
      this.wake = () => {
        realClearTimeout(timer);
        resolve();
      };
    });
  }

  noteEnd(key: object): void {
    const peer = this.peers.get(key);
    if (peer === undefined) return;
    this.activity++;
    peer.isOver = true;
    this.wake();
  }
}

/** To whom an app wrote. */
type Written = Pick<Peer, "name"> & Partial<Pick<Peer, "socket" | "isEndAwaited">>;

/** Those who follow now: mostly one. */
const followers = new Set<Connections>();

function isBusy(peer: Peer): boolean {
  const { socket, looks } = peer;
  const other = socket && acceptedEnd(socket);
  if (socket !== undefined && other !== undefined) return isInTransit(socket, other);
  return looks <= SILENT_LOOKS || owesAnswer(peer);
}

function owesAnswer({ owes, socket, isEndAwaited }: Peer): boolean {
  const isAsked = owes && (socket === undefined || !isUnended(socket));
  return isAsked || isEndAwaited?.() === true;
}

/** Whether one end of a connection within this process has written what the other has not read. */
function isInTransit(socket: Socket, other: Socket): boolean {
  return (
    socket.bytesWritten > other.bytesRead ||
    (other.bytesWritten > socket.bytesRead && socket._handle?.reading !== false)
  );
}

/** The other end of a connection, if a server of this process has it. What the server does is then followed anyway. */
function acceptedEnd({ localPort, remotePort }: Socket): Socket | undefined {
  if (localPort === undefined || remotePort === undefined) return undefined;
  return (openHandles() as Partial<Socket>[]).find(
    (each) => each.server != null && each.remotePort === localPort && each.localPort === remotePort,
  ) as Socket | undefined;
}

/** What is written, if it may be to Postgres. */
interface Chunk {
  readonly chunk: unknown;
  /** Undefined if no client of Postgres writes it. */
  readonly messages: readonly ClientMessage[] | undefined;
}

function noteWrite(key: object, written: Written, chunk?: Chunk): void {
  if (followers.size === 0 || !isOfWorld()) return;
  if (written.socket === undefined) mayAsk("a process or a thread", "other");
  const asked = chunk && readAsked(key, chunk);
  for (const each of followers) each.noteWrite(key, written, asked);
}

function readAsked(socket: object, { chunk, messages }: Chunk): AskedPostgres {
  const clock = clocks.get(socket) ?? new PostgresClock();
  clocks.set(socket, clock);
  return { asks: messages && countAsked(messages), time: clock.read(chunk, messages) };
}

function noteRead(key: object, ended?: EndedAnswers): void {
  for (const each of followers) each.noteRead(key, ended);
}

/** Called for each chunk that a connection brings. */
function noteChunk(socket: object, chunk: unknown): void {
  if (followers.size === 0) return;
  const { server, _handle: handle } = socket as Socket;
  // it may be older than the hook that tells of new ones
  if (server != null && handle != null) noteHandle("TCPWRAP", handle);
  const known = answers.get(socket) ?? new PostgresAnswers();
  answers.set(socket, known);
  const count = known.read(chunk);
  const { isKnown, isAtEnd, isInTransaction } = known;
  noteRead(socket, { count, isKnown, isAtEnd, isInTransaction });
}

function noteEnd(key: object): void {
  for (const each of followers) each.noteEnd(key);
}

let isWrapped = false;

/** Their methods stay wrapped, and only pass calls on while nobody follows. */
function wrapOnce(): void {
  if (isWrapped) return;
  isWrapped = true;
  followUndici({
    began: (request) => {
      for (const each of followers) each.noteRequest(request);
    },
    ended: (request) => {
      for (const each of followers) each.noteAnswered(request);
    },
  });
  wrapSockets();
  wrapProcesses();
  wrapThreads();
}

function wrapSockets(): void {
  const net = nodeModule<{ Socket: { prototype: object } }>("node:net");
  if (net === undefined) return;
  /** @returns what is answered in place of what is written; undefined if that is written */
  const write = (self: object, chunk: unknown): Uint8Array | undefined => {
    const socket = self as Socket;
    const child = streamOwners.get(socket);
    if (child !== undefined) noteWrite(child, writtenTo(child));
    else if (socket.server == null && socket._isStdio !== true && isWaitedOn(socket)) {
      if (followers.size === 0) return undefined;
      const messages = readClientMessages(chunk);
      const isInTransaction = [...followers].some((each) => each.isInTransaction(socket));
      const refused = messages && refuseAsEnded(messages, isInTransaction);
      if (refused !== undefined) return refused;
      const noteRequest = () => {
        for (const each of followers) each.noteRequest(socket, socket);
      };
      if (messages === undefined && isKeptBack(socket, chunk, noteRequest)) return NOTHING;
      noteWrite(socket, { name: () => addressOf(socket), socket }, { chunk, messages });
    }
    return undefined;
  };
  const ended = (self: object) => {
    const socket = self as Socket;
    if (socket.server != null || socket._isStdio === true || streamOwners.has(socket)) return;
    noteWrite(socket, { name: () => addressOf(socket), socket });
    // the other end closes it too, which matters only to who waits for that
    if (socket.listenerCount("close") === 0) noteRead(socket);
  };
  callBefore(net.Socket, "_final", ended);
  for (const name of ["_write", "_writev"])
    replaceWhileFollowed<(this: Socket, ...given: unknown[]) => unknown>(
      net.Socket.prototype,
      name,
      (method) =>
        function (...given) {
          const refusal = asWriter(this, () => write(this, given[0]));
          if (refusal === undefined) return method.apply(this, given);
          (given.at(-1) as () => void)();
          if (refusal.length > 0) nextTick?.(() => void this.push(refusal));
          return undefined;
        },
    );
  callBefore(net.Socket, "push", (self, chunk) => {
    const child = streamOwners.get(self);
    if (chunk === null) return;
    if (child === undefined) noteChunk(self, chunk);
    else noteRead(child);
  });
}

const NOTHING = new Uint8Array();

/** Whether somebody waits for what comes: nobody does for what is unref'd, such as the loader that tells `tsx` what it loads. */
function isWaitedOn({ _handle }: Socket): boolean {
  return _handle?.hasRef?.() !== false;
}

/** The processes whose streams these are. */
const streamOwners = new WeakMap<object, Child>();

function addressOf({ remoteAddress, remotePort }: Socket): string {
  if (remoteAddress === undefined) return "a local socket";
  return remoteAddress.includes(":") ? `[${remoteAddress}]:${remotePort}` : `${remoteAddress}:${remotePort}`;
}

/** A child process as Node has it. */
interface Child {
  readonly spawnfile?: string;
  readonly stdio?: readonly (object | null | undefined)[];
  readonly stdin?: { readonly bytesWritten?: number; readonly writableEnded: boolean } | null;
  send?: (...of: unknown[]) => unknown;
  listenerCount(event: string): number;
}

/** What a child process is started with. */
interface Start {
  /** Begins with the file that is executed. */
  readonly args?: readonly string[];
  readonly execArgv?: readonly string[];
}

/** Those that have ended, but for their streams. */
const exited = new WeakSet<object>();
/** Those for which the app says that it does not wait. */
const unrefd = new WeakSet<object>();

function writtenTo(child: Child): Written {
  return {
    name: () => `the process ${child.spawnfile ?? ""}`.trim(),
    isEndAwaited: () => isEndAwaited(child),
  };
}

/** Whether an app has started a process to do one thing, such as by `execFile`: it listens for the end, and says no more. */
function isEndAwaited(child: Child): boolean {
  const { stdin, send } = child;
  const isTalkedTo = send !== undefined || ((stdin?.bytesWritten ?? 0) > 0 && stdin?.writableEnded !== true);
  if (isTalkedTo || unrefd.has(child)) return false;
  return child.listenerCount("close") > 0 || (child.listenerCount("exit") > 0 && !exited.has(child));
}

/** Whether a forked process was given nothing to do by arguments, but waits for messages. */
function isForkedToWait({ send }: Child, { args = [], execArgv = ownExecArgv }: Start): boolean {
  return send !== undefined && args.length <= execArgv.length + 2;
}

const ownExecArgv = nodeModule<{ readonly execArgv?: readonly string[] }>("node:process")?.execArgv ?? [];

function wrapProcesses(): void {
  const { ChildProcess } = nodeModule<{ ChildProcess: { prototype: object } }>("node:child_process") ?? {};
  if (ChildProcess === undefined) return;
  callBefore(ChildProcess, "spawn", (self, start) => {
    const child = self as Child;
    noteWrite(child, writtenTo(child));
    // its streams exist only when it has been spawned
    queueMicrotask(() => {
      for (const stream of child.stdio ?? []) if (stream != null) streamOwners.set(stream, child);
      const { send } = child;
      if (send === undefined) return;
      if (isForkedToWait(child, start as Start)) noteRead(child);
      child.send = (...given) => {
        noteWrite(child, writtenTo(child));
        return send.apply(child, given);
      };
    });
  });
  callBefore(ChildProcess, "unref", (self) => {
    unrefd.add(self);
    noteRead(self);
  });
  callBefore(ChildProcess, "emit", (self, event) => {
    if (event === "message") noteRead(self);
    if (event === "exit") {
      exited.add(self);
      noteRead(self);
    }
    if (event === "close" || event === "error") noteEnd(self);
  });
}

/** The message by which Node starts a thread. It is internal; without it, a thread counts as one that waits for messages. */
interface ThreadStart {
  readonly publicPort?: unknown;
  readonly workerData?: unknown;
}

/** Whether each thread whose start Node has not told of yet was given something to do. */
const startsOfThreads: boolean[] = [];
/** The threads that the app has given something to do. */
const askedThreads = new WeakSet<object>();

const thread: Written = { name: () => "a worker thread" };

/** Whether a thread is Node's own, which loads modules. */
const isOfNode = (worker: object): boolean => worker.constructor.name === "InternalWorker";

function wrapThreads(): void {
  const { Worker, MessagePort } =
    nodeModule<{ Worker: { prototype: object }; MessagePort: { prototype: object } }>(
      "node:worker_threads",
    ) ?? {};
  if (Worker === undefined || MessagePort === undefined) return;
  callBefore(MessagePort, "postMessage", (_, message) => {
    const { publicPort, workerData } = (message ?? {}) as ThreadStart;
    if (publicPort !== undefined) startsOfThreads.push(workerData !== undefined);
  });
  const process =
    nodeModule<Record<"on" | "off", (event: "worker", listener: (of: object) => void) => void>>(
      "node:process",
    );
  const began = (worker: object) => {
    const isAsked = startsOfThreads.shift() === true;
    if (isOfNode(worker)) return;
    if (isAsked) askedThreads.add(worker);
    noteWrite(worker, thread);
  };
  keepWrapped({
    wrap: () => process?.on("worker", began),
    unwrap: () => process?.off("worker", began),
  });
  callBefore(Worker, "postMessage", (self) => {
    if (isOfNode(self)) return;
    askedThreads.add(self);
    noteWrite(self, thread);
  });
  callBefore(Worker, "unref", (self) => noteRead(self));
  callBefore(Worker, "emit", (self, event) => {
    if (event === "message" || (event === "online" && !askedThreads.has(self))) noteRead(self);
    if (event === "exit" || event === "error") noteEnd(self);
  });
}

/** A stream of HTTP/2 as Node has it. */
interface Http2Stream {
  readonly session?: { readonly type: number; readonly socket?: { readonly _handle?: object | null } };
  push(...of: unknown[]): boolean;
  once(event: "close", listener: () => void): unknown;
}

/** What Node has in `session.type` of a client. */
const HTTP2_CLIENT = 1;

/** Follows a stream of HTTP/2, over which an app may have asked something. @param handle Node's own part of it */
export function followHttp2Stream(handle: object): void {
  // Node tells whose it is only when it has been made
  queueMicrotask(() => {
    const stream = ownerOf(handle) as Http2Stream | undefined;
    if (stream?.session?.type !== HTTP2_CLIENT) return;
    // what Node shows in its place throws once the session has none
    const socket = ownerOf(stream.session.socket?._handle ?? {}) as Socket | undefined;
    if (socket === undefined) return;
    mayAsk("a stream of HTTP/2", "other");
    noteWrite(stream, { name: () => `HTTP/2 at ${addressOf(socket)}`, socket });
    const { push } = stream;
    stream.push = (...given) => {
      noteRead(stream);
      return push.apply(stream, given);
    };
    stream.once("close", () => noteEnd(stream));
  });
}
