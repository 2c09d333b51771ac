/** The script of the editor, which only playgrounds have: other pages show a run, and edit its scenario in a plain field. */
import { createCodeEditor } from "./code-editor.ts";

globalThis.ringbackEditor = createCodeEditor;
