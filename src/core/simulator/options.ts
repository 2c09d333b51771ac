import * as v from "valibot";
import type { JournalEnd, JournalEntry } from "../engine/journal.ts";
import { type DrawnDuration, drawnDuration } from "../foundation/distributions.ts";
import { InputError, type Keys } from "../foundation/errors.ts";
import type { IdStyle } from "../foundation/ids.ts";
import {
  anyObject,
  flag,
  list,
  object,
  oneOf,
  readInput,
  text,
  wholeNumber,
} from "../foundation/input-schemas.ts";
import { type InstantInput, iso, readInstantMs } from "../foundation/instants.ts";
import { Randomness } from "../foundation/random.ts";
import { show } from "../foundation/show.ts";
import { isShallow } from "../foundation/values.ts";
import { toHex } from "../network/hmac.ts";
import type { RequestOrder, Unrouted } from "../network/network.ts";
import { type Assumptions, type AssumptionsInput, readAssumptions } from "../platform/declare/assumptions.ts";
import { type ProfileName, profileNames, profileOf } from "../platform/declare/profile.ts";
import {
  type Dialect,
  type DialectInput,
  dialectSchema,
  readDialect,
  readTiming,
  type SendRequest,
  type Timing,
  type TimingMs,
  type WriteBody,
} from "../platform/declare/settings.ts";
import { readUrls, type Urls, urlsSchema } from "../platform/declare/urls.ts";
import {
  type WebhookOptions,
  type WebhookSettings,
  webhookSettingsSchema,
} from "../platform/declare/webhook-settings.ts";
import { type Client, clientsSchema } from "../platform/organisation/clients.ts";
import type { PhoneNumberReader } from "../platform/organisation/contact-numbers.ts";
import { demoOrganisation } from "../platform/organisation/demo.ts";
import { readOrganisation } from "../platform/organisation/organisation.ts";
import type { Organisation, OrganisationInput } from "../platform/organisation/schema.ts";
import type { AsksFor } from "../platform/organisation/webhook.ts";
import { mustFollowRules, RULES } from "./compatibility.ts";
import { readJournalLines } from "./journal-codec.ts";

/** Options whose organisation's webhooks ask for these types. */
export interface WithWebhooks<Asked extends string> {
  /** The organisation, with its webhooks. */
  readonly organisation?: OrganisationInput & {
    readonly webhooks?: readonly (WebhookInput & AsksFor<Asked>)[] | undefined;
  };
}

type WebhookInput = NonNullable<OrganisationInput["webhooks"]>[number];

/** What `createSimulator` accepts; everything is optional. */
export interface SimulatorOptions {
  /** Seeds all randomness: the same seed and the same commands give byte-identical events and ids. Default 1. */
  readonly seed?: string | number;
  /** The instant at which virtual time starts. Default 2026-07-01T00:00:00.000Z. */
  readonly start?: InstantInput;
  /** How ids look. Default `nanoid`; `counter` gives `call-1`, `call-2` …, which is easier to read in tests. */
  readonly ids?: IdStyle;
  /** Users, teams, numbers and everything else of the organisation. Default: `demoOrganisation`. */
  readonly organisation?: OrganisationInput;
  /** Other default durations, by name. */
  readonly timing?: Partial<Timing>;
  /**
   * Other defaults for `assume`, `timing` and `dialect`, and other shapes of bodies: `observed`, what public bodies and
   * clients of such a platform show. What these options say explicitly wins. Default: none.
   */
  readonly profile?: ProfileName | undefined;
  /** What the platform does where its documentation is silent, by name. Default: see docs/fidelity/events.md#assumptions. */
  readonly assume?: AssumptionsInput;
  /** Other names on the wire. Default: the usual names. */
  readonly dialect?: DialectInput;
  /** How requests travel to endpoints. Default: at once, and accepted without a route. */
  readonly network?: NetworkOptions;
  /** When deliveries are attempted, and when a webhook is disabled. Default: ten attempts in 24 hours. */
  readonly webhooks?: WebhookOptions;
  /** How strict the REST API is. Default: it refuses unknown keys. */
  readonly rest?: RestOptions;
  /** The base URLs in answers, http or https. Default: hosts under `ringback.test`. */
  readonly urls?: Partial<Urls>;
  /** Allows webhooks, data actions and returns at local and private hosts, by http too. Default false. */
  readonly allowLocal?: boolean;
  /** The former name of `allowLocal`. */
  readonly allowLocalWebhooks?: boolean;
  /**
   * Reads contacts' numbers that are not E.164, such as `readPhoneNumber` of `ringback/phone-numbers`. Default: nothing
   * does; such numbers are kept as text and match nobody.
   */
  readonly phoneNumbers?: PhoneNumberReader;
  /** The clients that may ask for access tokens of the REST API; the first is `sim.credentials`. Default: one client, whose secret follows from the seed. */
  readonly clients?: readonly Client[];
  /** How many finished records of each kind to keep, for long runs. Default: all. */
  readonly retain?: Retain;
}

