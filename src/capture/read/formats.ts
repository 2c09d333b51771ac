import { utf8Decoder } from "../../core/foundation/runtime-globals.ts";
import { isRecord } from "../../core/foundation/values.ts";
import type { CaptureFormat } from "./capture.ts";
import { readLooseValue } from "./loose-json.ts";

/** A request as a format has it, unchecked. */
export interface RawRequest {
  /** Undefined if the format does not say; then all requests went to one app. */
  readonly url?: unknown;
  readonly method?: unknown;
  readonly receivedAt?: unknown;
  /** A value may be a list. */
  readonly headers: readonly (readonly [name: string, value: unknown])[];
  /** The text that was sent, or a body that a tool has parsed. */
  readonly body: unknown;
  readonly status?: unknown;
  readonly responseMs?: unknown;
  /** The event's id, if the format has it outside the body. */
  readonly eventId?: unknown;
}

type Row = Readonly<Record<string, unknown>>;

/** How to recognise and read a request of each format. */
const readers: {
  readonly [Format in CaptureFormat]: { isRow(row: Row): boolean; read(row: Row): RawRequest };
} = {
  jsonl: {
    isRow: (row) => "body" in row && ("receivedAt" in row || "headers" in row) && !("request" in row),
    read: ({ method, path, receivedAt, headers, body, encoding, status, responseMs }) => ({
      method,
      url: path,
      receivedAt,
      headers: headersIn(headers),
      body: encoding === "base64" ? decodeBase64(body) : body,
      status,
      responseMs,
    }),
  },
  portal: {
    isRow: (row) => "requestBody" in row,
    read: ({
      eventId,
      requestBody,
      responseTimeMs,
      status,
      headers,
      requestHeaders,
      receivedAt,
      createdAt,
      timestamp,
    }) => ({
      receivedAt: receivedAt ?? createdAt ?? timestamp,
      headers: headersIn(headers ?? requestHeaders),
      body: requestBody,
      status,
      responseMs: responseTimeMs,
      eventId,
    }),
  },
  "webhook.site": {
    isRow: (row) => "content" in row && ("uuid" in row || "token_id" in row),
    read: ({ method, url, created_at, headers, content }) => ({
      method,
      url,
      receivedAt: created_at,
      headers: headersIn(headers),
      body: content,
    }),
  },
  hookdeck: {
    isRow: (row) => isRecord(row.data) && "body" in row.data && !("type" in row),
    read: ({ data, ingested_at, created_at, response_status }) => {
      const { headers, body } = data as Row;
      return {
        receivedAt: ingested_at ?? created_at,
        headers: headersIn(headers),
        body,
        status: response_status,
      };
    },
  },
  ngrok: {
    isRow: (row) => isRecord(row.request) && "raw" in row.request,
    read: ({ start, duration, request, response }) => {
      const { method, uri, headers, raw } = request as Row;
      const text = decodeBase64(raw);
      const end = typeof text === "string" ? text.indexOf("\r\n\r\n") : -1;
      return {
        method,
        url: uri,
        receivedAt: start,
        headers: headersIn(headers),
        body: typeof text === "string" ? text.slice(end < 0 ? 0 : end + 4) : undefined,
        status: isRecord(response) ? response.status_code : undefined,
        // the agent counts nanoseconds
        responseMs: typeof duration === "number" ? duration / 1_000_000 : undefined,
      };
    },
  },
  har: {
    isRow: (row) => isRecord(row.request) && "startedDateTime" in row,
    read: ({ startedDateTime, time, request, response }) => {
      const { method, url, headers, postData } = request as Row;
      return {
        method,
        url,
        receivedAt: startedDateTime,
        headers: headersIn(headers),
        body: isRecord(postData) ? postData.text : undefined,
        status: isRecord(response) ? response.status : undefined,
        responseMs: time,
      };
    },
  },
  folder: {
    isRow: (row) => typeof row.type === "string",
    read: (row) => ({ headers: [], body: row }),
  },
};

/** The order in which formats are tried. A raw body is last, since a row of any format may look like one. */
const recognitionOrder: readonly CaptureFormat[] = [
  "jsonl",
  "portal",
  "webhook.site",
  "ngrok",
  "har",
  "hookdeck",
  "folder",
];

/** The format of a row; undefined if none fits. */
export function formatOf(row: unknown): CaptureFormat | undefined {
  return isRecord(row) ? recognitionOrder.find((format) => readers[format].isRow(row)) : undefined;
}

/** Reads a row. Undefined if it is not of the format. */
export function readRow(format: CaptureFormat, row: unknown): RawRequest | undefined {
  return isRecord(row) && (format === "folder" || readers[format].isRow(row))
    ? readers[format].read(row)
    : undefined;
}

