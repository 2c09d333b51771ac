import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Makes the types of the REST API before the tests that need them. In a process of its own, where Node loads the sources. */
export default function makeApiTypes(): void {
  execFileSync(process.execPath, ["--import", "tsx", "docs/generate/make-api-types.ts"], {
    cwd: root,
    stdio: "inherit",
  });
}
