import type { EventEmitter } from "node:events";
import { nodeModule } from "../../core/foundation/node-module.ts";
import { ownProcess } from "../../core/foundation/real-functions.ts";
import { codePlace } from "../../findings/code-place.ts";
import { endedWorld } from "./world-context.ts";

/** Hears of errors that nothing catches, and of attempts to end the process. */
export interface UnhandledErrorListener {
  /** Something was thrown that nothing catches. */
  onThrown(error: unknown): void;
  /** A promise was rejected, and nothing handles it. */
  onRejected(reason: unknown): void;
  /** The app wants to end the process. @returns what to throw instead */
  onExit(words: string): Error;
}

/** The part of Node's process that is used. */
interface NodeProcess extends Pick<EventEmitter, "on" | "off" | "listeners" | "removeAllListeners" | "emit"> {
  exit: (code?: number | string | null) => never;
  /** What `exit` calls in the end. Internal to Node, so it may be missing. */
  reallyExit?: (code?: number | string | null) => never;
  /** The kinds of what is open and keeps the process alive. Other runtimes may not have it. */
  getActiveResourcesInfo?(): readonly string[];
  readonly stdout?: unknown;
  readonly stderr?: unknown;
  /** What Node calls when nothing caught an error. Internal to Node, so it may be missing. */
  _fatalException?: (error: unknown) => boolean;
  /** What the watchdog calls before it terminates what this thread executes. */
  [beforeTermination]?: () => void;
}

/** Under this key, the watchdog's thread finds what to call. */
const beforeTermination = Symbol.for("ringback.beforeTermination");

const sandboxed = (globalThis as { process?: NodeProcess }).process;
const node = ownProcess<NodeProcess>() ?? nodeModule<NodeProcess>("node:process");

/** Whether Node can be told before its thread is terminated, without which it may abort. */
export const preparesTermination = typeof node?._fatalException === "function";

type Listener = (...given: unknown[]) => void;

/** The events by which Node says that nothing caught an error. */
const events = ["uncaughtException", "unhandledRejection"] as const;

/** The functions that end a process: the second is what the first calls, without asking anyone. */
const exits = ["exit", "reallyExit"] as const;

let currentListener: UnhandledErrorListener | undefined;
let users = 0;
let undo: (() => void)[] = [];

/** Keeps the process alive whatever the app does. The current listener is told of errors and exits. */
export function catchUnhandledErrors(): void {
  if (node === undefined || users++ > 0) return;
  for (const event of events) replaceListeners(node, event);
  const { [beforeTermination]: before } = node;
  node[beforeTermination] = () => leaveAsyncContexts(node);
  undo.push(() => {
    if (before === undefined) delete node[beforeTermination];
    else node[beforeTermination] = before;
  });
  for (const place of new Set([node, sandboxed])) {
    if (place === undefined) continue;
    for (const name of exits) interceptExit(place, name);
  }
}

function interceptExit(process: NodeProcess, name: (typeof exits)[number]): void {
  const { [name]: exit } = process;
  if (exit === undefined) return;
  process[name] = (code) => {
    if (currentListener === undefined) return exit.call(process, code);
    const at = codePlace(new Error("exits").stack);
    throw currentListener.onExit(`process.${name}(${code ?? ""})${at === undefined ? "" : ` at ${at}`}`);
  };
  undo.push(() => {
    process[name] = exit;
  });
}

/** Thrown by nobody. */
const nothingThrown = new Error("an app that does not return is terminated");

/**
 * Makes Node forget in which async contexts its thread is: async hooks, `AsyncLocalStorage`, timers and ticks enter one and
 * leave it, but terminated code leaves none, and Node aborts when it finds one in the end. After an error that nothing caught
 * it leaves all, so it is told of one.
 */
function leaveAsyncContexts(process: NodeProcess): void {
  // they report crashes, and this is none
  const monitors = process.listeners("uncaughtExceptionMonitor") as Listener[];
  process.removeAllListeners("uncaughtExceptionMonitor");
  process._fatalException?.(nothingThrown);
  for (const monitor of monitors) process.on("uncaughtExceptionMonitor", monitor);
}

/** Undoes `catchUnhandledErrors`. */
export function releaseUnhandledErrors(): void {
  if (node === undefined || --users > 0) return;
  for (const each of undo) each();
  undo = [];
  currentListener = undefined;
}

/** Sets the listener for errors from now on; undefined outside worlds. */
export function setUnhandledErrorListener(listener: UnhandledErrorListener | undefined): void {
  currentListener = listener;
}

/** Reports an error that nothing catches. @throws it, outside worlds */
export function reportUnhandledError(error: unknown): void {
  const ended = endedWorld();
  if (ended !== undefined) ended.onLateError(error, false);
  else if (currentListener === undefined) throw error;
  else currentListener.onThrown(error);
}

/** Replaces all other listeners of an event. Outside worlds they still get it. */
function replaceListeners(process: NodeProcess, event: (typeof events)[number]): void {
  const others = process.listeners(event) as Listener[];
  process.removeAllListeners(event);
  const own: Listener = (error, ...more) => {
    if (error === nothingThrown) return;
    const ended = endedWorld();
    if (ended !== undefined) return ended.onLateError(error, event === "unhandledRejection");
    if (currentListener !== undefined)
      return event === "uncaughtException"
        ? currentListener.onThrown(error)
        : currentListener.onRejected(error);
    if (others.length === 0) throw error;
    for (const other of others) other.call(process, error, ...more);
  };
  process.on(event, own);
  undo.push(() => {
    process.off(event, own);
    for (const other of others) process.on(event, other);
  });
}

/** What is open in the process, by kind. */
export function openResources(): ReadonlyMap<string, number> {
  // opened when they are first read, and then open for good
  void [node?.stdout, node?.stderr];
  const counts = new Map<string, number>();
  for (const kind of node?.getActiveResourcesInfo?.() ?? []) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/**
 * Keeps what code of ended worlds throws from the process, and from whoever else listens there.
 * @returns a function that ends this
 */
export function catchErrorsOfEndedWorlds(): () => void {
  if (node === undefined) return () => {};
  const isOwn = Object.hasOwn(node, "emit");
  const { emit } = node;
  const catching = (event: string, ...given: unknown[]): boolean => {
    const ended = isErrorEvent(event) ? endedWorld() : undefined;
    if (ended === undefined) return Reflect.apply(emit, node, [event, ...given]);
    if (event !== "uncaughtExceptionMonitor") ended.onLateError(given[0], event === "unhandledRejection");
    return true;
  };
  node.emit = catching as typeof emit;
  return () => {
    if (node.emit !== catching) return; // somebody else has replaced it too, and calls this one
    if (isOwn) node.emit = emit;
    else Reflect.deleteProperty(node, "emit");
  };
}

function isErrorEvent(event: string): boolean {
  return event === "uncaughtExceptionMonitor" || events.some((each) => each === event);
}
