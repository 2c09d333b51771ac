import { isRecord } from "../../core/foundation/values.ts";
import { call } from "../../core/platform/calls/record.ts";
import { team, user } from "../../core/platform/directory/record.ts";
import { adaptData } from "./adapt.ts";
import type { PartialCall, PartialTeam, PartialUser } from "./partial-records.ts";
import { pickKnown, schemaShape } from "./shapes.ts";

/** The records in saved answers of the REST API. */
export interface RestSnapshots {
  readonly users: readonly PartialUser[];
  readonly teams: readonly PartialTeam[];
  readonly calls: readonly PartialCall[];
}

const lists = { users: ["user", user], teams: ["team", team], calls: ["call", call] } as const;

/**
 * Reads saved answers of `GET /users`, `GET /teams` and `GET /calls`.
 * @param answers the bodies, parsed
 */
export function readRestAnswers(answers: readonly unknown[]): RestSnapshots {
  const found = { users: [] as PartialUser[], teams: [] as PartialTeam[], calls: [] as PartialCall[] };
  for (const answer of answers) {
    if (!isRecord(answer)) continue;
    for (const [name, [key, schema]] of Object.entries(lists)) {
      const records = answer[name];
      if (!Array.isArray(records)) continue;
      const read = records
        .filter(isRecord)
        .map((record) => pickKnown(adaptData({ [key]: record })[key], schemaShape(schema), undefined));
      (found[name as keyof typeof lists] as unknown[]).push(...read);
    }
  }
  return found;
}
