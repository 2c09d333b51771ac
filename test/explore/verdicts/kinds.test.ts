import { describe, expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";
import { isWhole } from "../../counts.ts";
import {
  build,
  type Database,
  emptyDatabase,
  formOf,
  missedCall,
  type Row,
  rows,
  type Storing,
  someRows,
} from "./kinds.ts";

const scenario = parseScenario(missedCall);

const property = "each missed call has one row";

/** Explores a row's app, or one world of it. */
function explored({ form, pair, isDurable }: Row, storing: Storing, world?: string) {
  return exploreReport({
    scenario: world === undefined ? scenario : parseScenario(world),
    app: (sim: Simulator, durable?: Database) =>
      build(formOf(form), sim, durable ?? emptyDatabase(), storing),
    ...(isDurable ? { durable: emptyDatabase } : {}),
    deviations: world === undefined ? { atMost: 2, kinds: pair } : 0,
    eventually: { [property]: (_: Simulator, { rows }: Database) => expect(rows).toEqual(["call-1"]) },
    ...{ horizon: "PT5M", forged: false },
  });
}

describe("An app under two kinds of deviations", () => {
  test.each(
    (isWhole ? rows : someRows).map((row) => {
      const { form, pair, isDurable } = row;
      return [`${form}, ${pair.join(" and ")}${isDurable ? ", durable" : ""}`, row] as const;
    }),
  )("passes if it is right, and fails where it stores twice if it is wrong: %s", async (_, row) => {
    let storesTwice = false;
    const stored = ({ rows }: Database, id: string) => {
      storesTwice ||= rows.includes(id);
    };
    const right = await explored(row, { isRight: true, stored });
    expect(right.failures.map(({ story }) => story)).toEqual([]);
    expect(right.complete).toBe(true);
    const wrong = await explored(row, { isRight: false });
    expect(wrong.failures.map((each) => each.property)).toEqual(
      storesTwice ? expect.arrayContaining([property]) : [],
    );
    expect(new Set(wrong.failures.map((each) => each.property)).size).toBe(storesTwice ? 1 : 0);
    for (const { smallest } of wrong.failures) {
      const again = await explored(row, { isRight: false }, smallest.scenario);
      expect(
        again.failures.map((each) => each.property),
        smallest.scenario,
      ).toEqual([property]);
      expect((await explored(row, { isRight: true }, smallest.scenario)).failures).toEqual([]);
    }
  });
});
