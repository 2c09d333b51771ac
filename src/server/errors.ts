/** The body of a refusal by the control plane. */
export interface ControlErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
}

/** A request that the control plane refuses. */
export class ControlError extends Error {
  override readonly name = "ControlError";

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** Statuses of refused commands; all others have 409. */
const commandStatuses: Readonly<Record<string, number>> = {
  invalid_argument: 400,
  unknown_number: 400,
  not_found: 404,
};

/** Anything that may be thrown, with the properties that it may have. */
interface Thrown {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly details?: ControlErrorBody["details"];
  readonly problems?: ControlErrorBody["details"];
}

/**
 * Makes the answer for what was thrown. Errors are recognised by name: the simulator may come from another copy of
 * the package, such as its CommonJS build, which has classes of its own.
 */
export function answerForError(thrown: unknown): Response {
  const { name, message, code, status, headers, details, problems } = (thrown ?? {}) as Thrown;
  const respond = (as: number, errorCode: unknown, more: ControlErrorBody["details"] = []) => {
    const named = more.map((each) => ({ path: each.path, message: each.message }));
    const body = { code: errorCode, message, ...(named.length === 0 ? {} : { details: named }) };
    return Response.json(body, { status: as, headers: headers ?? {} });
  };
  switch (name) {
    case "ControlError":
    case "RestError":
      return respond(Number(status), code);
    case "CommandError":
      return respond(commandStatuses[String(code)] ?? 409, code, details);
    case "InputError":
      return respond(400, "invalid_argument", problems);
    case "ScenarioError":
      return respond(400, "invalid_scenario", problems);
    case "LimitError":
      return respond(409, "limit");
    case "RunawayError":
      return respond(409, "runaway");
    default:
      return Response.json({ code: "internal", message: String(message ?? thrown) }, { status: 500 });
  }
}
