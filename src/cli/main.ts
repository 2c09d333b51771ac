#!/usr/bin/env node
import { processOutput } from "./output.ts";
import { main } from "./program.ts";

// a reader such as `head` may close the pipe before all is written
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });

process.exitCode = await main(process.argv.slice(2), processOutput());
