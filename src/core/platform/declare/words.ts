import type { DrawnMs } from "../../foundation/distributions.ts";
import { exactDurationText } from "../../foundation/instants.ts";
import { show } from "../../foundation/show.ts";

/** Texts that the descriptions of several commands share. */

/** A number with its noun: `1 failure`, `1,200 failures`. */
export function counted(count: number, what: string, many = `${what}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? what : many}`;
}

export function onText(endpoint: string | undefined): string {
  return endpoint === undefined ? "" : ` on ${endpoint}`;
}

export function drawnText(drawn: DrawnMs): string {
  if (typeof drawn === "number") return exactDurationText(drawn);
  if ("fixed" in drawn) return exactDurationText(drawn.fixed);
  if ("exponential" in drawn) return `${exactDurationText(drawn.exponential)} on average`;
  return drawn.uniform.map(exactDurationText).join(" to ");
}

/** For how many times, and for how long. */
export function spanText(times: number | undefined, what: string, forMs: number | undefined): string {
  const count = times === undefined ? "" : `, ${counted(times, what)}`;
  return `${count}${forMs === undefined ? "" : `, for ${exactDurationText(forMs)}`}`;
}

/** A message as text: what it says, in quotes, and how many attachments it has. */
export function messageText(text: string | undefined, mediaCount: number): string {
  const media = mediaCount === 0 ? [] : [counted(mediaCount, "attachment")];
  return [...(text ? [show(text)] : []), ...media].join(" and ");
}

/** The name of a contact that a command gives. */
export function contactName(contact: {
  readonly name?: string | undefined;
  readonly firstName?: string | null | undefined;
  readonly lastName?: string | null | undefined;
}): string {
  return contact.name ?? [contact.firstName, contact.lastName].filter(Boolean).join(" ");
}
