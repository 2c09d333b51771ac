import type * as v from "valibot";
import type { Problem } from "../../foundation/errors.ts";
import { readArguments } from "../../foundation/input-schemas.ts";
import type { CommandInput, CommandName, CommandResult } from "../base/core-services.ts";
import { isOnRecord } from "../declare/record-guards.ts";
import type { AnyCommand } from "../declare/service.ts";
import { type ArgumentsOnCall, isOnCall } from "../guards/refusals.ts";
import { type ServiceDefinitions, type ServiceName, type Services, services } from "./services.ts";

/** The commands that a capability declares. */
type CommandsOf<Name extends ServiceName> = ServiceDefinitions[Name] extends {
  readonly commands?: infer Commands;
}
  ? NonNullable<Commands>
  : never;
type Together<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;
type Commands = Together<{ [Name in ServiceName]: CommandsOf<Name> }[ServiceName]>;

const owners = new Map<string, ServiceName>();

function collect(): Commands {
  const all: Record<string, AnyCommand> = {};
  for (const name of Object.keys(services) as ServiceName[])
    for (const [command, declared] of Object.entries<AnyCommand>(services[name].commands ?? {})) {
      if (owners.has(command)) throw new Error(`${name} and ${owners.get(command)} both declare ${command}`);
      owners.set(command, name);
      all[command] = declared;
    }
  return all as Commands;
}

/**
 * Every command of the platform, by name. Methods, scenario steps and journal entries all run these, with the same
 * arguments.
 */
export const commands = collect();

/** The arguments of a command after they were read: durations are in ms. */
export type CommandArguments<Name extends CommandName> = v.InferOutput<Commands[Name]["schema"]>;

interface Found {
  readonly schema: AnyCommand["schema"];
  readonly guard?: unknown;
  run(it: unknown, args: unknown, actor?: unknown): unknown;
  validate?(it: unknown, wellFormed: unknown): readonly Problem[];
  enrich?(it: unknown, args: unknown): unknown;
}

const found = (name: CommandName): Found => commands[name];
const ownerOf = (world: Services, name: CommandName): unknown => world[owners.get(name) as ServiceName];

function carryOut<Name extends CommandName>(
  world: Services,
  name: Name,
  args: CommandArguments<Name> | CommandInput<Name>,
): CommandResult<Name> {
  const command = found(name);
  const owner = ownerOf(world, name);
  if (isOnRecord(command)) {
    const of = world.refusals.mustAllow(command.guard, owner, args);
    return command.run(owner, args, of) as CommandResult<Name>;
  }
  const actor = isOnCall(command) ? world.refusals.actor(name, args as ArgumentsOnCall) : undefined;
  return command.run(owner, args, actor) as CommandResult<Name>;
}

/**
 * Runs a command as a step of the engine.
 * @throws {CommandError} if the arguments are wrong or the state does not allow it; nothing has changed
 */
export function runCommand<Name extends CommandName>(
  world: Services,
  name: Name,
  input: CommandInput<Name>,
): CommandResult<Name> {
  const { schema, validate: check } = found(name);
  const owner = ownerOf(world, name);
  const args = readArguments(name, schema, input, check && ((wellFormed) => check(owner, wellFormed)));
  return runRead(world, name, args as CommandArguments<Name>);
}

/**
 * Runs a command whose arguments were read and checked before.
 * @throws {CommandError} if the state does not allow it; nothing has changed
 */
export function runRead<Name extends CommandName>(
  world: Services,
  name: Name,
  args: CommandArguments<Name>,
): CommandResult<Name> {
  const { enrich: complete } = found(name);
  const whole = complete === undefined ? args : (complete(ownerOf(world, name), args) as typeof args);
  world.onCommand?.(name, whole);
  return world.engine.command(name, whole, () => carryOut(world, name, whole));
}

/** Runs a command inside the current step, with arguments that were read before. */
export function performCommand<Name extends CommandName>(
  world: Services,
  name: Name,
  args: CommandInput<Name>,
): CommandResult<Name> {
  return carryOut(world, name, args);
}

/**
 * Runs a command whose arguments were read but not checked.
 * @throws {CommandError} if the check fails or the state does not allow it; nothing has changed
 */
export function runShaped<Name extends CommandName>(
  world: Services,
  name: Name,
  args: CommandArguments<Name>,
): CommandResult<Name> {
  return found(name).validate === undefined
    ? runRead(world, name, args)
    : runCommand(world, name, args as CommandInput<Name>);
}
