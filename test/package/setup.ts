import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { withoutDeadLinks } from "../../src/build/packed-links.ts";

/** The package as consumers get it: packed, and installed into an empty folder. */
export interface Installed {
  /** A folder for what tests write. */
  readonly work: string;
  readonly tarball: string;
  /** The paths of its files. */
  readonly packed: readonly string[];
  /** How large it is as a file, and how large its files are together. */
  readonly bytes: { readonly packed: number; readonly unpacked: number };
  /** The folder that it is installed in. */
  readonly consumer: string;
}

declare module "vitest" {
  interface ProvidedContext {
    installed: Installed;
  }
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Packs and installs once for all tests of the project. `npm run test:package` builds first; packing does not build again. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const work = await mkdtemp(join(tmpdir(), "ringback-package-"));
  const { filename, files, size, unpackedSize } = await pack(await packedTree(work), work);
  const bytes = { packed: size, unpacked: unpackedSize };
  const tarball = join(work, filename);
  const consumer = join(work, "consumer");
  await mkdir(consumer);
  await writeFile(join(consumer, "package.json"), '{ "private": true, "type": "module" }');
  // `--prefix`, since under `npm run` the environment points npm at this repository
  const flags = ["--prefix", consumer, "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  await npm(["install", ...flags, tarball], consumer);
  // the packages that a consumer of these entries has already
  await mkdir(join(consumer, "node_modules/@jest"), { recursive: true });
  for (const name of ["vitest", "jest", "@jest/globals", "expect", "msw"])
    await symlink(join(root, "node_modules", name), join(consumer, "node_modules", name), "dir");
  provide("installed", { work, tarball, bytes, packed: files.map(({ path }) => path).sort(), consumer });
  return () => rm(work, { recursive: true, force: true });
}

/** What `npm pack` says. */
interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
  readonly size: number;
  readonly unpackedSize: number;
}

async function pack(folder: string, destination: string, ...flags: string[]): Promise<Packed> {
  const all = ["pack", "--ignore-scripts", "--json", "--pack-destination", destination, ...flags];
  const [packed] = JSON.parse(await npm(all, folder)) as [Packed];
  return packed;
}

/** A copy of what is packed, with the pages as `prepack` leaves them: beside these tests, others read the pages of the project. */
async function packedTree(work: string): Promise<string> {
  const { files } = await pack(root, work, "--dry-run");
  const paths = new Set(files.map(({ path }) => path));
  const tree = join(work, "tree");
  for (const path of paths) {
    await cp(join(root, path), join(tree, path));
    if (!path.endsWith(".md")) continue;
    const text = await readFile(join(tree, path), "utf8");
    await writeFile(join(tree, path), withoutDeadLinks(path, text, paths));
  }
  return tree;
}

async function npm(args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)("npm", args, {
    cwd,
    maxBuffer: 64 << 20,
    shell: process.platform === "win32",
  });
  return stdout;
}
