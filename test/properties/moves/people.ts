import fc from "fast-check";
import type { Simulator, UserHandle } from "../../../src/index.ts";
import type { Player } from "../play.ts";
import { type Aim, fields, Move, nonsensePeople, type Picks, pickFrom, turnOf } from "./move.ts";

/** A move on one of the users. */
abstract class OfAUser<Fields extends object> extends Move<Player, Picks & Fields> {
  /** @param turn picks everything else */
  protected abstract act(user: UserHandle, turn: number): void;

  run(_: Player, sim: Simulator): void {
    const { aim, pick } = this.given;
    const users = sim.users.list();
    const id = aim === "nonsense" ? pickFrom(nonsensePeople, pick) : pickFrom(users, pick)?.id;
    this.act(sim.users.get(id ?? "nobody"), turnOf(pick, users));
  }
}

export class SetAvailability extends OfAUser<{ readonly reason: boolean }> {
  static readonly weight = 2;
  static drawn(aim: fc.Arbitrary<Aim>): fc.Arbitrary<SetAvailability> {
    return fields(aim, { reason: fc.boolean() }).map((each) => new SetAvailability(each));
  }

  protected act(user: UserHandle, turn: number): void {
    const isPossible = this.given.aim === "possible";
    const statuses = ["available", "available", "busy", "offline", ...(isPossible ? [] : ["asleep"])];
    const status = pickFrom(statuses, turn) as "available" | "busy" | "offline";
    const rules = [undefined, "doNotDisturb", "outOfHours", "loggedOut"] as const;
    const rule = pickFrom(rules, turnOf(turn, statuses));
    const takesWhy = !isPossible || status !== "available";
    user.setAvailability(status, {
      ...(takesWhy && rule !== undefined ? { rule } : {}),
      ...(takesWhy && this.given.reason ? { reason: "lunch" } : {}),
    });
  }
}

export class SetEndpoint extends OfAUser<{ readonly registered: boolean }> {
  static readonly weight = 2;
  static drawn(aim: fc.Arbitrary<Aim>): fc.Arbitrary<SetEndpoint> {
    return fields(aim, { registered: fc.boolean() }).map((each) => new SetEndpoint(each));
  }

  protected act(user: UserHandle, turn: number): void {
    const own = user.record.endpoints.map((endpoint) => endpoint.id);
    const endpoint = pickFrom(this.given.aim === "possible" ? own : [...own, "fax", ""], turn);
    user.setEndpoint(endpoint ?? "mobile", { registered: this.given.registered });
  }
}

export class SetUserStatus extends OfAUser<{ readonly status: "invited" | "active" | "suspended" }> {
  static readonly weight = 1;
  static drawn(aim: fc.Arbitrary<Aim>): fc.Arbitrary<SetUserStatus> {
    const status = fc.constantFrom("active", "active", "suspended", "invited");
    return fields(aim, { status }).map((each) => new SetUserStatus(each));
  }

  protected act(user: UserHandle): void {
    user.setStatus(this.given.status);
  }
}

/** A move on the members of one of the teams. */
abstract class OfATeam<Fields extends object = object> extends Move<Player, Picks & Fields> {
  protected team(sim: Simulator) {
    const { aim, pick } = this.given;
    return sim.teams.get(aim === "nonsense" ? "no-such-team" : (pickFrom(sim.teams.list(), pick)?.id ?? ""));
  }

  protected who(sim: Simulator, possible: readonly string[], others: readonly string[]): string {
    const { aim, pick } = this.given;
    const turn = turnOf(pick, sim.teams.list());
    return pickFrom(aim === "possible" ? possible : others, turn) ?? "nobody";
  }
}

export class SetTeamMember extends OfATeam<{ readonly priority: number }> {
  static readonly weight = 2;
  static drawn(aim: fc.Arbitrary<Aim>): fc.Arbitrary<SetTeamMember> {
    return fields(aim, { priority: fc.integer({ min: 1, max: 4 }) }).map((each) => new SetTeamMember(each));
  }

  run(player: Player, sim: Simulator): void {
    const inside = player.inside();
    const team = this.team(sim);
    team.setMember(this.who(sim, inside, [...inside, ...nonsensePeople]), { priority: this.given.priority });
  }
}

export class RemoveTeamMember extends OfATeam {
  static readonly weight = 2;
  static drawn(aim: fc.Arbitrary<Aim>): fc.Arbitrary<RemoveTeamMember> {
    return fields(aim, {}).map((each) => new RemoveTeamMember(each));
  }

  run(player: Player, sim: Simulator): void {
    const team = this.team(sim);
    const members = team.record.teamMembers.map(({ id }) => id);
    team.removeMember(this.who(sim, members, [...player.inside(), "nobody"]));
  }
}
