import type * as v from "valibot";
import { isRecord } from "../../core/foundation/values.ts";
import { counted } from "../../core/platform/declare/words.ts";
import { type Cases, casesOf } from "../../core/records/fields.ts";
import { append } from "./lists.ts";

/**
 * A schema in a form that can be walked along a body that differs from it. Valibot would refuse the body; the walk reports
 * each difference and keeps what the schema knows.
 */
export type Shape =
  | { readonly kind: "any" }
  | ScalarShape
  | { readonly kind: "enum"; readonly values: readonly unknown[]; readonly isNullable: boolean }
  | { readonly kind: "list"; readonly item: Shape; readonly isNullable: boolean }
  | { readonly kind: "map"; readonly value: Shape; readonly isNullable: boolean }
  | ObjectShape
  | UnionShape;

interface ScalarShape {
  readonly kind: "scalar";
  readonly type: "string" | "number" | "boolean";
  /** What it must be besides: a whole number, or a text that is an instant in ISO 8601. */
  readonly format?: "whole" | "instant";
  readonly isNullable: boolean;
}

export interface ObjectShape {
  readonly kind: "object";
  readonly fields: readonly Field[];
  /** The shapes of its fields, by name. */
  readonly byName: ReadonlyMap<string, Shape>;
  /** The field by which kinds of this record are told apart, and the shapes of others by its values. */
  readonly cases?: {
    readonly by: string;
    readonly fields: ReadonlyMap<unknown, ReadonlyMap<string, Shape | "absent">>;
  };
  readonly isNullable: boolean;
}

export interface UnionShape {
  readonly kind: "union";
  readonly variants: readonly ObjectShape[];
  /** The variants by what they have as `type`. */
  readonly byType: ReadonlyMap<unknown, readonly ObjectShape[]>;
  readonly isNullable: boolean;
}

interface Field {
  readonly name: string;
  readonly shape: Shape;
  readonly isOptional: boolean;
}

/** The members of Valibot's schemas. Each kind has some of them. */
interface SchemaParts {
  readonly type: string;
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly item?: v.GenericSchema;
  readonly value?: v.GenericSchema;
  readonly pipe?: readonly SchemaParts[];
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
  readonly wrapped?: v.GenericSchema;
  readonly getter?: (input: unknown) => v.GenericSchema;
}

/** Valibot's types do not say which kind a schema is. */
function partsOf(schema: object | undefined): SchemaParts {
  return schema as SchemaParts;
}

const shapes = new WeakMap<v.GenericSchema, Shape>();

/** The shape of a schema. */
export function schemaShape(schema: v.GenericSchema): Shape {
  let shape = shapes.get(schema);
  if (shape === undefined) {
    shape = toShape(partsOf(schema), false);
    shapes.set(schema, shape);
  }
  return shape;
}

function toShape(parts: SchemaParts, isNullable: boolean): Shape {
  const { type, entries, item, value, options = [], literal, wrapped, getter } = parts;
  const inner = (schema: v.GenericSchema | undefined) => toShape(partsOf(schema), isNullable);
  if (entries !== undefined) return objectShape(entries, isNullable, casesOf.get(parts as v.GenericSchema));
  if (type === "array" && item !== undefined) return { kind: "list", item: schemaShape(item), isNullable };
  if (type === "nullable") return toShape(partsOf(wrapped), true);
  if (type === "optional") return inner(wrapped);
  if (type === "lazy" && getter !== undefined) return inner(getter(undefined));
  if (type === "picklist") return { kind: "enum", values: options, isNullable };
  if (type === "literal") return { kind: "enum", values: [literal], isNullable };
  if (type === "null") return { kind: "enum", values: [null], isNullable: true };
  if (type === "record" && value !== undefined) return { kind: "map", value: schemaShape(value), isNullable };
  if (type === "union") return unionShape(options as readonly v.GenericSchema[], isNullable);
  if (type === "string" || type === "number" || type === "boolean")
    return { kind: "scalar", type, ...formatOf(parts), isNullable };
  return { kind: "any" };
}

function formatOf({ pipe = [] }: SchemaParts): Pick<ScalarShape, "format"> {
  // a pipe may begin with another
  const types = pipe.flatMap((each) => [each, ...(each.pipe ?? [])]).map(({ type }) => type);
  if (types.includes("integer")) return { format: "whole" };
  return types.includes("iso_timestamp") ? { format: "instant" } : {};
}

function objectShape(
  entries: Readonly<Record<string, v.GenericSchema>>,
  isNullable: boolean,
  cases: Cases | undefined,
): ObjectShape {
  const fields = Object.entries(entries).map(([name, schema]) => ({
    name,
    shape: schemaShape(schema),
    isOptional: partsOf(schema).type === "optional",
  }));
  const byName = new Map(fields.map(({ name, shape }) => [name, shape]));
  if (cases === undefined) return { kind: "object", fields, byName, isNullable };
  const caseFields = Object.entries(cases.fields).map(([word, own]) => {
    const shapesOfCase = Object.entries(own).map(
      ([name, schema]) => [name, schema === "absent" ? schema : schemaShape(schema)] as const,
    );
    return [word, new Map(shapesOfCase)] as const;
  });
  return { kind: "object", fields, byName, cases: { by: cases.by, fields: new Map(caseFields) }, isNullable };
}

