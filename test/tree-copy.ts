import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A copy of the sources, in which a test may break things. It uses the packages that are installed here. */
export class TreeCopy {
  readonly root = mkdtempSync(join(tmpdir(), "ringback-copy-"));

  constructor() {
    const parts = [
      "src",
      "machines",
      "docs",
      "scenarios",
      "test",
      "package.json",
      "tsconfig.json",
      "biome.json",
      ".gitignore",
      "CHANGELOG.md",
      "README.md",
      "package-lock.json",
    ];
    for (const name of parts) cpSync(join(root, name), join(this.root, name), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(this.root, "node_modules"), "junction");
  }

  /** Runs a program of the repository. */
  run(file: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
    // half of the start of `tsx`, which begins with a process of its own
    const flags = ["--import", "tsx", file];
    return new Promise((resolve) => {
      execFile(process.execPath, [...flags, ...args], { cwd: this.root }, (error, out, err) => {
        resolve({ code: error === null ? 0 : Number(error.code), out, err });
      });
    });
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
