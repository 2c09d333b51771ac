import fc from "fast-check";
import type { EventType, Simulator } from "../../../src/index.ts";
import { Move, pickFrom } from "./move.ts";
import { Wait } from "./time.ts";

/** Moves on webhooks, their endpoints, and the calls that they report. The model is the simulator itself. */
export type WebhookMove = Move<Simulator>;

const hosts = ["https://a.example.test", "https://b.example.test", "https://c.example.test"];
const anyHost = fc.constantFrom(...hosts);
const prefix = fc.constantFrom(...hosts, "https://");
const ms = fc.constantFrom(0, 1, 999, 1_000, 4_999, 5_000, 5_001, 7_000);

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const chance = optional(fc.constantFrom(0, 0.2, 0.5, 1));
const types: fc.Arbitrary<("*" | EventType)[]> = fc.oneof(
  fc.constant<("*" | EventType)[]>(["*"]),
  fc.uniqueArray(
    fc.constantFrom<EventType[]>(
      ...(["call.started", "call.ended", "call.not_answered", "user.availability.updated"] as const),
    ),
    { minLength: 1 },
  ),
);

/** The faults that make endpoints fail or answer late. */
export abstract class Trouble<Fields extends object = object> extends Move<Simulator, Fields> {}

type GivenTo<Method extends (...given: never[]) => unknown> = Parameters<Method>[1];

class Fault extends Trouble<{ url: string; fault: GivenTo<Simulator["network"]["fault"]> }> {
  static readonly drawn = fc
    .record({
      url: prefix,
      fault: fc.record({
        status: fc.constantFrom(200, 301, 400, 408, 429, 500, 503, "refuse" as const, "timeout" as const),
        times: optional(fc.nat({ max: 5 })),
        for: optional(fc.constantFrom(1_000, 60_000, 3_600_000)),
        after: optional(ms),
      }),
    })
    .map((each) => new Fault(each));

  run(_: Simulator, sim: Simulator): void {
    sim.network.fault(this.given.url, this.given.fault);
  }
}

class Conditions extends Trouble<{ url: string; conditions: GivenTo<Simulator["network"]["conditions"]> }> {
  static readonly drawn = fc
    .record({
      url: prefix,
      conditions: fc.record({
        latency: optional(fc.oneof(ms, fc.constant({ uniform: [0, 8_000] as [number, number] }))),
        loss: chance,
        duplicate: chance,
        reorder: chance,
      }),
    })
    .map((each) => new Conditions(each));

  run(_: Simulator, sim: Simulator): void {
    sim.network.conditions(this.given.url, this.given.conditions);
  }
}

class Route extends Trouble<{ url: string; status: number; after: number }> {
  static readonly drawn = fc
    .record({ url: prefix, status: fc.constantFrom(200, 204, 404, 500), after: ms })
    .map((each) => new Route(each));

  run(_: Simulator, sim: Simulator): void {
    const { url, status, after } = this.given;
    sim.network.route(url, { status, after });
  }
}

type Created = Parameters<Simulator["webhooks"]["create"]>[0];

class Create extends Move<Simulator, Created> {
  static readonly drawn = fc
    .record({ url: anyHost, events: types, enabled: fc.boolean() })
    .map((each) => new Create(each));

  run(_: Simulator, sim: Simulator): void {
    sim.webhooks.create(this.given);
  }
}

class Update extends Move<
  Simulator,
  { pick: number; changes: Parameters<Simulator["webhooks"]["update"]>[1] }
> {
  static readonly drawn = fc
    .record({
      pick: fc.nat(),
      changes: fc.record({
        enabled: optional(fc.boolean()),
        url: optional(anyHost),
        events: optional(types),
      }),
    })
    .map((each) => new Update(each));

  run(_: Simulator, sim: Simulator): void {
    const { pick, changes } = this.given;
    sim.webhooks.update(pickFrom(sim.webhooks.list(), pick)?.id ?? "none", changes);
  }
}

class Remove extends Move<Simulator, { pick: number }> {
  static readonly drawn = fc.record({ pick: fc.nat() }).map((each) => new Remove(each));

  run(_: Simulator, sim: Simulator): void {
    sim.webhooks.remove(pickFrom(sim.webhooks.list(), this.given.pick)?.id ?? "none");
  }
}

class CallBob extends Move<Simulator> {
  run(_: Simulator, sim: Simulator): void {
    sim.calls.inbound({ from: "+6421555001", to: "+6495550101" });
  }
}

class BobAnswers extends Move<Simulator, { pick: number }> {
  static readonly drawn = fc.record({ pick: fc.nat() }).map((each) => new BobAnswers(each));

  run(_: Simulator, sim: Simulator): void {
    pickFrom(sim.calls.live(), this.given.pick)?.answer("bob");
  }
}

class CallerHangsUp extends Move<Simulator, { pick: number }> {
  static readonly drawn = fc.record({ pick: fc.nat() }).map((each) => new CallerHangsUp(each));

  run(_: Simulator, sim: Simulator): void {
    pickFrom(sim.calls.live(), this.given.pick)?.hangup("caller");
  }
}

const changing = fc.oneof(Create.drawn, Update.drawn, Remove.drawn);
const acting = fc.oneof(
  fc.constant(new CallBob({})),
  fc.oneof(BobAnswers.drawn, CallerHangsUp.drawn),
  Wait.drawn(0, 1, 1_000, 5_000, 169_080, 90_000_000),
);
const troubling = fc.oneof(Fault.drawn, Conditions.drawn, Route.drawn);

const listOf = (maxLength: number, ...kinds: fc.Arbitrary<WebhookMove>[]) =>
  fc.array(fc.oneof(...kinds), { maxLength, size: "max" });

export const quiet = listOf(30, acting, acting, changing);
export const moves = listOf(40, acting, acting, changing, troubling);
