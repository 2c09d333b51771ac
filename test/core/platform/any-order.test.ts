import { expect, test } from "vitest";
import { commands } from "../../../src/core/platform/catalogue/commands.ts";
import type { AnyCommand } from "../../../src/core/platform/declare/any-command.ts";
import { isOnCall } from "../../../src/core/platform/guards/refusals.ts";
import { CommandError, type CommandName, createSimulator, type Simulator } from "../../../src/index.ts";
import { isWhole } from "../../counts.ts";

/**
 * Commands on a call in every order, with the timers between them. Each is done, or refused with a `CommandError`.
 * Another error means that a machine was sent what it does not take. A new command on a call takes part by itself.
 */

/** How many commands and timers follow each other. */
const LENGTH = isWhole ? 5 : 4;

/** What commands are given, by the name of the argument. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  call: ["call-1"],
  by: ["alice", "bob", "caller", "+6421555002"],
  target: ["bob", "+6421555002"],
  to: ["mobile"],
  duration: ["PT5S"],
};

/** One thing that happens. It throws a `CommandError` if it cannot. */
interface Move {
  readonly name: string;
  play(sim: Simulator): void;
}

const nextTimer: Move = {
  name: "the next timer",
  play(sim) {
    if (sim.step() === undefined) throw new CommandError("not_allowed", "nothing is scheduled");
  },
};

type Entries = Readonly<
  Record<string, { readonly type: string; readonly wrapped?: { readonly type: string } }>
>;

/** Each way to give a command with its required arguments, and with each flag. */
function waysToGive(command: CommandName, entries: Entries): Move[] {
  let ways: Record<string, unknown>[] = [{}];
  for (const [name, entry] of Object.entries(entries)) {
    const isFlag = entry.wrapped?.type === "boolean";
    const given = entry.type !== "optional" ? values[name] : isFlag ? [undefined, true] : [undefined];
    if (given === undefined)
      throw new Error(
        `test/core/platform/any-order.test.ts, values: add what ${command} is given as ${name}`,
      );
    ways = ways.flatMap((way) => given.map((value) => ({ ...way, [name]: value })));
  }
  return ways.map((args) => ({
    name: `${command} ${JSON.stringify(args)}`,
    play: (sim) => sim.command(command, args as never),
  }));
}

/** Those that the machines of a call may refuse. Notes and contacts ask none. */
const moves = [
  nextTimer,
  ...Object.entries<AnyCommand>(commands).flatMap(([name, command]) => {
    const { schema } = command;
    const entries = "entries" in schema ? (schema.entries as Entries) : {};
    return isOnCall(command) ? waysToGive(name as CommandName, entries) : [];
  }),
];

/** Plays all that may follow, in forks. @returns how many moves were done */
function playOn(sim: Simulator, before: readonly string[]): number {
  if (before.length === LENGTH) return 0;
  let done = 0;
  for (const move of moves) {
    const fork = sim.fork();
    const path = [...before, move.name];
    try {
      move.play(fork);
    } catch (error) {
      if (error instanceof CommandError) continue;
      throw new Error(`${path.join(", then ")}: ${error}`, { cause: error });
    }
    done += 1 + playOn(fork, path);
  }
  return done;
}

test("Commands on an answered call are done or refused, whatever came before", () => {
  const sim = createSimulator({ ids: "counter" });
  sim.calls.inbound({ from: "+6421555001", to: "+6495550100" }).answer("alice");
  expect(playOn(sim, [])).toBeGreaterThan(500);
});
