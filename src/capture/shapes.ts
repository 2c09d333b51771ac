import type * as v from "valibot";
import { isRecord } from "../core/foundation/values.ts";

/**
 * Schemas as plain shapes, to walk bodies that may differ from them. Reading with the schemas themselves would refuse
 * a body at its first difference; here each difference is told, and what the schemas know is kept.
 */
export type Shape =
  | { readonly kind: "any" }
  | { readonly kind: "scalar"; readonly type: "string" | "number" | "boolean"; readonly isNullable: boolean }
  | { readonly kind: "words"; readonly words: readonly unknown[]; readonly isNullable: boolean }
  | { readonly kind: "list"; readonly item: Shape; readonly isNullable: boolean }
  | { readonly kind: "map"; readonly isNullable: boolean }
  | ObjectShape
  | { readonly kind: "arms"; readonly arms: readonly ObjectShape[]; readonly isNullable: boolean };

export interface ObjectShape {
  readonly kind: "object";
  readonly fields: readonly Field[];
  readonly names: ReadonlySet<string>;
  readonly isNullable: boolean;
}

interface Field {
  readonly name: string;
  readonly shape: Shape;
  readonly isOptional: boolean;
}

/** What a schema of valibot is made of. Each kind has some of these. */
interface Parts {
  readonly type: string;
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly item?: v.GenericSchema;
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
  readonly wrapped?: v.GenericSchema;
  readonly getter?: (input: unknown) => v.GenericSchema;
}

/** A schema as its parts. The types of valibot do not tell which kind it is. */
function partsOf(schema: object | undefined): Parts {
  return schema as Parts;
}

const shapes = new WeakMap<v.GenericSchema, Shape>();

/** The shape of a schema. */
export function shapeOf(schema: v.GenericSchema): Shape {
  let shape = shapes.get(schema);
  if (shape === undefined) {
    shape = made(partsOf(schema), false);
    shapes.set(schema, shape);
  }
  return shape;
}

function made(parts: Parts, isNullable: boolean): Shape {
  const { type, entries, item, options = [], literal, wrapped, getter } = parts;
  const inner = (schema: v.GenericSchema | undefined) => made(partsOf(schema), isNullable);
  if (entries !== undefined) return objectShape(entries, isNullable);
  if (type === "array" && item !== undefined) return { kind: "list", item: shapeOf(item), isNullable };
  if (type === "nullable") return made(partsOf(wrapped), true);
  if (type === "optional") return inner(wrapped);
  if (type === "lazy" && getter !== undefined) return inner(getter(undefined));
  if (type === "picklist") return { kind: "words", words: options, isNullable };
  if (type === "literal") return { kind: "words", words: [literal], isNullable };
  if (type === "record") return { kind: "map", isNullable };
  if (type === "union") return unionShape(options as readonly v.GenericSchema[], isNullable);
  if (type === "string" || type === "number" || type === "boolean")
    return { kind: "scalar", type, isNullable };
  return { kind: "any" };
}

function objectShape(entries: Readonly<Record<string, v.GenericSchema>>, isNullable: boolean): ObjectShape {
  const fields = Object.entries(entries).map(([name, schema]) => ({
    name,
    shape: shapeOf(schema),
    isOptional: partsOf(schema).type === "optional",
  }));
  return { kind: "object", fields, names: new Set(Object.keys(entries)), isNullable };
}

function unionShape(options: readonly v.GenericSchema[], isNullable: boolean): Shape {
  const arms = options
    .map(shapeOf)
    .flatMap((shape): readonly Shape[] => (shape.kind === "arms" ? shape.arms : [shape]));
  const objects = arms.filter((shape) => shape.kind === "object");
  return objects.length === arms.length ? { kind: "arms", arms: objects, isNullable } : { kind: "any" };
}

/** Told of each difference between a body and its shape. */
export interface Differences {
  field(path: string): void;
  type(path: string, expected: string, got: string): void;
  word(path: string, expected: string, got: string): void;
  lacking(path: string): void;
}

/**
 * Keeps what a shape knows of a value, and tells what differs. What has the wrong type is left out: an absent value, an
 * empty list. A value of which all is kept is returned itself, not copied.
 * @param told undefined to keep without telling
 */
export function kept(value: unknown, shape: Shape, told: Differences | undefined): unknown {
  return new Walk(told).kept(value, shape);
}

/** The last instant that a body may name: the end of the year 9999, ms since the Unix epoch. */
const LAST_MS = 253_402_300_799_999;

