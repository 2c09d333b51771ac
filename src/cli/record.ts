import { InvalidArgumentError } from "commander";
import { jsonOption } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { fileProblem } from "./disk.ts";
import { UsageError } from "./failures.ts";
import type { CommandOutput } from "./output.ts";
import { readPort } from "./serve.ts";
import { stopSignal } from "./stop-signal.ts";

/** `ringback record`: a proxy in front of an app that records requests and answers. */

interface RecordFlags {
  readonly forward: URL;
  readonly output: string;
  readonly port?: number;
  readonly host?: string;
  readonly quiet?: boolean;
  readonly stopOnEof?: boolean;
}

/** How long a stopping proxy waits for open requests, ms. The platform waits less for an answer. */
const LAST_ANSWERS_MS = 10_000;

/** `ringback record`. */
export const recordCommand: CommandRow = {
  name: "record",
  group: "captures",
  summary: "forward requests to an app, and record each request and its answer in a file",
  mayChange: true,
  declare: (command, output, exit) => {
    command
      .requiredOption("--forward <url>", "the app; with a path, every request goes to it", parseAppAddress)
      .requiredOption(
        "-o, --output <file>",
        "the capture to write or append to, which only its owner can read",
      )
      .option("--port <port>", "the port to listen at; default: any free one", readPort)
      .option(
        "--host <host>",
        "the address to listen at; default: 127.0.0.1, which only this machine reaches",
      )
      .option("--quiet", "do not print requests")
      .option("--stop-on-eof", "stop when standard input ends, as it does when the parent process dies")
      .addOption(jsonOption())
      .action((flags: RecordFlags) => exit(record(flags, output)));
  },
};

/** A URL without the credentials and the query, which may hold a token. */
function withoutSecrets({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/** @throws {InvalidArgumentError} unless it is an http or https URL */
function parseAppAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw new InvalidArgumentError("Expected a URL such as http://localhost:3000/hooks.");
}

/**
 * Records until the process is interrupted or terminated.
 * @returns the exit code: 0, or 2 if some requests could not be written
 * @throws {UsageError} if the port is taken, or the file is not a capture or cannot be written
 */
async function record(flags: RecordFlags, output: CommandOutput): Promise<number> {
  const { forward, output: path, port, host, quiet, stopOnEof } = flags;
  // loaded here, because no other command needs them
  const { CaptureFile } = await import("../server/capture-file.ts");
  const { recordingProxy } = await import("../server/recording-proxy.ts");
  const log = output.isJson ? output.err : output.out;
  const warn = (message: string) => output.err(`ringback: ${message}\n`);
  const file = await CaptureFile.open(path, warn).catch((error: Error) => {
    throw fileProblem(error) ?? new UsageError(error.message, path);
  });
  const proxy = await recordingProxy({
    forward,
    port,
    host,
    file,
    onRequest: ({ method, path: asked, status, responseMs, problem }) => {
      if (problem !== undefined) warn(`${method} ${asked}: ${problem}`);
      else if (quiet !== true) log(`${method} ${asked} ${status ?? "unanswered"} ${responseMs} ms\n`);
    },
  }).catch(async (error: Error) => {
    await file.close();
    throw new UsageError(error.message);
  });
  const stopping = new AbortController();
  const stopped = stopSignal(stopOnEof === true, stopping.signal);
  output.out(
    output.isJson
      ? output.result([], { url: proxy.url, forward: withoutSecrets(forward), output: path })
      : `${proxy.url} -> ${withoutSecrets(forward)}\nRecords requests unchanged, with names and numbers, in ${path}, which only you can read (mode 0600).\n`,
  );
  try {
    await stopped;
  } finally {
    stopping.abort();
    await proxy.close(LAST_ANSWERS_MS);
    await file.close();
  }
  const causes = [
    ...(file.droppedRequests === 0 ? [] : [`${file.droppedRequests} requests were not kept`]),
    ...(file.droppedOutcomes === 0 ? [] : [`${file.droppedOutcomes} were kept without their answers`]),
  ];
  if (causes.length === 0) return 0;
  const cause = causes.join(", ");
  warn(`${path}: ${cause}`);
  if (output.isJson)
    output.out(
      output.result([{ cause, place: path, next: "solve the problem that was reported for the file" }]),
    );
  return 2;
}
