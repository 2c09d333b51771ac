import { utf8Decoder } from "../foundation/runtime-globals.ts";
import { RestError } from "../platform/declare/rest-errors.ts";

/** docs/fidelity/rest.md#limits */
const MAX_MEGABYTES = 6;
export const MAX_BYTES = MAX_MEGABYTES * 1024 * 1024;
/** Deeper than any valid body, so that recursive code is safe. */
const MAX_DEPTH = 50;
/** More than 6 MB of usual contacts have. The cost of a body grows with its values, not with its bytes. */
const MAX_OBJECTS = 100_000;
const MAX_VALUES = 400_000;

/** The bodies read so far: a body can be read only once, but the record of the request needs it too. */
const textByRequest = new WeakMap<Request, string>();

/** The body of a request, even if it was read before; empty if it cannot be read. */
export async function bodyText(request: Request): Promise<string> {
  const known = textByRequest.get(request);
  if (known !== undefined || request.body === null || request.bodyUsed) return known ?? "";
  try {
    return await readText(request);
  } catch {
    return ""; // too long, cut off or not UTF-8: the answer says so
  }
}

/**
 * The text of a body.
 * @throws {RestError} `payload_too_large`; `unsupported_media_type` if it is compressed; `bad_request` if it is not UTF-8
 */
export async function readText(request: Request): Promise<string> {
  mustBePlain(request);
  const tooLarge = () =>
    new RestError("payload_too_large", `expected a body of at most ${MAX_MEGABYTES} MB (${MAX_BYTES} bytes)`);
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BYTES) throw tooLarge();
  const chunks = await readChunks(request, tooLarge);
  try {
    const decoder = utf8Decoder({ fatal: true });
    const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
    textByRequest.set(request, text);
    return text;
  } catch {
    throw new RestError("bad_request", "expected a body in UTF-8");
  }
}

function mustBePlain({ body, headers }: Request): void {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (body === null || encoding === "" || encoding === "identity") return;
  throw new RestError(
    "unsupported_media_type",
    `expected a body without content-encoding, got ${encoding}: send it as it is`,
    { headers: { "accept-encoding": "identity" } },
  );
}

/** Counts the bytes read: a `content-length` may be wrong or missing. */
async function readChunks({ body }: Request, tooLarge: () => RestError): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  if (body === null) return chunks;
  const reader = body.getReader();
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return chunks;
    size += value.byteLength;
    if (size > MAX_BYTES) {
      await reader.cancel();
      throw tooLarge();
    }
    chunks.push(value);
  }
}

/**
 * The JSON of a body; undefined if it is empty.
 * @throws {RestError} as `readText`; `unsupported_media_type` for another content type, `bad_request` for other text
 */
export async function readJson(request: Request): Promise<unknown> {
  const text = await readText(request);
  if (text === "") return undefined;
  const type = mediaTypeOf(request);
  if (type !== "application/json" && !/^application\/[^/]+\+json$/.test(type)) {
    throw new RestError(
      "unsupported_media_type",
      `expected a body of content type application/json, got ${type || "none"}`,
    );
  }
  const value = parseJson(text);
  mustBeWithinLimits(value);
  return value;
}

/** @throws {RestError} for more levels or values than any valid body has, which would take too long to read */
function mustBeWithinLimits(body: unknown): void {
  let [objects, values] = [0, 0];
  const shown = (limit: number) => limit.toLocaleString("en");
  const visit = (value: unknown, levels: number): void => {
    if (++values > MAX_VALUES)
      throw new RestError(
        "bad_request",
        `expected JSON of at most ${shown(MAX_VALUES)} values: send it in parts`,
      );
    if (typeof value !== "object" || value === null) return;
    if (levels === 0) throw new RestError("bad_request", `expected JSON of at most ${MAX_DEPTH} levels`);
    if (!Array.isArray(value) && ++objects > MAX_OBJECTS)
      throw new RestError(
        "bad_request",
        `expected JSON of at most ${shown(MAX_OBJECTS)} objects: send it in parts`,
      );
    for (const each of Object.values(value)) visit(each, levels - 1);
  };
  visit(body, MAX_DEPTH);
}

/** The content type without its parameters, in lower case. */
export function mediaTypeOf(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RestError("bad_request", `expected a body that is JSON: ${(error as Error).message}`);
  }
}
