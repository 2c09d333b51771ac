import type { OfferTier } from "../../core/narration/rows.ts";
import { oneLine } from "../../core/narration/words.ts";
import type { Lanes } from "./lanes.ts";
import type { EndpointNote, PageRow } from "./types.ts";

/** Rings and their ends, in words. */

/** Who rings, on which endpoints or for which team: `Bob` `rings` `on mobile, desk`, `Bob ×3, Carol` `ring` `Sales tier 1`. */
export function ringText(
  row: PageRow,
  lanes: Lanes,
  offer: OfferTier | undefined,
): Pick<PageRow, "subject" | "verb" | "detail"> {
  const who = new Set(row.endpoints.map(({ lane }) => lane));
  const team = offer === undefined ? "" : `${offer.team} tier ${offer.tier}${offer.isAgain ? " again" : ""}`;
  const [first] = row.endpoints;
  if (who.size > 1 || first === undefined || offer !== undefined)
    return {
      subject: namesWithCounts(row.endpoints, lanes),
      verb: row.endpoints.length === 1 ? "rings" : "ring",
      detail: team,
    };
  const phones = row.endpoints.map(({ endpoint }) => oneLine(endpoint)).join(", ");
  return { subject: oneLine(lanes.name(first.lane)), verb: "rings", detail: `on ${phones}` };
}

/** Who stopped ringing with a row: `on mobile; desktop and desk stop; Carol stops`; empty if nobody did. */
export function stoppedText(row: PageRow, lanes: Lanes): string {
  const isDecline = row.command?.name === "decline";
  const stopped = row.endpoints.filter(
    ({ does, lane }) =>
      does !== "rings" && does !== "answered" && !(does === "declined" && lane === row.source),
  );
  const mine = stopped.filter(({ lane }) => lane === row.source);
  const others = stopped.filter(({ lane }) => lane !== row.source);
  const texts: string[] = [];
  if (mine.length > 0)
    texts.push(
      `${mine.map(({ endpoint }) => oneLine(endpoint)).join(" and ")} ${mine.length === 1 ? "stops" : "stop"}`,
    );
  const [other] = others;
  if (other !== undefined)
    texts.push(
      others.every(({ lane }) => lane === other.lane)
        ? `${oneLine(lanes.name(other.lane))} stops`
        : `${namesWithCounts(others, lanes)} stop`,
    );
  if (isDecline) {
    const declined = row.endpoints.filter(({ does }) => does === "declined");
    const { endpoint: given } = (row.command?.args ?? {}) as { endpoint?: string };
    if (given === undefined && declined.length > 0)
      texts.unshift(`on ${declined.map(({ endpoint }) => oneLine(endpoint)).join(", ")}`);
  }
  const answered = row.endpoints.find(({ does }) => does === "answered");
  if (answered !== undefined && !row.detail.startsWith("on "))
    texts.unshift(`on ${oneLine(answered.endpoint)}`);
  return texts.join("; ");
}

/** `Bob ×2, Carol`. */
function namesWithCounts(notes: readonly EndpointNote[], lanes: Lanes): string {
  const counts = new Map<string, number>();
  for (const { lane } of notes) counts.set(lane, (counts.get(lane) ?? 0) + 1);
  return listed(
    [...counts].map(([lane, count]) => `${oneLine(lanes.name(lane))}${count > 1 ? ` ×${count}` : ""}`),
  );
}

/** Names with commas between them, or semicolons if a name has a comma: `Sam Lee, ext. 103; Sam Lee, ext. 104`. */
export function listed(names: readonly string[]): string {
  return names.join(names.length > 1 && names.some((name) => name.includes(",")) ? "; " : ", ");
}
