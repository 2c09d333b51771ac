import type { Engine } from "../../engine/engine.ts";
import type { TeamRecord } from "../../records/directory.ts";
import type { Table } from "../../records/table.ts";

/** A team is available if a member is. */
export function teamAvailability(totalMembers: number, totalAvailable: number): TeamRecord["availability"] {
  return {
    status: totalAvailable > 0 ? "available" : "busy",
    totalMembers,
    totalAvailable,
    availabilitySummary: `${totalAvailable} of ${totalMembers} available`,
  };
}

/** Keeps each team's totals in step with its members. */
export class TeamAvailability {
  constructor(
    private readonly engine: Engine,
    private readonly teams: Table<TeamRecord>,
    /** Teams by member, in the order of the organisation's teams. */
    private readonly teamsOf: ReadonlyMap<string, readonly string[]>,
  ) {}

  /** A member became free or not: tells of each of their teams whose totals that changes. */
  memberChanged(memberId: string, isAvailable: boolean): void {
    for (const teamId of this.teamsOf.get(memberId) ?? []) {
      const team = this.teams.mustGet(teamId);
      const index = team.teamMembers.findIndex((member) => member.id === memberId);
      if (team.teamMembers[index]?.isAvailable === isAvailable) continue;
      const { totalMembers, totalAvailable } = team.availability;
      const changed = this.teams.update(teamId, (draft) => {
        const member = draft.teamMembers[index];
        if (member !== undefined) member.isAvailable = isAvailable;
        draft.availability = teamAvailability(totalMembers, totalAvailable + (isAvailable ? 1 : -1));
      });
      this.engine.publish("team.availability.updated", { team: changed });
    }
  }

  fork(engine: Engine, teams: Table<TeamRecord>): TeamAvailability {
    return new TeamAvailability(engine, teams, this.teamsOf);
  }
}
