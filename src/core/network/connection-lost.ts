/** What becomes of a connection: refused, broken before the answer came, or silent until the client gives up. */
export type ConnectionLoss = "refused" | "unanswered" | "timeout";

const causes: Readonly<Record<ConnectionLoss, { readonly code: string; readonly text: string }>> = {
  refused: { code: "ECONNREFUSED", text: "connect ECONNREFUSED" },
  unanswered: { code: "ECONNRESET", text: "read ECONNRESET" },
  timeout: { code: "UND_ERR_HEADERS_TIMEOUT", text: "Headers Timeout Error" },
};

/** The error of a lost connection as Node has it, with its `code`. */
export function connectionError(is: ConnectionLoss): Error {
  const { code, text } = causes[is];
  return Object.assign(new Error(text), { code });
}

/** What `fetch` throws where the connection is lost. */
export class ConnectionLost extends TypeError {
  constructor(is: ConnectionLoss) {
    super("fetch failed", { cause: connectionError(is) });
  }
}
