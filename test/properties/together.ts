import fc from "fast-check";
import { it } from "vitest";
import { createSimulator, type Simulator } from "../../src/index.ts";
import { runsOf } from "../counts.ts";
import { options } from "./arbitraries.ts";
import { type AnyMove, run } from "./moves/index.ts";
import { finish, Player } from "./play.ts";
import { always } from "./support.ts";

/** Observes a run: after each step, at the end, or both. It may remember what it saw. */
export type Rule = (sim: Simulator) => { readonly step?: () => void; readonly end?: () => void };

/**
 * Makes a test of each rule. A run costs far more than observing it, so all rules observe the same runs, each played
 * once. A rule that breaks is tried again alone, for its smallest counter-example.
 */
export function together(runs: number, rules: Readonly<Record<string, Rule>>): void {
  let broken: ReadonlyMap<string, unknown> | undefined;
  for (const [title, rule] of Object.entries(rules))
    it(title, () => {
      broken ??= brokenIn(runs, rules);
      if (!broken.has(title)) return;
      always(runs, values, (value) => {
        for (const error of errorsIn(value, { [title]: rule }).values()) throw error;
      });
      throw broken.get(title);
    });
}

const values = fc.tuple(options, run);

/** The rules that some run breaks, each with its first error. */
function brokenIn(runs: number, rules: Readonly<Record<string, Rule>>): ReadonlyMap<string, unknown> {
  const broken = new Map<string, unknown>();
  for (const value of fc.sample(values, runsOf(runs)))
    for (const [title, error] of errorsIn(value, rules)) if (!broken.has(title)) broken.set(title, error);
  return broken;
}

/** Plays one run to its end. Returns the first error of each rule that it breaks. */
function errorsIn(
  [given, moves]: [Parameters<typeof createSimulator>[0], AnyMove[]],
  rules: Readonly<Record<string, Rule>>,
): ReadonlyMap<string, unknown> {
  const errors = new Map<string, unknown>();
  const player = Player.on(createSimulator(given));
  const looks = Object.entries(rules).map(([title, rule]) => ({ title, ...rule(player.sim) }));
  const look = (when: "step" | "end") => {
    for (const each of looks)
      if (!errors.has(each.title))
        try {
          each[when]?.();
        } catch (error) {
          errors.set(each.title, error);
        }
  };
  const seen = () => look("step");
  seen();
  for (const move of moves) player.playByStep(move, seen);
  finish(player.sim, seen);
  look("end");
  return errors;
}
