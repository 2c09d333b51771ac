import { InputError } from "../engine/errors.ts";
import {
  type DurationInput,
  type InstantInput,
  readDurationMs,
  readInstantMs,
  show,
} from "../engine/instants.ts";
import { equalsInConstantTime, hmacInHex } from "./hmac.ts";

/** How old a delivery may be at most, ms. docs/fidelity.md#limits */
const TOLERANCE_MS = 300_000;

/** In lower case, as all names of headers are here. */
export function timestampHeader(serviceName: string): string {
  return `x-${serviceName.toLowerCase()}-timestamp`;
}

export function signatureHeader(serviceName: string): string {
  return `x-${serviceName.toLowerCase()}-signature`;
}

/**
 * How a delivery is signed: `sha256=` and the hex digest of HMAC-SHA256, keyed with the webhook's secret, over
 * `<timestamp>.<body>`. Rules: docs/fidelity.md#webhook-signatures.
 */
export function webhookSignature(secret: string, timestamp: string, body: string): string {
  return `sha256=${hmacInHex("sha256", secret, `${timestamp}.${body}`)}`;
}

/** What a receiver has of a delivery. */
export interface SignedRequest {
  /** As a `Headers` object, or as an object of names and values; upper and lower case are the same. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body, as it came: text or bytes of UTF-8, not what JSON made of it. */
  readonly body: string | Uint8Array;
  /** The webhook's signing secret. */
  readonly secret: string;
  /** The receiver's clock: in tests, `sim.now`. */
  readonly now: InstantInput;
  /** The service's name in the names of the headers. Default `service`. */
  readonly serviceName?: string;
  /** How old a delivery may be at most. Default 5 minutes. */
  readonly tolerance?: DurationInput;
}

/** Whether a delivery is genuine, and if not, why. */
export interface Verification {
  readonly valid: boolean;
  readonly reason?:
    | "missing_timestamp"
    | "invalid_timestamp"
    | "missing_signature"
    | "expired"
    | "wrong_signature";
}

/**
 * What a receiver should run: the timestamp is at most 5 minutes older than now, and the signature is that of the body.
 * Compares in constant time. Rules: docs/fidelity.md#webhook-signatures.
 * @throws {InputError} when `now` is not an instant, `body` neither text nor bytes, or `secret` no text
 */
export function verifySignature(request: SignedRequest): Verification {
  const { headers, secret, now, serviceName = "service", tolerance = TOLERANCE_MS } = request;
  const nowMs = readInstantMs(now, ["now"]);
  const body = rawText(request.body);
  if (typeof secret !== "string")
    throw new InputError(["secret"], `expected the webhook's signing secret, got ${show(secret)}`);
  const timestamp = headerOf(headers, timestampHeader(serviceName));
  if (timestamp === undefined) return invalid("missing_timestamp");
  const signature = headerOf(headers, signatureHeader(serviceName));
  if (signature === undefined) return invalid("missing_signature");
  if (!/^\d+$/.test(timestamp)) return invalid("invalid_timestamp");
  if (!equalsInConstantTime(signature, webhookSignature(secret, timestamp, body)))
    return invalid("wrong_signature");
  if (nowMs - Number(timestamp) > readDurationMs(tolerance, ["tolerance"])) return invalid("expired");
  return { valid: true };
}

function invalid(reason: NonNullable<Verification["reason"]>): Verification {
  return { valid: false, reason };
}

/** The raw body as text; what a framework has parsed already cannot be verified any more. */
function rawText(body: unknown): string {
  if (typeof body === "string") return body;
  if (ArrayBuffer.isView(body)) return new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
  throw new InputError(
    ["body"],
    `expected the raw body, text or bytes, got ${show(body)}: verify before it is parsed`,
  );
}

function headerOf(headers: SignedRequest["headers"], name: string): string | undefined {
  if (typeof Headers !== "undefined" && headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof found === "string" ? found : found?.[0];
}
