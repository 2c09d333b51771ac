import { findRecovery, type Mutant, mutantKinds } from "../run/mutants.ts";
import type { Prepared } from "../run/prepare.ts";
import type { WorldPlayer } from "./world-player.ts";

/**
 * Plays the scenario on platforms that are each changed in one way, and finds which property notices. Empty if the
 * scenario fails on the unchanged platform.
 */
export async function playMutants(player: WorldPlayer, prepared: Prepared): Promise<Mutant[]> {
  const request = { deliveredTypes: true, trace: true };
  const plain = await player.playReached(prepared, [], request);
  if (plain.failures.length > 0) return [];
  const mutants: Mutant[] = [];
  for (const mutation of plain.deliveredTypes.flatMap((type) => mutantKinds.map((is) => ({ type, is })))) {
    const run = await player.play(prepared, [], { mutation, trace: true });
    const missed = plain.held.find((name) => !run.held.includes(name));
    const noticedBy = run.failures[0]?.property ?? missed;
    const recoveredBy = noticedBy === undefined ? findRecovery(mutation, plain, run) : undefined;
    mutants.push({ ...mutation, noticedBy, recoveredBy });
  }
  return mutants;
}
