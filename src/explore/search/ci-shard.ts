import { InputError } from "../../core/foundation/errors.ts";
import type { Shard } from "./sharding.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables by which a CI system tells a job which of several it is. */
interface CiVariables {
  readonly name: string;
  readonly index: string;
  readonly count: string;
  /** The number of the first job, or the variable that holds it. */
  readonly first: number | string;
  /** The variable that holds the gap between two numbers. */
  readonly step?: string;
}

const ciSystems: readonly CiVariables[] = [
  // `parallel`, with a matrix or a number
  { name: "GitLab", index: "CI_NODE_INDEX", count: "CI_NODE_TOTAL", first: 1 },
  {
    ...{ name: "Slurm", index: "SLURM_ARRAY_TASK_ID", count: "SLURM_ARRAY_TASK_COUNT" },
    ...{ first: "SLURM_ARRAY_TASK_MIN", step: "SLURM_ARRAY_TASK_STEP" },
  },
  // neither says how many jobs there are, and GitHub does not say which this is: the job sets the variables itself
  { name: "Kubernetes", index: "JOB_COMPLETION_INDEX", count: "RINGBACK_SHARDS", first: 0 },
  { name: "GitHub", index: "STRATEGY_JOB_INDEX", count: "STRATEGY_JOB_TOTAL", first: 0 },
];

/** The CI system that tells this job which of several it is; undefined if none does, or there is only one. */
export function ciSystemOf(env: Environment): string | undefined {
  const kind = ciSystems.find(({ index }) => isGiven(env[index]));
  return kind !== undefined && isGiven(env[kind.count]) && env[kind.count] !== "1" ? kind.name : undefined;
}

/**
 * The shard of this process, if its environment says so, and which CI system said it.
 * @throws {InputError} if the environment says only half of it, or something impossible
 */
export function shardOfEnvironment(env: Environment): (Shard & { readonly name: string }) | undefined {
  const kind = ciSystems.find(({ index }) => isGiven(env[index]));
  if (kind === undefined) return undefined;
  const { name, index, count, first, step } = kind;
  if (!isGiven(env[count]))
    throw new InputError(
      ["shard"],
      `${index} is ${env[index]}, but ${count} does not say how many there are: set it, or say which shard of how many this is`,
    );
  const begin = readNumber(env, first);
  const apart = step === undefined || !isGiven(env[step]) ? 1 : readNumber(env, step);
  const shard = { index: (readNumber(env, index) - begin) / apart + 1, count: readNumber(env, count), name };
  if (Number.isInteger(shard.index) && shard.index >= 1 && shard.index <= shard.count) return shard;
  throw new InputError(
    ["shard"],
    `${index} is ${env[index]}: expected one of ${env[count]} from ${begin} on`,
  );
}

function isGiven(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}

function readNumber(env: Environment, name: number | string): number {
  if (typeof name === "number") return name;
  const value = env[name] ?? "0";
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new InputError(["shard"], `expected a whole number in ${name}, got ${value}`);
}
