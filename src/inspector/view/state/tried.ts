import type { RestServedArguments } from "../../../core/platform/rest-traffic/commands.ts";
import type { ForkableRequest } from "../../model/fates.ts";
import type { Row } from "../../model/types.ts";

/** A request of which something else may become. */
export interface TriedRequest {
  readonly request: ForkableRequest;
  /** `call.ended`, `outboundCall`, `POST /messages`. */
  readonly what: string;
  readonly atMs: number;
  /** Whether it changes nothing at the platform. */
  readonly reads?: boolean;
}

/** The requests that a row shows, without second copies: what becomes of the first decides about both. */
export function triedIn({
  kind,
  index,
  atMs,
  subject,
  detail,
  first,
  deliveries,
  command,
}: Row): TriedRequest[] {
  if (kind === "retry" || (kind === "event" && first === undefined))
    return deliveries.map(({ id, attempt }) => ({
      ...{ request: { delivery: id, attempt }, atMs },
      what: attempt === 1 ? subject : `${subject}, attempt ${attempt}`,
    }));
  if (command?.name === "request")
    return [
      { request: command.args as { readonly request: string }, what: detail.split(",")[0] ?? "", atMs },
    ];
  if (command?.name !== "restServed") return [];
  const { method, path, asked } = command.args as RestServedArguments;
  return [{ request: { restRow: index }, what: `${method} ${path}`, atMs, reads: asked === undefined }];
}
