import type { RestServedArguments } from "../../../core/platform/rest-traffic/schemas.ts";
import type { Outcome, PageRow } from "../../model/types.ts";
import { type FirstDifference, type RequestItem, rowWords } from "./items.ts";

/** The first difference of two worlds, as a clause about the second of them. */
export function differenceText({ item, other }: FirstDifference): string {
  if (item.is === "line") return `${item.row.subject} ${item.row.verb}`;
  const { what, attempt, isDuplicate, outcome } = item;
  const name = attempt === 1 ? what : `attempt ${attempt} of ${what}`;
  if (other?.is !== "request" || other.what !== what || other.attempt !== attempt)
    return `the request ${name}`;
  if (isDuplicate !== other.isDuplicate) return `${name} comes twice`;
  return insideText(item, other) ?? outcomeClause(name, outcome, other.outcome);
}

/** What differs inside the handlers of two requests; undefined if nothing does. */
function insideText(one: RequestItem, two: RequestItem): string | undefined {
  const count = Math.max(one.innerRows.length, two.innerRows.length);
  for (let index = 0; index < count; index++) {
    const [row, other] = [one.innerRows[index], two.innerRows[index]];
    if (row !== undefined && other !== undefined && rowWords(row) === rowWords(other)) continue;
    const asked = restName(row);
    return asked !== undefined && row?.outcome !== undefined && asked === restName(other)
      ? outcomeClause(asked, row.outcome, other?.outcome)
      : `${actionText(row ?? other)}, in ${one.what}`;
  }
  return undefined;
}

/** The request to the REST API, or the call to a dependency, that a row is about: `GET /calls/call-1`, `crm POST /activities`. */
function restName(row: PageRow | undefined): string | undefined {
  if (row?.called !== undefined) return `${row.called.dependency} ${row.called.call}`;
  if (row?.command?.name !== "restServed") return undefined;
  const { method, path } = row.command.args as RestServedArguments;
  return `${method} ${path}`;
}

const actionText = (row: PageRow | undefined) => `${row?.subject} ${row?.verb} ${row?.detail}`;

/** `call.ended is lost`, `GET /calls is answered 503, not 200`. */
function outcomeClause(name: string, { text }: Outcome, other: Outcome | undefined): string {
  if (text === "answer lost") return `the answer to ${name} is lost`;
  if (text === "no answer") return `${name} gets no answer`;
  if (!isStatus(text)) return `${name} is ${text}`;
  return `${name} is answered ${text}${isStatus(other?.text) ? `, not ${other?.text}` : ""}`;
}

const isStatus = (text = "") => /^\d+$/.test(text);
