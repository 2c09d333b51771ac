import { type Command, Option } from "commander";
import { InputError } from "../engine/errors.ts";
import { httpSubject } from "../explore/http-subject.ts";
import type { ExploreModuleOptions, ExploreOptions } from "../explore/options.ts";
import { UsageError } from "./usage-error.ts";

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

/** Adds the options that name what to explore. */
export function takesIntegration(command: Command): Command {
  return command
    .option("--with <module>", "a module that exports `subject`, and `always`, `eventually` or `sometimes`")
    .addOption(new Option("--server <url>", "instead: a running server, in any language").conflicts("with"))
    .option("--reset <path>", "the path to POST to before each world, which resets the server")
    .option("--always <path...>", "paths that must answer 2xx after each step")
    .option("--eventually <path...>", "paths that must answer 2xx when nothing is left to do");
}

/** Whether the flags name an integration. */
export function namesIntegration(flags: IntegrationFlags): boolean {
  return flags.with !== undefined || flags.server !== undefined;
}

/** The integration as options, and the flags that name it again. @throws {UsageError} */
export function integrationOf(flags: IntegrationFlags): {
  readonly options: Integration;
  readonly flags: string;
} {
  const { with: module, server, reset, always = [], eventually = [] } = flags;
  if (module !== undefined) return { options: { with: module }, flags: `--with ${module}` };
  if (server === undefined)
    throw new UsageError("expected --with MODULE or --server URL, which name what to explore");
  if (reset === undefined)
    throw new UsageError("--server: expected --reset PATH too, which resets the server");
  if (always.length + eventually.length === 0)
    throw new UsageError("--server: expected --eventually PATH or --always PATH too, which must answer 2xx");
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
