import type { RequestRecord } from "../../core/records/request.ts";

/** The event type of an attempt's request; undefined for any other request. */
export function typeOf({ why, subject }: Pick<RequestRecord, "why" | "subject">): string | undefined {
  return why === "webhook" ? subject.split(", attempt ")[0] : undefined;
}

/** Where a request goes, without its query. */
export function addressOf({ to }: Pick<RequestRecord, "to">): string {
  return to.replace(/\?.*/s, "");
}
