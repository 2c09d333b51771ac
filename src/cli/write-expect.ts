import { withExpect } from "../core/scenario/write-expect.ts";
import { writeText } from "./disk.ts";
import { UsageError } from "./failures.ts";
import type { ComparedRun } from "./golden.ts";
import type { ScenarioFile } from "./scenario-files.ts";

/**
 * Writes what happened in a run into its scenario's file, as what it expects.
 * @returns the file that was written
 * @throws {UsageError} for a scenario that is not in lines of YAML
 */
export function writeExpect({ path, text = "", scenario }: ScenarioFile, run: ComparedRun): string[] {
  if (text.trimStart().startsWith("{"))
    throw new UsageError("expected YAML in lines: in JSON, write `expect` yourself", path);
  writeText(path, [withExpect(text, scenario, run)]);
  return [path];
}
