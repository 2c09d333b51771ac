import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith, ringbackEnds, ringbackProcess, threadsAtOnce, threadsWithoutCores } from "./support.ts";

const url = "https://crm.acme.test/hooks";
const missed = `scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started, call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
`;
const counting = `
export function subject(sim) {
  const seen = [];
  sim.network.route("${url}", ({ body }) => {
    const { id, type } = JSON.parse(body);
    if (type === "call.not_answered" && !(IDEMPOTENT && seen.includes(id))) seen.push(id);
    return 200;
  });
  return seen;
}
export const eventually = {
  "each call is counted once": (sim, { length }) => {
    if (length !== 1) throw new Error(\`expected 1, got \${length}\`);
  },
};
`;

const project = () =>
  folderWith({
    "missed.yaml": missed,
    "bad.mjs": counting.replace("IDEMPOTENT", "false"),
    "good.mjs": counting.replace("IDEMPOTENT", "true"),
    "false.mjs": counting
      .replace("IDEMPOTENT", "false")
      .replace(/\{\n {4}if[\s\S]*\n {2}\},/, "length === 1,"),
    "none.mjs": "export const subjekt = 1;\n",
  });

/** Remembers in memory which events it has kept. */
const keeping = `
export const durable = () => [];
export function subject(sim, kept) {
  const known = new Set();
  sim.network.route("https://crm.acme.test/", ({ body }) => {
    const { id, type } = JSON.parse(body);
    if (type === "call.not_answered" && !known.has(id)) kept.push(id);
    known.add(id);
    return 204;
  });
  return kept;
}
export const eventually = {
  "each is kept once": (_, kept) => {
    if (kept.length !== 1) throw new Error("expected 1, got " + kept.length);
  },
};
`;

