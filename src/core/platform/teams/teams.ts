import { ForkableMap } from "../../foundation/collections.ts";
import { CommandError, notFound } from "../../foundation/errors.ts";
import type { Organisation } from "../../generated/inputs.ts";
import type { TeamMember, TeamRecord } from "../../records/directory.ts";
import type { CoreServices } from "../base/core-services.ts";
import { defineService } from "../declare/service.ts";
import { type Directory, referenceTo } from "../directory/directory.ts";
import type { LiveCalls } from "../live/live-calls.ts";
import type { RemoveTeamMemberArguments, SetTeamMemberArguments } from "./schemas.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
  readonly live: LiveCalls;
}

type TeamInput = NonNullable<Organisation["teams"]>[number];

/** How a team is offered calls, and what happens to those it does not answer: its settings, durations in ms. */
export type TeamRules = Readonly<Partial<TeamInput>>;

/** The members of one offer priority, by id. They ring together. */
export interface Tier {
  readonly priority: number;
  readonly members: readonly string[];
}

/** Whether a team counts a member as available. A user who is not active is offline. */
export function isAvailable(member: TeamMember): boolean {
  return "availability" in member ? member.availability.status === "available" : member.isAvailable;
}

/** A team's availability: it is available if any member is. */
export function teamAvailability(totalMembers: number, totalAvailable: number): TeamRecord["availability"] {
  return {
    status: totalAvailable > 0 ? "available" : "busy",
    totalMembers,
    totalAvailable,
    availabilitySummary: `${totalAvailable} of ${totalMembers} available`,
  };
}

export interface State {
  /** The teams of each member, in the order of the organisation. */
  readonly teamsOf: ForkableMap<string, readonly string[]>;
}

function readRules({ teams = [] }: Organisation): ReadonlyMap<string, TeamRules> {
  return new Map(teams.map((team) => [team.id, team]));
}

/** Teams, their members and their totals. */
export class Teams {
  /** Tiers by team. Dropped when the membership changes. */
  private readonly tiers = new Map<string, readonly Tier[]>();
  private readonly tiersByMember = new Map<string, ReadonlyMap<string, Tier>>();

  constructor(
    private readonly services: Needs,
    private readonly state: State,
    private readonly rulesByTeam: ReadonlyMap<string, TeamRules>,
  ) {}

  /** Indexes the teams of each member, at the start of a run. */
  setMembership(): void {
    const byMember = new Map<string, string[]>();
    for (const team of this.services.tables.teams)
      for (const { id } of team.teamMembers) {
        const others = byMember.get(id);
        if (others === undefined) byMember.set(id, [team.id]);
        else others.push(team.id);
      }
    for (const [id, teamIds] of byMember) this.state.teamsOf.set(id, teamIds);
  }

  rules(teamId: string): TeamRules {
    return this.rulesByTeam.get(teamId) ?? noRules;
  }

  /** The teams of a member, in the order of the organisation. */
  teamsOf(memberId: string): readonly string[] {
    return this.state.teamsOf.get(memberId) ?? [];
  }

  /** A team's tiers, highest offer priority (1) first. */
  listTiers(teamId: string): readonly Tier[] {
    let tiers = this.tiers.get(teamId);
    if (tiers === undefined) {
      const { teamMembers } = this.services.tables.teams.mustGet(teamId);
      const priorities = [...new Set(teamMembers.map((member) => member.priority))].sort((a, b) => a - b);
      tiers = priorities.map((priority) => ({
        priority,
        members: teamMembers.filter((member) => member.priority === priority).map(({ id }) => id),
      }));
      this.tiers.set(teamId, tiers);
    }
    return tiers;
  }

  /** A member's tier in a team. */
  findTier(teamId: string, memberId: string): Tier | undefined {
    let byMember = this.tiersByMember.get(teamId);
    if (byMember === undefined) {
      byMember = new Map(this.listTiers(teamId).flatMap((tier) => tier.members.map((id) => [id, tier])));
      this.tiersByMember.set(teamId, byMember);
    }
    return byMember.get(memberId);
  }

  /** Updates the teams of a member who became free or busy, and raises an event for each. */
  updateAvailability(memberId: string, isFree: boolean): void {
    for (const teamId of this.teamsOf(memberId)) {
      const team = this.services.tables.teams.mustGet(teamId);
      const index = team.teamMembers.findIndex((member) => member.id === memberId);
      const before = team.teamMembers[index];
      if (before === undefined) continue;
      const member = this.makeMember(memberId, before.priority, isFree);
      const { totalMembers, totalAvailable } = team.availability;
      const more = Number(isAvailable(member)) - Number(isAvailable(before));
      const changed = this.services.tables.teams.patch(teamId, {
        teamMembers: team.teamMembers.with(index, member),
        ...(more === 0 ? {} : { availability: teamAvailability(totalMembers, totalAvailable + more) }),
      });
      this.services.raise[more === 0 ? "teamMemberChanged" : "teamTotalsChanged"]({ team: changed });
    }
  }

