import { describe, expect, test } from "vitest";
import { exploreAs } from "../../src/explore/explore.ts";
import { CounterexampleError, type ExploreOptions, explore, exploreReport } from "../../src/explore/index.ts";
import { endLine, headLine, mergeResults, type ResultsFile, worldLine } from "../../src/explore/results.ts";
import { type Simulator, verifySignature } from "../../src/index.ts";

/** `require` turns what was not tried into a failure. */

const url = "https://crm.acme.test/hooks";

type Options = ExploreOptions<readonly string[], string[]>;
/** Keeps the ids of calls. @param secret checks signatures with it */
const keeping = (secret?: string): Options => ({
  scenario(sim: Simulator) {
    sim.webhooks.create({ url, events: ["call.started"], signingSecret: "s3cret" });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
  },
  subject(sim, stored = []) {
    sim.network.route(url, ({ headers, body }) => {
      if (secret !== undefined && !verifySignature({ headers, body, secret, now: sim.now }).valid) return 401;
      const { id } = JSON.parse(body);
      if (!stored.includes(id)) stored.push(id);
      return 204;
    });
    return stored;
  },
});

/** What an exploration throws, or undefined if it passes. */
const thrownBy = (options: Options) =>
  explore(options).then(
    () => undefined,
    (error: unknown) => error as CounterexampleError,
  );

describe("What `require` names must be tried", () => {
  test("restarts of an app that nothing restarts are not", async () => {
    expect(await thrownBy(keeping())).toBeUndefined();
    const error = await thrownBy({ ...keeping(), require: ["restarts"] });
    expect(error).toBeInstanceOf(CounterexampleError);
    const told = "`require` names restarts, and they were not tried: give `durable`";
    expect(error?.cause).toBe(told);
    expect(error?.message.split("\n")[0]).toBe(`FAILS: ${told}`);
    expect(await thrownBy({ ...keeping(), require: ["restarts"], durable: () => [] })).toBeUndefined();
  });

  test.each([
    [{ deviations: 0 }, "`deviations` is 0"],
    [{ deviations: { kinds: ["lost" as const] } }, "`kinds` leaves them out"],
  ])("restarts are not with %o", async (more, why) => {
    const { result, passed } = await exploreReport({
      ...{ ...keeping(), ...more, durable: () => [] },
      require: ["restarts"],
    });
    expect(passed).toBe(false);
    expect(result.untried.restarts).toBe(why);
  });

  test("forged requests are not where the app looks at no signature, or `forged` is false", async () => {
    const given = { ...keeping(), require: ["forged" as const] };
    expect((await thrownBy(given))?.cause).toBe(
      "`require` names forged requests, and they were not tried: give `forged: true`: the app looks at no signature",
    );
    const none = await exploreReport({ ...given, forged: false });
    expect(none).toMatchObject({ passed: false, result: { untried: { forged: "`forged` is false" } } });
    expect(await thrownBy({ ...keeping("s3cret"), require: ["forged"] })).toBeUndefined();
  });

  test("forged requests are not judged where nothing tells what became of them", async () => {
    const hidden = (): ExploreOptions<object> => ({
      scenario: keeping().scenario,
      subject(sim) {
        sim.network.route(url, ({ headers }) => (headers["x-service-signature"] === undefined ? 401 : 204));
        return { private: () => 0 };
      },
    });
    const { untried } = (await exploreReport(hidden())).result;
    expect(untried.forged).toMatch(/^give `show`: \d+ forged requests? answered 2xx/);
  });

  test("shards do not tell, and all of them together do", async () => {
    const files: ResultsFile[] = [];
    for (const index of [1, 2]) {
      const lines: string[] = [];
      const report = await exploreAs(
        { ...keeping(), require: ["restarts"], shard: { index, count: 2 } },
        {
          onStart: ({ prepared, limits }) => lines.push(headLine(prepared, limits)),
          onWorld: (outcome) => lines.push(worldLine(outcome)),
        },
      );
      expect(report.passed).toBe(true);
      files.push({ name: `${index}`, text: lines.join("") + endLine(report.result) });
    }
    const merged = mergeResults(files);
    expect(merged.passed).toBe(false);
    expect(merged.toText()).toMatch(/^FAILS: `require` names restarts/);
  });
});