/** The options of `replay`. */
export interface ReplayOptions {
  /**
   * Reads the numbers of contacts that are put after the journal's end, as the option of `createSimulator` does. The journal
   * itself holds what was read.
   */
  readonly phoneNumbers?: PhoneNumberReader | undefined;
  /**
   * The dialect of the run, if a function of it writes bodies: a journal holds the names of a dialect, not its
   * functions. Only `write` and `send` count.
   */
  readonly dialect?: DialectInput | undefined;
}

/** The functions among the options. The others are plain data, which journals hold. */
export interface OptionFunctions {
  /** The option `phoneNumbers`. */
  readonly phoneNumbers: PhoneNumberReader | undefined;
  /** `write` of the option `dialect`. */
  readonly writeBody: WriteBody | undefined;
  /** `send` of the option `dialect`. */
  readonly sendRequest: SendRequest | undefined;
}

/** The functions among options. */
export function functionsOf({ phoneNumbers, dialect }: ReplayOptions): OptionFunctions {
  return { phoneNumbers, writeBody: dialect?.write, sendRequest: dialect?.send };
}

/** How requests travel to endpoints, unless conditions and faults say otherwise. */
export interface NetworkOptions {
  /** What happens to a request without a route: `accept` (200, recorded), `refuse`, or an `error`. @default "accept" */
  readonly unrouted?: Unrouted;
  /** How long requests take to arrive, if no conditions say otherwise. @default no time */
  readonly latency?: DrawnDuration;
  /** The order of requests that arrive at one instant: `fifo`, as they were sent, or `shuffled`. @default "fifo" */
  readonly order?: RequestOrder;
}

/** How strict the REST API is. */
export interface RestOptions {
  /**
   * What happens to an unknown key in a body: `refuse` answers 400; `ignore` drops it, as a newer service does with
   * keys of older clients.
   * @default "refuse"
   */
  readonly unknownKeys?: "refuse" | "ignore";
}

/** How many finished records of each kind to keep; the oldest are dropped first. */
export interface Retain {
  /** How many events to keep. */
  readonly events?: number;
  /** How many closed calls to keep, and as many returns of redirected calls. */
  readonly calls?: number;
  /**
   * How many closed conversations to keep, and as many that are inactive and have no close timer. Of those, the longest inactive
   * is dropped without an event, and the next message of its thread begins another.
   */
  readonly conversations?: number;
  /** How many completed jobs of content analysis to keep, of those made through the API; those of a call go with the call. */
  readonly analyses?: number;
  /** How many notifications to keep. */
  readonly notifications?: number;
  /** How many finished requests to keep, and as many deliveries. */
  readonly requests?: number;
  /** `false` keeps no journal: then there is no replay, `at`, timeline or diagram. */
  readonly journal?: boolean;
}

/** The options with all defaults filled in: plain data, the first part of a journal. */
export interface CompleteOptions {
  /** The seed of all randomness. */
  readonly seed: string | number;
  /** The instant at which virtual time starts: ISO 8601, UTC. */
  readonly start: string;
  /** How ids look. */
  readonly ids: IdStyle;
  /** The whole organisation. */
  readonly organisation: Organisation;
  /** The profile whose shapes bodies have; absent without one. */
  readonly profile?: ProfileName;
  /** All durations, in ms. */
  readonly timing: TimingMs;
  /** What the platform does where its documentation is silent; times in ms. */
  readonly assume: Assumptions;
  /** All names on the wire. */
  readonly dialect: Dialect;
  /** How requests travel to endpoints; the latency in ms. */
  readonly network: v.InferOutput<typeof networkSchema>;
  /** How webhooks are attempted, in ms. */
  readonly webhooks: WebhookSettings;
  /** How strict the REST API is. */
  readonly rest: v.InferOutput<typeof restSchema>;
  /** The base URLs in answers. */
  readonly urls: Urls;
  /** Whether endpoints may be at local and private hosts. */
  readonly allowLocal: boolean;
  /** The clients that may ask for access tokens. */
  readonly clients: readonly Client[];
  /** How many finished records of each kind to keep. */
  readonly retain: Retain;
}

