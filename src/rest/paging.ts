import { hmacOf, toBase64, toHex } from "../network/hmac.ts";
import type { Platform } from "../platform/platform.ts";
import type { Table } from "../records/table.ts";
import { RestError } from "./errors.ts";
import { type QueryParameter, queryText, queryWholeNumber } from "./query.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const MAC_CHARACTERS = 20;

/** The query parameters of every paged list. Specification, "Paging and query rules". */
export const pagingQuery = {
  limit: queryWholeNumber("The most to answer with.", { min: 0, max: MAX_LIMIT, default: DEFAULT_LIMIT }),
  next: queryText("`meta.next` of the page before, together with the same other parameters."),
} satisfies Record<string, QueryParameter>;

/** What a page is of: a cursor is good for the same list and the same parameters only. */
export interface ListRequest {
  readonly platform: Platform;
  /** The path, with its parameters in it. */
  readonly list: string;
  readonly query: Readonly<Record<string, unknown>>;
}

export interface Page<T> {
  readonly items: T[];
  readonly meta: { readonly next: string };
}

/** A list that is not paged. */
export function whole<T>(items: T[]): Page<T> {
  return { items, meta: { next: "" } };
}

/** A page of a table: each record has a place that never changes, so that none is repeated or hidden by others' changes. */
export function pageOf<R extends { readonly id: string }>(
  request: ListRequest,
  table: Table<R>,
  options: { readonly isListed?: (record: R) => boolean; readonly direction?: 1 | -1 } = {},
): Page<R> {
  const { isListed = () => true, direction = 1 } = options;
  const last = lastOf(request);
  const from = last === undefined ? undefined : Number(last) + direction;
  return cut(request, table.places(from, direction), (place) => String(place), isListed);
}

/** Where the page before ended, as its cursor says; undefined for the first page. */
export function lastOf(request: ListRequest): string | undefined {
  const { next } = request.query as { next?: string };
  return next === undefined || next === "" ? undefined : readCursor(request, next);
}

/** The next page of what follows, which is looked at as far as needed. */
export function cut<P, R>(
  request: ListRequest,
  following: Iterable<readonly [place: P, record: R]>,
  positionOf: (place: P, record: R) => string,
  isListed: (record: R) => boolean = () => true,
): Page<R> {
  const { limit } = request.query as { limit: number };
  const items: R[] = [];
  let position = lastOf(request);
  for (const [place, record] of following) {
    if (!isListed(record)) continue;
    if (items.length === limit) return { items, meta: { next: cursor(request, position ?? "") } };
    items.push(record);
    position = positionOf(place, record);
  }
  return { items, meta: { next: "" } };
}

function cursor(request: ListRequest, position: string): string {
  const bytes = new TextEncoder().encode(`${macOf(request, position)}${position}`);
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function readCursor(request: ListRequest, given: string): string | undefined {
  const text = decoded(given) ?? "";
  const position = text.slice(MAC_CHARACTERS);
  if (text.slice(0, MAC_CHARACTERS) === macOf(request, position)) return position || undefined;
  const message = "not a cursor of this list with these parameters: start again without `next`";
  throw new RestError("bad_request", `next: ${message}`, { details: [{ path: "next", message }] });
}

function decoded(given: string): string | undefined {
  try {
    const binary = atob(given.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
  } catch {
    return undefined; // the only way atob has to say that it is not Base64
  }
}

/** What only this simulator can have written for this list. */
function macOf({ platform, list, query }: ListRequest, position: string): string {
  const { limit: _, next: __, ...filters } = query;
  const { seed, startMs, organisationId } = platform.engine.options;
  const parts = [list, Object.entries(filters).sort(), position];
  const mac = hmacOf("sha256", `cursor ${organisationId} ${startMs} ${seed}`, JSON.stringify(parts));
  return toHex(mac).slice(0, MAC_CHARACTERS);
}
