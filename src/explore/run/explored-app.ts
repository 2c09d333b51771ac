import { InputError, lineOf, type Problem } from "../../core/foundation/errors.ts";
import { show } from "../../core/foundation/show.ts";
import { nearest } from "../../core/foundation/suggestions.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import {
  isDefect,
  type PropertyFailure,
  REFUSES,
  type RunsAs,
  WorldError,
  withoutTerminalCodes,
} from "../../findings/property-failure.ts";
import type { ServerApp } from "../http/http-app.ts";
import { loadModule } from "./load-module.ts";

/** A property that must hold. It throws or returns `false` if it does not. */
export type Check<T> = (simulator: Simulator, app: T) => unknown;
/** A property that must hold in at least one world. */
export type SometimesCheck<T> = (simulator: Simulator, app: T) => boolean;

/** The consumer's code and its properties. */
export interface ExploredApp<T> {
  /** @param durable what `durable` made for this world */
  app(simulator: Simulator, durable: unknown): T | Promise<T>;
  /** Makes what outlives a restart of the app; undefined if the app cannot restart. */
  readonly durable?: (() => unknown) | undefined;
  /** Whether the app is a server that can be restarted. */
  readonly hasRestartCommand?: boolean | undefined;
  /** Whether it is a server whose clock and timers are the world's. */
  readonly hasWorldTime?: boolean | undefined;
  /** Resolves when the app can be built again; undefined if it always can. */
  readonly isBack?: (() => Promise<void>) | undefined;
  /** Ends a server's part in a world, also one whose app was never built; undefined for an app in this process. */
  readonly abandon?: ((simulator: Simulator) => Promise<void>) | undefined;
  readonly always: Readonly<Record<string, Check<T>>>;
  readonly settled: Readonly<Record<string, Check<T>>>;
  readonly eventually: Readonly<Record<string, Check<T>>>;
  readonly sometimes: Readonly<Record<string, SometimesCheck<T>>>;
  /** Returns the app's state, for explanations; undefined to show the app itself. */
  readonly show?: ((app: T) => unknown) | undefined;
}

/** What an app runs as. */
export function readRunsAs({
  isBack,
  hasWorldTime,
}: Pick<ExploredApp<unknown>, "isBack" | "hasWorldTime">): RunsAs {
  if (isBack === undefined) return "code";
  return hasWorldTime === true ? "program" : "server";
}

/** An app whose properties may be missing, as options and modules have it. */
export type GivenApp<T> = Partial<ExploredApp<T>> & {
  readonly subject?: ExploredApp<T>["app"] | undefined;
};

/** What builds the app, by either name. `readLimits` checks that one is given. */
export function readApp<T>({ app, subject }: Pick<GivenApp<T>, "app" | "subject">): ExploredApp<T>["app"] {
  const given = app ?? subject;
  if (given === undefined) throw new InputError(["app"], "missing");
  return given;
}

/** Adds missing groups of properties, and drops everything else that the object has. */
export function readExploredApp<T>(given: GivenApp<T>): ExploredApp<T> {
  const { always, settled, eventually, sometimes, show, durable } = given;
  const app = readApp(given);
  const { isBack, abandon, hasRestartCommand, hasWorldTime } = app as Partial<ServerApp>;
  return {
    app: (simulator, made) => app.call(given, simulator, made),
    ...{ durable: durable && (() => given.durable?.()), hasRestartCommand, isBack, abandon, hasWorldTime },
    ...{ always: plainlyNamed(always), settled: plainlyNamed(settled) },
    ...{ eventually: plainlyNamed(eventually), sometimes: plainlyNamed(sometimes), show },
  };
}

/** Properties by names without terminal control codes. */
function plainlyNamed<C>(properties: Readonly<Record<string, C>> = {}): Readonly<Record<string, C>> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, check]) => [withoutTerminalCodes(name), check]),
  );
}

