/** The importer of captures, which runs in the worker of a playground. */

import { importCapture } from "../../capture/import.ts";
import { CaptureError } from "../../capture/read/capture.ts";
import type { Scenario } from "../../core/scenario/scenario.ts";
import { toCaptureSource } from "../capture.ts";
import type { CaptureSource } from "../data.ts";

/** Imports the text of a capture. @throws if it cannot be read, with the reason */
export type Importer = (
  text: string,
) => Promise<{ readonly scenario: Scenario; readonly yaml: string; readonly capture: CaptureSource }>;

const importer: Importer = async (text) => {
  try {
    const result = await importCapture(text);
    return { scenario: result.scenario, yaml: result.yaml, capture: toCaptureSource(result) };
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error;
    const [first] = error.problems;
    throw new Error(first === undefined ? error.message : `line ${first.line}: ${first.message}`);
  }
};

(globalThis as { ringbackImporter?: Importer }).ringbackImporter = importer;
