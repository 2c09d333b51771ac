import { type Command, InvalidArgumentError, Option } from "commander";
import { InputError } from "../core/foundation/errors.ts";
import {
  type HttpApp,
  type HttpAppOptions,
  makeServerApp,
  type ServerApp,
} from "../explore/http/http-app.ts";
import { serverChecks } from "../explore/ready-made/server-checks.ts";
import type { Runner } from "../explore/report/kept-test.ts";
import { playingWords, type Reproduction, reproductionWithModule } from "../explore/report/reproduce.ts";
import type { ExploreModuleOptions, ExploreOptions } from "../explore/search/options.ts";
import { quoted } from "../findings/quoted.ts";
import { durationArgument, toServerError } from "./arguments.ts";
import { UsageError } from "./failures.ts";
import { manifestIn } from "./project.ts";

/** What is explored: a module, a running server, or a server in Node that is started in each world. */
export interface AppFlags {
  readonly with?: string;
  readonly clock?: "virtual" | "real";
  readonly server?: readonly string[];
  readonly run?: string;
  readonly reset?: string;
  readonly idle?: string;
  readonly silence?: string;
  readonly restart?: string;
  readonly dependency?: Readonly<Record<string, string>>;
  readonly always?: readonly string[];
  readonly eventually?: readonly string[];
  readonly check?: readonly string[];
}

type AppOptions = Pick<ExploreModuleOptions, "with" | "clock"> | Omit<ExploreOptions<HttpApp>, "scenario">;

/** Adds the options that name what to explore. */
export function addAppOptions(command: Command): Command {
  return command
    .option(
      "--with <module>",
      "a module that exports `app`, and `durable`, `always`, `eventually` or `sometimes`",
    )
    .addOption(
      new Option(
        "--clock <which>",
        "the time of the module's clock and timers: virtual, that of its world, which is the default, or real",
      )
        .choices(["virtual", "real"])
        .conflicts("server"),
    )
    .addOption(
      new Option(
        "--server <url>",
        "instead: a running server, in any language; may be given again, for instances that run worlds side by side. With --run: at which port it is asked",
      )
        .argParser((url: string, before: readonly string[] = []) => [...before, url])
        .conflicts("with"),
    )
    .addOption(
      new Option(
        "--run <command>",
        'instead: a command that starts a server in Node, such as "node server.js"; it runs anew in each world, in the world\'s time',
      ).conflicts(["with", "clock"]),
    )
    .option("--reset <path>", "the path to POST to before each world, which resets the server")
    .option(
      "--idle <path>",
      "a path that answers 2xx while the server only waits for the platform; its open requests are then answered in any order",
    )
    .addOption(
      new Option("--silence <duration>", "instead: it only waits once it has sent nothing for this time")
        .argParser(durationArgument)
        .conflicts("idle"),
    )
    .option(
      "--restart <command>",
      'a command that restarts the server, such as "docker restart -t 0 app"; worlds then also restart it',
    )
    .addOption(
      new Option(
        "--dependency <name=url>",
        "what the server needs besides, such as crm=http://127.0.0.1:4001; `reset` gets an address for it at which its calls may fail; may be given again",
      )
        .argParser(readDependency)
        .conflicts("with"),
    )
    .option(
      "--always <path...>",
      "paths that must answer 2xx after each step; the platform's own truth is posted to them, except to one given as `GET /path`",
    )
    .option(
      "--eventually <path...>",
      "paths that must answer 2xx once nothing is left to do; the platform's own truth is posted to them, except to one given as `GET /path`",
    )
    .addOption(
      new Option(
        "--check <name=path...>",
        "ready-made properties of a server: callLog=/path, callBacks=/path, wallboard=/path; a POST to the path answers 200 with what the app shows, as JSON",
      ).conflicts("with"),
    );
}

/** Whether the flags name an app. */
export function namesApp(flags: AppFlags): boolean {
  return flags.with !== undefined || flags.server !== undefined || flags.run !== undefined;
}

