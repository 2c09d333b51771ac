import type * as v from "valibot";
import { CommandError, joinPath, type Problem } from "../../foundation/errors.ts";
import { readArguments } from "../../foundation/input-schemas.ts";
import type { CommandInput, CommandName, CommandResult } from "../base/core-services.ts";
import type { AnyCommand } from "../declare/any-command.ts";
import { isOnRecord } from "../declare/record-guards.ts";
import { type ArgumentsOnCall, isOnCall } from "../guards/refusals.ts";
import { commands } from "./commands.ts";
import { findForm, mixtureProblem } from "./forms.ts";
import type { Services } from "./services.ts";

/** The arguments of a command after they were read: durations are in ms. */
export type CommandArguments<Name extends CommandName> = v.InferOutput<(typeof commands)[Name]["schema"]>;

interface AnyDefinition {
  readonly schema: AnyCommand["schema"];
  readonly guard?: unknown;
  run(services: Services, args: unknown, granted?: unknown): unknown;
  validate?(services: Services, wellFormed: unknown): readonly Problem[];
  enrich?(services: Services, args: unknown): unknown;
}

const definitionOf = (name: CommandName): AnyDefinition => commands[name];

function execute<Name extends CommandName>(
  services: Services,
  name: Name,
  args: CommandArguments<Name> | CommandInput<Name>,
): CommandResult<Name> {
  const command = definitionOf(name);
  if (isOnRecord(command)) {
    const of = services.refusals.mustAllow(command.guard, services, args);
    return command.run(services, args, of) as CommandResult<Name>;
  }
  const actor = isOnCall(command) ? services.refusals.actor(name, args as ArgumentsOnCall) : undefined;
  return command.run(services, args, actor) as CommandResult<Name>;
}

/**
 * Runs a command as a step of the engine.
 * @throws {CommandError} if the arguments are wrong or the state does not allow it; nothing has changed
 */
export function runCommand<Name extends CommandName>(
  services: Services,
  given: Name,
  input: CommandInput<Name>,
): CommandResult<Name> {
  const name = findForm(given, input) as Name;
  const mixture = mixtureProblem(given, input);
  if (mixture !== undefined) {
    const { keys, message } = mixture;
    const path = joinPath(keys);
    throw new CommandError("invalid_argument", `${given}: ${path}: ${message}`, [{ path, message }]);
  }
  const { schema, validate: check } = definitionOf(name);
  const args = readArguments(name, schema, input, check && ((wellFormed) => check(services, wellFormed)));
  return runValidated(services, name, args as CommandArguments<Name>);
}

/**
 * Runs a command whose arguments were read and checked before.
 * @throws {CommandError} if the state does not allow it; nothing has changed
 */
export function runValidated<Name extends CommandName>(
  services: Services,
  name: Name,
  args: CommandArguments<Name>,
): CommandResult<Name> {
  const { enrich: complete } = definitionOf(name);
  const enriched = complete === undefined ? args : (complete(services, args) as typeof args);
  services.onCommand?.(name, enriched);
  return services.engine.command(name, enriched, () => execute(services, name, enriched));
}

/** Runs a command inside the current step, with arguments that were read before. */
export function performCommand<Name extends CommandName>(
  services: Services,
  name: Name,
  args: CommandInput<Name>,
): CommandResult<Name> {
  return execute(services, name, args);
}

/**
 * Runs a command whose arguments were read but not checked.
 * @throws {CommandError} if the check fails or the state does not allow it; nothing has changed
 */
export function runParsed<Name extends CommandName>(
  services: Services,
  name: Name,
  args: CommandArguments<Name>,
): CommandResult<Name> {
  return definitionOf(name).validate === undefined
    ? runValidated(services, name, args)
    : runCommand(services, name, args as CommandInput<Name>);
}
