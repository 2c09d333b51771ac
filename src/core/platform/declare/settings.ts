import * as v from "valibot";
import { InputError, type Keys } from "../../foundation/errors.ts";
import {
  duration,
  headerToken,
  list,
  object,
  positiveDuration,
  readInput,
  text,
} from "../../foundation/input-schemas.ts";
import type { DurationInput } from "../../foundation/instants.ts";
import { show } from "../../foundation/show.ts";
import { nearest } from "../../foundation/suggestions.ts";
import { defaultTiming } from "../parts/parts.ts";
import type { PlatformEvent } from "./events.ts";

/** The durations that `createSimulator({ timing })` accepts, each in any accepted form. */
export type Timing = { [Name in keyof typeof defaultTiming]: DurationInput };
export type TimingMs = Readonly<typeof defaultTiming>;

/** The names of fields on the wire, by their names in this project's records. */
export type FieldNames = Readonly<Record<string, string>>;

/** The names that the platform uses on the wire. */
export interface Dialect {
  /** The service's name, used in header names and in the origins of data actions. */
  readonly serviceName: string;
  /** The carrier's name in lower case, used in `vendor` fields and in its header's name. */
  readonly vendor: string;
  /**
   * The secret with which the carrier signs requests. Null: the redirect handler accepts unsigned requests, and the
   * carrier signs its own requests with a secret made from the seed.
   */
  readonly vendorSecret: string | null;
  /** The `type` of directory entries on the wire. */
  readonly directoryTypes: Readonly<Record<DirectoryType, string>>;
  /** The names of fields of REST bodies and webhook deliveries, by their usual names. */
  readonly fieldNames: FieldNames;
  /** Types of events that the service has and its documentation does not name. Absent: none. */
  readonly events?: readonly string[];
}

/**
 * Writes an event as the service does: returns the body, which is sent as JSON, or undefined if the service does not send
 * such an event.
 */
export type WriteBody = (event: PlatformEvent) => unknown;

/** What a dialect's `send` needs to sign a request of a webhook. */
export interface Sending {
  /** The webhook's signing secret. */
  readonly secret: string;
  /** The webhook's URL. */
  readonly url: string;
  /** When the request is signed, in ms: as the assumption `signedAt` says. */
  readonly timestamp: number;
  /** The body that is sent without `send`: the JSON text of what `write` returns, or of the event. */
  readonly body: string;
}

/** The headers and the body of a webhook's request, with its content type and its signature. */
export interface SentContent {
  /** Its headers; their names are sent in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its body as text: JSON, a form, a token. */
  readonly body: string;
}

/**
 * Makes the request of a webhook as the service does, or returns undefined if the service does not send such an event. It is
 * also asked for requests that the service did not send, which `explore` forges, with another secret, event or timestamp.
 */
export type SendRequest = (event: PlatformEvent, sending: Sending) => SentContent | undefined;

const directoryTypeNames = ["user", "team", "device", "trunkUser", "trunkDevice", "trunkGroup"] as const;
type DirectoryType = (typeof directoryTypeNames)[number];

export const defaultDialect: Dialect = {
  serviceName: "service",
  vendor: "vendor",
  vendorSecret: null,
  directoryTypes: {
    user: "userWithAvailability",
    team: "teamWithAvailability",
    device: "device",
    trunkUser: "trunkUser",
    trunkDevice: "trunkDevice",
    trunkGroup: "trunkGroup",
  },
  fieldNames: {},
};

const optional = v.optional;

const dialectEntries = {
  /** The service's name, used in header names and in the origins of data actions. @default "service" */
  serviceName: optional(headerToken()),
  /** The carrier's name in lower case, used in `vendor` fields and in its header's name. @default "vendor" */
  vendor: optional(v.pipe(headerToken(), v.toLowerCase())),
  /** The secret with which the carrier signs requests. With null the redirect handler accepts unsigned ones. @default null */
  vendorSecret: optional(v.nullable(text())),
  /** The `type` of directory entries on the wire. */
  directoryTypes: optional(
    object({
      /** The type of users. @default "userWithAvailability" */
      user: optional(text()),
      /** The type of teams. @default "teamWithAvailability" */
      team: optional(text()),
      /** The type of devices. @default "device" */
      device: optional(text()),
      /** The type of a trunk's users. @default "trunkUser" */
      trunkUser: optional(text()),
      /** The type of a trunk's devices. @default "trunkDevice" */
      trunkDevice: optional(text()),
      /** The type of a trunk's queues. @default "trunkGroup" */
      trunkGroup: optional(text()),
    }),
  ),
  /**
   * The names of fields of REST bodies and webhook deliveries, by their usual names: `{ contactNumber:
   * "customerNumber" }`.
   */
  fieldNames: optional(
    v.pipe(
      v.record(v.string(), text(), "expected an object that maps names to names"),
      v.check(
        (names) => new Set(Object.values(names)).size === Object.keys(names).length,
        "expected a different name for each field",
      ),
    ),
  ),
  /**
   * Types of events that the service has and its documentation does not name. Webhooks may ask for them. In a capture
   * they are drift, and need no explanation.
   */
  events: optional(list(text())),
};

