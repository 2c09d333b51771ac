import { randomUUID } from "node:crypto";
import {
  closeSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { InputError } from "../core/foundation/errors.ts";
import { epochMs } from "./clock.ts";

/** How often the holder touches its lock, ms. */
const HEARTBEAT_MS = 1_000;
/**
 * How long to watch a lock before it counts as stale, if its holder's process cannot be checked, ms. A server
 * that is busy with one request does not touch its lock meanwhile.
 */
const WATCH_MS = 10 * HEARTBEAT_MS;
/** How often to look at a watched lock, ms. */
const POLL_MS = HEARTBEAT_MS / 4;

/** Who holds a lock. Pids repeat, in containers all the time: the start of the process and its namespace tell them apart. */
interface Holder {
  readonly host: string;
  /** Differs after each start of the machine; empty where the system does not say. */
  readonly boot: string;
  /** The namespace in which the pid is counted; empty where the system does not say. */
  readonly namespace: string;
  readonly pid: number;
  /** When the process started, in the system's own unit; empty where the system does not say. */
  readonly started: string;
  /** Tells apart locks of one process. */
  readonly token: string;
}

/**
 * Keeps a second server away from a journal file: a file beside it, `<journal>.lock`, that names its holder and is
 * touched every second. A holder that is gone frees it: on the same machine as soon as its process is gone, elsewhere
 * (another container, another host on a shared disk) when the lock has not been touched for ten seconds. A holder that
 * stood still for so long and goes on notices before it writes.
 */
export class JournalLock {
  private readonly heartbeat: ReturnType<typeof setInterval>;
  /** Which file the lock is, for when it cannot be opened. */
  private file: string | undefined;

  private constructor(
    private readonly path: string,
    private readonly holder: Holder,
    private readonly onLost: (error: Error) => void,
  ) {
    this.file = fileIdOf(path);
    this.heartbeat = setInterval(() => this.touch(), HEARTBEAT_MS);
    this.heartbeat.unref();
  }

  /**
   * Takes the lock of a journal file.
   * @param onLost called when another server has taken it over
   * @throws {InputError} naming who holds it
   */
  static async take(journal: string, onLost: (error: Error) => void): Promise<JournalLock> {
    const path = `${journal}.lock`;
    const holder = { ...ownIdentity(), token: randomUUID() };
    for (;;) {
      if (writeLock(path, holder)) return new JournalLock(path, holder, onLost);
      const other = readLock(path);
      if (other === undefined) continue; // freed meanwhile
      if (!(await isStale(path, other))) throw heldError(journal, path, other);
      removeOwnLock(path, other);
    }
  }

  /**
   * Makes sure that nobody else writes the journal. A lock that was removed by hand is written again.
   * @throws {Error} naming who has taken it over
   */
  mustBeHeld(): void {
    try {
      this.mustBeOwn();
    } catch (error) {
      // to open it takes a file descriptor, and to see that it is the same file takes none
      if (!isOutOfFiles(error) || this.file === undefined || fileIdOf(this.path) !== this.file) throw error;
    }
  }

  private mustBeOwn(): void {
    for (;;) {
      const holder = readLock(this.path);
      if (holder?.token === this.holder.token) return;
      if (holder !== undefined) throw new Error(`${nameOf(holder)} has taken it over`);
      if (!writeLock(this.path, this.holder)) continue;
      this.file = fileIdOf(this.path);
      return;
    }
  }

  /** Frees the lock. */
  release(): void {
    clearInterval(this.heartbeat);
    removeOwnLock(this.path, this.holder);
  }

  private touch(): void {
    try {
      this.mustBeHeld();
      const now = epochMs() / 1_000;
      utimesSync(this.path, now, now);
    } catch (error) {
      // another server has just moved it aside to see whether it is stale: try at the next heartbeat
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") this.onLost(error as Error);
    }
  }
}

/** Tells a file from another that takes its name; undefined if there is none. Needs no file descriptor. */
function fileIdOf(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.dev} ${stat.ino} ${stat.birthtimeNs}`;
}

/** Whether the process, or the machine, has as many files and connections open as it may. */
function isOutOfFiles(error: unknown): boolean {
  return ["EMFILE", "ENFILE"].includes((error as NodeJS.ErrnoException).code ?? "");
}

/** Writes the lock if there is none. */
function writeLock(path: string, holder: Holder): boolean {
  try {
    const file = openSync(path, "wx", 0o600);
    try {
      writeSync(file, JSON.stringify(holder));
    } finally {
      closeSync(file);
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    // the user knows the journal's name, not the lock's
    throw Object.assign(error as Error, { path: path.replace(/\.lock$/, "") });
  }
}

/** Who holds the lock; undefined if nobody does. An incomplete lock names nobody, and is watched. */
function readLock(path: string): Holder | undefined {
  const nobody = { host: "", boot: "", namespace: "", pid: 0, started: "", token: "" };
  try {
    return { ...nobody, ...(JSON.parse(readFileSync(path, "utf8")) as Partial<Holder>) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    if (error instanceof SyntaxError) return nobody;
    throw error;
  }
}

/**
 * Removes the lock if it is still this holder's. It is moved aside first: of two servers that find it stale, one moves
 * it. A server that moved another's lock by mistake puts it back.
 */
function removeOwnLock(path: string, holder: Holder): void {
  if (readLock(path)?.token !== holder.token) return;
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (readLock(aside)?.token === holder.token) rmSync(aside, { force: true });
  else renameSync(aside, path);
}

/** Whether the holder is gone. */
async function isStale(path: string, holder: Holder): Promise<boolean> {
  const own = ownIdentity();
  const isHere = holder.host === own.host && holder.namespace === own.namespace && holder.pid > 0;
  if (isHere && holder.boot !== own.boot) return true;
  if (isHere && holder.started !== "") return startOf(holder.pid) !== holder.started;
  if (isHere && !isRunning(holder.pid)) return true;
  return !(await isBeingTouched(path));
}

/** Whether its holder touches the lock while it is watched. */
async function isBeingTouched(path: string): Promise<boolean> {
  const touchedAt = () => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const before = touchedAt();
  for (let watchedMs = 0; watchedMs < WATCH_MS; watchedMs += POLL_MS) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const now = touchedAt();
    if (now === undefined) return false;
    if (now !== before) return true;
  }
  return false;
}

function ownIdentity(): Omit<Holder, "token"> {
  return {
    host: hostname(),
    boot: systemText(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    namespace: systemText(() => readlinkSync("/proc/self/ns/pid")),
    pid: process.pid,
    started: startOf(process.pid),
  };
}

/** When a process started; empty if it does not exist or the system does not say. */
function startOf(pid: number): string {
  return systemText(() => {
    // fields 3 and 22; the second, a name in brackets, may hold spaces
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    // a zombie has ended, and only waits for its parent to notice
    return fields[0] === "Z" ? "" : (fields[19] ?? "");
  });
}

/** Reads a text from Linux; empty on other systems. */
function systemText(get: () => string): string {
  try {
    return get();
  } catch {
    return ""; // there is no such file: another system, or a process that is gone
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function nameOf({ host, pid }: Holder): string {
  return pid === 0 ? "another process" : `process ${pid} on ${host}`;
}

function heldError(journal: string, path: string, holder: Holder): InputError {
  return new InputError(
    ["journal"],
    `${journal} is being written by ${nameOf(holder)}. Stop it, or choose another file; if you are sure that nothing writes it, remove ${path}`,
  );
}
