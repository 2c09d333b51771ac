import type { AgendaItem } from "../engine/agenda.ts";
import type { EngineHooks } from "../engine/engine.ts";
import type { Organisation } from "../generated/inputs.ts";
import { type CoreServices, newTables, type Settings, type Tables } from "./base/core-services.ts";
import type { MachineTypes } from "./base/machine-types.ts";
import { commands } from "./catalogue/commands.ts";
import { type CommandArguments, performCommand, runCommand, runValidated } from "./catalogue/run-command.ts";
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

/** Something of each service, by its name. */
type Parts = Readonly<Record<ServiceName, unknown>>;
/** Runs a task of any service. Declared as a method, for the same reason as those below. */
type RunTask = { run(it: unknown, item: AgendaItem): void }["run"];
/** Any service's definition. Its functions are methods here, so that each may take its own types of state and object. */
interface AnyService {
  constants?(organisation: Organisation): unknown;
  init?(fixed: unknown): unknown;
  create(services: Services, state: unknown, fixed: unknown): unknown;
  onStart?(it: unknown, organisation: Organisation): void;
  readonly tasks?: Readonly<Record<string, RunTask>>;
}

const names = Object.keys(services) as ServiceName[];
// does not compile if a service needs one that is not in the list
const definitions: Readonly<Record<ServiceName, AnyService>> = services;

/**
 * An object with all names. Spreading it and then setting each takes a third of the time of adding names one by one.
 */
const emptyParts = Object.fromEntries(names.map((name) => [name, undefined])) as Record<ServiceName, unknown>;

/** An object with all members of `Services`. */
const emptyServices = Object.fromEntries(
  [
    ...[
      "engine",
      "machines",
      "tables",
      "settings",
      "commands",
      "raise",
      "command",
      "runValidated",
      "perform",
      "onCommand",
    ],
    ...names,
  ].map((name): [string, unknown] => [name, undefined]),
);

/** The service that runs each scheduled task, by the task's name. */
const tasks = new Map(
  names.flatMap((name) =>
    Object.entries(definitions[name].tasks ?? {}).map(([task, run]) => [task, { name, run }] as const),
  ),
);

function createParts(create: (name: ServiceName) => unknown): Parts {
  const parts = { ...emptyParts };
  for (const name of names) parts[name] = create(name);
  return parts;
}

/** Creates the platform of an organisation, at the start of a run. */
export function createPlatform(
  engine: Services["engine"],
  settings: Settings,
  organisation: Organisation,
): Platform {
  const fixed = createParts((name) => definitions[name].constants?.(organisation));
  const states = createParts((name) => definitions[name].init?.(fixed[name]));
  const tables = newTables();
  insertInitialRecords(tables, organisation, settings, engine.now);
  const platform = assemblePlatform(engine, settings, tables, fixed, states);
  for (const name of names) definitions[name].onStart?.(platform.services[name], organisation);
  return platform;
}

/**
 * Restores the platform of an organisation.
 * @param engine the engine that was saved at the same time
 */
export function loadPlatform(
  engine: Services["engine"],
  settings: Settings,
  organisation: Organisation,
  { urls, tables, states }: SavedPlatform,
): Platform {
  const fixed = createParts((name) => definitions[name].constants?.(organisation));
  return assemblePlatform(
    engine,
    { ...settings, urls },
    restoreState(newTables(), tables),
    fixed,
    createParts((name) => restoreState(definitions[name].init?.(fixed[name]), states[name])),
  );
}

/** Creates the services with their states, and connects them to the engine. */
function assemblePlatform(
  engine: Services["engine"],
  settings: Settings,
  tables: Tables,
  fixed: Parts,
  states: Parts,
): Platform {
  // all names from the start: V8 makes a dictionary of an object whose fields are added later, and everything reads
  // this one
  const parts: Record<string, unknown> = { ...emptyServices };
  const base = Object.assign(parts, {
    engine,
    machines: engine.host,
    tables,
    settings,
    commands,
    command: (name, input) => runCommand(services, name, input),
    runValidated: (name, args) => runValidated(services, name, args as CommandArguments<typeof name>),
    perform: (name, args) => performCommand(services, name, args),
  } satisfies Omit<CoreServices, "raise">);
  // the loop below adds the other services to the same object
  const services = base as unknown as Services;
  parts.raise = new Raiser(services);
  for (const name of names) parts[name] = definitions[name].create(services, states[name], fixed[name]);
  engine.connect({
    react: reactToFact.bind(undefined, services) as EngineHooks<MachineTypes>["react"],
    onPublish: (event) => services.raise.eventPublished({ event }),
    endStep: () => services.raise.stepOver({ nowMs: engine.now }),
    runTask: (item) => {
      const task = tasks.get(item.task);
      if (task === undefined) throw new Error(`nothing runs the task "${item.task}"`);
      task.run(parts[task.name], item);
    },
    endpoints: services.network,
  });
  return {
    services,
    fork: (other) =>
      assemblePlatform(
        other,
        { ...settings },
        forkState(tables),
        fixed,
        createParts((name) => forkState(states[name])),
      ),
    save: () => ({
      urls: settings.urls,
      tables: saveState(tables),
      states: createParts((name) => saveState(states[name])),
    }),
  };
}