  /** Updates a member's copies in their teams, after a change of the record that leaves them as free as before. */
  refreshMember(memberId: string): void {
    const { teams } = this.services.tables;
    for (const teamId of this.teamsOf(memberId)) {
      const { teamMembers } = teams.mustGet(teamId);
      const index = teamMembers.findIndex((member) => member.id === memberId);
      const before = teamMembers[index];
      if (before === undefined) continue;
      const isFree = "availability" in before || before.isAvailable;
      teams.patch(teamId, {
        teamMembers: teamMembers.with(index, this.makeMember(memberId, before.priority, isFree)),
      });
    }
  }

  /**
   * Adds a user or a device to a team, or changes their offer priority from the next offer on.
   * @throws {CommandError} `not_found`
   */
  setMember({ team: teamId, user: who, priority = 1 }: SetTeamMemberArguments): void {
    const { directory, live } = this.services;
    const team = directory.team(teamId);
    const entry = directory.find(who);
    if (entry?.kind !== "user" && entry?.kind !== "device")
      throw notFound("user or device", who, directory.usersAndDevices());
    const { id } = entry.record;
    const member = this.makeMember(id, priority, live.callOf(id) === undefined);
    const index = team.teamMembers.findIndex((each) => each.id === id);
    this.changeMembers(
      team,
      id,
      index < 0 ? [...team.teamMembers, member] : team.teamMembers.with(index, member),
    );
    this.services.raise.memberSet({ memberId: id });
  }

  /** Removes a member from a team. The team's rings for them stop. @throws {CommandError} `not_found` */
  removeMember({ team: teamId, user: who }: RemoveTeamMemberArguments): void {
    const { directory } = this.services;
    const team = directory.team(teamId);
    const memberId = directory.find(who)?.record.id ?? who;
    const members = team.teamMembers.filter((member) => member.id !== memberId);
    if (members.length === team.teamMembers.length) {
      const known = team.teamMembers.map((member) => member.id).join(", ");
      throw new CommandError("not_found", `${who} is not a member of ${teamId}; members: ${known || "none"}`);
    }
    this.changeMembers(team, memberId, members);
    this.services.raise.memberRemoved({ teamId, memberId });
  }

  private changeMembers(team: TeamRecord, memberId: string, teamMembers: readonly TeamMember[]): void {
    const { tables } = this.services;
    tables.teams.patch(team.id, {
      teamMembers,
      availability: teamAvailability(teamMembers.length, teamMembers.filter(isAvailable).length),
    });
    this.tiers.delete(team.id);
    this.tiersByMember.delete(team.id);
    const theirs = [...tables.teams].filter((each) => each.teamMembers.some(({ id }) => id === memberId));
    this.state.teamsOf.set(
      memberId,
      theirs.map(({ id }) => id),
    );
    this.writeTeams(memberId);
    const changed = tables.teams.mustGet(team.id);
    const { totalMembers, totalAvailable } = team.availability;
    const { availability } = changed;
    if (totalMembers !== availability.totalMembers || totalAvailable !== availability.totalAvailable)
      this.services.raise.teamTotalsChanged({ team: changed });
  }

  /** Writes a user's teams into their record. */
  private writeTeams(memberId: string): void {
    const { users, teams } = this.services.tables;
    if (users.get(memberId) === undefined) return;
    const records = this.teamsOf(memberId).map((id) => teams.mustGet(id));
    users.patch(memberId, { teams: records.map((record) => referenceTo({ kind: "team", record })) });
    this.refreshMember(memberId);
  }

  /** Describes a user or a device as a member of a team. */
  private makeMember(id: string, priority: number, isFree: boolean): TeamMember {
    const { users, devices } = this.services.tables;
    const user = users.get(id);
    return user === undefined
      ? { ...devices.mustGet(id), priority, isAvailable: isFree }
      : { ...user, priority };
  }
}

const noRules: TeamRules = {};

/** Teams, their members, tiers and totals. */
export const teams = defineService({
  constants: readRules,
  init: (): State => ({ teamsOf: new ForkableMap() }),
  create: (services: Needs, state, rules) => new Teams(services, state, rules),
  onStart: (it) => it.setMembership(),
});
