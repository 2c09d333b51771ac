import type { AgendaItem } from "../engine/agenda.ts";
import type { EngineHooks } from "../engine/engine.ts";
import type { Organisation } from "../generated/inputs.ts";
import { type CoreServices, newTables, type Settings, type Tables } from "./base/core-services.ts";
import type { MachineTypes } from "./base/machine-types.ts";
import { commands } from "./catalogue/commands.ts";
import { performCommand, runCommand } from "./catalogue/run-command.ts";
import { type ServiceName, type Services, services } from "./catalogue/services.ts";
import { forkState, restoreState, saveState } from "./declare/service.ts";
import { insertInitialRecords } from "./initial-records.ts";
import { Raiser, reactToFact } from "./reactions/reactions.ts";

/** A platform on an engine. */
export interface Platform {
  readonly services: Services;
  /** Copies the state onto another engine, which must be a fork of this one's. */
  fork(engine: Services["engine"]): Platform;
  /** The state, for `loadPlatform`. */
  save(): SavedPlatform;
}

/** The state of a platform, without that of its engine. */
export interface SavedPlatform {
  readonly urls: Settings["urls"];
  readonly tables: unknown;
  readonly states: Readonly<Record<string, unknown>>;
}

/** The capabilities by name. */
type Parts = Readonly<Record<ServiceName, unknown>>;
/** Runs a task of any capability. A method, for the same reason as those below. */
type RunsTask = { run(it: unknown, item: AgendaItem): void }["run"];
/** Any capability. Its functions are methods here, so that each may say which state and object it takes: its own. */
interface AnyCapability {
  constants?(organisation: Organisation): unknown;
  init?(fixed: unknown): unknown;
  create(services: Services, state: unknown, fixed: unknown): unknown;
  onStart?(it: unknown, organisation: Organisation): void;
  readonly tasks?: Readonly<Record<string, RunsTask>>;
}

const names = Object.keys(services) as ServiceName[];
// this does not compile if a capability needs one that is not in the list
const every: Readonly<Record<ServiceName, AnyCapability>> = services;

/**
 * An object with all names. Spreading it and then setting each takes a third of the time of adding names one by one.
 */
const noParts = Object.fromEntries(names.map((name) => [name, undefined])) as Record<ServiceName, unknown>;

/** An object with all members of `Services`. */
const unmade = Object.fromEntries(
  [
    ...["engine", "machines", "tables", "settings", "commands", "raise", "command", "perform", "onCommand"],
    ...names,
  ].map((name): [string, unknown] => [name, undefined]),
);

/** Who runs each scheduled task, by its name. */
const tasks = new Map(
  names.flatMap((name) =>
    Object.entries(every[name].tasks ?? {}).map(([task, run]) => [task, { name, run }] as const),
  ),
);

function partsOf(make: (name: ServiceName) => unknown): Parts {
  const parts = { ...noParts };
  for (const name of names) parts[name] = make(name);
  return parts;
}

/** Makes the platform of an organisation, at the start of a run. */
export function createPlatform(
  engine: Services["engine"],
  settings: Settings,
  organisation: Organisation,
): Platform {
  const fixed = partsOf((name) => every[name].constants?.(organisation));
  const states = partsOf((name) => every[name].init?.(fixed[name]));
  const tables = newTables();
  insertInitialRecords(tables, organisation, settings, engine.now);
  const platform = raise(engine, settings, tables, fixed, states);
  for (const name of names) every[name].onStart?.(platform.services[name], organisation);
  return platform;
}

/**
 * Makes the platform of an organisation as it was saved.
 * @param engine as it was saved at the same time
 */
export function loadPlatform(
  engine: Services["engine"],
  settings: Settings,
  organisation: Organisation,
  { urls, tables, states }: SavedPlatform,
): Platform {
  const fixed = partsOf((name) => every[name].constants?.(organisation));
  return raise(
    engine,
    { ...settings, urls },
    restoreState(newTables(), tables),
    fixed,
    partsOf((name) => restoreState(every[name].init?.(fixed[name]), states[name])),
  );
}

/** Makes the capabilities with their states. */
function raise(
  engine: Services["engine"],
  settings: Settings,
  tables: Tables,
  fixed: Parts,
  states: Parts,
): Platform {
  // all names from the start: V8 makes a dictionary of an object whose fields are added later, and everything reads
  // this one
  const parts: Record<string, unknown> = { ...unmade };
  const base = Object.assign(parts, {
    engine,
    machines: engine.host,
    tables,
    settings,
    commands,
    command: (name, input) => runCommand(services, name, input),
    perform: (name, args) => performCommand(services, name, args),
  } satisfies Omit<CoreServices, "raise">);
  // `parts` gets the rest of them below
  const services = base as unknown as Services;
  parts.raise = new Raiser(services);
  for (const name of names) parts[name] = every[name].create(services, states[name], fixed[name]);
  engine.connect({
    react: reactToFact.bind(undefined, services) as EngineHooks<MachineTypes>["react"],
    published: (event) => services.raise.eventPublished({ event }),
    settle: () => services.raise.stepOver({ nowMs: engine.now }),
    runTask: (item) => {
      const task = tasks.get(item.task);
      if (task === undefined) throw new Error(`nothing runs the task "${item.task}"`);
      task.run(parts[task.name], item);
    },
    outside: services.network,
  });
  return {
    services,
    fork: (other) =>
      raise(
        other,
        { ...settings },
        forkState(tables),
        fixed,
        partsOf((name) => forkState(states[name])),
      ),
    save: () => ({
      urls: settings.urls,
      tables: saveState(tables),
      states: partsOf((name) => saveState(states[name])),
    }),
  };
}
