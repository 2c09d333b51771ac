/**
 * The connections, processes and ports of messages of this process, as Node's hooks tell of them. `process._getActiveHandles()`
 * would list them too, but Node 20 has aborted there: it asks a port that is collected and not closed yet.
 */

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
  readonly [owner: symbol]: object | undefined;
}

let noted: WeakRef<Handle>[] = [];
const known = new WeakSet<object>();
/** So many are noted before those that are closed are dropped. */
const FEWEST = 100;
let most = FEWEST;
/** Where Node has the object that a program sees. */
let ownerSymbol: symbol | undefined;

/** Notes what Node's hooks tell of, unless it is known. @param type what Node calls its kind */
export function noteHandle(type: string, handle: object): void {
  if (!types.has(type) || known.has(handle)) return;
  known.add(handle);
  noted.push(new WeakRef(handle as Handle));
  if (noted.length < most) return;
  noted = noted.filter((each) => each.deref()?.hasRef?.() !== undefined);
  most = Math.max(FEWEST, 2 * noted.length);
}

/** Those that are open and keep the process alive, as a program sees them: sockets, child processes, ports. */
export function openHandles(): object[] {
  const open: object[] = [];
  for (const each of noted) {
    const handle = each.deref();
    if (handle?.hasRef?.() === true) open.push(ownerOf(handle));
  }
  return open;
}

function ownerOf(handle: Handle): object {
  ownerSymbol ??= Object.getOwnPropertySymbols(handle).find(
    ({ description }) => description === "owner_symbol",
  );
  return (ownerSymbol && handle[ownerSymbol]) ?? handle;
}