/** A dialect as plain data, as scenarios have it. */
export const dialectNamesSchema = object(dialectEntries);

export const dialectSchema = object({
  ...dialectEntries,
  /** Writes an event as the service does: returns the body, which is sent as JSON; undefined if it sends none. */
  write: optional(functionSchema("a function that writes an event")),
  /** Makes the request of a webhook as the service does: returns its headers and its body; undefined if it sends none. */
  send: optional(functionSchema("a function that makes a request")),
  /** Reads a body of the service: returns the event as the simulator writes it. */
  read: optional(functionSchema("a function that reads a body")),
});

/** What a dialect may have. */
const dialectNames = [...Object.keys(dialectEntries), "write", "send", "read"];

/**
 * The dialect that a module exports: a module may export more, but a misspelt name is refused.
 * @param exported what it exports, by name
 * @throws {InputError} naming the export and what it probably means
 */
export function dialectOfModule(exported: object): DialectInput {
  const missing = dialectNames.filter((name) => !(name in exported));
  for (const name of Object.keys(exported)) {
    const meant = dialectNames.includes(name) ? undefined : nearest(name, missing);
    if (meant !== undefined) throw new InputError(["dialect", name], `did you mean \`${meant}\`?`);
  }
  return Object.fromEntries(Object.entries(exported).filter(([name]) => dialectNames.includes(name)));
}

function functionSchema(what: string) {
  return v.function((issue) => `expected ${what}, got ${show(issue.input)}`);
}

/** What `createSimulator({ dialect })` accepts: names as plain data, and functions, which journals do not hold. */
export interface DialectInput
  extends Omit<v.InferInput<typeof dialectSchema>, "events" | "write" | "send" | "read"> {
  /** Types of events that the service has and its documentation does not name. @default [] */
  readonly events?: readonly string[] | undefined;
  /**
   * Writes an event as the service does: returns the body, which is sent as JSON. If it returns undefined, the service does
   * not send such an event: it happens, and no webhook gets it.
   * @default the event in `fieldNames`
   */
  readonly write?: WriteBody | undefined;
  /**
   * Makes the request of a webhook as the service does: headers and body of any content type, such as forms, tokens, and
   * signatures over the URL and the fields. `write` then writes only what `send` gets as `body`.
   * @default JSON, signed as the platform signs
   */
  readonly send?: SendRequest | undefined;
  /**
   * Reads a body of the service, as captures have them: returns the event as the simulator writes it.
   * @default the body in our names
   */
  readonly read?: ((body: unknown) => unknown) | undefined;
}

const durationNames = Object.keys(defaultTiming) as (keyof TimingMs)[];

export const timingSchema = object(
  Object.fromEntries(
    durationNames.map((name) => [
      name,
      optional(name === "nextOfferTimeout" ? positiveDuration() : duration()),
    ]),
  ) as Record<keyof TimingMs, v.OptionalSchema<ReturnType<typeof duration>, undefined>>,
);

/**
 * @param defaults the durations that the input does not give
 * @throws {InputError} naming the duration
 */
export function readTiming(input: unknown, root: Keys = [], defaults: TimingMs = defaultTiming): TimingMs {
  if (input === undefined) return defaults;
  const given = readInput(timingSchema, input ?? {}, [...root, "timing"]);
  const timing = { ...defaults };
  for (const name of durationNames) timing[name] = given[name] ?? timing[name];
  return timing;
}

/**
 * @param defaults the names that the input does not give
 * @throws {InputError} naming the field
 */
export function readDialect(input: unknown, root: Keys = [], defaults: Dialect = defaultDialect): Dialect {
  if (input === undefined) return defaults;
  const given = readInput(dialectSchema, input ?? {}, [...root, "dialect"]);
  const { serviceName, vendor, vendorSecret, directoryTypes, fieldNames, events = defaults.events } = given;
  const types = { ...defaults.directoryTypes };
  for (const name of directoryTypeNames) types[name] = directoryTypes?.[name] ?? types[name];
  return {
    serviceName: serviceName ?? defaults.serviceName,
    vendor: vendor ?? defaults.vendor,
    vendorSecret: vendorSecret ?? defaults.vendorSecret,
    directoryTypes: types,
    fieldNames: fieldNames ?? defaults.fieldNames,
    ...(events === undefined ? {} : { events }),
  };
}
