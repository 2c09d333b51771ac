import type fc from "fast-check";
import { commands } from "../../../src/core/platform/catalogue/commands.ts";
import { possibleCommands } from "../../../src/core/platform/catalogue/possible-commands.ts";
import type { AnyCommand } from "../../../src/core/platform/declare/any-command.ts";
import { isOnCall } from "../../../src/core/platform/guards/refusals.ts";
import type { CommandName, Simulator } from "../../../src/index.ts";
import type { Player } from "../play.ts";
import { type Aim, fields, Move, type Picks, pickFrom } from "./move.ts";

/** The commands on a call that the other moves give. */
const given: readonly string[] = [
  ...["answer", "decline", "hangup", "move", "leaveVoicemail", "transfer", "add"],
  ...["note", "assignContact"],
];

/** A command on a call without a move of its own, with arguments with which it is possible. */
export class Possible extends Move<Player, Picks> {
  static readonly names = (Object.keys(commands) as CommandName[]).filter(
    (name) => isPossibleOnCall(name) && !given.includes(name),
  );
  static readonly weight = 3;
  static drawn(aim: fc.Arbitrary<Aim>): fc.Arbitrary<Possible> {
    return fields(aim, {}).map((each) => new Possible(each));
  }

  run(_: Player, sim: Simulator): void {
    const possible = possibleCommands(sim.services).filter(({ name }) => Possible.names.includes(name));
    const one = pickFrom(possible, this.given.pick);
    if (one !== undefined) sim.command(one.name, one.args as never);
  }
}

function isPossibleOnCall(name: CommandName): boolean {
  const { guard, possible }: Pick<AnyCommand, "guard" | "possible"> = commands[name];
  return isOnCall({ guard }) || possible !== undefined;
}
