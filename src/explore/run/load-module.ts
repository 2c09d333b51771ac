import { InputError } from "../../core/foundation/errors.ts";
import { readError } from "../../findings/property-failure.ts";
import { moduleUrl } from "./files.ts";

/**
 * Loads a module that someone named: an app, a dialect, fixtures. This is the only loader of such modules.
 * @param keys the option that names it
 * @throws {InputError} if there is no such file, or this Node does not load files of its kind
 * @throws what the module throws
 */
export async function loadModule(
  file: string,
  keys: readonly string[] = [],
): Promise<Readonly<Record<string, unknown>>> {
  const url = moduleUrl(file, keys);
  try {
    return (await import(/* @vite-ignore */ url)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (readError(error).code !== "ERR_UNKNOWN_FILE_EXTENSION") throw error;
    if (!/\.[cm]?tsx?$/.test(file))
      throw new InputError([...keys], `expected a module (.js, .mjs or .ts), got ${file}`);
    throw new InputError(
      [...keys],
      `this Node cannot load ${file} as it is. For TypeScript run \`npm install --save-dev tsx\` and set NODE_OPTIONS="--import tsx"`,
    );
  }
}