const optional = v.optional;

export const networkSchema = object({
  unrouted: optional(oneOf(["accept", "refuse", "error"]), "accept"),
  latency: optional(drawnDuration),
  order: optional(oneOf(["fifo", "shuffled"]), "fifo"),
});

const restSchema = object({
  unknownKeys: optional(oneOf(["refuse", "ignore"]), "refuse"),
});

const count = optional(wholeNumber(0));

const optionsSchema = object({
  seed: optional(
    v.union(
      [v.string(), v.pipe(v.number(), v.finite("expected a finite number"))],
      "expected text or a number",
    ),
  ),
  start: optional(v.unknown()),
  ids: optional(oneOf(["nanoid", "counter", "uuid"])),
  organisation: optional(v.unknown()),
  profile: optional(oneOf(profileNames)),
  timing: optional(v.unknown()),
  assume: optional(v.unknown()),
  dialect: optional(dialectSchema),
  webhooks: optional(webhookSettingsSchema, {}),
  urls: optional(urlsSchema),
  allowLocal: optional(flag()),
  allowLocalWebhooks: optional(flag()),
  clients: optional(clientsSchema),
  phoneNumbers: optional(
    v.function(
      (issue) =>
        `expected a function, such as readPhoneNumber of ringback/phone-numbers, got ${show(issue.input)}`,
    ),
  ),
  network: optional(networkSchema, {}),
  rest: optional(restSchema, {}),
  retain: optional(
    object({
      events: count,
      calls: count,
      conversations: count,
      analyses: count,
      notifications: count,
      requests: count,
      journal: optional(flag()),
    }),
  ),
});

/** The default start of a run. */
const START = "2026-07-01T00:00:00.000Z";

/**
 * @param root the path of the options in the whole input, for errors
 * @throws {InputError} naming the option, or the path inside the organisation, and what was expected
 */
export function readOptions(input: unknown, root: Keys = []): CompleteOptions {
  const given = readInput(optionsSchema, input ?? {}, root);
  // a path inside an organisation needs no prefix, except in a journal
  const organisationRoot = root.length === 0 ? [] : [...root, "organisation"];
  const seed = given.seed ?? 1;
  // null, such as an empty file, is not an organisation
  const organisationInput = given.organisation === undefined ? demoOrganisation : given.organisation;
  const allowLocal = given.allowLocal ?? given.allowLocalWebhooks ?? false;
  const { profile } = given;
  const defaults = profileOf(profile);
  const dialect = readDialect(given.dialect, root, defaults.dialect);
  const organisation = readOrganisation(organisationInput, organisationRoot, {
    allowLocal,
    declaredTypes: dialect.events,
    phoneNumbers: given.phoneNumbers as PhoneNumberReader | undefined,
  });
  return {
    seed,
    start: given.start === undefined ? START : iso(readInstantMs(given.start, [...root, "start"])),
    ids: given.ids ?? "nanoid",
    organisation,
    ...(profile === undefined ? {} : { profile }),
    timing: readTiming(given.timing, root, defaults.timing),
    assume: readAssumptions(given.assume, root, defaults.assume),
    dialect,
    network: given.network,
    webhooks: given.webhooks,
    rest: given.rest,
    urls: readUrls(given.urls, [...root, "urls"]),
    allowLocal,
    clients: given.clients ?? [defaultClient(seed, organisation.id)],
    retain: given.retain ?? {},
  };
}

/**
 * The options of a run that starts over with some changes. With another profile, everything follows the new one that was
 * as in the old one.
 */
export function withChanges(options: CompleteOptions, changes: SimulatorOptions): SimulatorOptions {
  if (!Object.hasOwn(changes, "profile") || changes.profile === options.profile)
    return { ...options, ...changes };
  const { assume, timing, dialect } = profileOf(options.profile);
  return {
    ...options,
    assume: differing(options.assume, assume),
    timing: differing(options.timing, timing),
    dialect: differing(options.dialect, dialect),
    ...changes,
  };
}

/** The fields that have another value than in the defaults. */
function differing<T extends object>(values: T, defaults: T): Partial<T> {
  const isOther = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(defaults[name as keyof T]);
  return Object.fromEntries(Object.entries(values).filter(isOther)) as Partial<T>;
}

/** The API key of an organisation without the option `clients`: the same for the same seed. */
function defaultClient(seed: string | number, organisationId: string): Client {
  const secret = new Randomness(seed).bytes(`client secret of ${organisationId}`, 32);
  return { id: `${organisationId}-client`, secret: toHex(secret) };
}

