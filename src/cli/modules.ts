import { readErrorMessage } from "../core/foundation/errors.ts";
import { printable } from "../core/foundation/printable.ts";
import { loadModule } from "../explore/run/load-module.ts";
import { UsageError } from "./failures.ts";

/**
 * What a module of the user's exports.
 * @throws {UsageError} saying why it cannot be loaded
 */
export async function loadExports(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return { ...(await loadModule(path)) };
  } catch (error) {
    throw new UsageError(`the module cannot be loaded: ${printable(readErrorMessage(error))}`, path);
  }
}