function unionShape(options: readonly v.GenericSchema[], isNullable: boolean): Shape {
  const variants = options
    .map(schemaShape)
    .flatMap((shape): readonly Shape[] => (shape.kind === "union" ? shape.variants : [shape]));
  const objects = variants.filter((shape) => shape.kind === "object");
  if (objects.length < variants.length) return { kind: "any" };
  const byType = new Map<unknown, ObjectShape[]>();
  for (const each of objects) {
    const type = each.byName.get("type");
    for (const value of type?.kind === "enum" ? type.values : []) append(byType, value, each);
  }
  return { kind: "union", variants: objects, byType, isNullable };
}

/** Receives each difference between a body and its shape. */
export interface DifferenceListener {
  /** A value of another type or outside its enumeration, or a documented field that is missing. */
  count(kind: "types" | "enums" | "lacking", path: string, expected?: string, got?: string): void;
  /** An undocumented field of the object at a path. */
  countField(path: string, name: string): void;
  /** Texts that are no names: the value of a documented field, or all below an undocumented one. */
  noteTexts(value: unknown): void;
  /** Whether one of these values has too many levels to be read. */
  readonly isTooDeep: boolean;
}

/**
 * Returns the documented fields of a value, and reports differences. Values of the wrong type are left out; a list becomes
 * empty. A value without differences is returned itself, or an earlier one that equals it, not a copy.
 * @param listener undefined: reports nothing
 * @param records the records of earlier values, to which those of this one are added; default: none
 */
export function pickKnown(
  value: unknown,
  shape: Shape,
  listener: DifferenceListener | undefined,
  records = new SharedRecords(),
): unknown {
  return new Walk(listener, records).pick(value, shape);
}

/** How many records are remembered, so that those of calls that are long over do not fill the memory. */
const MAX_RECORDS = 10_000;

/**
 * The last record with each id. A team's event has all members though only one has changed, and each event of a call has
 * all parties: a day of them would fill the memory. Equal ones are one object, which is walked once.
 */
export class SharedRecords {
  private readonly last = new Map<string, { readonly shape: Shape; readonly record: object }>();

  /** The last record of a key, if it equals this one and has this shape. */
  equalTo(record: object, shape: Shape, key: string): object | undefined {
    const last = this.last.get(key);
    return last?.shape === shape && isEqual(last.record, record) ? last.record : undefined;
  }

  add(record: object, shape: Shape, key: string): void {
    if (this.last.size >= MAX_RECORDS) this.last.clear();
    this.last.set(key, { shape, record });
  }
}

/** The last valid instant, the end of the year 9999, ms since the Unix epoch. */
const LAST_INSTANT_MS = 253_402_300_799_999;

/** A walk through one value. Paths are built only when a difference is reported. */
class Walk {
  private readonly keys: string[] = [];
  private differences = 0;

  constructor(
    private readonly listener: DifferenceListener | undefined,
    private readonly records: SharedRecords,
  ) {}

  private path(): string {
    return this.keys.reduce((path, key) => (path === "" || key === "[]" ? path + key : `${path}.${key}`), "");
  }

  private count(kind: "types" | "enums" | "lacking", expected?: string, got?: string): void {
    this.differences++;
    this.listener?.count(kind, this.path(), expected, got);
  }

  private wrongType(shape: Shape, value: unknown): void {
    this.listener?.noteTexts(value);
    this.count("types", this.isInvalidInstant(value) ? "instant" : expectedOf(shape), valueType(value));
  }

  pick(value: unknown, shape: Shape): unknown {
    if (shape.kind === "any") {
      this.listener?.noteTexts(value);
      return value;
    }
    if (value === null) {
      if (!shape.isNullable) this.wrongType(shape, value);
      return shape.isNullable || shape.kind !== "list" ? null : [];
    }
    switch (shape.kind) {
      case "scalar":
        if (this.keys.at(-1) !== "type") this.listener?.noteTexts(value);
        if (typeof value === shape.type && !this.isInvalidInstant(value)) return value;
        this.wrongType(shape, value);
        return undefined;
      case "enum":
        if (shape.values.includes(value)) return value;
        if (typeof value !== typeof shape.values[0]) this.wrongType(shape, value);
        else this.count("enums", expectedOf(shape), String(value));
        return typeof value === "string" ? value : undefined;
      case "list":
        if (Array.isArray(value)) return this.pickList(value, shape.item);
        this.wrongType(shape, value);
        return [];
      case "map":
        this.listener?.noteTexts(value);
        if (isRecord(value)) return value;
        this.wrongType(shape, value);
        return undefined;
      default:
        if (isRecord(value)) return this.pickRecord(value, shape);
        this.wrongType(shape, value);
        return undefined;
    }
  }

