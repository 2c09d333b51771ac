/** What a command error is about; stable, for programs. */
export type CommandErrorCode =
  | "already_exists"
  | "busy"
  | "call_closed"
  | "disposed"
  | "invalid_argument"
  | "not_connected"
  | "not_found"
  | "not_in_voicemail"
  | "not_ringing"
  | "not_simulated"
  | "not_allowed"
  | "unknown_number";

/** A command that the current state does not allow, or whose arguments are wrong. Nothing was changed. */
export class CommandError extends Error {
  override readonly name = "CommandError";

  constructor(
    readonly code: CommandErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** Options, an organisation or another input that is wrong. `path` says where, the message what was expected. */
export class InputError extends Error {
  override readonly name: string = "InputError";
  readonly path: string;
  /** Every problem found, the first being the one in `message`. */
  readonly problems: readonly { readonly path: string; readonly message: string }[];

  constructor(path: string, message: string, more: readonly { path: string; message: string }[] = []) {
    const problems = [{ path, message }, ...more];
    super(
      problems
        .map((problem) => (problem.path ? `${problem.path}: ${problem.message}` : problem.message))
        .join("\n"),
    );
    this.path = path;
    this.problems = problems;
  }
}

/** A loop that would never end was stopped. Names the machine or command, the record, and the caller's file and line. */
export class RunawayError extends Error {
  override readonly name = "RunawayError";
}

/** `runUntil` or `runUntilIdle` reached its limit. The message says what did happen, or what keeps being scheduled. */
export class LimitError extends Error {
  override readonly name = "LimitError";
}
