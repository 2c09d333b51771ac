import fc from "fast-check";
import type { Simulator } from "../../../src/index.ts";
import { numberOfNobody, outsideNumbers } from "../arbitraries.ts";
import type { Player } from "../play.ts";
import { type Aim, fields, Move, type Picks, pickFrom, picks, turnOf } from "./move.ts";

/** Passthrough parameters, valid or not, and now and then more of them than fit. */
export const passthroughs: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  {
    weight: 2,
    arbitrary: fc.dictionary(
      fc.oneof(
        fc.string({ unit: "binary", maxLength: 4 }).map((name) => `x-${name}`),
        fc.string({ maxLength: 4 }),
      ),
      fc.oneof(
        fc.string({ unit: "binary", maxLength: 400 }),
        fc.constantFrom("\ud800", "a\u0000", "\ufffd", "\udc00\ud800", 1, null),
      ),
      { maxKeys: 4 },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: "binary", maxLength: 20 }).map((value) => `x-a=${value}&b=%ff&x-c=%C3%BC`),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({
        character: fc.constantFrom("z", "ü", "電", "📞"),
        bytes: fc.integer({ min: 980, max: 1_010 }),
      })
      .map(({ character, bytes }) => {
        const count = Math.floor(bytes / Buffer.byteLength(character));
        return {
          "x-big": character.repeat(count) + "z".repeat(bytes - count * Buffer.byteLength(character)),
        };
      }),
  },
);

/** Someone outside calls a number of the organisation. */
export class Inbound extends Move<
  Player,
  Picks & { readonly passthrough?: unknown; readonly priority?: number | undefined }
> {
  static readonly weight = 6;
  static drawn(aim: fc.Arbitrary<Aim>): fc.Arbitrary<Inbound> {
    const priority = fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined, freq: 2 });
    return fields(aim, { passthrough: passthroughs, priority }).map((each) => new Inbound(each));
  }

  run(player: Player, sim: Simulator): void {
    const { aim, pick, passthrough, priority } = this.given;
    const owned = player.numbers();
    const turn = turnOf(pick, outsideNumbers);
    const to =
      aim === "nonsense"
        ? pickFrom(["", "101", "+0", numberOfNobody], turn)
        : pickFrom(aim === "possible" && owned.length > 0 ? owned : [...owned, numberOfNobody], turn);
    const call = sim.calls.inbound({
      from: pickFrom(outsideNumbers, pick) as string,
      to: to as string,
      passthroughParameters: passthrough as never,
      ...(priority === undefined ? {} : { priority }),
    });
    player.saw(call);
  }
}

/** Someone inside calls an outside number. */
export class Outbound extends Move<
  Player,
  Picks & {
    readonly passthrough?: unknown;
    /** By a dial link. */
    readonly isLink: boolean;
  }
> {
  static readonly weight = 2;
  static drawn(aim: fc.Arbitrary<Aim>): fc.Arbitrary<Outbound> {
    return fields(aim, { passthrough: passthroughs, isLink: fc.boolean() }).map((each) => new Outbound(each));
  }

  run(player: Player, { calls }: Simulator): void {
    const { aim, pick, passthrough, isLink } = this.given;
    const from = player.whoDials(this.given) ?? "nobody";
    const numbers = aim === "possible" ? outsideNumbers : [...outsideNumbers, ...player.numbers()];
    const to = pickFrom(numbers, turnOf(pick, player.inside())) as string;
    if (!isLink) {
      player.saw(calls.outbound({ from, to, passthroughParameters: passthrough as never }));
      return;
    }
    const made = calls.dialLink({
      user: from,
      contactNumber: to,
      "x-link": "1".repeat(pick % 7 === 0 ? 1_000 : 1),
    });
    if ("call" in made) player.saw(made.call);
  }
}

/** Someone inside calls a colleague. */
export class Internal extends Move<Player, Picks & { readonly to: number }> {
  static readonly weight = 2;
  static drawn(aim: fc.Arbitrary<Aim>): fc.Arbitrary<Internal> {
    return fields(aim, { to: picks }).map((each) => new Internal(each));
  }

  run(player: Player, { calls }: Simulator): void {
    const extensions = [...player.extensions(), ...(this.given.aim === "possible" ? [] : ["999"])];
    const to = pickFrom(extensions, this.given.to) ?? "999";
    player.saw(calls.internal({ from: player.whoDials(this.given) ?? "nobody", to }));
  }
}

/** What a redirect may say, valid or not. */
const redirectParameters = fc.oneof(
  fc.constant({}),
  fc.record(
    {
      timeout: fc.constantFrom("10", 12, 0, 1_000, "soon"),
      nextOfferTimeout: fc.constantFrom("5", 7, 0, 1_000, ""),
      priority: fc.constantFrom("1", 9, 0, "high"),
      returnTo: fc.constantFrom("flow", "taskQueue", "postEndpoint", "nowhere"),
      returnToId: fc.constantFrom("FW1", "https://return.test/", "http://return.test/"),
      sendToVoicemail: fc.constantFrom(true, "true", "false"),
      "x-ticket": fc.constantFrom("4711", "z".repeat(1_001)),
    },
    { requiredKeys: [] },
  ),
);

/** Another phone system hands a call over. */
export class Redirect extends Move<
  Player,
  Picks & {
    readonly parameters: Readonly<Record<string, string | number | boolean>>;
    /** By connecting to the organisation's application. */
    readonly isApplication: boolean;
  }
> {
  static readonly weight = 2;
  static drawn(aim: fc.Arbitrary<Aim>): fc.Arbitrary<Redirect> {
    const parameters = redirectParameters as fc.Arbitrary<Redirect["given"]["parameters"]>;
    return fields(aim, { parameters, isApplication: fc.boolean() }).map((each) => new Redirect(each));
  }

  run(player: Player, { calls }: Simulator): void {
    const { aim, pick, parameters, isApplication } = this.given;
    const extension =
      pickFrom([...player.extensions(), ...(aim === "possible" ? [] : ["999"])], pick) ?? "999";
    const from = pickFrom(outsideNumbers, pick) as string;
    const vendor = { from, to: aim === "nonsense" ? "" : numberOfNobody };
    player.saw(
      isApplication
        ? calls.connectApplication({ extension, accountId: "AC1", parameters: { "x-a": "b" } }, vendor)
        : calls.redirect({ ...parameters, extension }, vendor),
    );
  }
}
