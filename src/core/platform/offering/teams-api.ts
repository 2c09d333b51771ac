import type { TeamRecord } from "../../records/directory.ts";
import type { CoreServices } from "../base/core-services.ts";
import type { EntriesApi } from "../directory/devices-api.ts";
import type { Directory } from "../directory/directory.ts";
import type { TeamOffers } from "./team-offers.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
  readonly teamOffers: TeamOffers;
}

/** One team. */
export class TeamHandle {
  readonly #services: Needs;

  /** @internal Reached by the simulator. */
  constructor(
    services: Needs,
    /** The team's id. */
    readonly id: string,
  ) {
    this.#services = services;
  }

  /** The current record, frozen. */
  get record(): TeamRecord {
    return this.#services.tables.teams.mustGet(this.id);
  }

  /**
   * The ids of the waiting calls, in the order in which they will be offered.
   * @example
   * for (const member of ["bob", "carol"]) sim.users.get(member).setAvailability("busy");
   * sim.teams.get("sales").removeMember("lobby");
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550200" });
   * sim.teams.get("sales").waiting(); // => [call.id]
   */
  waiting(): string[] {
    return this.#services.teamOffers.waitingFor(this.id).map(({ offer }) => offer.callId);
  }

  /**
   * Adds a user or a device, or changes their offer priority from the next offer on.
   * @param member a user's id or e-mail address, or a device's id
   * @param options.priority 1 (rung first, default) to 100
   * @throws {CommandError} `not_found`
   * @example
   * sim.teams.get("support").setMember("alice", { priority: 2 });
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550201" });
   * sim.advance("PT20S"); // Dave did not answer: it is Alice's turn
   */
  setMember(member: string, options: { readonly priority?: number } = {}): void {
    this.#services.command("setTeamMember", { team: this.id, user: member, ...options });
  }

  /**
   * Removes a member. The team's rings for them stop.
   * @param member a user's id or e-mail address, or a device's id
   * @throws {CommandError} `not_found`
   * @example
   * sim.teams.get("sales").removeMember("carol");
   * sim.teams.get("sales").record.teamMembers.map(({ id }) => id); // => ["bob", "lobby"]
   */
  removeMember(member: string): void {
    this.#services.command("removeTeamMember", { team: this.id, user: member });
  }
}

export function teamsApi(services: Needs): EntriesApi<TeamHandle> {
  const handle = ({ id }: TeamRecord) => new TeamHandle(services, id);
  return {
    get: (id) => handle(services.directory.team(id)),
    list: () => [...services.tables.teams].map(handle),
  };
}
