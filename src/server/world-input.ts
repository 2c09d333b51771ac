import * as v from "valibot";
import {
  anyObject,
  duration,
  instant,
  object,
  readInput,
  wholeNumber,
} from "../core/foundation/input-schemas.ts";
import type { DurationInput } from "../core/foundation/instants.ts";

/** The name by which a new world begins with the server's own run. */
export const SERVER = "server";

const wants = (what: string) => `expected ${what}`;
const seed = v.union([v.string(), v.number()], wants("a text or a number"));
const scenario = v.union([v.string(), anyObject()], wants("a scenario, as text or as an object"));
const from = v.union([v.string(), anyObject()], wants(`the id of a world, "${SERVER}", or a journal`));

/** What a new world begins with. */
export const worldSchema = v.pipe(
  object({
    scenario: v.optional(scenario),
    seed: v.optional(seed),
    from: v.optional(from),
    at: v.optional(instant()),
  }),
  v.check(
    (asked) => asked.scenario === undefined || asked.from === undefined,
    "expected one of scenario and from",
  ),
  v.check(
    (asked) =>
      asked.seed === undefined || asked.scenario !== undefined || (asked.from ?? asked.at) === undefined,
    "seed: expected only for a new run: one that is copied has its own",
  ),
);
export type WorldInput = v.InferOutput<typeof worldSchema>;

/** How many worlds there may be, and for how long. */
export interface ServerWorldLimits {
  readonly worlds: number;
  /** How long nobody may ask a world for anything before it ends, ms of real time. */
  readonly worldIdle: number;
}

const limitsSchema = v.object({
  worlds: v.optional(wholeNumber(0), 256),
  worldIdle: v.optional(duration(), "PT10M"),
});

/** @throws {InputError} naming the option */
export function readWorldLimits(options: {
  readonly worlds?: number;
  readonly worldIdle?: DurationInput;
}): ServerWorldLimits {
  return readInput(limitsSchema, options, []);
}
