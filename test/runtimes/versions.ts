/** What `npm run prove:runtimes` tries the package with. */

/** Versions of Node: the oldest that is supported, and the newest of each line with long support. */
export const nodes = ["20.19.0", "22", "24", "26"] as const;

/** The major versions of each optional peer. `package.json` allows these, which a test checks. */
export const peers = { jest: [29, 30], msw: [2, 3], vitest: [3, 4, 5] } as const;

/** A version of Node as a package that npm installs, which has the program and runs no script. */
export function nodeNames(version: string): string {
  const platform = process.platform === "win32" ? "win" : process.platform;
  return `${nodeName(version)}@npm:node-${platform}-${process.arch}@${version}`;
}

/** The folder with the program, in `node_modules`. */
export function nodeBin(version: string): string {
  return `${nodeName(version)}/bin`;
}

function nodeName(version: string): string {
  return `node-${version}`;
}