/** The secret with which the carrier signs its requests, if the dialect has none: the same for the same seed. */
export function makeVendorSecret({ dialect, seed }: Pick<CompleteOptions, "dialect" | "seed">): string {
  return dialect.vendorSecret ?? toHex(new Randomness(seed).bytes("vendor secret", 32));
}

/** A journal: the options, everything that came from outside, and where the run ended. JSON, which `replay` runs again. */
export interface JournalDocument {
  /** The format's version. */
  readonly ringback: 1;
  /** The version of the rules by which the run was played. A journal of other rules is refused. */
  readonly rules: number;
  /** The options of the run. */
  readonly options: CompleteOptions;
  /**
   * The state from which the run goes on, if the journal was compacted: what came before is gone. Only versions of
   * ringback with the same `layout` read it.
   */
  readonly snapshot?:
    | {
        /** The version of the state's layout. */
        readonly layout: number;
        /** When it was taken: virtual time, ms since the epoch. */
        readonly atMs: number;
        /** How many agenda items had run. */
        readonly step: number;
        /** Parts that are in the state more than once. */
        readonly shared: readonly unknown[];
        /** The state. */
        readonly state: unknown;
      }
    | undefined;
  /** Commands and answers of endpoints, in order. */
  readonly entries: readonly JournalEntry[];
  /** Where the run stood when the journal was taken. */
  readonly end: JournalEnd;
  /** What failed, in a journal that a failing test or exploration left. Replays do not look at it. */
  readonly failed?:
    | {
        /** The name of the test with its suites; where its runner does not tell it, the property. */
        readonly test: string;
        /** The path of the test's file, relative to the folder in which the tests ran; undefined if it is not known. */
        readonly file?: string | undefined;
        /** The line of that file where it failed, from 1; undefined if it is not known. */
        readonly line?: number | undefined;
        /** The failure's message. */
        readonly message: string;
      }
    | undefined;
}

const instantMs = wholeNumber(-8.64e15, 8.64e15);
const step = wholeNumber(0);
const journalSchema = object({
  ringback: v.literal(1, "expected a journal of version 1"),
  rules: optional(wholeNumber(1)),
  options: anyObject("expected the options of a simulator"),
  snapshot: optional(
    object({ layout: step, atMs: instantMs, step, shared: list(v.unknown()), state: v.unknown() }),
  ),
  entries: list(object({ atMs: instantMs, step, command: text(), args: v.unknown() })),
  end: object({ atMs: instantMs, step }),
  failed: optional(
    object({ test: text(), file: optional(text()), line: optional(wholeNumber(1)), message: text() }),
  ),
});

/** The most levels of a journal: a few more than a REST body has. */
const MAX_DEPTH = 200;

/**
 * Reads a journal, from JSON text or from what `journal()` returned.
 * @throws {InputError} naming the path and what was expected, or the rules that changed since it was written
 */
export function readJournal(input: unknown): JournalDocument {
  const document = typeof input === "string" ? (readJournalLines(input) ?? parseJson(input)) : input;
  if (!isShallow(document, MAX_DEPTH))
    throw new InputError(["journal"], `expected JSON of at most ${MAX_DEPTH} levels`);
  const journal = readInput(journalSchema, document, ["journal"]);
  mustFollowRules(journal.rules, "journal", ["journal"]);
  if (journal.snapshot !== undefined) mustHaveLayout(journal.snapshot.layout);
  return { ...journal, rules: RULES, options: readOptions(journal.options, ["journal", "options"]) };
}

/** The version of the layout of snapshots. It rises with each change of the state's structure. */
export const LAYOUT = 3;

/** @throws {InputError} */
function mustHaveLayout(given: number): void {
  if (given === LAYOUT) return;
  throw new InputError(
    ["journal", "snapshot"],
    `snapshot layout ${given} is not supported (this version reads ${LAYOUT})`,
  );
}

/** Where a journal begins: at its snapshot, or at the start of the run. */
export function journalStart({ snapshot, options }: JournalDocument): JournalEnd {
  return snapshot === undefined
    ? { atMs: readInstantMs(options.start, ["start"]), step: 0 }
    : { atMs: snapshot.atMs, step: snapshot.step };
}

function parseJson(input: string): unknown {
  try {
    // editors on Windows may add a byte order mark
    return JSON.parse(input.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new InputError(["journal"], `expected JSON: ${(error as Error).message}`);
  }
}
