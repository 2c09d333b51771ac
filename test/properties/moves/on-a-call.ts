import fc from "fast-check";
import type { CallHandle, Simulator } from "../../../src/index.ts";
import { outsideNumbers } from "../arbitraries.ts";
import { isInVoicemail, type Player } from "../play.ts";
import { Inbound } from "./beginnings.ts";
import { type Aim, fields, Move, nonsensePeople, type Picks, pickFrom, picks, turnOf } from "./move.ts";

const nonsenseCalls = ["no-such-call", "", "__proto__"];
const nonsenseEndpoints = ["fax", "", "MOBILE"];

/** Who does something on which call, and at which of their endpoints. */
export interface Target {
  readonly call: CallHandle;
  readonly by: string;
  readonly endpoint?: string | undefined;
}

/** A move by somebody on an existing call. */
abstract class OnACall<Fields extends object = object> extends Move<Player, Picks & Fields> {
  /** The calls and people whose state allows the command. */
  protected abstract possible(player: Player, live: readonly CallHandle[]): Target[];
  protected abstract act(target: Target, player: Player): void;

  run(player: Player, sim: Simulator): void {
    const { aim, pick } = this.given;
    const possible = () => pickFrom(this.possible(player, sim.calls.live()), pick);
    const target = aim === "possible" ? possible() : this.any(player, sim);
    // if no such move is possible, a new call may make it possible
    if (target === undefined) new Inbound({ aim, pick }).run(player, sim);
    else this.act(target, player);
  }

  /** Anything that exists, or nonsense. */
  private any(player: Player, sim: Simulator): Target {
    const { aim, pick } = this.given;
    const people = [
      ...sim.users.list().flatMap(({ id, record }) => [id, record.email]),
      ...sim.devices.list().map(({ id }) => id),
      ...outsideNumbers,
      "caller",
      "callee",
    ];
    const endpoints = ["mobile", "desktop", "sip", "tablet"];
    const ids = aim === "nonsense" ? [...nonsenseCalls, ...player.callIds] : player.callIds;
    const turn = turnOf(pick, ids);
    return {
      call: sim.calls.get(pickFrom(ids, pick) ?? "no-such-call"),
      by: pickFrom(aim === "nonsense" ? [...nonsensePeople, ...people] : people, turn) as string,
      endpoint: pickFrom(aim === "nonsense" ? nonsenseEndpoints : endpoints, turn),
    };
  }
}

abstract class OnARing extends OnACall<{ readonly named: boolean }> {
  protected possible(player: Player, live: readonly CallHandle[]): Target[] {
    return live.flatMap((call) => player.ringing(call));
  }

  /** The named endpoint, if any. */
  protected at({ endpoint }: Target): { endpoint?: string } {
    return this.given.named && endpoint !== undefined ? { endpoint } : {};
  }
}

export class Answer extends OnARing {
  static readonly weight = 8;
  static drawn(aim: fc.Arbitrary<Aim>): fc.Arbitrary<Answer> {
    return fields(aim, { named: fc.boolean() }).map((each) => new Answer(each));
  }

  protected act(target: Target): void {
    target.call.answer(target.by, this.at(target));
  }
}

export class Decline extends OnARing {
  static readonly weight = 3;
  static drawn(aim: fc.Arbitrary<Aim>): fc.Arbitrary<Decline> {
    return fields(aim, { named: fc.boolean() }).map((each) => new Decline(each));
  }

  protected act(target: Target): void {
    const isBusy = target.endpoint === "phone" && this.given.pick % 2 === 0;
    target.call.decline(target.by, { ...this.at(target), ...(isBusy ? { busy: true } : {}) });
  }
}

export class Hangup extends OnACall {
  static readonly weight = 4;
  static drawn(aim: fc.Arbitrary<Aim>): fc.Arbitrary<Hangup> {
    return fields(aim, {}).map((each) => new Hangup(each));
  }

  protected possible(player: Player, live: readonly CallHandle[]): Target[] {
    return live.flatMap((call) => player.present(call));
  }

  protected act({ call, by }: Target): void {
    call.hangup(by);
  }
}

export class MoveEndpoint extends OnACall {
  static readonly weight = 3;
  static drawn(aim: fc.Arbitrary<Aim>): fc.Arbitrary<MoveEndpoint> {
    return fields(aim, {}).map((each) => new MoveEndpoint(each));
  }

  protected possible(player: Player, live: readonly CallHandle[]): Target[] {
    return live.flatMap((call) => player.movable(call));
  }

  protected act({ call, by, endpoint }: Target): void {
    call.move(by, { to: endpoint ?? "mobile" });
  }
}

/** A user on a call has somebody else join it. */
abstract class Joining<Fields extends object = object> extends OnACall<{ readonly to: number } & Fields> {
  protected possible(player: Player, live: readonly CallHandle[]): Target[] {
    return live.filter(({ status }) => status === "accepted").flatMap((call) => player.talking(call));
  }

  protected who(player: Player): string {
    const { aim, to } = this.given;
    const nonsense = aim === "nonsense" ? nonsensePeople : [];
    return pickFrom(
      [...player.inside(), ...player.extensions(), ...outsideNumbers, ...nonsense],
      to,
    ) as string;
  }
}

export class Transfer extends Joining<{ readonly warm: boolean }> {
  static readonly weight = 2;
  static drawn(aim: fc.Arbitrary<Aim>): fc.Arbitrary<Transfer> {
    return fields(aim, { to: picks, warm: fc.boolean() }).map((each) => new Transfer(each));
  }

  protected act({ call, by }: Target, player: Player): void {
    call.transfer(this.who(player), { by, warm: this.given.warm });
  }
}

export class Add extends Joining {
  static readonly weight = 2;
  static drawn(aim: fc.Arbitrary<Aim>): fc.Arbitrary<Add> {
    return fields(aim, { to: picks }).map((each) => new Add(each));
  }

  protected act({ call, by }: Target, player: Player): void {
    call.add(this.who(player), { by });
  }
}

export class LeaveVoicemail extends OnACall<{ readonly durationMs: number }> {
  static readonly weight = 3;
  static drawn(aim: fc.Arbitrary<Aim>): fc.Arbitrary<LeaveVoicemail> {
    const durationMs = fc.constantFrom(0, 1, 999, 1_000, 4_500, 20_000, 180_000, 1_000_000);
    return fields(aim, { durationMs }).map((each) => new LeaveVoicemail(each));
  }

  protected possible(_: Player, live: readonly CallHandle[]): Target[] {
    return live.filter((call) => isInVoicemail(call.record)).map((call) => ({ call, by: "caller" }));
  }

  protected act({ call }: Target): void {
    const { aim, durationMs } = this.given;
    call.leaveVoicemail({ duration: aim === "nonsense" ? -1 : durationMs, transcript: "Hello" });
  }
}