describe("ringback explore", () => {
  test("exits with 0 when every property holds in all worlds", async () => {
    const folder = project();
    const run = await ringbackEnds(
      "explore",
      join(folder, "missed.yaml"),
      "--with",
      join(folder, "good.mjs"),
    );
    expect(run).toMatchObject({ code: 0, err: "" });
    expect(run.out).toMatch(/^A missed call: \d+ worlds with at most 1 deviation, all of them; /);
  });

  test("--format names the exploration alike whether it passes or not", async () => {
    const folder = project();
    const testsOf = async (app: string) => {
      const flags = ["--with", join(folder, app), "--format", "ctrf"];
      const { out } = await ringbackEnds("explore", join(folder, "missed.yaml"), ...flags);
      return (JSON.parse(out) as { results: { tests: object[] } }).results.tests;
    };
    const named = { name: "A missed call", filePath: join(folder, "missed.yaml") };
    expect(await testsOf("good.mjs")).toMatchObject([{ ...named, status: "passed" }]);
    const [failed] = await testsOf("bad.mjs");
    expect(failed).toMatchObject({
      ...{ ...named, status: "failed" },
      message: expect.stringMatching(
        /^FAILS each call is counted once: expected 1, got 2 \(in \d+ worlds\)$/,
      ),
      extra: { replay: expect.stringContaining("npx ringback run ") },
    });
  });

  test("reports the same bytes for any number of workers, and stores the failures", async () => {
    const folder = project();
    const explored = async (workers: string, corpus: string) => {
      const [scenario, out] = [join(folder, "missed.yaml"), join(folder, `${workers}.jsonl`)];
      const { code, out: text } = await ringbackProcess(
        ...["explore", scenario, "--with", join(folder, "bad.mjs"), "--deviations", "2", "-o", out],
        ...["--workers", workers, "--corpus", join(folder, corpus)],
        threadsAtOnce,
      );
      return { code, text: text.replaceAll(corpus, "corpus"), results: readFileSync(out, "utf8") };
    };
    const one = await explored("1", "corpus-a");
    const three = await explored("3", "corpus-b");
    expect(three.text).toBe(one.text);
    expect(three.results.replaceAll("corpus-b", "corpus-a")).toBe(one.results);
    expect(one.code).toBe(1);
    expect(one.text).toContain("smallest: unanswered(PT30S call.not_answered)");
    const kept = join(folder, "corpus-a", "each-call-is-counted-once.yaml");
    const failing = await ringbackEnds("run", kept, "--with", join(folder, "bad.mjs"));
    expect(failing.code).toBe(1);
    expect(failing.out).toContain("does not answer call.not_answered (answer lost)");
    expect(failing.err).toContain(`${kept}: FAILS each call is counted once: expected 1, got 2\n`);
    expect(failing.err).toContain(
      `\`npx ringback inspect ${kept} --with ${join(folder, "bad.mjs")}\` shows the run`,
    );
    const silent = await ringbackEnds("run", kept, "--with", join(folder, "false.mjs"));
    expect(silent.err).toContain("returned false\n  say why: throw in the property, or use `expect`\n");
    const holding = await ringbackEnds("run", kept, "--with", join(folder, "good.mjs"));
    expect(holding).toMatchObject({ code: 0, err: "holds: each call is counted once\n" });
  });

  test("restarts a module that exports what outlives it, with one thread and with three", async () => {
    const folder = folderWith({
      "missed.yaml": missed,
      "app.mjs": keeping,
      "no.mjs": keeping.replace("durable", "store"),
    });
    const kinds = ["--kinds", "restarted", "restartedAfter"];
    const explored = async (workers: string) => {
      const { code, out } = await ringbackProcess(
        ...["explore", join(folder, "missed.yaml"), "--with", join(folder, "app.mjs"), ...kinds],
        ...["--deviations", "2", "--workers", workers, "--corpus", join(folder, workers)],
        threadsAtOnce,
      );
      return { code, out: out.replaceAll(join(folder, workers), "CORPUS") };
    };
    const one = await explored("1");
    expect(one.code, one.out).toBe(1);
    expect(one.out).toContain(
      'When the app restarts while it handles call.not_answered, "each is kept once" does not hold',
    );
    expect(await explored("3")).toEqual(one);
    const kept = join(folder, "1", "each-is-kept-once.yaml");
    const again = await ringbackEnds("run", kept, "--with", join(folder, "app.mjs"));
    expect([again.code, again.err]).toEqual([
      1,
      expect.stringContaining("FAILS each is kept once: expected 1, got 2"),
    ]);
    const unable = await ringbackEnds(
      "explore",
      join(folder, "missed.yaml"),
      "--with",
      join(folder, "no.mjs"),
      ...kinds,
    );
    expect([unable.code, unable.err]).toEqual([2, expect.stringContaining("`restarted` needs `durable`")]);
  });

  test.each([
    [
      "starts threads if what is left takes seconds of processor time",
      threadsAtOnce,
      ["main", "thread", "thread"],
    ],
    ["starts no threads that would not pay", {}, ["main"]],
    ["starts no threads if other work leaves them no core", threadsWithoutCores, ["main"]],
  ])("%s", async (_, environment, loads) => {
    const folder = project();
    writeFileSync(
      join(folder, "told.mjs"),
      `import { appendFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
export * from "./good.mjs";
appendFileSync(new URL("loads", import.meta.url), isMainThread ? "main " : "thread ");
`,
    );
    const given = [
      "explore",
      join(folder, "missed.yaml"),
      "--with",
      join(folder, "told.mjs"),
      "--workers",
      "2",
    ];
    expect(await ringbackProcess(...given, environment)).toMatchObject({ code: 0, err: "" });
    expect(readFileSync(join(folder, "loads"), "utf8").trim().split(" ")).toEqual(loads);
  });

  test("lists the changes of the platform that no property noticed", async () => {
    const folder = project();
    const given = ["explore", join(folder, "missed.yaml"), "--with", join(folder, "good.mjs")];
    const { code, out } = await ringbackEnds(...given, "--deviations", "0", "--mutants", "--verbose");
    expect(code).toBe(0);
    expect(out).toContain("mutants: of 6 changes of the platform, properties noticed 1,");
    expect(out).not.toContain("call.not_answered never comes");
  });

  test("reads its shard from the job's environment if it is asked to, and merge combines the results", async () => {
    const folder = project();
    const given = ["explore", join(folder, "missed.yaml"), "--with", join(folder, "bad.mjs")];
    const outs = ["0", "1"].map((index) => join(folder, `${index}.jsonl`));
    for (const [index, out] of outs.entries()) {
      const env = { JOB_COMPLETION_INDEX: String(index), RINGBACK_SHARDS: "2" };
      const { err } = await ringbackProcess(...given, "--shard", "auto", "--out", out, env);
      expect(err).toBe(`ringback: shard ${index + 1} of 2, as Kubernetes says\n`);
    }
    const whole = await ringbackEnds(...given);
    expect(await ringbackEnds("merge", ...outs.toReversed())).toEqual(whole);
    expect(await ringbackEnds("merge", ...outs.slice(1))).toEqual({
      ...{ code: 2, out: "" },
      err: "ringback: results: of 2 shards, this one is missing: 1\n",
    });
  });

  test("fails if what --require names was not tried, and says what to do", async () => {
    const folder = project();
    const given = ["explore", join(folder, "missed.yaml"), "--with", join(folder, "good.mjs")];
    const { code, out } = await ringbackEnds(...given, "--require", "restarts,forged", "--json");
    expect(code).toBe(1);
    const causes = JSON.parse(out).failures.map(({ cause }: { cause: string }) => cause);
    expect(causes).toEqual([
      "`require` names restarts, and they were not tried: give `durable`",
      expect.stringMatching(/^`require` names forged requests, .*: give `forged: true`/),
    ]);
  });

  test("runs all worlds of a CI job that asks for no shard, and says how one is asked for", async () => {
    const folder = project();
    const given = ["explore", join(folder, "missed.yaml"), "--with", join(folder, "good.mjs")];
    const whole = await ringbackEnds(...given);
    const inJob = await ringbackProcess(...given, { CI_NODE_INDEX: "2", CI_NODE_TOTAL: "4" });
    expect(inJob).toEqual({
      ...whole,
      err: "ringback: all worlds, in each of the jobs of GitLab; --shard auto runs a part in each\n",
    });
    expect((await ringbackEnds(...given, "--shard", "auto")).out).toBe(whole.out);
  });

  test("merge refuses shards of different modules, and takes the same one from another folder", async () => {
    const [folder, other] = [project(), project()];
    const out = async (place: string, module: string, shard: string) => {
      const file = join(folder, `${shard.replace("/", "-")}-${module}.jsonl`);
      const from = ["explore", join(place, "missed.yaml"), "--with", join(place, module)];
      await ringbackEnds(...from, "--shard", shard, "--out", file);
      return file;
    };
    const first = await out(folder, "good.mjs", "1/2");
    const { code, err } = await ringbackEnds("merge", first, await out(folder, "bad.mjs", "2/2"));
    expect(code).toBe(2);
    expect(err).toContain("belongs to another exploration than");
    expect(err).toMatch(/: its module is "[0-9a-f]{16}", not "[0-9a-f]{16}"\n/);
    const merged = await ringbackEnds("merge", first, await out(other, "good.mjs", "2/2"));
    expect(merged.code, merged.err).toBe(0);
  });

  test("explores local endpoints with --allow-local, and varies the options in --vary by seed", async () => {
    const local = missed.replace(url, "http://localhost:9/hooks");
    const folder = folderWith({
      "missed.yaml": local,
      "bad.mjs": counting.replace("IDEMPOTENT", "false").replace(url, "http://localhost:9/hooks"),
    });
    const given = [
      "explore",
      join(folder, "missed.yaml"),
      "--with",
      join(folder, "bad.mjs"),
      "--allow-local",
    ];
    const seeds = ["--seeds", "1..20", "--vary"];
    const { code, out } = await ringbackEnds(...given, ...seeds, "conditions=1");
    expect(code).toBe(1);
    expect(out).toContain("20 worlds of the seeds 1 to 20, with at most 10 deviations, all of them");
    expect(out).toContain('url: "http://localhost:9/hooks"');
    expect(out).toContain(
      `replay: save it as FILE, then npx ringback run FILE --with ${join(folder, "bad.mjs")} --allow-local`,
    );
    // only traffic can vary here: nobody else calls, and the one call is missed
    const quiet = await ringbackEnds(...given, ...seeds, "traffic=0");
    expect(quiet.code, quiet.out).toBe(0);
  });

  test.each<readonly [args: readonly string[], message: RegExp]>([
    [["missed.yaml", "--with", "good.mjs", "--vary", "weather"], /Expected conditions, traffic or behaviour/],
    [
      ["missed.yaml", "--with", "good.mjs", "--vary", "traffic"],
      /--vary says what the seeds vary: add --seeds/,
    ],
    [["missed.yaml", "--with", "nowhere.mjs"], /^ringback: --with: there is no file .*nowhere\.mjs/],
    [["missed.yaml", "--with", "missed.yaml"], /--with: expected a module \(.js, .mjs or .ts\), got/],
    [["missed.yaml", "--with", "good.mjs", "--kinds", "losst"], /Did you mean lost\?/],
    [["missed.yaml", "--with", "good.mjs", "--kinds", "x"], /lost, unanswered, (?!.*unanswered)/],
    [["missed.yaml", "--with", "none.mjs"], /none\.mjs exports `subjekt`; did you mean `subject`\?/],
    [["missed.yaml", "--with", "good.mjs", "--require", "speed"], /Expected some of restarts, forged/],
    [["nowhere.yaml", "--with", "good.mjs"], /nowhere\.yaml: no such file/],
    [["missed.yaml", "--with", "good.mjs", "--deviations", "two"], /Expected a whole number from 0 on/],
    ...["3/2", "0/5", "2", "2/0", "a/b", "1/1 "].map((shard): readonly [args: string[], message: RegExp] => [
      ["missed.yaml", "--with", "good.mjs", "--shard", shard],
      /--shard: expected auto or INDEX\/COUNT/,
    ]),
    [["missed.yaml"], /expected --with MODULE, --run COMMAND or --server URL/],
  ])("exits with 2 and the expected value for %j", async (args, message) => {
    const folder = project();
    const given = args.map((arg) => (/\.(yaml|mjs)$/.test(arg) ? join(folder, arg) : arg));
    const { code, out, err } = await ringbackEnds("explore", ...given);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
  });
});
