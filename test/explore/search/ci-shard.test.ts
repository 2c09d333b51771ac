import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ciSystemOf, shardOfEnvironment } from "../../../src/explore/search/ci-shard.ts";
import { readLimits } from "../../../src/explore/search/limits.ts";

describe("A shard that an exploration takes from its CI system", () => {
  test.each([
    ["GitLab", { CI_NODE_INDEX: "1", CI_NODE_TOTAL: "4" }, { index: 1, count: 4 }],
    [
      "Slurm",
      {
        SLURM_ARRAY_TASK_ID: "12",
        SLURM_ARRAY_TASK_MIN: "8",
        SLURM_ARRAY_TASK_COUNT: "4",
        SLURM_ARRAY_TASK_STEP: "2",
      },
      { index: 3, count: 4 },
    ],
    ["Slurm", { SLURM_ARRAY_TASK_ID: "3", SLURM_ARRAY_TASK_COUNT: "4" }, { index: 4, count: 4 }],
    ["Kubernetes", { JOB_COMPLETION_INDEX: "0", RINGBACK_SHARDS: "4" }, { index: 1, count: 4 }],
    ["GitHub", { STRATEGY_JOB_INDEX: "3", STRATEGY_JOB_TOTAL: "4" }, { index: 4, count: 4 }],
  ])("is read from the job's environment on %s", (name, env, shard) => {
    expect(shardOfEnvironment(env)).toEqual({ ...shard, name });
  });

  test("is absent if the environment names none, so one job runs everything", () => {
    expect(shardOfEnvironment({ CI: "true", CI_NODE_INDEX: "" })).toBeUndefined();
    expect(ciSystemOf({ CI: "true", CI_NODE_INDEX: "" })).toBeUndefined();
    expect(ciSystemOf({ CI_NODE_INDEX: "1", CI_NODE_TOTAL: "1" })).toBeUndefined();
  });

  test("is taken by the option `auto`, and by no other", () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    const options = { scenario: () => {}, subject: () => ({}) };
    const whole = { index: 1, count: 1 };
    expect(readLimits({ ...options, shard: "auto" }).shard).toEqual(whole);
    vi.stubEnv("CI_NODE_INDEX", "2");
    vi.stubEnv("CI_NODE_TOTAL", "4");
    expect(readLimits({ ...options, shard: "auto" }).shard).toEqual({ index: 2, count: 4 });
    expect(readLimits({ ...options, shard: { index: 1, count: 3 } }).shard).toEqual({ index: 1, count: 3 });
    expect(readLimits(options).shard).toEqual(whole);
  });

  test.each([
    [{ JOB_COMPLETION_INDEX: "0" }, /RINGBACK_SHARDS does not say how many there are/],
    [{ CI_NODE_INDEX: "5", CI_NODE_TOTAL: "4" }, /CI_NODE_INDEX is 5: expected one of 4 from 1 on/],
    [{ CI_NODE_INDEX: "x", CI_NODE_TOTAL: "4" }, /^shard: expected a whole number in CI_NODE_INDEX, got x/],
    [
      { SLURM_ARRAY_TASK_ID: "2", SLURM_ARRAY_TASK_COUNT: "4", SLURM_ARRAY_TASK_STEP: "4" },
      /SLURM_ARRAY_TASK_ID is 2/,
    ],
  ])("is rejected if the environment is incomplete: %j", (env, message) => {
    expect(() => shardOfEnvironment(env)).toThrow(message);
  });
});
