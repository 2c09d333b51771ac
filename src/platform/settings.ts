import * as v from "valibot";
import type { Keys } from "../engine/errors.ts";
import { duration, headerToken, object, positiveDuration, readInput, text } from "../engine/input.ts";
import type { DurationInput } from "../engine/instants.ts";

/** Every default duration of the platform, ms, by name. `docs/fidelity.md` says where each comes from. */
export const defaultTiming = {
  /** How long a user's or device's endpoints ring. */
  ringTimeout: 30_000,
  /** How long a team has for a call, from its joining the team's queue. */
  teamTimeout: 60_000,
  /** How long one tier of a team rings before the next does. */
  nextOfferTimeout: 20_000,
  /** The greeting before the tone. */
  voicemailGreeting: 5_000,
  /** The longest message. */
  voicemailMaxMessage: 180_000,
  /** A shorter message is none. */
  voicemailMinMessage: 1_000,
  /** From the end of the call to `call.recording.available`. */
  recordingAvailable: 5_000,
  /** From the end of the call to `call.transcript.created`. */
  transcriptCreated: 30_000,
  /** From the end of the call to `content_analysis.completed`; of a job made through the API, from its creation. */
  contentAnalysisCompleted: 60_000,
  /** From the end of the call to `call.tariffed`. */
  callTariffed: 90_000,
  /** From the last update of a conversation to `conversation.inactive`. */
  conversationInactive: 86_400_000,
  /** From a message that begins a group to its conversation and `conversation.message.created`. */
  groupMessageCreated: 1_000,
  /** How long an endpoint may take to answer; an answer on the very limit counts. */
  endpointTimeout: 5_000,
  /** How long an access token of the REST API is good for. */
  accessTokenLifetime: 3_600_000,
  /** How long a recording's URL is good for. */
  recordingUrlLifetime: 7 * 86_400_000,
};

/** The durations that `createSimulator({ timing })` accepts, each in any public form. */
export type Timing = Record<keyof typeof defaultTiming, DurationInput>;
export type TimingMs = Readonly<typeof defaultTiming>;

/** Names on the wire by the names of this project's records. */
export type FieldNames = Readonly<Record<string, string>>;

/** What the platform calls itself and its types. */
export interface Dialect {
  /** The service's own name, in the names of headers and in the origins of data actions. */
  readonly serviceName: string;
  /** The carrier's name in `vendor` fields and in the name of its header, in lower case. */
  readonly vendor: string;
  /**
   * What the carrier signs its requests with. Null: requests to the redirect handler are taken unsigned, and the carrier
   * signs its own with a secret that follows from the seed.
   */
  readonly vendorSecret: string | null;
  /** The directory's names for its types. */
  readonly directoryTypes: Readonly<Record<DirectoryType, string>>;
  /** Renamed fields of REST bodies and webhook deliveries, by their own names. */
  readonly fieldNames: FieldNames;
}

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

export const dialectSchema = object({
  serviceName: optional(headerToken()),
  vendor: optional(v.pipe(headerToken(), v.toLowerCase())),
  vendorSecret: optional(v.nullable(text())),
  directoryTypes: optional(
    object({
      user: optional(text()),
      team: optional(text()),
      device: optional(text()),
      trunkUser: optional(text()),
      trunkDevice: optional(text()),
      trunkGroup: optional(text()),
    }),
  ),
  fieldNames: optional(
    v.pipe(
      v.record(v.string(), text(), "expected an object that maps names to names"),
      v.check(
        (names) => new Set(Object.values(names)).size === Object.keys(names).length,
        "expected a different name for each field",
      ),
    ),
  ),
});

/** What `createSimulator({ dialect })` accepts. */
export type DialectInput = v.InferInput<typeof dialectSchema>;

const durationNames = Object.keys(defaultTiming) as (keyof TimingMs)[];

export const timingSchema = object(
  Object.fromEntries(
    durationNames.map((name) => [
      name,
      optional(name === "nextOfferTimeout" ? positiveDuration() : duration()),
    ]),
  ) as Record<keyof TimingMs, v.OptionalSchema<ReturnType<typeof duration>, undefined>>,
);

/** @throws {InputError} naming the duration. */
export function readTiming(input: unknown, root: Keys = []): TimingMs {
  if (input === undefined) return { ...defaultTiming }; // as nearly all do, once for each simulator
  const given = readInput(timingSchema, input ?? {}, [...root, "timing"]);
  const timing = { ...defaultTiming };
  for (const name of durationNames) timing[name] = given[name] ?? timing[name];
  return timing;
}

/** @throws {InputError} naming the field. */
export function readDialect(input: unknown, root: Keys = []): Dialect {
  const given = readInput(dialectSchema, input ?? {}, [...root, "dialect"]);
  const { serviceName, vendor, vendorSecret, directoryTypes, fieldNames } = given;
  const types = { ...defaultDialect.directoryTypes };
  for (const name of directoryTypeNames) types[name] = directoryTypes?.[name] ?? types[name];
  return {
    serviceName: serviceName ?? defaultDialect.serviceName,
    vendor: vendor ?? defaultDialect.vendor,
    vendorSecret: vendorSecret ?? defaultDialect.vendorSecret,
    directoryTypes: types,
    fieldNames: fieldNames ?? defaultDialect.fieldNames,
  };
}
