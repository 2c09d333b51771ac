import { type Command, Option } from "commander";
import { InputError } from "../engine/errors.ts";
import { httpSubject } from "../explore/http-subject.ts";
import type { ExploreModuleOptions, ExploreOptions } from "../explore/options.ts";
import { UsageError } from "./disk.ts";

/** What is explored: a module, or a running server. */
export interface IntegrationFlags {
  readonly with?: string;
  readonly server?: string;
  readonly reset?: string;
  readonly always?: readonly string[];
  readonly eventually?: readonly string[];
}

type Integration = Pick<ExploreModuleOptions, "with"> | Omit<ExploreOptions<HttpTarget>, "scenario">;
interface HttpTarget {
  mustAnswer(path: string): Promise<void>;
}

/** Adds the options that say what is explored. */
export function takesIntegration(command: Command): Command {
  return command
    .option("--with <module>", "the file that exports `subject`, and `always`, `eventually`, `sometimes`")
    .addOption(new Option("--server <url>", "instead: a running server, in any language").conflicts("with"))
    .option("--reset <path>", "what is posted to on the server before each world")
    .option("--always <path...>", "what must answer 2xx on the server after each step")
    .option("--eventually <path...>", "what must answer 2xx on the server when nothing is left to do");
}

/** Whether one is named at all. */
export function namesIntegration(flags: IntegrationFlags): boolean {
  return flags.with !== undefined || flags.server !== undefined;
}

/** The integration as options, and the flags by which a command is given it again. @throws {UsageError} */
export function integrationOf(flags: IntegrationFlags): {
  readonly options: Integration;
  readonly flags: string;
} {
  const { with: module, server, reset, always = [], eventually = [] } = flags;
  if (module !== undefined) return { options: { with: module }, flags: `--with ${module}` };
  if (server === undefined) throw new UsageError("expected --with MODULE, or --server URL: what is explored");
  if (reset === undefined)
    throw new UsageError("--server: expected --reset PATH, which has the server forget all");
  if (always.length + eventually.length === 0)
    throw new UsageError("--server: expected --eventually PATH or --always PATH, which must answer 2xx");
  const given = (name: string, paths: readonly string[]) =>
    paths.length === 0 ? "" : ` --${name} ${paths.join(" ")}`;
  return {
    options: {
      subject: subjectAt(server, reset),
      always: mustAnswer(always),
      eventually: mustAnswer(eventually),
    },
    flags: `--server ${server} --reset ${reset}${given("always", always)}${given("eventually", eventually)}`,
  };
}

function subjectAt(url: string, reset: string): ReturnType<typeof httpSubject> {
  try {
    return httpSubject({ url, reset });
  } catch (error) {
    throw error instanceof InputError ? new UsageError(`--server: ${error.message}`) : error;
  }
}

/** A property for each path. */
function mustAnswer(paths: readonly string[]) {
  return Object.fromEntries(
    paths.map((path) => [`GET ${path}`, (_: unknown, server: HttpTarget) => server.mustAnswer(path)]),
  );
}