/** The groups of properties. */
const groups = ["always", "settled", "eventually", "sometimes"] as const;

/** Stands for an app that cannot be loaded. Each world fails as loading did. */
export function brokenApp({ property, message }: PropertyFailure): ExploredApp<unknown> {
  const app = (): unknown => {
    throw new WorldError(property, message);
  };
  return readExploredApp({ app });
}

/** Whether an app can restart: it says what outlives a restart, or is a server with a command that restarts it. */
export function isRestartable({
  durable,
  hasRestartCommand,
}: Pick<ExploredApp<unknown>, "durable" | "hasRestartCommand">): boolean {
  return durable !== undefined || hasRestartCommand === true;
}

/** Finds problems of the given properties: each group must hold functions by name. */
export function propertyProblems(
  given: { readonly [Group in (typeof groups)[number]]?: unknown },
): Problem[] {
  return groups.flatMap((group): Problem[] => {
    const properties = given[group];
    if (properties === undefined) return [];
    if (typeof properties !== "object" || properties === null || Array.isArray(properties))
      return [{ keys: [group], message: `expected functions by name, got ${show(properties)}` }];
    return Object.entries(properties).flatMap(([name, check]): Problem[] => {
      if (typeof check !== "function")
        return [{ keys: [group, name], message: `expected a function, got ${show(check)}` }];
      const message = "expected another name: `explore` gives this one to a defect of the app";
      const plain = withoutTerminalCodes(name);
      return isDefect(plain) || plain === REFUSES ? [{ keys: [group, name], message }] : [];
    });
  });
}

/** Counts properties. */
export function propertyCount(explored: { readonly [Group in (typeof groups)[number]]: object }): number {
  return groups.reduce((count, group) => count + Object.keys(explored[group]).length, 0);
}

/**
 * Loads a module that exports `app` (or `subject`, its old name) and, optionally, `durable`, `always`, `settled`, `eventually` and `sometimes`, by
 * name or as its default.
 * @throws {InputError} if there is no such module, or its exports are wrong
 */
export async function loadApp(file: string): Promise<ExploredApp<unknown>> {
  const loaded = await loadModule(file, ["with"]);
  const { default: own } = loaded;
  const exportsApp = "app" in loaded || "subject" in loaded;
  const exported = exportsApp || typeof own !== "object" || own === null ? loaded : own;
  const { app, subject, show, durable, ...properties } = exported as Partial<GivenApp<unknown>>;
  mustBeWellNamed(file, exported);
  const name = subject === undefined ? "app" : "subject";
  if (app !== undefined && subject !== undefined)
    throw new InputError(
      ["with"],
      `${file} exports \`app\` and \`subject\`, its old name: expected one of them`,
    );
  const build = app ?? subject;
  if (typeof build !== "function")
    throw new InputError(["with"], `${file} must export \`${name}\`, a function of the simulator`);
  if (show !== undefined && typeof show !== "function")
    throw new InputError(["with"], `${file} exports \`show\`: expected a function of the app`);
  if (durable !== undefined && typeof durable !== "function")
    throw new InputError(["with"], `${file} exports \`durable\`: expected a function`);
  const [problem] = propertyProblems(properties);
  if (problem !== undefined) throw new InputError(["with"], `${file}: ${lineOf(problem)}`);
  return readExploredApp({ ...properties, app: build, show, durable });
}

/** A module may have other exports, but a misspelt property would never be checked. @throws {InputError} */
function mustBeWellNamed(file: string, exported: object): void {
  const names = ["app", "subject", "durable", ...groups];
  const hasApp = "app" in exported || "subject" in exported;
  const missing = (hasApp ? names.slice(2) : names).filter((name) => !(name in exported));
  for (const name of Object.keys(exported)) {
    const meant = names.includes(name) ? undefined : nearest(name, missing);
    if (meant !== undefined)
      throw new InputError(["with"], `${file} exports \`${name}\`; did you mean \`${meant}\`?`);
  }
}
