import { nodeModule } from "../foundation/node-module.ts";

/** The parts of `net.Socket` that are used. */
interface Socket {
  readonly remoteAddress?: string;
  readonly remotePort?: number;
  readonly localPort?: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly destroyed: boolean;
  /** Set if a server took the connection. */
  readonly server?: unknown;
  /** Set for the streams of this process itself. */
  readonly _isStdio?: boolean;
  readonly _handle?: { readonly reading?: boolean } | null;
}

/** Something whose answers only another process or thread can give. */
interface Peer {
  readonly name: () => string;
  /** Set for a connection; a process or a thread has none. */
  readonly socket: Socket | undefined;
  isOver: boolean;
  /** Whether the app wrote to it after it last read from it. */
  owes: boolean;
  /** How often it was looked at since. */
  looks: number;
}

/** A peer that has answered says no more if it is silent for so many looks, 1 ms apart. */
const SILENT_LOOKS = 5;

/** The peers to which an app has spoken, as one simulator follows them. */
export class Connections {
  private readonly peers = new Map<object, Peer>();
  /** How often the app wrote to one or read from one. */
  activity = 0;

  /**
   * Follows connections, processes and threads from now on, if code of a world runs.
   * @returns a function that ends this
   */
  follow(): () => void {
    if (!isFollowed()) return () => {};
    wrapOnce();
    this.peers.clear();
    followers.add(this);
    return () => followers.delete(this);
  }

  /** The peers that owe an answer, in words. */
  get waitingFor(): readonly string[] {
    return [...this.peers.values()].filter(isBusy).map(({ name }) => name());
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
      if (peer.isOver || peer.socket?.destroyed === true || (isLate && !peer.owes)) this.peers.delete(key);
      else if (isBusy(peer) && !(isLate && isBrief)) isAnyBusy = true;
    }
    return isAnyBusy;
  }

  noteWrite(key: object, name: () => string, socket: Socket | undefined): void {
    this.activity++;
    const isOver = this.peers.get(key)?.isOver === true;
    this.peers.set(key, { name, socket, isOver, owes: true, looks: 0 });
  }

  noteRead(key: object): void {
    const peer = this.peers.get(key);
    if (peer === undefined) return;
    this.activity++;
    Object.assign(peer, { owes: false, looks: 0 });
  }

  noteEnd(key: object): void {
    const peer = this.peers.get(key);
    if (peer === undefined) return;
    this.activity++;
    peer.isOver = true;
  }
}

/** Those who follow now: mostly one. */
const followers = new Set<Connections>();

function isBusy({ socket, owes, looks }: Peer): boolean {
  const other = socket && acceptedEnd(socket);
  if (socket !== undefined && other !== undefined) return isInTransit(socket, other);
  return owes || looks <= SILENT_LOOKS;
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
  const { _getActiveHandles: handles } =
    nodeModule<{ _getActiveHandles?(): readonly Partial<Socket>[] }>("node:process") ?? {};
  return handles?.().find(
    (each) => each.server != null && each.remotePort === localPort && each.localPort === remotePort,
  ) as Socket | undefined;
}

/** Whether code of an app runs now whose connections are followed. In a plain test nothing tells it from other code. */
let isFollowed = (): boolean => false;

/** Follows the connections on which code of a world writes. A test's own server or its runner is none of it. */
export function followConnectionsOf(isOfWorld: () => boolean): void {
  isFollowed = isOfWorld;
}

function noteWrite(key: object, name: () => string, socket?: Socket): void {
  if (followers.size > 0 && isFollowed()) for (const each of followers) each.noteWrite(key, name, socket);
}

function noteRead(key: object): void {
  for (const each of followers) each.noteRead(key);
}

function noteEnd(key: object): void {
  for (const each of followers) each.noteEnd(key);
}

type Method = (this: object, ...of: unknown[]) => unknown;

/** Calls a function before a method of all objects of a class. */
function callBefore(of: { prototype: object }, name: string, before: (self: object, first: unknown) => void) {
  const prototype = of.prototype as Record<string, Method | undefined>;
  const method = prototype[name];
  if (method === undefined) return;
  Object.defineProperty(prototype, name, {
    configurable: true,
    writable: true,
    value(this: object, ...given: unknown[]) {
      before(this, given[0]);
      return method.apply(this, given);
    },
  });
}

let isWrapped = false;

/** Their methods stay wrapped, and only pass calls on while nobody follows. */
function wrapOnce(): void {
  if (isWrapped) return;
  isWrapped = true;
  wrapSockets();
  wrapProcesses();
  wrapThreads();
}

function wrapSockets(): void {
  const net = nodeModule<{ Socket: { prototype: object } }>("node:net");
  if (net === undefined) return;
  const wrote = (self: object) => {
    const socket = self as Socket;
    const child = streamOwners.get(socket);
    if (child !== undefined) noteWrite(child, nameOf(child));
    else if (socket.server == null && socket._isStdio !== true)
      noteWrite(socket, () => addressOf(socket), socket);
  };
  callBefore(net.Socket, "_write", wrote);
  callBefore(net.Socket, "_writev", wrote);
  callBefore(net.Socket, "push", (self, chunk) => {
    if (chunk !== null) noteRead(streamOwners.get(self) ?? self);
  });
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
  send?: (...of: unknown[]) => unknown;
}

const nameOf = (child: Child) => () => `the process ${child.spawnfile ?? ""}`.trim();

function wrapProcesses(): void {
  const { ChildProcess } = nodeModule<{ ChildProcess: { prototype: object } }>("node:child_process") ?? {};
  if (ChildProcess === undefined) return;
  callBefore(ChildProcess, "spawn", (self) => {
    const child = self as Child;
    noteWrite(child, nameOf(child));
    // its streams exist only when it has been spawned
    queueMicrotask(() => {
      for (const stream of child.stdio ?? []) if (stream != null) streamOwners.set(stream, child);
      const { send } = child;
      if (send === undefined) return;
      child.send = (...given) => {
        noteWrite(child, nameOf(child));
        return send.apply(child, given);
      };
    });
  });
  callBefore(ChildProcess, "emit", (self, event) => {
    if (event === "message") noteRead(self);
    if (event === "exit" || event === "error") noteEnd(self);
  });
}

function wrapThreads(): void {
  const { Worker } = nodeModule<{ Worker: { prototype: object } }>("node:worker_threads") ?? {};
  if (Worker === undefined) return;
  callBefore(Worker, "postMessage", (self) => {
    // Node's own loads modules
    if (self.constructor.name !== "InternalWorker") noteWrite(self, () => "a worker thread");
  });
  callBefore(Worker, "emit", (self, event) => {
    if (event === "message" || event === "online") noteRead(self);
    if (event === "exit" || event === "error") noteEnd(self);
  });
}
