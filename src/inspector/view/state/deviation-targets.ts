import type { RestServedArguments } from "../../../core/platform/rest-traffic/schemas.ts";
import type { ForkableRequest } from "../../model/forkable-requests.ts";
import type { PageRow } from "../../model/types.ts";

/** A request with deviations to try. */
export interface DeviationTarget {
  readonly request: ForkableRequest;
  /** `call.ended`, `outboundCall`, `POST /messages`. */
  readonly what: string;
  readonly atMs: number;
  /** Whether it changes nothing at the platform. */
  readonly reads?: boolean;
}

/** The requests of a row, without second copies: a deviation applies to the first. */
export function deviationTargets({
  kind,
  index,
  atMs,
  subject,
  detail,
  firstRow,
  deliveries,
  command,
}: PageRow): DeviationTarget[] {
  if (kind === "retry" || (kind === "event" && firstRow === undefined))
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
