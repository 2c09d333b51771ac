import { describe, expect, test } from "vitest";
import { readShard, shardOfEnvironment } from "../../src/cli/shard.ts";

describe("A shard", () => {
  test("is given as its number and the number of shards", () => {
    expect(readShard("2/5")).toEqual({ index: 2, count: 5 });
  });

  test.each(["0/5", "6/5", "2", "2/0", "a/b", "1/1 "])("that is given as %j is rejected", (text) => {
    expect(() => readShard(text)).toThrow(/--shard: expected INDEX\/COUNT such as 2\/5/);
  });

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
  });

  test.each([
    [{ JOB_COMPLETION_INDEX: "0" }, /RINGBACK_SHARDS does not say how many there are/],
    [{ CI_NODE_INDEX: "5", CI_NODE_TOTAL: "4" }, /CI_NODE_INDEX is 5: expected one of 4 from 1 on/],
    [{ CI_NODE_INDEX: "x", CI_NODE_TOTAL: "4" }, /CI_NODE_INDEX: expected a whole number, got x/],
    [
      { SLURM_ARRAY_TASK_ID: "2", SLURM_ARRAY_TASK_COUNT: "4", SLURM_ARRAY_TASK_STEP: "4" },
      /SLURM_ARRAY_TASK_ID is 2/,
    ],
  ])("is rejected if the environment is incomplete: %j", (env, message) => {
    expect(() => shardOfEnvironment(env)).toThrow(message);
  });
});