/** The app as options, the flags that name it, and how to run its worlds again. @throws {UsageError} */
export function readAppFlags(
  flags: AppFlags,
  isLocal = false,
): {
  readonly options: AppOptions;
  readonly flags: string;
  readonly again: Reproduction;
} {
  const { with: module, clock, server, reset, idle, silence, restart, always = [], eventually = [] } = flags;
  const { dependency: dependencies, run } = flags;
  if (restart !== undefined && module !== undefined)
    throw new UsageError(
      "expected --server URL too: a module exports `durable`, and is restarted by itself",
      "--restart",
    );
  const checks = readChecks(flags.check ?? []);
  if (module !== undefined)
    return {
      options: { with: module, ...(clock === undefined ? {} : { clock }) },
      flags: `--with ${quoted(module)}${clock === undefined ? "" : ` --clock ${clock}`}`,
      again: reproductionWithModule({ module, clock, isLocal }, runnerHere()),
    };
  if (server === undefined && run === undefined)
    throw new UsageError("expected --with MODULE, --run COMMAND or --server URL, which name what to explore");
  const named = run === undefined ? "--server" : "--run";
  if (reset === undefined && run === undefined)
    throw new UsageError("expected --reset PATH too, which resets the server", "--server");
  if (always.length + eventually.length + checks.length === 0)
    throw new UsageError(
      "expected --eventually PATH or --always PATH too, which must answer 2xx, or --check NAME=PATH",
      named,
    );
  const flagWithPaths = (name: string, paths: readonly string[]) =>
    paths.length === 0 ? "" : ` --${name} ${paths.map((each) => quoted(each)).join(" ")}`;
  const flagText = (name: string, value: string | undefined) =>
    value === undefined ? "" : ` --${name} ${quoted(value)}`;
  const options = {
    ...(run === undefined ? {} : { run }),
    ...(server === undefined ? {} : { url: server }),
    ...(reset === undefined ? {} : { reset }),
    ...(idle === undefined ? {} : { idle }),
    ...(silence === undefined ? {} : { silence }),
    ...(restart === undefined ? {} : { restart }),
    ...(dependencies === undefined ? {} : { dependencies }),
  };
  const servers = (server ?? []).map((url) => `--server ${quoted(url)}`);
  const flagsText = [
    [...(run === undefined ? [] : [`--run ${quoted(run)}`]), ...servers].join(" "),
    flagText("reset", reset) + flagText("idle", idle) + flagText("silence", silence),
    Object.entries(dependencies ?? {})
      .map(([name, url]) => flagText("dependency", `${name}=${url}`))
      .join(""),
    flagText("restart", restart) + flagWithPaths("always", always) + flagWithPaths("eventually", eventually),
    flagWithPaths("check", flags.check ?? []),
  ].join("");
  const lines = [
    `app: httpApp(${JSON.stringify(options)}),`,
    ...checkLines("always", always),
    ...checkLines("eventually", eventually, checks),
  ];
  const ready = checks.map(({ name, path }) => serverChecks[name].at(path));
  return {
    options: {
      app: appAt(
        options,
        checks.map(({ path }) => path),
      ),
      always: pathProperties(always),
      eventually: Object.assign(pathProperties(eventually), ...ready.map((each) => each.eventually)),
      sometimes: Object.assign({}, ...ready.map((each) => each.sometimes)),
    },
    flags: flagsText,
    again: {
      command: (world, isForged) => {
        const [play, ...more] = playingWords(isForged);
        const words = [flagsText, ...more, ...(isLocal ? ["--allow-local"] : [])];
        return `npx ringback ${play} ${quoted(world)} ${words.join(" ")}`;
      },
      kept: {
        ...{ runner: runnerHere(), command: undefined, isLocal },
        app: { lines, names: ["httpApp", ...checks.map(({ name }) => name)], module: undefined },
      },
    },
  };
}

/** Adds a dependency to those before it. @throws {InvalidArgumentError} saying what was expected */
function readDependency(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, name = "", url = ""] = /^([^\s=]+)=(https?:\/\/\S+)$/.exec(text) ?? [];
  if (name === "" || !URL.canParse(url))
    throw new InvalidArgumentError("Expected a name and an address, such as crm=http://127.0.0.1:4001.");
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`${name} is given twice.`);
  return { ...before, [name]: url };
}

/** A ready-made property, and the path at which the server answers it. */
interface NamedCheck {
  readonly name: keyof typeof serverChecks;
  readonly path: string;
}

/** @throws {UsageError} for an unknown name, a path that is none, or a name that is given twice */
function readChecks(given: readonly string[]): NamedCheck[] {
  const names = Object.keys(serverChecks) as NamedCheck["name"][];
  const checks = given.map((text): NamedCheck => {
    const [, found, path = ""] = /^(\w+)=(\/\S*)$/.exec(text) ?? [];
    const name = names.find((each) => each === found);
    if (name !== undefined) return { name, path };
    const expected = names.map((each) => `${each}=/path`).join(", ");
    throw new UsageError(`expected one of ${expected}, got ${text}`, "--check");
  });
  const twice = checks.find(({ name }, index) => checks.findIndex((each) => each.name === name) !== index);
  if (twice !== undefined) throw new UsageError(`${twice.name} is given twice`, "--check");
  return checks;
}

/** The properties of paths, and ready-made ones, as code of a test. */
function checkLines(group: string, paths: readonly string[], ready: readonly NamedCheck[] = []): string[] {
  if (paths.length + ready.length === 0) return [];
  const readyLines = ready.map(({ name, path }) => `  ...${serverChecks[name].code(path)}.eventually,`);
  const checks = paths.map(readPath).map(({ method, path }) => {
    const check = method === "GET" ? "mustAnswer" : "mustConfirm";
    return `  ${JSON.stringify(`${method} ${path}`)}: (_, server) => server.${check}(${JSON.stringify(path)}),`;
  });
  return [`${group}: {`, ...readyLines, ...checks, "},"];
}

/** The test runner that the project uses in the folder in which this runs. */
function runnerHere(): Runner {
  const { dependencies, devDependencies } = manifestIn(".");
  const installed = { ...dependencies, ...devDependencies };
  if ("vitest" in installed) return "vitest";
  return "jest" in installed ? "jest" : "node:test";
}

/** @throws {UsageError} with the flag of the option that is wrong */
function appAt(options: HttpAppOptions, paths: readonly string[]): ServerApp {
  try {
    return makeServerApp(options, paths);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw toServerError(error);
  }
}

/** A property for each path. */
function pathProperties(paths: readonly string[]) {
  return Object.fromEntries(
    paths.map(readPath).map(({ method, path }) => {
      const check = (_: unknown, server: HttpApp) =>
        method === "GET" ? server.mustAnswer(path) : server.mustConfirm(path);
      return [`${method} ${path}`, check];
    }),
  );
}

/** The path of a property, and how it is asked. */
function readPath(text: string): { readonly method: string; readonly path: string } {
  const [, method = "POST", path = text] = /^(GET|POST) (.+)$/.exec(text) ?? [];
  return { method, path };
}
