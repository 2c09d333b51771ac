#!/usr/bin/env node
import { everyMs } from "../explore/sandbox/open-timers.ts";
import { fileProblem } from "./disk.ts";
import { processOutput } from "./output.ts";
import { main } from "./program.ts";

/** The exit code when the output cannot be written. It overrides the command's. */
let outputErrorCode: number | undefined;

// a reader such as `head` may close the pipe before all is written
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit();
    if (stream !== process.stderr)
      process.stderr.write(
        `ringback: the output cannot be written: ${fileProblem(error)?.message ?? error.message}\n`,
      );
    outputErrorCode = 2;
    process.exit(outputErrorCode);
  });

/** How long open handles may keep the process alive, ms. */
const GRACE_MS = 1_000;

/** Ends with this code, even if an app sets another one or leaves handles open. */
function exitWith(code: number): void {
  process.exitCode = code;
  // behind the listeners of the app
  process.once("exit", () => {
    process.exitCode = outputErrorCode ?? code;
  });
  const stop = everyMs(GRACE_MS, () => {
    const { stdout, stderr } = process;
    if (stdout.writableLength + stderr.writableLength > 0) return;
    stop();
    const open = process.getActiveResourcesInfo().filter((name) => !/^(TTY|Pipe)Wrap$/.test(name));
    const what = open.length === 0 ? "something" : [...new Set(open)].join(", ");
    const words = `ringback: the app left ${what} open, so the process is ended\n`;
    stderr.write(words, () => process.exit(code));
  });
}

const output = processOutput();
// keeps what an app prints out of the standard output
process.stdout.write = process.stderr.write.bind(process.stderr);
exitWith(await main(process.argv.slice(2), output));
