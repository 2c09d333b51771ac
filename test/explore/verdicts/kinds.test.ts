import { describe, expect, test } from "vitest";
import { type DeviationKind, exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";
import { isWhole } from "../../counts.ts";
import { build, type Database, emptyDatabase, forms, kinds, type Storing, url } from "./kinds.ts";

const scenario = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { url: "${url}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550104" } }
`);

type Pair = readonly [DeviationKind, DeviationKind];

/** A row of the table. */
interface Row {
  readonly form: string;
  readonly pair: Pair;
  readonly isDurable: boolean;
}

const names = Object.keys(forms);
const all = kinds
  .flatMap((one, index) => kinds.slice(index + 1).map((other): Pair => [one, other]))
  .flatMap((pair) =>
    names.flatMap((form) => [true, false].map((isDurable): Row => ({ form, pair, isDurable }))),
  )
  // what is not durable cannot restart
  .filter(({ pair, isDurable }) => isDurable || pair.every((kind) => !kind.startsWith("restarted")));
/** Each kind and each form at least once. */
const some = kinds
  .filter((_, index) => index % 2 === 0)
  .map((one, index): Row => {
    const other = kinds[2 * index + 1] as DeviationKind;
    return { form: names[index % names.length] ?? "", pair: [one, other], isDurable: true };
  });

const property = "each missed call has one row";

/** Explores a row's app, or one world of it. */
function explored({ form, pair, isDurable }: Row, storing: Storing, world?: string) {
  const make = forms[form];
  if (make === undefined) throw new Error(`there is no form ${form}`);
  return exploreReport({
    scenario: world === undefined ? scenario : parseScenario(world),
    app: (sim: Simulator, durable?: Database) => build(make, sim, durable ?? emptyDatabase(), storing),
    ...(isDurable ? { durable: emptyDatabase } : {}),
    deviations: world === undefined ? { atMost: 2, kinds: pair } : 0,
    eventually: { [property]: (_: Simulator, { rows }: Database) => expect(rows).toEqual(["call-1"]) },
    ...{ horizon: "PT5M", forged: false },
  });
}

describe("An app under two kinds of deviations", () => {
  test.each(
    (isWhole ? all : some).map((row) => {
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
