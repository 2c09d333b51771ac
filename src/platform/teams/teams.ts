import { CommandError, notFound } from "../../engine/errors.ts";
import type { Organisation } from "../../generated/inputs.ts";
import type { TeamMember, TeamRecord } from "../../records/directory.ts";
import type { Availability } from "../availability/availability.ts";
import type { Base } from "../base.ts";
import { capability, command } from "../capability.ts";
import { type Directory, referenceTo } from "../directory/directory.ts";
import {
  type RemoveTeamMemberArguments,
  removeTeamMemberSchema,
  type SetTeamMemberArguments,
  setTeamMemberSchema,
} from "./commands.ts";

export interface Needs extends Base {
  readonly directory: Directory;
  readonly availability: Availability;
}

type TeamInput = NonNullable<Organisation["teams"]>[number];

/** How a team is offered calls, and what becomes of those it does not answer. */
export interface TeamRules {
  /** Undefined: `timing.teamTimeout`. */
  readonly timeout: number | undefined;
  /** Undefined: `timing.nextOfferTimeout`. */
  readonly nextOfferTimeout: number | undefined;
  readonly unanswered: TeamInput["unanswered"];
}

/** Members of one offer priority; they ring together. */
export interface Tier {
  readonly priority: number;
  readonly members: readonly TeamMember[];
}

/** A team is available if a member is. */
export function teamAvailability(totalMembers: number, totalAvailable: number): TeamRecord["availability"] {
  return {
    status: totalAvailable > 0 ? "available" : "busy",
    totalMembers,
    totalAvailable,
    availabilitySummary: `${totalAvailable} of ${totalMembers} available`,
  };
}

export interface State {
  /** Teams by member, in the order of the organisation's teams. Replaced on a change, so that forks share it. */
  teamsOf: ReadonlyMap<string, readonly string[]>;
}

function rulesOf({ teams = [] }: Organisation): ReadonlyMap<string, TeamRules> {
  const ruleOf = (input: TeamInput): TeamRules => ({
    timeout: input.timeout,
    nextOfferTimeout: input.nextOfferTimeout,
    unanswered: input.unanswered,
  });
  return new Map(teams.map((input) => [input.id, ruleOf(input)]));
}

/** Teams, their members, and their totals. */
export class Teams {
  /** Tiers by team, until the membership changes. */
  private readonly tiers = new Map<string, readonly Tier[]>();
  private readonly tiersByMember = new Map<string, ReadonlyMap<string, Tier>>();

  constructor(
    private readonly world: Needs,
    private readonly state: State,
    private readonly rulesByTeam: ReadonlyMap<string, TeamRules>,
  ) {}

  /** Who is in which team, as the run begins. */
  begin(): void {
    this.state.teamsOf = membership(this.world.tables.teams);
  }

  rules(teamId: string): TeamRules {
    return this.rulesByTeam.get(teamId) ?? noRules;
  }

  /** In the order of the organisation's teams. */
  teamsOf(memberId: string): readonly string[] {
    return this.state.teamsOf.get(memberId) ?? [];
  }

  /** By offer priority, the highest (1) first. */
  tiersOf(teamId: string): readonly Tier[] {
    let tiers = this.tiers.get(teamId);
    if (tiers === undefined) {
      const { teamMembers } = this.world.tables.teams.mustGet(teamId);
      const priorities = [...new Set(teamMembers.map((member) => member.priority))].sort((a, b) => a - b);
      tiers = priorities.map((priority) => ({
        priority,
        members: teamMembers.filter((member) => member.priority === priority),
      }));
      this.tiers.set(teamId, tiers);
    }
    return tiers;
  }

  /** The tier of a team that someone is in. */
  tierOf(teamId: string, memberId: string): Tier | undefined {
    let byMember = this.tiersByMember.get(teamId);
    if (byMember === undefined) {
      byMember = new Map(this.tiersOf(teamId).flatMap((tier) => tier.members.map(({ id }) => [id, tier])));
      this.tiersByMember.set(teamId, byMember);
    }
    return byMember.get(memberId);
  }

