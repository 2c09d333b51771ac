import { InputError } from "../foundation/errors.ts";
import {
  type DurationInput,
  type InstantInput,
  readDurationMs,
  readInstantMs,
} from "../foundation/instants.ts";
import { utf8Decoder } from "../foundation/runtime-globals.ts";
import { show } from "../foundation/show.ts";
import { equalsInConstantTime, sha256HmacInHex } from "./hmac.ts";

/** The largest age of a delivery, ms. Rules: docs/fidelity/rest.md#limits. */
export const SIGNATURE_TOLERANCE_MS = 300_000;

/** The name of the header with the timestamp, in lower case as all header names are here. */
export function timestampHeader(serviceName: string): string {
  return `x-${serviceName.toLowerCase()}-timestamp`;
}

export function signatureHeader(serviceName: string): string {
  return `x-${serviceName.toLowerCase()}-signature`;
}

/**
 * How a delivery is signed: `sha256=` and the hex digest of HMAC-SHA256, keyed with the webhook's secret, over
 * `<timestamp>.<body>`. Rules: docs/fidelity/network.md#webhook-signatures.
 */
export function webhookSignature(secret: string, timestamp: string, body: string): string {
  return `sha256=${sha256HmacInHex(secret, `${timestamp}.${body}`)}`;
}

/** The parts of a delivery that an app verifies. */
export interface SignedRequest {
  /** A `Headers` object, or an object of names and values. The case of names does not matter. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body, as text or UTF-8 bytes. A parsed body cannot be verified. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** The webhook's signing secret. */
  readonly secret: string;
  /** The app's time. In tests, pass `sim.now`. */
  readonly now: InstantInput;
  /** The simulator's option `dialect`, or such a module: its `serviceName` is the one in header names. */
  readonly dialect?: { readonly serviceName?: string | undefined } | undefined;
  /** The service's name in header names. Default: that of `dialect`, or else `service`. */
  readonly serviceName?: string;
  /** The largest age of a delivery. Default 5 minutes. */
  readonly tolerance?: DurationInput;
}

/** The result of `verifySignature`: whether the delivery is genuine, and if not, why. */
export interface Verification {
  /** Whether the delivery is genuine and recent. */
  readonly valid: boolean;
  /** Why the delivery is refused; undefined if it is valid. */
  readonly reason?:
    | "missing_timestamp"
    | "invalid_timestamp"
    | "missing_signature"
    | "expired"
    | "wrong_signature"
    | typeof REWRITTEN;
}

/** The reason if the signature is of the body as the platform writes it, with a blank behind the first brace. */
const REWRITTEN =
  "wrong_signature: this is not the body as it came; was it parsed and written again?" as const;

/** Told of each signature that `verifySignature` is asked about. */
const verifications = new Set<(signature: string) => void>();

/** Listens to which signatures are verified. @returns a function that ends it */
export function onVerification(listener: (signature: string) => void): () => void {
  verifications.add(listener);
  return () => verifications.delete(listener);
}

/**
 * Verifies a delivery as an app should: the timestamp is at most 5 minutes older than `now`, and the signature is
 * that of the body. Compares in constant time. Rules: docs/fidelity/network.md#webhook-signatures.
 * @param request the delivery as it was received, and what to verify it with
 * @throws {InputError} if `now` is not an instant in milliseconds, `body` neither text nor bytes, `secret` not text, or
 * `headers` no object
 * @example
 * const { signingSecret } = sim.webhooks.create({ url: "https://crm.test/", events: ["call.started"] });
 * sim.network.route("https://crm.test/", ({ headers, body }) => {
 *   const { valid } = verifySignature({ headers, body, secret: signingSecret, now: sim.now });
 *   return valid ? 204 : 401;
 * });
 * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
 * sim.advance("PT1S");
 * sim.network.requests[0]?.answer?.status; // => 204
 */
export function verifySignature(request: SignedRequest): Verification {
  const { headers, secret, now, dialect, tolerance = SIGNATURE_TOLERANCE_MS } = request;
  const { serviceName = dialect?.serviceName ?? "service" } = request;
  const nowMs = readInstantMs(now, ["now"]);
  const body = rawText(request.body);
  if (typeof secret !== "string")
    throw new InputError(["secret"], `expected the webhook's signing secret, got ${show(secret)}`);
  if (typeof headers !== "object" || headers === null)
    throw new InputError(["headers"], `expected the request's headers, got ${show(headers)}`);
  const timestamp = findHeader(headers, timestampHeader(serviceName));
  if (timestamp === undefined) return invalid("missing_timestamp");
  const signature = findHeader(headers, signatureHeader(serviceName));
  if (signature === undefined) return invalid("missing_signature");
  for (const listener of verifications) listener(signature);
  if (!/^\d+$/.test(timestamp)) return invalid("invalid_timestamp");
  const matches = (each: string) =>
    equalsInConstantTime(signature, webhookSignature(secret, timestamp, each));
  if (!matches(body)) return invalid(matches(body.replace("{", "{ ")) ? REWRITTEN : "wrong_signature");
  mustBeInMs(nowMs, Number(timestamp));
  if (nowMs - Number(timestamp) > readDurationMs(tolerance, ["tolerance"])) return invalid("expired");
  return { valid: true };
}

/**
 * Refuses an app's time in seconds: every delivery would be from the future, so none too old. Asked only of a signed
 * timestamp, since a header that anyone may write must not make an app fail.
 * @throws {InputError}
 */
function mustBeInMs(nowMs: number, timestampMs: number): void {
  if (Math.abs(nowMs * 1000 - timestampMs) >= timestampMs / 10) return;
  throw new InputError(
    ["now"],
    `expected milliseconds since the epoch, got ${nowMs}, which seems to be seconds`,
  );
}

function invalid(reason: NonNullable<Verification["reason"]>): Verification {
  return { valid: false, reason };
}

/** Returns the raw body as text. A body that a framework has parsed cannot be verified. */
function rawText(body: unknown): string {
  if (typeof body === "string") return body;
  if (ArrayBuffer.isView(body) || isArrayBuffer(body)) return utf8Decoder({ ignoreBOM: true }).decode(body);
  throw new InputError(
    ["body"],
    `expected the raw body, text or bytes, got ${show(body)}: verify before it is parsed`,
  );
}

/** By its tag, since test runners have classes of their own. */
function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === "[object ArrayBuffer]";
}

/** A header's first value; undefined if it is missing, or no text. */
function findHeader(headers: SignedRequest["headers"], name: string): string | undefined {
  // by its method, since there are many classes of headers
  const found: unknown =
    typeof headers.get === "function"
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  const first: unknown = Array.isArray(found) ? found[0] : found;
  return typeof first === "string" ? first : undefined;
}
