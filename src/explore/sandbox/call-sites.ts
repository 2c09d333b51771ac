import { withStackLimit } from "../../core/foundation/caller.ts";

interface CallSite {
  getFileName(): string | null | undefined;
  /** Whether the code above it goes on after it waited. */
  isAsync?(): boolean;
}

/** How far up the stack the code that sets a timer is at most, above Node and a library. */
export const FRAMES = 20;

/**
 * The files of the code that runs, the caller of this function first; empty where the engine has no call sites, or `Error` is
 * frozen.
 * @param frames how many at most
 */
export function callingFiles(frames: number): string[] {
  return callSites(frames, callingFiles).map(fileOf);
}

/** The same, only of code that has not waited since: what calls, and not what waits for it. */
export function callingNow(frames: number): string[] {
  const sites = callSites(frames, callingNow);
  const end = sites.findIndex((site) => site.isAsync?.() === true);
  return (end < 0 ? sites : sites.slice(0, end)).map(fileOf);
}

/** The first file of the code that runs which is wanted; no more are read. @param frames how many are looked at */
export function findCallingFile(frames: number, isWanted: (file: string) => boolean): string | undefined {
  for (const site of callSites(frames, findCallingFile)) {
    const file = fileOf(site);
    if (isWanted(file)) return file;
  }
  return undefined;
}

function fileOf(site: CallSite): string {
  return site.getFileName() ?? "";
}

/** @param below the function below which the stack begins */
function callSites(frames: number, below: (...given: never[]) => unknown): CallSite[] {
  const before = stackSettings();
  const holder: { stack?: unknown } = {};
  const putBack = () => void Object.assign(Error, before);
  // a hook of Node that throws ends the process
  const hook = (error: unknown, sites: CallSite[]) => {
    if (error === holder) return sites;
    // another's: the code below was terminated, as that of an app which does not return
    putBack();
    return writeStack(error as Error, sites);
  };
  if (!Reflect.set(Error, "prepareStackTrace", hook)) return [];
  replacedBy.set(hook, before);
  Reflect.set(Error, "stackTraceLimit", frames);
  Error.captureStackTrace?.(holder, below);
  const { stack } = holder; // made when it is read
  putBack();
  return Array.isArray(stack) ? stack : [];
}

/** How errors get their stacks. */
type StackSettings = Pick<typeof Error, "prepareStackTrace" | "stackTraceLimit">;

/** What stood there before a hook. */
const replacedBy = new WeakMap<object, StackSettings>();

/** What other code has set. */
function stackSettings(): StackSettings {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const replaced = prepareStackTrace && replacedBy.get(prepareStackTrace);
  return replaced ?? { prepareStackTrace, stackTraceLimit };
}

/** A stack as the engine writes it. */
function writeStack(error: Error, sites: readonly CallSite[]): string {
  let head = "Error";
  try {
    head = String(error);
  } catch {
    // an error that cannot be written has no better head
  }
  return [head, ...sites].join("\n    at ");
}

/** An error whose stack says where the code that runs is, up to so many frames. It is written out when it is read. */
export function errorHere(frames: number): Error {
  return withStackLimit(frames, () => new Error("here"));
}

/** How far up the stack the caller of a replaced function is. */
const CALLER = 2;

/**
 * Node's `fetch`, and the package that it is made of: their time limits are those of real connections. And Postgres in the process, which
 * saves its statistics some seconds after it was asked, once for all worlds.
 */
const ofClients =
  /^node:internal\/deps\/|[/\\]node_modules[/\\](?:undici|(?:@[^/\\]+[/\\])?[\w-]*pglite[\w-]*)[/\\]/;

/** Whether a file is one of theirs. */
export function isOfClient(file: string): boolean {
  return ofClients.test(file);
}

/** Whether one of them calls the replaced function that asks this. */
export function isFromClient(): boolean {
  return ofClients.test(callingFiles(CALLER + 1)[CALLER] ?? "");
}

/** Whether Node itself calls it, as its servers do that look after their connections, or one of them. */
export function isFromNode(): boolean {
  const file = callingFiles(CALLER + 1)[CALLER] ?? "";
  return file.startsWith("node:") || ofClients.test(file);
}
