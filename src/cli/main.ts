#!/usr/bin/env node
import { fileProblem } from "./disk.ts";
import { processOutput } from "./output.ts";
import { main } from "./program.ts";

// a reader such as `head` may close the pipe before all is written
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit();
    if (stream !== process.stderr)
      process.stderr.write(
        `ringback: the output cannot be written: ${fileProblem(error)?.message ?? error.message}\n`,
      );
    process.exit(2);
  });

const output = processOutput();
// keeps what an integration prints out of the standard output
process.stdout.write = process.stderr.write.bind(process.stderr);
process.exitCode = await main(process.argv.slice(2), output);
