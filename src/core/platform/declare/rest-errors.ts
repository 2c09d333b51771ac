import type { ErrorDetail } from "../../foundation/errors.ts";

/** The codes of error answers, with their status. */
export const errorStatuses = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  // only injected faults answer these
  too_many_requests: 429,
  internal_error: 500,
  bad_gateway: 502,
  service_unavailable: 503,
  gateway_timeout: 504,
} as const;

/** The code of an injected fault with another status. */
export const OTHER_FAULT = "fault";

/** The `code` of an error answer of the REST API. */
export type RestErrorCode = keyof typeof errorStatuses | typeof OTHER_FAULT;

/** The body of every error answer, except those of the token endpoint. */
export interface RestErrorBody {
  /** The kind of error, for programs. */
  readonly code: RestErrorCode;
  /** What is wrong, in words. */
  readonly message: string;
  /** One entry for each wrong field of the request. */
  readonly details?: readonly ErrorDetail[];
}

/** A refused request. It changed nothing. */
export class RestError extends Error {
  override readonly name = "RestError";

  constructor(
    readonly code: Exclude<RestErrorCode, typeof OTHER_FAULT>,
    message: string,
    readonly more: {
      readonly details?: readonly ErrorDetail[];
      readonly headers?: Record<string, string>;
    } = {},
  ) {
    super(message);
  }

  get status(): number {
    return errorStatuses[this.code];
  }

  get body(): RestErrorBody {
    const { code, message } = this;
    const { details = [] } = this.more;
    return { code, message, ...(details.length === 0 ? {} : { details }) };
  }
}
