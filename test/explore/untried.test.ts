import { describe, expect, onTestFinished, test, vi } from "vitest";
import { exploreAs } from "../../src/explore/explore.ts";
import { CounterexampleError, type ExploreOptions, explore, exploreReport } from "../../src/explore/index.ts";
import { endLine, headLine, mergeResults, type ResultsFile, worldLine } from "../../src/explore/results.ts";
import { type Simulator, verifySignature } from "../../src/index.ts";

/** A line says what was not tried, and `require` turns it into a failure. */

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

describe("Each exploration is told in a line, which says what was not tried", () => {
  /** What is printed on the standard error. */
  const printed = async (run: () => Promise<unknown>) => {
    const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    await run().catch(() => undefined);
    const texts = write.mock.calls.map(([text]) => text);
    write.mockRestore();
    return texts;
  };

  test("in a test, by its name, green or red, and off by RINGBACK_SUMMARY", async ({ task }) => {
    vi.stubEnv("RINGBACK_SUMMARY", "");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await printed(() => explore(keeping()))).toEqual([
      `ringback: ${task.name}: 6 worlds; not tried: restarts (give \`durable\`), forged requests (give \`forged: true\`: the app looks at no signature)\n`,
    ]);
    const all = { ...keeping("s3cret"), durable: (): string[] => [] };
    expect(await printed(() => explore(all))).toEqual([expect.stringMatching(/: \d+ worlds, \d+ forged\n$/)]);
    const red = { ...all, forged: false, eventually: { "nothing is kept": () => false } };
    expect(await printed(() => explore(red))).toEqual([
      expect.stringMatching(/: \d+ worlds, 1 failure; not tried: forged requests \(`forged` is false\)\n$/),
    ]);
    vi.stubEnv("RINGBACK_SUMMARY", "off");
    expect(await printed(() => explore(all))).toEqual([]);
  });

  test("in the text of what passes, which also names the kinds that were tried, and people if they were not", async () => {
    const text = (await exploreReport(keeping())).toText();
    expect(text).toContain(
      "\ntried: duplicated, late, lost, unanswered\nnot tried unless `kinds` names them: caller, calendar\nnot tried, as `people` (`--people 1`) is not given: that people do more or less than the scenario says\n",
    );
    const alsoPeople = await exploreReport({ ...keeping(), people: { acts: 1, kinds: ["hangup"] } });
    expect(alsoPeople.toText()).not.toContain("`people`");
    expect(text).toMatch(/\n6 worlds; not tried: restarts .*\n$/);
  });

  test("and never says that none is believed of forged requests that were answered 2xx", async () => {
    // answers at once, and looks later
    const early: Options = {
      ...keeping(),
      subject(sim) {
        const kept: string[] = [];
        sim.network.route(url, (request) => {
          const { valid } = verifySignature({ ...request, secret: "s3cret", now: sim.now });
          if (valid && !kept.includes(request.body)) kept.push(request.body);
          return 204;
        });
        return kept;
      },
    };
    const { forged } = (await exploreReport(early)).result;
    const report = await exploreReport(early);
    expect(report.toText()).toMatch(/, the app answered \d+ of them 2xx, and ends as without them\n/);
    expect(report.toText()).toMatch(/\n\d+ worlds, \d+ forged \(\d+ answered 2xx\); not tried: restarts/);
    expect(forged).toMatchObject({ believed: [], unclear: [] });
  });

  test("with the forged requests that the app believes", async () => {
    vi.stubEnv("RINGBACK_SUMMARY", "");
    onTestFinished(() => void vi.unstubAllEnvs());
    const careless = { ...keeping(), forged: true, durable: (): string[] => [] };
    const error = await thrownBy(careless);
    const believed = error?.report.result.forged?.believed.length;
    expect(await printed(() => explore(careless))).toEqual([
      expect.stringMatching(
        new RegExp(`, \\d+ forged \\(${believed} believed(, \\d+ answered 2xx)?\\), \\d failures?\\n$`),
      ),
    ]);
  });

  test("and says of an app that got no request that it got none, also where everything holds", async () => {
    const deaf = { scenario: keeping().scenario, app: () => ({}), always: { "is true": () => true } };
    const report = await exploreReport(deaf);
    expect(report.passed).toBe(true);
    expect(report.toText()).toContain(
      "every property holds in each of these worlds, and the app received and sent no request\n",
    );
    expect(report.toText()).toMatch(/\n\d+ worlds?, the app received and sent no request; not tried/);
  });
});

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
    const report = await exploreReport({ ...hidden(), require: ["forged"] });
    const why = report.result.untried.forged ?? "";
    expect(why).toMatch(/^give `show`: \d+ forged requests? answered 2xx/);
    expect(report.toText()).toContain(
      `FAILS: \`require\` names forged requests, and they were not judged: ${why}\n`,
    );
    expect(report.toText()).toContain(
      `; not tried: restarts (give \`durable\`); not judged: forged requests (${why})\n`,
    );
  });

  test("shards do not tell, and all of them together do, whichever of them was given it", async () => {
    const files: ResultsFile[] = [];
    for (const index of [1, 2]) {
      const lines: string[] = [];
      const report = await exploreAs(
        { ...keeping(), ...(index === 2 ? { require: ["restarts"] } : {}), shard: { index, count: 2 } },
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
