import { CommandError, type CommandErrorCode, InputError } from "../foundation/errors.ts";
import { commands } from "../platform/catalogue/commands.ts";
import { RestError } from "../platform/declare/rest-errors.ts";

/** The REST code of each refused command. */
const codes: Readonly<Record<Exclude<CommandErrorCode, "disposed">, RestError["code"]>> = {
  invalid_argument: "bad_request",
  unknown_number: "bad_request",
  not_found: "not_found",
  not_allowed: "forbidden",
  busy: "conflict",
  call_closed: "conflict",
  conflict: "conflict",
  conversation_closed: "conflict",
  not_connected: "conflict",
  not_in_voicemail: "conflict",
  not_ringing: "conflict",
};

/**
 * Converts an error that was thrown while a request was served.
 * @throws an error that is not the request's fault
 */
export function restErrorOf(thrown: unknown): RestError {
  if (thrown instanceof RestError) return thrown;
  if (thrown instanceof InputError) {
    const details = thrown.problems.map(({ path, message }) => ({ path, message }));
    return new RestError("bad_request", thrown.message, { details });
  }
  if (thrown instanceof CommandError && thrown.code !== "disposed")
    return new RestError(codes[thrown.code], withoutCommand(thrown.message), { details: thrown.details });
  throw thrown;
}

/** Removes the command's name from a message: REST clients do not know it. */
function withoutCommand(message: string): string {
  const [, name = "", rest = ""] = /^(\w+): (.*)$/s.exec(message) ?? [];
  return Object.hasOwn(commands, name) ? rest : message;
}
