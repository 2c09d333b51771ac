/**
 * The connections, processes and ports of messages of this process, as Node's hooks tell of them. `process._getActiveHandles()`
 * would list them too, but Node 20 has aborted there: it asks a port that is collected and not closed yet.
 */

import { PrunedList } from "../foundation/pruned-list.ts";

/** What may bring something at any moment. */
const types: ReadonlySet<string> = new Set([
  "TCPWRAP",
  "PIPEWRAP",
  "PROCESSWRAP",
  "MESSAGEPORT",
  "UDPWRAP",
  "TTYWRAP",
  "FSEVENTWRAP",
  "STATWATCHER",
]);

/** Node's own part of one. */
interface Handle {
  /** Whether the process goes on for it; undefined once it is closed. */
  hasRef?(): boolean | undefined;
}

const noted = new PrunedList<WeakRef<Handle>>((each) => each.deref()?.hasRef?.() === undefined);
const known = new WeakSet<object>();
/** Notes what Node's hooks tell of, unless it is known. @param type what Node calls its kind */
export function noteHandle(type: string, handle: object): void {
  if (!types.has(type) || known.has(handle)) return;
  known.add(handle);
  noted.add(new WeakRef(handle as Handle));
}

/** Those that are open and keep the process alive, as a program sees them: sockets, child processes, ports. */
export function openHandles(): object[] {
  const open: object[] = [];
  for (const each of noted.all) {
    const handle = each.deref();
    if (handle?.hasRef?.() === true) open.push(ownerOf(handle) ?? handle);
  }
  return open;
}

/** Where Node has the object that a program sees. */
let ownerSymbol: symbol | undefined;

/** The object that a program sees in place of Node's own part of it; undefined if there is none. */
export function ownerOf(handle: object): object | undefined {
  ownerSymbol ??= Object.getOwnPropertySymbols(handle).find(
    ({ description }) => description === "owner_symbol",
  );
  return ownerSymbol && (handle as Readonly<Record<symbol, object | undefined>>)[ownerSymbol];
}
