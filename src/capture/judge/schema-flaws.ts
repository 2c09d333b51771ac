import { iso } from "../../core/foundation/instants.ts";
import { nearest } from "../../core/foundation/suggestions.ts";
import { isRecord } from "../../core/foundation/values.ts";
import { isPlainName, MAX_LEVELS } from "../read/drift-counter.ts";
import {
  expectedOf,
  type ObjectShape,
  type Shape,
  typeAndSize,
  type UnionShape,
  valueType,
} from "../read/shapes.ts";
import type { Flaw } from "./body-laws.ts";

/** How a body differs from its documented schema. */
export interface SchemaFlaws {
  /** The fields that have another type, another word or are not documented. */
  readonly flaws: readonly Flaw[];
  /** The paths of documented fields that the body lacks. Of a record that is missing as a whole: only its own. */
  readonly lacking: readonly string[];
  /** The fields that are as documented. */
  readonly kept: unknown;
}

/**
 * Compares a value with its schema, field by field.
 * @param path the value's own path; empty for a whole body
 * @param isOpen whether records may have other fields, and lack those that may be null
 */
export function schemaFlaws(value: unknown, shape: Shape, path = "", isOpen = false): SchemaFlaws {
  const walk = new SchemaWalk(isOpen);
  const kept = walk.keep(value, shape, path);
  return { flaws: walk.flaws, lacking: walk.lacking, kept };
}

class SchemaWalk {
  readonly flaws: Flaw[] = [];
  readonly lacking: string[] = [];
  private levels = 0;

  /** @param isOpen whether records may have other fields, and lack those that may be null */
  constructor(private readonly isOpen: boolean) {}

  /** The documented part of a value; undefined if it has another type. */
  keep(value: unknown, shape: Shape, path: string): unknown {
    if (shape.kind === "any") return value;
    if (value === null && shape.isNullable) return value;
    if (shape.kind === "enum" && shape.values.includes(value)) return value;
    if (this.levels > MAX_LEVELS) return this.report(path, `has more than ${MAX_LEVELS} levels`);
    this.levels++;
    const kept = this.keepPart(value, shape, path);
    this.levels--;
    return kept;
  }

  private keepPart(value: unknown, shape: Shape, path: string): unknown {
    switch (shape.kind) {
      case "list":
        if (!Array.isArray(value)) return this.wrongType(value, shape, path);
        return value.map((each, index) => this.keep(each, shape.item, `${path}[${index}]`));
      case "map":
        if (!isRecord(value)) return this.wrongType(value, shape, path);
        for (const [name, each] of Object.entries(value)) this.keep(each, shape.value, `${path}.${name}`);
        return value;
      case "object":
      case "union":
        if (!isRecord(value)) return this.wrongType(value, shape, path);
        return this.keepFields(value, likeliest(value, shape), path);
      case "scalar":
        return this.keepScalar(value, shape, path);
      default:
        return this.wrongType(value, shape, path);
    }
  }

  private keepScalar(value: unknown, shape: Extract<Shape, { kind: "scalar" }>, path: string): unknown {
    if (typeof value !== shape.type) return this.wrongType(value, shape, path);
    if (shape.format === "whole" && !Number.isSafeInteger(value))
      return this.report(path, "expected a whole number, got a fraction");
    if (shape.format !== "instant" || isInstant(value as string)) return value;
    return this.report(
      path,
      `expected an instant in UTC such as 2026-07-01T09:00:00.000Z, got ${typeAndSize(value)} in another form`,
    );
  }

