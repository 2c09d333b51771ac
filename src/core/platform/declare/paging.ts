import type { Engine } from "../../engine/engine.ts";
import { utf8Decoder, utf8Encoder } from "../../foundation/runtime-globals.ts";
import { sha256HmacInHex, toBase64 } from "../../network/hmac.ts";
import type { Table } from "../../records/table.ts";
import { type QueryParameter, queryText, queryWholeNumber } from "./query.ts";
import { RestError } from "./rest-errors.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const MAC_CHARACTERS = 20;

/** The query parameters of every paged list. Rules: docs/fidelity/rest.md#paging. */
export const pagingQuery = {
  limit: queryWholeNumber("The most to answer with.", { min: 0, max: MAX_LIMIT, default: DEFAULT_LIMIT }),
  next: queryText(
    "`meta.next` of the page before. Alone it goes on as that began. `limit` may change beside it; another parameter must say the same.",
  ),
} satisfies Record<string, QueryParameter>;

/** What a cursor depends on: the options of the run that it is of. */
interface Run {
  readonly engine: Pick<Engine, "options">;
}

/** The list and parameters of a page. A cursor is valid only for the same list and parameters. */
export interface ListRequest {
  readonly platform: Run;
  /** The path with its parameters. */
  readonly list: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** Where the previous page ended; undefined for the first page. */
  readonly cursor: string | undefined;
}

export interface ResultPage<T> {
  readonly items: T[];
  readonly meta: { readonly next: string };
}

/** The single page of a list that is not paged. */
export function singlePage<T>(items: T[]): ResultPage<T> {
  return { items, meta: { next: "" } };
}

/** Creates a page of a table. Ordinals never change, so changes of other records never repeat or hide one. */
export function listPage<R extends { readonly id: string }>(
  request: ListRequest,
  table: Table<R>,
  options: { readonly isListed?: (record: R) => boolean; readonly direction?: 1 | -1 } = {},
): ResultPage<R> {
  const { isListed = () => true, direction = 1 } = options;
  const from = request.cursor === undefined ? undefined : Number(request.cursor) + direction;
  return nextPage(request, table.fromOrdinal(from, direction), (place) => String(place), isListed);
}

/** Creates the next page, and reads only one record ahead. */
export function nextPage<P, R>(
  request: ListRequest,
  following: Iterable<readonly [place: P, record: R]>,
  findPosition: (place: P, record: R) => string,
  isListed: (record: R) => boolean = () => true,
): ResultPage<R> {
  const { limit = Number.POSITIVE_INFINITY } = request.query as { limit?: number };
  const items: R[] = [];
  let position = request.cursor;
  for (const [place, record] of following) {
    if (!isListed(record)) continue;
    if (items.length === limit) return { items, meta: { next: writeCursor(request, position ?? "") } };
    items.push(record);
    position = findPosition(place, record);
  }
  return { items, meta: { next: "" } };
}

/** The content of a cursor: where the page ended, and the parameters of the list. */
interface Cursor {
  readonly position: string;
  readonly query: Readonly<Record<string, unknown>>;
}

function writeCursor({ platform, list, query }: ListRequest, position: string): string {
  const { next: _, limit, ...filters } = query;
  // a limit of 0 is left out: further pages would be empty
  const carried = { ...filters, ...(limit === 0 ? {} : { limit }) };
  const text = JSON.stringify({ position, query: carried } satisfies Cursor);
  const bytes = utf8Encoder().encode(`${makeMac(platform, list, text)}${text}`);
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * Adds a cursor's parameters to the query of a request.
 * @param read the whole query, with defaults for missing parameters
 * @param given the names of the parameters in the request
 * @throws {RestError} `bad_request` for another list's cursor, or a filter or an order that differs from the cursor's
 */
export function withCursor<Query extends Readonly<Record<string, unknown>>>(
  { platform, list }: Pick<ListRequest, "platform" | "list">,
  read: Query,
  given: ReadonlySet<string>,
): { readonly query: Query; readonly cursor: string | undefined } {
  const { next } = read;
  if (typeof next !== "string" || next === "") return { query: read, cursor: undefined };
  const { position, query } = readCursor(platform, list, next);
  for (const [name, value] of Object.entries(read)) {
    if (name === "next" || name === "limit" || !given.has(name)) continue;
    if (value !== query[name])
      throw wrongCursor(
        `the list began with ${name}=${query[name] ?? "(none)"}, not ${value}: leave it out, or start again without \`next\``,
      );
  }
  return { query: { ...read, ...withoutGiven(query, given) }, cursor: position || undefined };
}

function withoutGiven(query: Cursor["query"], given: ReadonlySet<string>): Cursor["query"] {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !given.has(name)));
}

function readCursor(platform: Run, list: string, given: string): Cursor {
  const signed = decode(given) ?? "";
  const text = signed.slice(MAC_CHARACTERS);
  if (signed.slice(0, MAC_CHARACTERS) === makeMac(platform, list, text)) return JSON.parse(text) as Cursor;
  throw wrongCursor("not a cursor of this list: start again without `next`");
}

function wrongCursor(message: string): RestError {
  return new RestError("bad_request", `next: ${message}`, { details: [{ path: "next", message }] });
}

function decode(given: string): string | undefined {
  try {
    const binary = atob(given.replaceAll("-", "+").replaceAll("_", "/"));
    return utf8Decoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
  } catch {
    return undefined; // atob throws for text that is not Base64
  }
}

/** The authentication code of a cursor of this simulator and list. */
function makeMac({ engine }: Run, list: string, text: string): string {
  const { seed, startMs, organisationId } = engine.options;
  const key = `cursor ${organisationId} ${startMs} ${seed}`;
  return sha256HmacInHex(key, JSON.stringify([list, text])).slice(0, MAC_CHARACTERS);
}