  /** Whether a value under a timestamp's key is no valid instant. */
  private isInvalidInstant(value: unknown): boolean {
    const isTime = typeof value === "number" && this.keys.at(-1)?.endsWith("Timestamp") === true;
    return isTime && !(Number.isInteger(value) && value >= 0 && value <= LAST_INSTANT_MS);
  }

  private pickList(list: readonly unknown[], item: Shape): readonly unknown[] {
    this.keys.push("[]");
    let isSame = true;
    const copy = list.flatMap((each) => {
      const own = this.pick(each, item);
      isSame &&= own === each && own !== null;
      // leaves out items of the wrong type and null, which no list of the platform contains
      return own === undefined || own === null ? [] : [own];
    });
    this.keys.pop();
    return isSame ? list : copy;
  }

  /** The documented fields of a record: those of an earlier one that equals it, if that was as documented. */
  private pickRecord(value: Readonly<Record<string, unknown>>, shape: ObjectShape | UnionShape): object {
    const name = this.keys.findLast((key) => key !== "[]");
    if (name === undefined || typeof value.id !== "string")
      return this.pickObject(value, variantFor(value, shape));
    const key = `${name} ${value.id}`;
    const equal = this.records.equalTo(value, shape, key);
    if (equal !== undefined) return equal;
    const before = this.differences;
    const own = this.pickObject(value, variantFor(value, shape));
    // a difference is reported for each body that has it
    const { listener } = this;
    if (listener !== undefined && (listener.isTooDeep || this.differences > before)) return own;
    const ownEqual = own === value ? undefined : this.records.equalTo(own, shape, key);
    if (ownEqual === undefined) this.records.add(own, shape, key);
    return ownEqual ?? own;
  }

  private pickObject(
    value: Readonly<Record<string, unknown>>,
    { fields, byName }: ObjectShape,
  ): Readonly<Record<string, unknown>> {
    let isSame = true;
    for (const name of Object.keys(value))
      if (!byName.has(name)) {
        isSame = false;
        this.differences++;
        this.listener?.countField(this.path(), name);
        this.listener?.noteTexts(value[name]);
      }
    let changed: Record<string, unknown> | undefined;
    for (const { name, shape, isOptional } of fields) {
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      if (given === undefined) {
        if (!isOptional) this.countLacking(name);
        continue;
      }
      this.keys.push(name);
      const own = this.pick(given, shape);
      this.keys.pop();
      if (own === given) continue;
      changed ??= {};
      changed[name] = own;
    }
    if (isSame && changed === undefined) return value;
    const copy: Record<string, unknown> = {};
    for (const { name } of fields)
      if (Object.hasOwn(value, name))
        copy[name] = changed !== undefined && Object.hasOwn(changed, name) ? changed[name] : value[name];
    return copy;
  }

  private countLacking(name: string): void {
    this.keys.push(name);
    this.count("lacking");
    this.keys.pop();
  }
}

/** The variant of a union that a value's `type` names; of several, the one that fits best. */
export function variantFor(
  value: Readonly<Record<string, unknown>>,
  shape: ObjectShape | UnionShape,
): ObjectShape {
  if (shape.kind === "object") return shape;
  const variants = shape.byType.get(value.type) ?? shape.variants;
  const misfit = ({ fields, byName }: ObjectShape) =>
    Object.keys(value).filter((name) => !byName.has(name)).length +
    fields.filter(({ name, isOptional }) => !isOptional && !Object.hasOwn(value, name)).length;
  return variants.reduce((best, variant) => (misfit(variant) < misfit(best) ? variant : best));
}

/** The type of a value in words: `text`, `list`, `null` … */
export function valueType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  return typeof value === "string" ? "text" : typeof value;
}

/** The type of a value and how large it is, for messages that must not quote it: `an object with 3 fields`. */
export function typeAndSize(value: unknown): string {
  if (typeof value === "string") return `a text of ${counted(value.length, "character")}`;
  if (Array.isArray(value)) return `a list of ${counted(value.length, "item")}`;
  if (isRecord(value)) return `an object with ${counted(Object.keys(value).length, "field")}`;
  return value === null || value === undefined ? "null" : `a ${typeof value}`;
}

/** What a shape expects, in words. */
export function expectedOf(shape: Shape): string {
  if (shape.kind === "scalar") return shape.type === "string" ? "text" : shape.type;
  if (shape.kind === "enum") return `one of ${shape.values.join(", ")}`;
  return shape.kind === "list" ? "list" : "object";
}

/** Whether two JSON values are equal. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) if (!isEqual(a[index], b[index])) return false;
    return true;
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) if (!Object.hasOwn(b, key) || !isEqual(a[key], b[key])) return false;
  return true;
}
