import { commandsFile } from "./commands.ts";
import { descriptionsFile } from "./descriptions.ts";
import { inputTypes } from "./inputs.ts";
import type { GeneratedPage } from "./pages.ts";
import { recordTypes } from "./records.ts";
import { wireTypes } from "./wire.ts";

const by = "code-pages.ts";

/**
 * The files in `src/core/generated`. They are listed apart from the other pages: listing those reads the lessons, and a
 * lesson may name an event or a step that is not generated yet. Records follow from values and are first: the others read the
 * types of all sources, in which a table names its record.
 */
export const codePages: readonly GeneratedPage[] = [
  { by, path: "src/core/generated/records.ts", content: () => recordTypes() },
  { by, path: "src/core/generated/commands.ts", content: () => commandsFile() },
  { by, path: "src/core/generated/descriptions.ts", content: () => descriptionsFile() },
  { by, path: "src/core/generated/inputs.ts", content: () => inputTypes() },
  { by, path: "src/core/generated/wire.ts", content: () => wireTypes() },
];
