import type * as v from "valibot";
import { printable } from "../../core/foundation/printable.ts";
import { isRecord } from "../../core/foundation/values.ts";
import { eventCall } from "../../core/platform/calls/record.ts";
import { eventData } from "../../core/platform/catalogue/events.ts";
import type { EventType } from "../../core/platform/declare/events.ts";
import type { DialectInput } from "../../core/platform/declare/settings.ts";
import { fromWire } from "../../core/platform/declare/wire-names.ts";
import { team, user } from "../../core/platform/directory/record.ts";
import { eventCauses } from "../../core/platform/reactions/event-causes.ts";
import { eventSchema } from "../../core/records/fields.ts";
import { adaptData } from "./adapt.ts";
import { type DriftCounter, MAX_LEVELS } from "./drift-counter.ts";
import { pickKnown, type Shape, SharedRecords, schemaShape, typeAndSize, valueType } from "./shapes.ts";

/** An event as read from a body. */
export interface ReadEvent {
  readonly id: string;
  readonly type: string;
  readonly knownType: EventType | undefined;
  /** Whether the dialect declares the type. */
  readonly isDeclared: boolean;
  readonly organisationId: string | null;
  readonly createdMs: number | null;
  /** The time in the event's record; null without one. */
  readonly ownMs: number | null;
  readonly data: Readonly<Record<string, unknown>>;
}

type Body = Readonly<Record<string, unknown>>;

/** The longest event type and id, in characters. */
const MAX_NAME_LENGTH = 200;

/** Reads bodies in one dialect. */
export class BodyReader {
  private readonly wrappers = new Map<EventType, Shape>();
  private readonly records = new SharedRecords();
  /** The same of bodies that differ from the schemas, as they are kept. */
  private readonly adaptedRecords = new SharedRecords();

  constructor(
    private readonly dialect: DialectInput,
    private readonly drift: DriftCounter,
  ) {}

  /**
   * Reads one body, and counts its differences from the schemas.
   * @param line where the body is in the capture
   * @returns the event, or what is wrong with the body
   */
  read(given: unknown, line: number): ReadEvent | string {
    const body = translated(given, this.dialect);
    if (typeof body === "string") return body;
    const { type, id } = body;
    if (typeof type !== "string" || type === "")
      return `expected an event with a type, got ${typeAndSize(body)}`;
    if (type.length > MAX_NAME_LENGTH)
      return `expected an event's type of at most ${MAX_NAME_LENGTH} characters, got ${type.length}`;
    if (id !== undefined && typeof id !== "string" && typeof id !== "number")
      return `expected an event's id, got ${typeAndSize(id)}`;
    if (String(id ?? "").length > MAX_NAME_LENGTH)
      return `expected an event's id of at most ${MAX_NAME_LENGTH} characters`;
    const knownType = isKnown(type) ? type : undefined;
    this.drift.startBody(line);
    const data = knownType === undefined ? this.readUnknown(body, type) : this.readKnown(body, knownType);
    if (data === undefined) return `expected fields of at most ${MAX_LEVELS} levels, got one with more`;
    return {
      id: id === undefined ? "" : String(id),
      type,
      knownType,
      isDeclared: this.dialect.events?.includes(type) === true,
      organisationId: typeof body.organisationId === "string" ? body.organisationId : null,
      createdMs: instantIn(body, wrapperTimes),
      ownMs: knownType === undefined ? null : ownInstant(knownType, data),
      data,
    };
  }

  /** The data of a body. Undefined if it has too many levels. */
  private readKnown(body: Body, type: EventType): Body | undefined {
    let shape = this.wrappers.get(type);
    if (shape === undefined) {
      shape = schemaShape(eventSchema(type, eventData[type]));
      this.wrappers.set(type, shape);
    }
    const { data } = pickKnown(body, shape, this.drift, this.records) as { data?: Body };
    if (this.drift.isTooDeep) return undefined;
    if (!this.drift.bodyDiffers || !isRecord(body.data)) return data ?? {};
    const adapted = adaptData(body.data);
    return pickKnown(adapted, schemaShape(eventData[type]), undefined, this.adaptedRecords) as Body;
  }

  /** Reads the documented records in an event of an undocumented type. Undefined if it has too many levels. */
  private readUnknown({ data }: Body, type: string): Body | undefined {
    this.drift.countType(type);
    this.drift.noteTexts(data);
    if (this.drift.isTooDeep) return undefined;
    if (!isRecord(data)) return {};
    const adapted = adaptData(data);
    const records: [string, v.GenericSchema][] = [
      ["call", eventCall],
      ["user", user],
      ["team", team],
    ];
    return Object.fromEntries(
      records.flatMap(([name, schema]) =>
        isRecord(adapted[name]) ? [[name, pickKnown(adapted[name], schemaShape(schema), undefined)]] : [],
      ),
    );
  }
}

/** A body in our own names; a text says what is wrong with it or with the dialect that reads it. */
export function translated(given: unknown, { read, fieldNames = {} }: DialectInput): Body | string {
  if (!isRecord(given)) return `expected a body that is an object, got ${valueType(given)}`;
  try {
    const body = read === undefined ? fromWire(given, fieldNames) : read(given);
    return isRecord(body) ? body : `expected an object from the dialect's read, got ${valueType(body)}`;
  } catch (error) {
    // its message may quote the body
    return `the dialect's read throws ${error instanceof Error ? printable(error.name) : "what is no error"}${placeOf(error)}`;
  }
}

const wrapperTimes = [
  "createdTimestamp",
  "timestamp",
  "createdAt",
  "created",
  "occurredAt",
  "occurredTimestamp",
] as const;

/** The instant in the first of several fields that has one. */
function instantIn(body: Body, names: readonly string[]): number | null {
  for (const name of names) {
    const ms = readBodyInstant(Object.hasOwn(body, name) ? body[name] : undefined);
    if (ms !== null) return ms;
  }
  return null;
}

/** Reads an instant in any form that captures have: ms or s since the epoch, or ISO 8601. Returns ms, or null. */
export function readBodyInstant(value: unknown): number | null {
  if (typeof value === "string" && /^\d{9,16}$/.test(value)) return readBodyInstant(Number(value));
  if (typeof value === "number")
    return Number.isFinite(value) && value > 0 && value < 8.64e15
      ? Math.round(value < 1e11 ? value * 1_000 : value)
      : null;
  if (typeof value !== "string" || value.length > 40) return null;
  // some tools write "2026-07-01 09:00:00" and mean UTC
  const text = /^\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d(\.\d+)?)?$/.test(value)
    ? `${value.replace(" ", "T")}Z`
    : value;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

function isKnown(type: string): type is EventType {
  return Object.hasOwn(eventCauses, type);
}

/** The instant in the record, at the path that `eventCauses` names for the type. */
function ownInstant(type: EventType, data: Body): number | null {
  const { instant } = eventCauses[type];
  if (instant === undefined) return null;
  let value: unknown = data;
  const keys = instant.path.split(".");
  const last = keys.pop();
  for (const key of keys)
    value = key === "[]" ? (value as readonly unknown[] | undefined)?.at?.(-1) : at(value, key);
  return readBodyInstant(at(value, `${last}Timestamp`));
}

function at(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Where an error was thrown: ` at dialect.mjs:12`; empty if its stack does not say. */
function placeOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const place = /^ +at .*?([^/\\( ]+:\d+):\d+\)?$/m.exec(stack)?.[1];
  return place === undefined ? "" : ` at ${printable(place)}`;
}
