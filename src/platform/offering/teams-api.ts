import type { TeamRecord } from "../../records/directory.ts";
import type { Base } from "../base.ts";
import type { EntriesApi } from "../directory/devices-api.ts";
import type { Directory } from "../directory/directory.ts";
import type { TeamOffers } from "./team-offers.ts";

export interface Needs extends Base {
  readonly directory: Directory;
  readonly teamOffers: TeamOffers;
}

/** One team. */
export class TeamHandle {
  readonly #world: Needs;

  /** @internal Reached by the simulator. */
  constructor(
    world: Needs,
    /** The team's id. */
    readonly id: string,
  ) {
    this.#world = world;
  }

  /** The record as it is now, frozen. */
  get record(): TeamRecord {
    return this.#world.tables.teams.mustGet(this.id);
  }

  /** The ids of the calls that wait for a member, in the order in which they will be offered. */
  waiting(): string[] {
    return this.#world.teamOffers.waitingFor(this.id).map(({ offer }) => offer.callId);
  }

  /** Adds a user or a device, or changes their offer priority (1 highest) from the next offer on. */
  setMember(member: string, options: { readonly priority?: number } = {}): void {
    this.#world.command("setTeamMember", { team: this.id, user: member, ...options });
  }

  /** Takes a member out; what the team rings them for stops. */
  removeMember(member: string): void {
    this.#world.command("removeTeamMember", { team: this.id, user: member });
  }
}

export function teamsApi(world: Needs): EntriesApi<TeamHandle> {
  const handle = ({ id }: TeamRecord) => new TeamHandle(world, id);
  return {
    get: (id) => handle(world.directory.team(id)),
    list: () => [...world.tables.teams].map(handle),
  };
}
