import { commandErrors } from "../foundation/command-errors.ts";
import { CommandError, InputError } from "../foundation/errors.ts";
import { commands } from "../platform/catalogue/commands.ts";
import { RestError } from "../platform/declare/rest-errors.ts";

/**
 * Converts an error that was thrown while a request was served.
 * @throws an error that is not the request's fault
 */
export function toRestError(thrown: unknown): RestError {
  if (thrown instanceof RestError) return thrown;
  if (thrown instanceof InputError) {
    const details = thrown.problems.map(({ path, message }) => ({ path, message }));
    return new RestError("bad_request", thrown.message, { details });
  }
  const code = thrown instanceof CommandError ? commandErrors[thrown.code].rest : null;
  if (thrown instanceof CommandError && code !== null)
    return new RestError(code, withoutCommand(thrown.message), { details: thrown.details });
  throw thrown;
}

/** Removes the command's name from a message: REST clients do not know it. */
function withoutCommand(message: string): string {
  const [, name = "", rest = ""] = /^(\w+): (.*)$/s.exec(message) ?? [];
  return Object.hasOwn(commands, name) ? rest : message;
}