  private keepFields(
    value: Readonly<Record<string, unknown>>,
    { fields, byName, cases }: ObjectShape,
    path: string,
  ): Readonly<Record<string, unknown>> {
    const at = (name: string) => (path === "" ? name : `${path}.${name}`);
    const own = cases?.fields.get(value[cases.by]);
    for (const name of Object.keys(value))
      if (!byName.has(name)) this.reportUnknown([...byName.keys()], value, name, at(name));
    const kept: Record<string, unknown> = {};
    for (const { name, shape, isOptional } of fields) {
      const shapeOfCase = own?.get(name);
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      if (given === undefined) {
        const isNeeded = shapeOfCase === undefined ? !isOptional : shapeOfCase !== "absent";
        const mayBeNull = shape.kind !== "any" && shape.isNullable;
        if (isNeeded && !(this.isOpen && mayBeNull)) this.lacking.push(at(name));
      } else if (shapeOfCase === "absent")
        this.report(at(name), `is never in one whose ${cases?.by} is ${String(value[cases?.by ?? ""])}`);
      else {
        const before = this.flaws.length;
        const part = this.keep(given, shape, at(name));
        // a field that is wrong for each case is reported once
        if (shapeOfCase === undefined || this.flaws.length > before) kept[name] = part;
        else
          kept[name] = this.keepOfCase(
            part,
            shapeOfCase,
            at(name),
            `${cases?.by} is ${String(value[cases?.by ?? ""])}`,
          );
      }
    }
    this.compareDates(kept, path);
    return kept;
  }

  /** The same for what a record's kind says of a field. @param kind the kind in words */
  private keepOfCase(part: unknown, shape: Shape, path: string, kind: string): unknown {
    const isKept =
      shape.kind === "enum"
        ? shape.values.includes(part)
        : part === null
          ? shape.kind === "any" || shape.isNullable
          : shape.kind !== "scalar" || valueType(part) === expectedOf(shape);
    return isKept
      ? part
      : this.report(path, `expected ${casesText(shape)} where ${kind}, got ${valueType(part)}`);
  }

  /** The two fields of a date name one instant. */
  private compareDates(kept: Readonly<Record<string, unknown>>, path: string): void {
    for (const [name, timestamp] of Object.entries(kept)) {
      if (typeof timestamp !== "number" || !name.endsWith("Timestamp")) continue;
      const at = name.replace(/Timestamp$/, "At");
      const text = kept[at];
      if (typeof text === "string" && Date.parse(text) !== timestamp)
        this.report(path === "" ? name : `${path}.${name}`, `is another instant than ${at}`);
    }
  }

  /** Names the documented field that another one resembles, if the record lacks that. */
  private reportUnknown(known: readonly string[], value: object, name: string, path: string): void {
    const same = known.find((each) => plain(each) === plain(name));
    const similar = same ?? (this.isOpen ? undefined : nearest(name, known));
    const isMeant = similar !== undefined && !Object.hasOwn(value, similar);
    if (isMeant || !this.isOpen)
      this.report(path, `is no field of this record${isMeant ? `; did you mean ${similar}?` : ""}`);
  }

  private wrongType(value: unknown, shape: Shape, path: string): undefined {
    const word = typeof value === "string" && isPlainName(value) ? `"${value}"` : valueType(value);
    const isWord = shape.kind === "enum" && typeof value === typeof shape.values[0];
    const got = isWord ? word : valueType(value);
    return this.report(path, `expected ${expectedText(shape)}, got ${got}`);
  }

  private report(path: string, because: string): undefined {
    this.flaws.push({ path, because });
  }
}

/** A name without the marks by which styles of writing differ. */
const plain = (name: string) => name.replaceAll(/[^a-z\d]/gi, "").toLowerCase();

/** The variant that a trimmed value is of: it has the fewest fields that are not documented. */
function likeliest(value: object, shape: ObjectShape | UnionShape): ObjectShape {
  if (shape.kind === "object") return shape;
  const variants = shape.byType.get((value as { readonly type?: unknown }).type) ?? shape.variants;
  const unknown = ({ byName }: ObjectShape) => Object.keys(value).filter((name) => !byName.has(name)).length;
  const needed = ({ fields }: ObjectShape) => fields.filter(({ isOptional }) => !isOptional).length;
  return [...variants].sort((a, b) => unknown(a) - unknown(b) || needed(a) - needed(b))[0] as ObjectShape;
}

/** Whether a text is an instant as the platform writes it. */
function isInstant(text: string): boolean {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && iso(ms) === text;
}

function casesText(shape: Shape): string {
  return shape.kind === "enum" ? shape.values.map(String).join(" or ") : expectedText(shape);
}

function expectedText(shape: Shape): string {
  const expected = expectedOf(shape);
  const text =
    shape.kind === "enum" && shape.values.length === 1 ? expected.replace("one of ", "") : expected;
  return shape.kind !== "any" && shape.isNullable && shape.kind !== "enum" ? `${text} or null` : text;
}
