import { execFile, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { bundle } from "./bundle.ts";
import { folderWith, root, withoutProgress } from "./support.ts";

const guide = readFileSync(join(root, "docs/guides/explore-on-many-machines.md"), "utf8");
const [workflow, manifest] = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = ""]) =>
  parse(text),
);
const [parallel = "", mergeOnVolume = ""] = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, text = ""]) => text,
);

const project = () => {
  const folder = folderWith({
    "scenario.yaml": `scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.test/hooks", events: [call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
`,
    "app.mjs": `export const subject = (sim) => {
  let count = 0;
  sim.network.route("https://crm.test/hooks", () => (count++, 204));
  return () => count;
};
export const eventually = {
  "is counted once": (_, count) => {
    if (count() !== 1) throw new Error(\`counted \${count()} times\`);
  },
};
`,
    // what npm would put there
    "bin/npx": `#!/bin/sh\nshift\nexec "${process.execPath}" "${bundle}" "$@"\n`,
  });
  chmodSync(join(folder, "bin/npx"), 0o755);
  return folder;
};

/** Runs a line as the shell of a job does. Returns its exit code and its output. */
async function shell(cwd: string, line: string, env: Readonly<Record<string, string>> = {}) {
  const options = { cwd, env: { PATH: `${join(cwd, "bin")}:${process.env.PATH}`, ...env } };
  const ran = promisify(execFile)("sh", ["-e", "-c", line], options);
  return ran.then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: withoutProgress(stderr) }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      ...{ code: error.code, out: error.stdout, err: withoutProgress(error.stderr) },
    }),
  );
}

/**
 * Explores everything in one process: the four parts together must report the same. Only a test is not left by `merge`,
 * which has no app to run it with.
 */
async function whole(folder: string) {
  const { out, ...ended } = await shell(
    folder,
    "npx ringback explore scenario.yaml --with ./app.mjs --deviations 2",
  );
  return { ...ended, out: out.replaceAll(/^ {2}keep: .*\n/gm, "") };
}

const text = expect.stringMatching(/./);
const absolute = expect.stringMatching(/^\//);
/** A name as Kubernetes takes it: a DNS label. */
const label = expect.stringMatching(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
const number = expect.toSatisfy((value) => Number.isInteger(value) && value > 0, "a whole number above 0");

/** What the API of Kubernetes takes as a Job (batch/v1), of the fields that the recipe has. Any other field is a mistake. */
const job = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: label },
  spec: {
    ...{ completions: number, parallelism: number, backoffLimit: number },
    completionMode: "Indexed",
    template: {
      spec: {
        // a Job's pods may not restart always
        restartPolicy: expect.stringMatching(/^(Never|OnFailure)$/),
        containers: [
          {
            ...{ name: label, image: text, workingDir: absolute, command: ["sh", "-c"], args: [text] },
            env: [{ name: expect.stringMatching(/^[A-Z_]+$/), value: text }],
            volumeMounts: [{ name: label, mountPath: absolute }],
          },
        ],
        volumes: [{ name: label, persistentVolumeClaim: { claimName: label } }],
      },
    },
  },
};

describe("The recipes for exploring on many machines", () => {
  test("of GitHub Actions run all parts, and merge reports what one process would", async () => {
    const folder = project();
    const { explore, merge } = workflow.jobs;
    const indexes = explore.strategy.matrix.part.map((_: number, index: number) => String(index));
    const strategy = (key: string) => ["$", "{{ strategy.job-", key, " }}"].join("");
    expect(explore.env).toEqual({
      STRATEGY_JOB_INDEX: strategy("index"),
      STRATEGY_JOB_TOTAL: strategy("total"),
    });
    const commandOf = (job: { steps: { run?: string }[] }) => job.steps.findLast(({ run }) => run)?.run ?? "";
    const parts = await Promise.all(
      indexes.map((index: string) =>
        shell(folder, commandOf(explore).replace("results.jsonl", `results-${index}.jsonl`), {
          ...{ STRATEGY_JOB_INDEX: index, STRATEGY_JOB_TOTAL: String(indexes.length) },
        }),
      ),
    );
    expect(parts.map(({ code }) => code)).toEqual(indexes.map(() => 0));
    for (const index of indexes) {
      const text = readFileSync(join(folder, `results-${index}.jsonl`));
      mkdirSync(join(folder, `parts/part-${index}`), { recursive: true });
      writeFileSync(join(folder, `parts/part-${index}/results.jsonl`), text);
    }
    const merged = await shell(folder, commandOf(merge));
    expect(merged).toEqual(await whole(folder));
    expect(merged.code).toBe(1);
    expect(merged.out).toContain("is counted once");
  });

  test("of Kubernetes are a valid Job, whose pods run all parts", async () => {
    const folder = project();
    expect(manifest).toEqual(job);
    expect({ ...manifest, spec: { ...manifest.spec, completions: "4" } }).not.toEqual(job);
    const { completions, completionMode, template } = manifest.spec;
    const [{ command, args, env }] = template.spec.containers;
    expect([completionMode, ...command]).toEqual(["Indexed", "sh", "-c"]);
    const given = Object.fromEntries(env.map(({ name, value }: Record<string, string>) => [name, value]));
    expect(given).toEqual({ RINGBACK_SHARDS: String(completions) });
    const here = (line: string) => line.replace("/results/", `${folder}/`);
    const parts = await Promise.all(
      Array.from({ length: completions }, (_, index) =>
        shell(folder, here(args[0]), { ...given, JOB_COMPLETION_INDEX: String(index) }),
      ),
    );
    expect(parts.map(({ code }) => code)).toEqual(Array(completions).fill(0));
    // on a busy machine lines about progress follow
    expect(parts[1]?.err.split("\n")[0]).toBe(`ringback: shard 2 of ${completions}, as Kubernetes says`);
    expect((await shell(folder, here(mergeOnVolume))).code).toBe(1);
  });

  // the test's name says why it is skipped
  const isInstalled = spawnSync("parallel", ["--version"]).status === 0;
  test.skipIf(!isInstalled)(
    `of GNU parallel run all parts${isInstalled ? "" : " (skipped: GNU parallel is not installed here)"}`,
    async () => {
      const folder = project();
      const [start = "", merge = ""] = parallel.trim().split("\n");
      // as many parts failed as parallel's exit code says
      expect((await shell(folder, start)).code).toBeGreaterThan(0);
      expect(await shell(folder, merge)).toEqual(await whole(folder));
    },
  );
});
