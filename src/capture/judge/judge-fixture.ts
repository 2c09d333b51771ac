import type * as v from "valibot";
import { nearest } from "../../core/foundation/suggestions.ts";
import { isRecord } from "../../core/foundation/values.ts";
import { LawHistory, laws } from "../../core/platform/base/laws.ts";
import { eventCall } from "../../core/platform/calls/record.ts";
import { eventData } from "../../core/platform/catalogue/events.ts";
import { conversation } from "../../core/platform/conversations/record.ts";
import {
  type Assumptions,
  type AssumptionsInput,
  readAssumptions,
} from "../../core/platform/declare/assumptions.ts";
import { type EventType, eventTypes } from "../../core/platform/declare/events.ts";
import { type ProfileName, profileOf } from "../../core/platform/declare/profile.ts";
import type { DialectInput } from "../../core/platform/declare/settings.ts";
import { team, user } from "../../core/platform/directory/record.ts";
import { eventCauses } from "../../core/platform/reactions/event-causes.ts";
import { eventSchema } from "../../core/records/fields.ts";
import { translated } from "../read/bodies.ts";
import { isPlainName } from "../read/drift-counter.ts";
import type { PartialEventData } from "../read/partial-records.ts";
import { readRestAnswers } from "../read/rest-answers.ts";
import { type Shape, schemaShape } from "../read/shapes.ts";
import { bodyFlaws, type Flaw } from "./body-laws.ts";
import { KnownEntries } from "./known-entries.ts";
import { fromObserved, isObservedField } from "./observed-body.ts";
import { type SchemaFlaws, schemaFlaws } from "./schema-flaws.ts";

/** Against what a fixture is judged. */
export interface FixtureOptions {
  /** The names that the service uses, and how it writes bodies. */
  readonly dialect?: DialectInput | undefined;
  /** The profile of the platform. Default: none. */
  readonly profile?: ProfileName | undefined;
  /** What the platform does where its documentation is silent. Default: as in its profile. */
  readonly assume?: AssumptionsInput | undefined;
  /** Saved answers of `GET /users` and `GET /teams`, parsed: who is in the organisation. Default: anybody may be. */
  readonly rest?: readonly unknown[] | undefined;
}

/** What a fixture is. */
export interface FixtureVerdict {
  /**
   * `possible`: a whole body that breaks no schema and no law of records. `part`: the same with fields left out.
   * `impossible`: the platform never sends it.
   */
  readonly verdict: "possible" | "part" | "impossible";
  /** The type of the event; null for a record without one. */
  readonly event: string | null;
  /** Each contradiction, with the field and the reason. Empty unless it is impossible. */
  readonly flaws: readonly Flaw[];
  /** The documented fields that it lacks. */
  readonly lacking: readonly string[];
}

type Body = Readonly<Record<string, unknown>>;

/** Judges bodies that somebody wrote by hand: whether the platform may send them. */
export class FixtureJudge {
  private readonly dialect: DialectInput;
  private readonly assume: Assumptions;
  private readonly entries: KnownEntries | undefined;
  private readonly declaredTypes: ReadonlySet<string>;
  private readonly isObserved: boolean;

  /** @throws {InputError} for an unknown assumption */
  constructor({ dialect = {}, profile, assume, rest }: FixtureOptions = {}) {
    const usual = profileOf(profile);
    this.dialect = dialect;
    this.isObserved = profile === "observed";
    this.assume = readAssumptions(assume, [], usual.assume);
    this.entries = rest === undefined ? undefined : new KnownEntries(readRestAnswers(rest));
    this.declaredTypes = new Set([...(usual.dialect.events ?? []), ...(dialect.events ?? [])]);
  }

  /**
   * Judges one value.
   * @returns undefined if it is no event and no record of one, or if only the dialect names its type; a text says why
   * the dialect cannot read it
   */
  judge(given: unknown): FixtureVerdict | string | undefined {
    if (!isRecord(given)) return undefined;
    const read = translated(given, this.dialect);
    if (typeof read === "string") return read;
    const body = this.isObserved ? fromObserved(read) : read;
    const type = typeof body.type === "string" ? body.type : undefined;
    if (isEventType(type)) return this.judgeEvent(body, type);
    if (type !== undefined && this.declaredTypes.has(type)) return undefined;
    if (type !== undefined && looksLikeEvent(body)) return judgeFlaws(type, [unknownType(type)], []);
    return this.judgeRecords(recordsIn(body));
  }

  private compare(value: unknown, shape: Shape, path: string): SchemaFlaws {
    const compared = schemaFlaws(value, shape, path, this.isObserved);
    return this.isObserved ? { ...compared, lacking: compared.lacking.filter(isObservedField) } : compared;
  }

