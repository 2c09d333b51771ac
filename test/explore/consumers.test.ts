import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse, parseDocument, stringify } from "yaml";
import type { DeviationKind } from "../../src/explore/index.ts";
import { findBoundKind } from "../../src/findings/bound.ts";
import { generaliseMessage } from "../../src/findings/property-failure.ts";
import { parseScenario, runScenario, ScenarioError } from "../../src/index.ts";
import { isWhole, sixthOf, someOf } from "../counts.ts";
import { acknowledgesEarly } from "./consumers/acknowledges-early.ts";
import { answersThePast } from "./consumers/answers-the-past.ts";
import { forgetsLiveCalls } from "./consumers/forgets-live-calls.ts";
import { hungupIsTheEnd } from "./consumers/hungup-is-the-end.ts";
import { keepsToken } from "./consumers/keeps-token.ts";
import { losesTransfers } from "./consumers/loses-transfers.ts";
import { losesUpdates } from "./consumers/loses-updates.ts";
import { neverCloses } from "./consumers/never-closes.ts";
import { notIdempotent } from "./consumers/not-idempotent.ts";
import { overtakesItself } from "./consumers/overtakes-itself.ts";
import type { AnyProof } from "./consumers/proof.ts";
import { reliesOnOrder } from "./consumers/relies-on-order.ts";
import { repliesTwice } from "./consumers/replies-twice.ts";
import { retriesPost } from "./consumers/retries-post.ts";
import { trustsArrival } from "./consumers/trusts-arrival.ts";
import { wallboard } from "./consumers/wallboard.ts";
import { expectFailuresOf } from "./verdicts/table.ts";

/** How many deviations it takes to find each defect. */
const proofs: readonly (readonly [string, number, AnyProof])[] = [
  ["is not idempotent", 1, notIdempotent],
  ["relies on order", 1, reliesOnOrder],
  ["never closes a call when call.ended is lost", 2, neverCloses],
  ["does not refresh its token", 1, keepsToken],
  ["retries a POST that is not idempotent", 1, retriesPost],
  ["treats call.hungup as the end of the call", 0, hungupIsTheEnd],
  ["loses its state when a call is transferred", 0, losesTransfers],
  ["trusts arrival time instead of createdTimestamp", 1, trustsArrival],
  ["leaks a waiting call when a team rolls over", 1, wallboard],
  ["replies twice to a message", 1, repliesTwice],
  ["acknowledges before it has stored", 1, acknowledgesEarly],
  ["puts a failed job behind later ones", 1, overtakesItself],
  ["reconciles without the calls that were live", 1, forgetsLiveCalls],
  ["answers an old question last", 1, answersThePast],
  ["loses an update when two handlers overlap", 1, losesUpdates],
];

const smallest = (name: string) =>
  readFileSync(new URL(`consumers/smallest/${name}.yaml`, import.meta.url), "utf8");

/** A scenario without one item of one of its lists. */
function without(text: string, list: "steps" | "deviations", index: number): string {
  const document = parseDocument(text);
  document.deleteIn([list, index]);
  return document.toString();
}

/** What is smaller takes hundreds of worlds for each app: `npm test` tries some. */
const triedSmaller = someOf(proofs).map(([, , { name }]) => name);
const isTried = (name: string) => triedSmaller.includes(name);
const triedCorrected = sixthOf(proofs).map(([, , { name }]) => name);
const isCorrectedTried = (name: string) => triedCorrected.includes(name);

describe.each(proofs)("An app that %s", (_, deviations, { name, explore }) => {
  test(`fails with ${deviations} deviations exactly as the table says, and not with fewer`, async () => {
    if (deviations > 0)
      expect((await explore("faulty", { deviations: deviations - 1 })).failures).toEqual([]);
    const report = await explore("faulty", { deviations });
    await expectFailuresOf(name, report);
    const [failure] = report.failures;
    expect(failure?.smallest.deviations).toHaveLength(deviations);
    await expect(failure?.smallest.scenario).toMatchFileSnapshot(`consumers/smallest/${name}.yaml`);
  });

  test.runIf(isTried(name))("fails in its smallest scenario, and in nothing smaller", async () => {
    const text = smallest(name);
    const [same] = (await explore("faulty", { scenario: text, deviations: 0 })).failures;
    expect(same?.smallest.deviations).toHaveLength(deviations);
    const kinds =
      same?.smallest.deviations.map((each) => findBoundKind(each.what, each) as DeviationKind) ?? [];
    // a failure of an app that receives nothing, or without deviations and of another shape, is not the same
    const failures = async (scenario: string, atMost: number) => {
      const { result } = await explore("faulty", { scenario, deviations: { atMost, kinds } });
      return result.failures.filter(
        ({ smallest, message }) =>
          result.requests > 0 &&
          smallest.deviations.length === deviations &&
          (deviations > 0 || generaliseMessage(message) === generaliseMessage(same?.message ?? "")),
      );
    };

    for (let index = 0; index < deviations; index++)
      expect(await failures(without(text, "deviations", index), 0).catch(needsTheOther)).toEqual([]);
    // no other deviation may show the defect without this step
    const plain = stringify({ ...parse(text), deviations: [] });
    for (let index = 0; index < parse(text).steps.length; index++) {
      const scenario = without(plain, "steps", index);
      if (isPlayable(scenario)) expect(await failures(scenario, deviations)).toEqual([]);
    }
  });

  const tried = isWhole ? 2 : Math.max(1, deviations);
  test.runIf(isCorrectedTried(name))(
    `survives all worlds with ${tried} deviations once it is corrected`,
    async () => {
      const report = await explore("corrected", { deviations: tried });
      expect(report.passed, report.toText()).toBe(true);
      expect(report.complete).toBe(true);
    },
  );
});

/** Without one deviation the run may never reach the other: then it cannot fail. */
function needsTheOther(error: unknown): readonly string[] {
  expect(String(error)).toContain("the run does not reach this");
  return [];
}

/** Whether a scenario can run: a step may name a call that no step makes. */
function isPlayable(text: string): boolean {
  try {
    runScenario(parseScenario(text));
    return true;
  } catch (error) {
    if (error instanceof ScenarioError) return false;
    throw error;
  }
}
