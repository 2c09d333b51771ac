import type { EventEmitter } from "node:events";
import { nodeModule } from "../../core/foundation/node-module.ts";
import { codePlace } from "../../findings/code-place.ts";

/** Hears of errors that nothing catches, and of attempts to end the process. */
export interface UnhandledErrorListener {
  /** Something was thrown that nothing catches. */
  onThrown(error: unknown): void;
  /** A promise was rejected, and nothing handles it. */
  onRejected(reason: unknown): void;
  /** The subject wants to end the process. @returns what to throw instead */
  onExit(words: string): Error;
}

/** The part of Node's process that is used. In a test runner's sandbox, the global one may be a copy. */
interface NodeProcess extends Pick<EventEmitter, "on" | "off" | "listeners" | "removeAllListeners" | "emit"> {
  exit: (code?: number | string | null) => never;
  /** What `exit` calls in the end. Internal to Node, so it may be missing. */
  reallyExit?: (code?: number | string | null) => never;
}

const node = nodeModule<NodeProcess>("node:process");
const sandboxed = (globalThis as { process?: NodeProcess }).process;

type Listener = (...given: unknown[]) => void;

/** The events by which Node says that nothing caught an error. */
const events = ["uncaughtException", "unhandledRejection"] as const;

/** The functions that end a process: the second is what the first calls, without asking anyone. */
const exits = ["exit", "reallyExit"] as const;

let currentListener: UnhandledErrorListener | undefined;
let users = 0;
let undo: (() => void)[] = [];

/** Keeps the process alive whatever the subject does. The current listener is told of errors and exits. */
export function catchUnhandledErrors(): void {
  if (node === undefined || users++ > 0) return;
  for (const event of events) replaceListeners(node, event);
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
  if (currentListener === undefined) throw error;
  currentListener.onThrown(error);
}

/** Replaces all other listeners of an event. Outside worlds they still get it. */
function replaceListeners(process: NodeProcess, event: (typeof events)[number]): void {
  const others = process.listeners(event) as Listener[];
  process.removeAllListeners(event);
  const own: Listener = (error, ...more) => {
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
