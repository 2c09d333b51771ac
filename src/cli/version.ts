import { readFileSync } from "node:fs";

/** The version in package.json: two folders up from the sources, one up from the build. */
export function ownVersion(): string {
  for (const up of ["../package.json", "../../package.json"]) {
    try {
      const manifest = JSON.parse(readFileSync(new URL(up, import.meta.url), "utf8")) as {
        name?: string;
        version: string;
      };
      if (manifest.name === "ringback") return manifest.version;
    } catch (error) {
      if ((error as { code?: string }).code !== "ENOENT") throw error;
    }
  }
  return "unknown";
}