  private judgeEvent(body: Body, type: EventType): FixtureVerdict {
    const { flaws, lacking, kept } = this.compare(body, wrapperOf(type), "");
    const { createdTimestamp, organisationId, data = {} } = kept as JudgedWrapper;
    const broken = [
      ...bodyFlaws({ type, createdTimestamp, organisationId, data, assume: this.assume }),
      ...brokenLaws(type, data, createdTimestamp),
      ...(this.entries?.flaws(data, "data") ?? []),
    ];
    return judgeFlaws(type, withoutRepeats(flaws, broken), lacking);
  }

  /** Judges records without an event round them. */
  private judgeRecords(records: ReadonlyMap<string, unknown>): FixtureVerdict | undefined {
    if (records.size === 0) return undefined;
    const compared = [...records].map(([name, record]) => ({
      name,
      ...this.compare(record, schemaShape(recordSchemas[name] as v.GenericSchema), `data.${name}`),
    }));
    const data = Object.fromEntries(compared.map(({ name, kept }) => [name, kept])) as PartialEventData;
    const broken = [
      ...bodyFlaws({ data, assume: this.assume }),
      ...(this.entries?.flaws(data, "data") ?? []),
    ];
    const lacking = ["type", ...compared.flatMap((each) => each.lacking)];
    return judgeFlaws(
      null,
      withoutRepeats(
        compared.flatMap(({ flaws }) => flaws),
        broken,
      ),
      lacking,
    );
  }
}

interface JudgedWrapper {
  readonly createdTimestamp?: number;
  readonly organisationId?: string;
  readonly data?: PartialEventData;
}

function judgeFlaws(
  event: string | null,
  flaws: readonly Flaw[],
  lacking: readonly string[],
): FixtureVerdict {
  const verdict = flaws.length > 0 ? "impossible" : lacking.length > 0 ? "part" : "possible";
  return { verdict, event, flaws, lacking };
}

/** The flaws of the schema, then those of other fields that break a law. */
function withoutRepeats(flaws: readonly Flaw[], broken: readonly Flaw[]): Flaw[] {
  const all = [...flaws];
  for (const flaw of broken) if (!all.some(({ path }) => path === flaw.path)) all.push(flaw);
  return all;
}

/** The laws of captures that an event breaks by itself. */
function brokenLaws(type: EventType, data: PartialEventData, createdMs: number | undefined): Flaw[] {
  const event = { id: "", type, timestamp: createdMs ?? Number.POSITIVE_INFINITY, data: { ...data } };
  const history = new LawHistory(0);
  return eventCauses[type].laws.flatMap((name) => {
    const because = laws[name].judge(event, history);
    return because === undefined ? [] : [{ path: `data.${laws[name].field}`, because }];
  });
}

const wrappers = new Map<EventType, Shape>();

function wrapperOf(type: EventType): Shape {
  const shape = wrappers.get(type) ?? schemaShape(eventSchema(type, eventData[type]));
  wrappers.set(type, shape);
  return shape;
}

function isEventType(type: string | undefined): type is EventType {
  return eventTypes.some((each) => each === type);
}

/** Whether a value of an unknown type is meant to be an event. */
function looksLikeEvent({ type, data }: Body): boolean {
  const isNamedSo = /^[a-z]+([._][a-z]+)+$/.test(String(type));
  return isNamedSo && (isRecord(data) || nearest(String(type), eventTypes) !== undefined);
}

function unknownType(type: string): Flaw {
  const similar = nearest(type, eventTypes);
  const hint = similar === undefined ? "; a dialect can declare it" : `; did you mean ${similar}?`;
  const shown = isPlainName(type) ? `"${type}"` : "another text";
  return { path: "type", because: `expected a type of event, got ${shown}${hint}` };
}

/** The records that may stand without an event, by their names in its data. */
const recordSchemas: Readonly<Record<string, v.GenericSchema>> = {
  call: eventCall,
  user,
  team,
  conversation,
};

/** Fields that tell a record from other JSON: all of the first, and one of the others. */
const marks: Readonly<Record<string, readonly [string, ...string[]]>> = {
  call: ["direction", "parties", "connections", "contactNumber", "companyNumber", "outcome"],
  user: ["availability", "loginStatus", "endpoints", "email"],
  team: ["teamMembers", "availability", "extension"],
  conversation: ["contactAddresses", "messages", "channel", "companyNumber"],
};

/** The records in a value that is the data of an event, or a record itself. */
function recordsIn(value: Body): ReadonlyMap<string, unknown> {
  const data = isRecord(value.data) ? value.data : value;
  const found = new Map<string, unknown>();
  for (const name of Object.keys(marks)) {
    const record = data[name];
    if (isRecord(record) && isMarked(record, name)) found.set(name, record);
  }
  const own = found.size > 0 ? undefined : Object.keys(marks).find((name) => isMarked(data, name));
  if (own !== undefined) found.set(own, data);
  return found;
}

function isMarked(record: Body, name: string): boolean {
  const [needed = "", ...others] = marks[name] ?? [];
  return needed in record && others.some((each) => each in record);
}