/** The rows of a document: the list in a tool's export, or the document itself. */
export function rowsIn(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document;
  if (!isRecord(document)) return [document];
  const { log, requests, models, data } = document;
  if (isRecord(log) && Array.isArray(log.entries)) return log.entries;
  for (const list of [requests, models, data]) if (Array.isArray(list)) return list;
  return [document];
}

function headersIn(headers: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(headers))
    return headers.flatMap((each) =>
      isRecord(each) && typeof each.name === "string" ? [[each.name, each.value] as const] : [],
    );
  return isRecord(headers) ? Object.entries(headers) : [];
}

/** A header by a pattern of its name. Of a list of values the first. */
export function headerIn(
  headers: RawRequest["headers"],
  pattern: RegExp,
): { readonly name: string; readonly value: string } | undefined {
  for (const [name, given] of headers) {
    if (!pattern.test(name)) continue;
    const value: unknown = Array.isArray(given) ? given[0] : given;
    if (typeof value === "string" || typeof value === "number") return { name, value: String(value) };
  }
  return undefined;
}

/** Decodes base64 text; undefined if it is none. */
function decodeBase64(base64: unknown): string | undefined {
  if (typeof base64 !== "string") return undefined;
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return utf8Decoder({ ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // the caller reports a request without a body
  }
}

/**
 * Finds the rows in a text that is no JSON document: JSON values one after another, or a log copied from its viewer, which
 * has neither quotes nor commas.
 */
export function rowsInPaste(text: string): { readonly line: number; readonly row: unknown }[] {
  const viewed = rowsInView(text);
  if (viewed.length > 0) return viewed;
  const found: { line: number; row: unknown }[] = [];
  const lineAt = lineCounter(text);
  for (let start = text.indexOf("{"); start >= 0; ) {
    const end = endOfValue(text, start);
    const row = end === undefined ? undefined : parseJson(text.slice(start, end));
    if (row !== undefined) found.push({ line: lineAt(start), row });
    // skips a brace that opens no value, and does not look for rows inside a value
    start = text.indexOf("{", row === undefined || end === undefined ? start + 1 : end);
    if (found.length === 0 && start > MAX_PROLOGUE) break;
  }
  return found;
}

/** How far into a text the first JSON value may start. Each brace before it costs a scan of the rest. */
const MAX_PROLOGUE = 10_000;

const labelPattern = (name: string) => new RegExp(`["']?\\b${name}\\b["']?\\s*[:=]?\\s*`, "g");

/** The rows of a log as its viewer shows it: `requestBody`, then the value. */
function rowsInView(text: string): { readonly line: number; readonly row: unknown }[] {
  const bodies = [...text.matchAll(labelPattern("requestBody"))];
  if (bodies.length === 0) return [];
  const ids = [...text.matchAll(labelPattern("eventId"))].map(({ index }) => index);
  const starts = bodies.map(({ index }) => ids.findLast((id) => id < index) ?? index);
  const lineAt = lineCounter(text);
  return bodies.flatMap(({ index, 0: { length } }, number) => {
    const from = index + length;
    const strict = endOfValue(text, from);
    const parsed = strict === undefined ? undefined : parseJson(text.slice(from, strict));
    const loose = parsed === undefined ? readLooseValue(text, from) : undefined;
    const to = loose?.end ?? strict;
    if (to === undefined) return [];
    const around = `${text.slice(starts[number], index)}\n${text.slice(to, starts[number + 1] ?? text.length)}`;
    const row = {
      requestBody: parsed ?? loose?.value,
      eventId: fieldNear(around, "eventId", /[\w-]+/),
      status: Number(fieldNear(around, "status", /\d{3}\b/) ?? Number.NaN),
      responseTimeMs: Number(fieldNear(around, "responseTimeMs", /\d+/) ?? Number.NaN),
    };
    return row.requestBody === undefined ? [] : [{ line: lineAt(index), row }];
  });
}

function fieldNear(text: string, name: string, value: RegExp): string | undefined {
  const pattern = new RegExp(`["']?\\b${name}\\b["']?\\s*[:=]?\\s*["']?(${value.source})`);
  return pattern.exec(text.slice(0, 10_000))?.[1];
}

/** Where the JSON string, object or list at an index ends; undefined if it does not end. */
function endOfValue(text: string, start: number): number | undefined {
  const first = text[start];
  if (first === '"') return endOfText(text, start);
  if (first !== "{" && first !== "[") return undefined;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const end = endOfText(text, at);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function endOfText(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1;
  }
  return undefined;
}

/** Returns a function from index to line number. It must be called with ascending indexes. */
function lineCounter(text: string): (index: number) => number {
  let [line, counted] = [1, 0];
  return (index) => {
    for (let at = text.indexOf("\n", counted); at >= 0 && at < index; at = text.indexOf("\n", at + 1)) {
      line++;
      counted = at + 1;
    }
    return line;
  };
}

/** Parses JSON; undefined if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller reports it with the line
  }
}
