import { InputError } from "../engine/errors.ts";
import type { Simulator } from "../simulator.ts";
import { moduleUrl } from "./files.ts";

/** What must hold; throws to say that it does not. */
export type Check<T> = (simulator: Simulator, subject: T) => unknown;
/** What must hold in at least one world. */
export type Wish<T> = (simulator: Simulator, subject: T) => boolean;

/** The consumer's code, and what must hold of it. */
export interface Integration<T> {
  subject(simulator: Simulator): T | Promise<T>;
  readonly always: Readonly<Record<string, Check<T>>>;
  readonly eventually: Readonly<Record<string, Check<T>>>;
  readonly sometimes: Readonly<Record<string, Wish<T>>>;
}

/** The same where properties may be missing: as options, and as a module exports it. */
export type GivenIntegration<T> = Pick<Integration<T>, "subject"> & Partial<Integration<T>>;

/** Its parts alone. */
export function integrationOf<T>(given: GivenIntegration<T>): Integration<T> {
  const { always = {}, eventually = {}, sometimes = {} } = given;
  return { subject: (simulator) => given.subject(simulator), always, eventually, sometimes };
}

/**
 * Loads a module that exports `subject` and, if it likes, `always`, `eventually` and `sometimes`, by name or as its default.
 * @throws {InputError} when there is no such module, or it exports something else
 */
export async function loadIntegration(file: string): Promise<Integration<unknown>> {
  const loaded = (await load(file)) as { readonly default?: unknown };
  const exported = "subject" in loaded ? loaded : (loaded.default ?? {});
  const { subject, ...properties } = exported as Partial<Integration<unknown>>;
  if (typeof subject !== "function")
    throw new InputError(["with"], `${file} must export \`subject\`, a function of the simulator`);
  for (const name of ["always", "eventually", "sometimes"] as const)
    for (const [title, check] of Object.entries(properties[name] ?? {}))
      if (typeof check !== "function")
        throw new InputError(
          ["with"],
          `${file}: \`${name}\` must hold functions by name; "${title}" is none`,
        );
  return integrationOf({ ...properties, subject });
}

async function load(file: string): Promise<object> {
  const url = moduleUrl(file);
  try {
    return (await import(/* @vite-ignore */ url)) as object;
  } catch (error) {
    if ((error as { code?: string }).code !== "ERR_UNKNOWN_FILE_EXTENSION") throw error;
    throw new InputError(
      ["with"],
      `this Node cannot load ${file} as it is: set NODE_OPTIONS="--import tsx" for TypeScript`,
    );
  }
}