/** A walk through one value. Paths are put together only where something is told. */
class Walk {
  private readonly keys: string[] = [];

  constructor(private readonly told: Differences | undefined) {}

  private path(): string {
    return this.keys.reduce((path, key) => (path === "" || key === "[]" ? path + key : `${path}.${key}`), "");
  }

  private wrongType(shape: Shape, value: unknown): void {
    this.told?.type(this.path(), this.isNoInstant(value) ? "instant" : expectedOf(shape), typeOf(value));
  }

  kept(value: unknown, shape: Shape): unknown {
    if (shape.kind === "any") return value;
    if (value === null) {
      if (!shape.isNullable) this.wrongType(shape, value);
      return shape.isNullable || shape.kind !== "list" ? null : [];
    }
    switch (shape.kind) {
      case "scalar":
        if (typeof value === shape.type && !this.isNoInstant(value)) return value;
        this.wrongType(shape, value);
        return undefined;
      case "words":
        if (shape.words.includes(value)) return value;
        if (typeof value !== typeof shape.words[0]) this.wrongType(shape, value);
        else this.told?.word(this.path(), expectedOf(shape), String(value));
        return typeof value === "string" ? value : undefined;
      case "list":
        if (Array.isArray(value)) return this.keptList(value, shape.item);
        this.wrongType(shape, value);
        return [];
      case "map":
        if (isRecord(value)) return value;
        this.wrongType(shape, value);
        return undefined;
      default:
        if (isRecord(value)) return this.keptObject(value, armFor(value, shape));
        this.wrongType(shape, value);
        return undefined;
    }
  }

  /** Whether a value is a time that no clock shows. */
  private isNoInstant(value: unknown): boolean {
    const isTime = typeof value === "number" && this.keys.at(-1)?.endsWith("Timestamp") === true;
    return isTime && !(Number.isInteger(value) && value >= 0 && value <= LAST_MS);
  }

  private keptList(list: readonly unknown[], item: Shape): readonly unknown[] {
    this.keys.push("[]");
    let isSame = true;
    const copy = list.flatMap((each) => {
      const own = this.kept(each, item);
      isSame &&= own === each && own !== null;
      // an item of the wrong type is left out, and so is null, since no list of the platform holds it
      return own === undefined || own === null ? [] : [own];
    });
    this.keys.pop();
    return isSame ? list : copy;
  }

  private keptObject(
    value: Readonly<Record<string, unknown>>,
    { fields, names }: ObjectShape,
  ): Readonly<Record<string, unknown>> {
    let isSame = true;
    for (const name of Object.keys(value))
      if (!names.has(name)) {
        isSame = false;
        this.tell(name, (path) => this.told?.field(path));
      }
    let changed: Record<string, unknown> | undefined;
    for (const { name, shape, isOptional } of fields) {
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      if (given === undefined) {
        if (!isOptional) this.tell(name, (path) => this.told?.lacking(path));
        continue;
      }
      this.keys.push(name);
      const own = this.kept(given, shape);
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

  private tell(name: string, told: (path: string) => void): void {
    if (this.told === undefined) return;
    this.keys.push(name);
    told(this.path());
    this.keys.pop();
  }
}

/** The arm of a union that a value's `type` names; of several, the one that fits best. */
function armFor(
  value: Readonly<Record<string, unknown>>,
  shape: Extract<Shape, { readonly kind: "object" | "arms" }>,
): ObjectShape {
  if (shape.kind === "object") return shape;
  const named = shape.arms.filter(({ fields }) =>
    fields.some(
      ({ name, shape: { kind, ...of } }) =>
        name === "type" &&
        kind === "words" &&
        (of as { words: readonly unknown[] }).words.includes(value.type),
    ),
  );
  const arms = named.length > 0 ? named : shape.arms;
  const misfit = ({ fields, names }: ObjectShape) =>
    Object.keys(value).filter((name) => !names.has(name)).length +
    fields.filter(({ name, isOptional }) => !isOptional && !Object.hasOwn(value, name)).length;
  return arms.reduce((best, arm) => (misfit(arm) < misfit(best) ? arm : best));
}

/** The type of a value, as drift names it. */
export function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  return typeof value === "string" ? "text" : typeof value;
}

function expectedOf(shape: Shape): string {
  if (shape.kind === "scalar") return shape.type === "string" ? "text" : shape.type;
  if (shape.kind === "words") return `one of ${shape.words.join(", ")}`;
  return shape.kind === "list" ? "list" : "object";
}

/** Whether two values of bodies say the same. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
  );
}
