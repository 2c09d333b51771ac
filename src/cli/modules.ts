import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { printable } from "../core/foundation/printable.ts";
import { UsageError } from "./failures.ts";

/**
 * Loads a module of the user's.
 * @throws {UsageError} saying why it cannot be loaded
 */
export async function exportsOf(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return { ...((await import(pathToFileURL(resolve(path)).href)) as Record<string, unknown>) };
  } catch (error) {
    const { code } = error as { readonly code?: string };
    const why =
      code === "ERR_UNKNOWN_FILE_EXTENSION"
        ? 'for TypeScript run `npm install --save-dev tsx` and set NODE_OPTIONS="--import tsx"'
        : printable(error instanceof Error ? error.message : String(error));
    throw new UsageError(`the module cannot be loaded: ${why}`, path);
  }
}