  /** A member became free or not: tells of each of their teams whose totals that changes. */
  memberChanged(memberId: string, isAvailable: boolean): void {
    const { tables, engine } = this.world;
    for (const teamId of this.teamsOf(memberId)) {
      const team = tables.teams.mustGet(teamId);
      const index = team.teamMembers.findIndex((member) => member.id === memberId);
      const member = team.teamMembers[index];
      if (member === undefined || member.isAvailable === isAvailable) continue;
      const { totalMembers, totalAvailable } = team.availability;
      const changed = tables.teams.patch(teamId, {
        teamMembers: team.teamMembers.with(index, { ...member, isAvailable }),
        availability: teamAvailability(totalMembers, totalAvailable + (isAvailable ? 1 : -1)),
      });
      engine.publish("team.availability.updated", { team: changed });
    }
  }

  /**
   * Adds a user or a device to a team, or changes their offer priority, from the next offer on.
   * @throws {CommandError} `not_found`
   */
  setMember({ team: teamId, user: who, priority = 1 }: SetTeamMemberArguments): void {
    const { availability, directory } = this.world;
    const team = directory.team(teamId);
    const entry = directory.find(who);
    if (entry?.kind !== "user" && entry?.kind !== "device")
      throw notFound("user or device", who, directory.usersAndDevices());
    const { id, displayName, extension } = entry.record;
    const { type } = referenceTo(entry);
    const member = { id, type, displayName, extension, priority, isAvailable: availability.canRing(entry) };
    const index = team.teamMembers.findIndex((each) => each.id === id);
    this.changeMembers(
      team,
      index < 0 ? [...team.teamMembers, member] : team.teamMembers.with(index, member),
    );
    this.world.tell("memberSet", { memberId: id });
  }

  /** Takes a member out of a team; what the team rings them for stops. @throws {CommandError} `not_found` */
  removeMember({ team: teamId, user: who }: RemoveTeamMemberArguments): void {
    const { directory } = this.world;
    const team = directory.team(teamId);
    const memberId = directory.find(who)?.record.id ?? who;
    const members = team.teamMembers.filter((member) => member.id !== memberId);
    if (members.length === team.teamMembers.length) {
      const known = team.teamMembers.map((member) => member.id).join(", ");
      throw new CommandError("not_found", `${who} is not a member of ${teamId}; members: ${known || "none"}`);
    }
    this.changeMembers(team, members);
    this.world.tell("memberRemoved", { teamId, memberId });
  }

  private changeMembers(team: TeamRecord, teamMembers: readonly TeamMember[]): void {
    const { tables, engine } = this.world;
    const available = teamMembers.filter((member) => member.isAvailable).length;
    const availability = teamAvailability(teamMembers.length, available);
    const changed = tables.teams.patch(team.id, { teamMembers, availability });
    this.tiers.delete(team.id);
    this.tiersByMember.delete(team.id);
    this.state.teamsOf = membership(tables.teams);
    const before = team.availability;
    if (before.totalMembers !== availability.totalMembers || before.totalAvailable !== available)
      engine.publish("team.availability.updated", { team: changed });
  }
}

const noRules: TeamRules = {
  timeout: undefined,
  nextOfferTimeout: undefined,
  unanswered: undefined,
};

function membership(teams: Iterable<TeamRecord>): ReadonlyMap<string, readonly string[]> {
  const byMember = new Map<string, string[]>();
  for (const team of teams)
    for (const { id } of team.teamMembers) byMember.set(id, [...(byMember.get(id) ?? []), team.id]);
  return byMember;
}

/** Teams: their members, tiers and totals. */
export const teams = capability({
  fixed: rulesOf,
  begin: (): State => ({ teamsOf: new Map() }),
  make: (world: Needs, state, rules) => new Teams(world, state, rules),
  start: (it) => it.begin(),
  commands: {
    setTeamMember: command(setTeamMemberSchema, (it: Teams, args) => it.setMember(args)),
    removeTeamMember: command(removeTeamMemberSchema, (it: Teams, args) => it.removeMember(args)),
  },
});
