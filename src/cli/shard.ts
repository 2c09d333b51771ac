import { UsageError } from "./failures.ts";

/** One of several jobs that share the work, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

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

/** `2/5`: the second of five. @throws {UsageError} */
export function readShard(text: string): Shard {
  const [, index, count] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (shard.index >= 1 && shard.index <= shard.count) return shard;
  throw new UsageError(`expected INDEX/COUNT such as 2/5, the first is 1, got ${text}`, "--shard");
}

/**
 * The shard of this process, if its environment says so, and which CI system said it.
 * @throws {UsageError} if the environment says only half of it, or something impossible
 */
export function shardOfEnvironment(env: Environment): (Shard & { readonly name: string }) | undefined {
  const kind = ciSystems.find(({ index }) => isGiven(env[index]));
  if (kind === undefined) return undefined;
  const { name, index, count, first, step } = kind;
  if (!isGiven(env[count]))
    throw new UsageError(
      `${index} is ${env[index]}, but ${count} does not say how many there are. Set it, or use --shard INDEX/COUNT`,
    );
  const begin = numberOf(env, first);
  const apart = step === undefined || !isGiven(env[step]) ? 1 : numberOf(env, step);
  const shard = { index: (numberOf(env, index) - begin) / apart + 1, count: numberOf(env, count), name };
  if (Number.isInteger(shard.index) && shard.index >= 1 && shard.index <= shard.count) return shard;
  throw new UsageError(`${index} is ${env[index]}: expected one of ${env[count]} from ${begin} on`);
}

function isGiven(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}

function numberOf(env: Environment, name: number | string): number {
  if (typeof name === "number") return name;
  const value = env[name] ?? "0";
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new UsageError(`expected a whole number, got ${value}`, name);
}
