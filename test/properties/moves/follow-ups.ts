import type fc from "fast-check";
import type { CallHandle, Simulator } from "../../../src/index.ts";
import type { Player } from "../play.ts";
import { type Aim, fields, Move, nonsensePeople, type Picks, pickFrom, turnOf } from "./move.ts";

/** A person's note or other follow-up on any call, live or closed. */
abstract class FollowUp extends Move<Player, Picks> {
  protected abstract isOf(call: CallHandle): boolean;
  protected abstract act(call: CallHandle, by: string): void;

  run(_: Player, sim: Simulator): void {
    const { aim, pick } = this.given;
    const users = sim.users.list().map(({ id }) => id);
    const by = pickFrom(aim === "nonsense" ? [...users, ...nonsensePeople] : users, pick) ?? "nobody";
    const calls = sim.calls.list().filter((call) => aim !== "possible" || this.isOf(call));
    this.act(sim.calls.get(pickFrom(calls, turnOf(pick, users))?.id ?? "no-such-call"), by);
  }
}

export class Note extends FollowUp {
  static readonly weight = 1;
  static drawn(aim: fc.Arbitrary<Aim>): fc.Arbitrary<Note> {
    return fields(aim, {}).map((each) => new Note(each));
  }

  protected isOf(): boolean {
    return true;
  }

  protected act(call: CallHandle, by: string): void {
    const { aim, pick } = this.given;
    call.note(aim === "nonsense" ? "" : `Note ${pick}`, { by });
  }
}

export class AssignContact extends FollowUp {
  static readonly weight = 1;
  static drawn(aim: fc.Arbitrary<Aim>): fc.Arbitrary<AssignContact> {
    return fields(aim, {}).map((each) => new AssignContact(each));
  }

  protected isOf({ record }: CallHandle): boolean {
    return record.contactNumber?.startsWith("+") === true;
  }

  protected act(call: CallHandle, by: string): void {
    const contact = { name: `Contact ${this.given.pick}`, phoneNumbers: [call.record.contactNumber ?? ""] };
    call.assignContact(contact, { by });
  }
}
