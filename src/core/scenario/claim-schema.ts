import * as v from "valibot";
import { InputError, type Keys } from "../foundation/errors.ts";
import {
  duration,
  flag,
  list,
  object,
  oneOf,
  readInput,
  text,
  wholeNumber,
} from "../foundation/input-schemas.ts";
import { show } from "../foundation/show.ts";
import { isRecord } from "../foundation/values.ts";
import { eventTypes } from "../platform/declare/events.ts";

/** The vocabulary of `when` in a scenario's questions: what can be said of a run, and tried by playing it. */

const optional = v.optional;
const eventType = oneOf(eventTypes);

const partOfData = v.record(
  v.string(),
  v.unknown(),
  (issue) => `expected a part of the data, got ${show(issue.input)}`,
);

/** A call, by the name that a step gives it. */
const call = optional(text());
/** How many there are. Default: at least one. */
const times = optional(wholeNumber(0));
/** An instant, from the start. */
const at = optional(duration());
/** The name that `createWebhook` gave a webhook by `as`. */
const webhook = optional(text());

/** A period of somebody: the instant within it, its begin and its end. */
const period = { call, at, from: optional(duration()), to: optional(duration()), times };

/** What happens at an instant, or lasts from one to another. */
const occurrences = {
  rings: object({ rings: text(), endpoint: optional(text()), ...period }),
  talks: object({ talks: text(), ...period }),
  waits: object({ waits: text(), in: optional(text()), ...period }),
  voicemail: object({ voicemail: text(), ...period }),
  event: object({
    ...{ event: eventType, of: optional(text()), nth: optional(wholeNumber(1)), match: optional(partOfData) },
    ...{ at, times },
  }),
  attempt: object({
    ...{ attempt: eventType, of: optional(text()), webhook, number: optional(wholeNumber(1)), at },
    ...{ status: optional(wholeNumber(100, 599)), failure: optional(text()), ended: optional(duration()) },
    ...{ duplicate: optional(flag()), times },
  }),
  gets: object({
    gets: text(),
    ...{ event: optional(eventType), of: optional(text()), match: optional(partOfData) },
    ...{ nth: optional(wholeNumber(1)), at, times },
  }),
};

/** What is so at an instant, at the end, or of the whole run. */
const facts = {
  free: object({ free: text(), at }),
  outcome: object({
    outcome: text(),
    is: oneOf(["answered", "missed", "abandoned", "unanswered", "blocked"]),
    reason: optional(text()),
  }),
  delivery: object({
    ...{ delivery: eventType, of: optional(text()), webhook },
    is: oneOf(["pending", "delivered", "givenUp", "dropped"]),
    ...{ reason: optional(oneOf(["rejected", "exhausted", "disabled", "deleted"])), times },
  }),
  webhook: object({ webhook: text(), is: oneOf(["enabled", "disabled", "deleted"]), at }),
  order: object({
    order: v.pipe(list(eventType), v.minLength(2, "expected two types of events or more")),
    of: optional(text()),
    gets: optional(text()),
  }),
};

/** What happens in a run, as `from` and `to` of a delay take it. */
export const occurrenceSchema = v.union(Object.values(occurrences));

const delay = object({
  delay: object({ from: occurrenceSchema, to: occurrenceSchema }),
  is: optional(duration()),
  atLeast: optional(duration()),
  atMost: optional(duration()),
});

const single = { ...occurrences, ...facts, delay };

/** A claim about a run, without `not` and `any`. */
export const plainClaimSchema = v.union(Object.values(single));

/** A claim about a run, for the editor. */
export const claimSchema = v.union([
  plainClaimSchema,
  object({ not: plainClaimSchema }),
  object({ any: list(plainClaimSchema) }),
]);

type Occurrences = { readonly [Kind in keyof typeof occurrences]: v.InferOutput<(typeof occurrences)[Kind]> };
type Facts = { readonly [Kind in keyof typeof facts]: v.InferOutput<(typeof facts)[Kind]> };

/** Something that happens in a run: a period of somebody, an event, a request. */
export type Occurrence = {
  [Kind in keyof Occurrences]: { readonly kind: Kind } & Occurrences[Kind];
}[keyof Occurrences];

