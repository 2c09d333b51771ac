import * as v from "valibot";
import { isDuration } from "./input-schemas.ts";
import { isoDuration } from "./instants.ts";
import { isRecord } from "./values.ts";

/**
 * Writes input that was read, whose durations are ms, as people write it into a file: each duration with its unit. Which numbers are
 * durations is the schema's to say, at any depth.
 */
export function withWrittenDurations(schema: v.GenericSchema, read: unknown): unknown {
  if (isDuration(schema)) return typeof read === "number" ? isoDuration(read) : read;
  const { wrapped, pipe, options, item, items, entries } = schema as Inside;
  if (wrapped !== undefined) return withWrittenDurations(wrapped, read);
  if (options !== undefined) {
    const fits = options.find((option): option is v.GenericSchema => isSchema(option) && v.is(option, read));
    return fits === undefined ? read : withWrittenDurations(fits, read);
  }
  if (Array.isArray(read))
    return read.map((each, index) => {
      const of = item ?? items?.[index];
      return of === undefined ? each : withWrittenDurations(of, each);
    });
  if (entries !== undefined && isRecord(read))
    return Object.fromEntries(
      Object.entries(read).map(([key, each]) => {
        const of = Object.hasOwn(entries, key) ? entries[key] : undefined;
        return [key, of === undefined ? each : withWrittenDurations(of, each)];
      }),
    );
  const first = pipe?.[0];
  return first === undefined || first === schema ? read : withWrittenDurations(first, read);
}

/** What is inside a schema of Valibot, by its kind. */
interface Inside {
  readonly wrapped?: v.GenericSchema;
  readonly pipe?: readonly v.GenericSchema[];
  readonly options?: readonly unknown[];
  readonly item?: v.GenericSchema;
  readonly items?: readonly v.GenericSchema[];
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
}

/** A picklist's options are words, not schemas. */
const isSchema = (option: unknown): option is v.GenericSchema => isRecord(option) && option.kind === "schema";
