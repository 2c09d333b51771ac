import { nodeModule } from "../core/foundation/node-module.ts";

/** The parts of Node that writing results needs. Looked up at run time, since tests also run in browsers. */

interface Process {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  readonly ppid: number;
  /** Set in a process that was started to take messages from its parent. */
  readonly send?: unknown;
  emitWarning(warning: string, type: string): void;
  cwd(): string;
  kill(pid: number, signal: 0): unknown;
}

export interface Files {
  mkdirSync(folder: string, options: { recursive: true }): unknown;
  existsSync(path: string): boolean;
  readdirSync(folder: string): string[];
  readFileSync(path: string, encoding: "utf8"): string;
  renameSync(from: string, to: string): void;
  rmSync(path: string, options: { recursive: true; force: true }): void;
  statSync(path: string): { readonly mtimeMs: number };
  writeFileSync(path: string, text: string, options?: { readonly mode: number }): void;
}

export interface Paths {
  join(...parts: string[]): string;
  dirname(path: string): string;
  readonly sep: string;
  relative(from: string, to: string): string;
  resolve(...paths: string[]): string;
}

/** Node's modules and environment; undefined elsewhere. */
export function nodeModules():
  | {
      readonly fs: Files;
      readonly path: Paths;
      readonly env: Process["env"];
      readonly here: string;
      readonly pid: number;
    }
  | undefined {
  const { process } = globalThis as { process?: Process };
  const [fs, path] = [nodeModule<Files>("node:fs"), nodeModule<Paths>("node:path")];
  if (process?.env === undefined || fs === undefined || path === undefined) return undefined;
  return { fs, path, env: process.env, here: process.cwd(), pid: process.pid };
}

/** The id of the test runner's process, of which each run has one. Test files often run in processes that it starts. */
export function currentRun(): number {
  const { pid, ppid, send, env } = (globalThis as { process?: Process }).process as Process;
  return send !== undefined || env.NODE_TEST_CONTEXT !== undefined ? ppid : pid;
}

/** Whether a process of an id runs. */
export function isRunning(pid: number): boolean {
  try {
    (globalThis as { process?: Process }).process?.kill(pid, 0);
    return true;
  } catch (error) {
    // it is there, and somebody else's
    return (error as { code?: string }).code === "EPERM";
  }
}

/** Writes a file that only its owner reads: it may hold what an app received. */
export function writePrivately(fs: Files, path: string, text: string): void {
  fs.writeFileSync(path, text, { mode: 0o600 });
}

/** The same for a file that other processes may be reading or writing too: they see all of it, or what was there before. */
export function writeAtomically(fs: Files, path: string, text: string): void {
  const temporary = `${path}.${(globalThis as { process?: Process }).process?.pid}`;
  writePrivately(fs, temporary, text);
  fs.renameSync(temporary, path);
}

/** Says on stderr what went wrong beside the tests. */
export function warnInTests(text: string): void {
  (globalThis as { process?: Process }).process?.emitWarning(text, "RingbackWarning");
}
