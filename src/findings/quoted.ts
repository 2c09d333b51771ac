import { nodeModule } from "../core/foundation/node-module.ts";

/** The operating system, as Node names it; undefined elsewhere. */
export const system: string | undefined = nodeModule<{ platform: string }>("node:process")?.platform;

/**
 * An argument as a shell takes it. On Windows in double quotes, which cmd and PowerShell both know.
 * @param on the operating system
 */
export function quoted(argument: string, on = system): string {
  if (on === "win32")
    return /^[\w+:./\\-]+$/.test(argument) ? argument : `"${argument.replaceAll('"', '\\"')}"`;
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
