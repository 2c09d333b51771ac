import { isRecord } from "../../core/foundation/values.ts";
import type { RestSnapshots } from "../read/rest-answers.ts";
import type { Flaw } from "./body-laws.ts";

type Body = Readonly<Record<string, unknown>>;

/** Who is in an organisation, by saved answers of its REST API. */
export class KnownEntries {
  private readonly entries = new Map<unknown, Body>();
  private readonly hasUsers: boolean;
  private readonly hasTeams: boolean;

  constructor({ users, teams }: RestSnapshots) {
    for (const entry of [...users, ...teams] as Body[]) this.entries.set(entry.id, entry);
    for (const { teamMembers } of teams)
      for (const member of teamMembers ?? [])
        if (!this.entries.has(member.id)) this.entries.set(member.id, member);
    this.hasUsers = users.length > 0;
    this.hasTeams = teams.length > 0;
  }

  /** Users and teams in an event's data that the answers do not have, or name otherwise. */
  flaws(data: object, path: string): Flaw[] {
    const flaws: Flaw[] = [];
    this.search(data as Body, path, "", flaws);
    return flaws;
  }

  private search(value: Body, path: string, key: string, flaws: Flaw[]): void {
    const [idField, kind] = this.chooseKind(value, key);
    const id = idField === undefined ? undefined : value[idField];
    if (typeof id === "string") {
      const known = this.entries.get(id);
      if (known === undefined)
        flaws.push({ path: `${path}.${idField}`, because: `is no ${kind} of the saved answers` });
      else
        for (const field of ["displayName", "extension", "email"])
          if (
            typeof value[field] === "string" &&
            typeof known[field] === "string" &&
            value[field] !== known[field]
          )
            flaws.push({
              path: `${path}.${field}`,
              because: `is another than that of this ${kind} in the saved answers`,
            });
    }
    for (const [name, below] of Object.entries(value)) {
      if (isRecord(below)) this.search(below, `${path}.${name}`, name, flaws);
      else if (Array.isArray(below))
        for (const [index, each] of below.entries())
          if (isRecord(each)) this.search(each, `${path}.${name}[${index}]`, name, flaws);
    }
  }

  /** Which field names an entry of the directory, and of which kind it is; neither for other records. */
  private chooseKind({ type }: Body, key: string): [field: string | undefined, kind: string] {
    const kind = key === "team" || key === "assignedCallGroup" || type === "team" ? "team" : "user";
    const isKnown = kind === "team" ? this.hasTeams : this.hasUsers;
    if (!isKnown || type === "device" || type === "external" || type === "voicemail")
      return [undefined, kind];
    if (key === "parties" || key === "party") return ["entryId", kind];
    const isEntry = [
      "user",
      "team",
      "assignedUser",
      "assignedCallGroup",
      "directoryTarget",
      "manager",
      "agent",
    ];
    return [isEntry.includes(key) ? "id" : undefined, kind];
  }
}
