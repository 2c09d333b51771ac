import { isRecord } from "../../../src/core/foundation/values.ts";
import type { Dice } from "../../digest/dice.ts";

/** The same without some of its fields, at any level, except types. What is left of a list is what the list had. */
export function trimmed(value: unknown, dice: Dice, share: number): unknown {
  if (Array.isArray(value)) return value.map((each) => trimmed(each, dice, share));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, below]) =>
      key !== "type" && dice.chance(share) ? [] : [[key, trimmed(below, dice, share)]],
    ),
  );
}
