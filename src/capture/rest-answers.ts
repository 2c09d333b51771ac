import { isRecord } from "../core/foundation/values.ts";
import { call } from "../core/records/schemas/call.ts";
import { team, user } from "../core/records/schemas/directory.ts";
import { adapted } from "./adapt.ts";
import type { SeenCall, SeenTeam, SeenUser } from "./seen.ts";
import { kept, shapeOf } from "./shapes.ts";

/** What saved answers of the REST API show. */
export interface RestSnapshots {
  readonly users: readonly SeenUser[];
  readonly teams: readonly SeenTeam[];
  readonly calls: readonly SeenCall[];
}

const lists = { users: ["user", user], teams: ["team", team], calls: ["call", call] } as const;

/**
 * Reads saved answers of `GET /users`, `GET /teams` and `GET /calls`, or of one record of these.
 * @param answers the bodies, parsed
 */
export function readRest(answers: readonly unknown[]): RestSnapshots {
  const found = { users: [] as SeenUser[], teams: [] as SeenTeam[], calls: [] as SeenCall[] };
  for (const answer of answers) {
    if (!isRecord(answer)) continue;
    for (const [name, [key, schema]] of Object.entries(lists)) {
      const records = answer[name];
      if (!Array.isArray(records)) continue;
      const read = records
        .filter(isRecord)
        .map((record) => kept(adapted({ [key]: record })[key], shapeOf(schema), undefined));
      (found[name as keyof typeof lists] as unknown[]).push(...read);
    }
  }
  return found;
}
