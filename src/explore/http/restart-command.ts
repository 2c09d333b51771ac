import { neededModule } from "./http-client.ts";

/** The functions of Node's `child_process` that are used. */
type Processes = Pick<typeof import("node:child_process"), "spawn">;

/** How much of what a command prints is kept, characters. */
const LONGEST = 500;

/** How a process has ended, as the end of a sentence. */
export function exitWords(code: number | null, signal: string | null): string {
  return signal === null ? `ended with ${code}` : `was ended by ${signal}`;
}

/**
 * Runs a command in a shell.
 * @param environment variables besides those of this process
 * @returns a promise of what went wrong, empty if nothing did, and a function that ends the command
 */
export function runShellCommand(
  command: string,
  environment: Readonly<Record<string, string>>,
): { readonly ended: Promise<string>; kill(): void } {
  const { spawn } = neededModule<Processes>("node:child_process");
  const child = spawn(command, {
    ...{ shell: true, stdio: ["ignore", "ignore", "pipe"] },
    env: { ...globalThis.process.env, ...environment },
  });
  let printed = "";
  child.stderr?.on("data", (text) => {
    printed = `${printed}${text}`.slice(0, LONGEST);
  });
  const ended = new Promise<string>((resolve) => {
    child.on("error", ({ message }) => resolve(`cannot be run: ${message}`));
    // not `close`: what it started may keep its pipes open
    child.on("exit", (code, signal) => {
      child.stderr?.destroy();
      resolve(
        code === 0 ? "" : [exitWords(code, signal), printed.trim()].filter((each) => each !== "").join(": "),
      );
    });
  });
  return { ended, kill: () => void child.kill() };
}