/** A claim about a run. */
export type Claim =
  | Occurrence
  | { [Kind in keyof Facts]: { readonly kind: Kind } & Facts[Kind] }[keyof Facts]
  | {
      readonly kind: "delay";
      readonly from: Occurrence;
      readonly to: Occurrence;
      readonly is: number | undefined;
      readonly atLeast: number | undefined;
      readonly atMost: number | undefined;
    }
  | { readonly kind: "not"; readonly claim: Claim }
  | { readonly kind: "any"; readonly claims: readonly Claim[] };

/** The first keys of claims: the words of the vocabulary. */
export const claimKinds: readonly string[] = [...Object.keys(single), "not", "any"];

/** What a claim names, with the keys that lead to it. */
export interface ClaimName {
  readonly keys: Keys;
  readonly is: "person" | "call" | "webhook" | "endpoint" | "subject" | "team";
  readonly name: string;
}

/** Reads a claim. @throws {InputError} */
export function readClaim(item: unknown, keys: Keys): Claim {
  const kind = readKind(item, keys, claimKinds);
  const given = item as Readonly<Record<string, unknown>>;
  if (kind === "not") {
    readInput(object({ not: v.unknown() }), item, keys);
    return { kind, claim: readClaim(given.not, [...keys, "not"]) };
  }
  if (kind === "any") {
    const { any } = readInput(object({ any: list(v.unknown()) }), item, keys);
    return { kind, claims: any.map((each, index) => readClaim(each, [...keys, "any", index])) };
  }
  if (kind !== "delay") return readSimple(kind, item, keys);
  return readDelay(item, keys);
}

function readDelay(item: unknown, keys: Keys): Claim {
  const outer = object({ ...delay.entries, delay: object({ from: v.unknown(), to: v.unknown() }) });
  const { delay: ends, ...limits } = readInput(outer, item, keys, ({ is, atLeast, atMost }) =>
    is === undefined && atLeast === undefined && atMost === undefined
      ? [{ keys: [], message: "expected `is`, `atLeast` or `atMost`: how long the delay is" }]
      : [],
  );
  const [from, to] = (["from", "to"] as const).map((end) => {
    const place = [...keys, "delay", end];
    return readSimple(readKind(ends[end], place, Object.keys(occurrences)), ends[end], place) as Occurrence;
  });
  return { kind: "delay", ...{ from, to }, ...limits } as Claim;
}

function readSimple(kind: string, item: unknown, keys: Keys): Claim {
  const schema = { ...occurrences, ...facts }[kind as keyof typeof occurrences];
  return { kind, ...(readInput(schema as v.GenericSchema, item, keys) as object) } as Claim;
}

/** The first key of a claim that is a word of the vocabulary. */
function readKind(item: unknown, keys: Keys, kinds: readonly string[]): string {
  const found = isRecord(item) ? kinds.filter((kind) => Object.hasOwn(item, kind)) : [];
  const [kind] = [...found].sort((one, other) => strength(one) - strength(other));
  if (kind !== undefined) return kind;
  const message = `expected one of the words ${kinds.join(", ")}, as in { rings: alice, at: PT5S }, got ${show(item)}`;
  throw new InputError(keys, message, [], { choices: kinds });
}

/** Words that also stand beside others come last. */
const strength = (kind: string): number => ["gets", "event", "webhook"].indexOf(kind);

/** The names in a claim, which must exist. */
export function namesIn(claim: Claim, keys: Keys): ClaimName[] {
  if (claim.kind === "not") return namesIn(claim.claim, [...keys, "not"]);
  if (claim.kind === "any")
    return claim.claims.flatMap((each, index) => namesIn(each, [...keys, "any", index]));
  if (claim.kind === "delay")
    return (["from", "to"] as const).flatMap((end) => namesIn(claim[end], [...keys, "delay", end]));
  const given = claim as Readonly<Record<string, unknown>>;
  return Object.entries(nameKeys).flatMap(([key, is]): ClaimName[] => {
    const name = given[key];
    return typeof name === "string" ? [{ keys: [...keys, key], is, name }] : [];
  });
}

const nameKeys: Readonly<Record<string, ClaimName["is"]>> = {
  ...{ rings: "person", talks: "person", waits: "person", voicemail: "person", free: "person" },
  ...{ call: "call", outcome: "call", webhook: "webhook", gets: "endpoint", of: "subject", in: "team" },
};
