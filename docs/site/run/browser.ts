import { fillShared } from "../../../src/inspector/viewer.ts";
import { runProgram } from "./program.ts";

/** The script of the landing page: runs its first test, and opens the run in the inspector beside it. */

const button = document.querySelector<HTMLButtonElement>("#run");
const output = document.querySelector<HTMLElement>("#output pre code");
const said = document.querySelector<HTMLElement>("#ran");
const frame = document.querySelector<HTMLIFrameElement>("#inspector");

async function run(): Promise<void> {
  // the program for the test runner that is chosen
  const editor = document.querySelector<HTMLElement>("#program [role=tabpanel]:not([hidden]) pre code");
  if (editor === null || output === null || said === null || frame === null) return;
  // a browser puts a line break of its own behind what is typed
  const { title, problem, page } = await runProgram(editor.innerText);
  said.textContent = problem === undefined ? `passed: ${title}` : `failed: ${title}`;
  said.className = problem === undefined ? "passed" : "failed";
  output.textContent = problem ?? "1 test passed";
  if (page !== undefined) frame.srcdoc = fillShared(page);
}

button?.addEventListener("click", () => {
  run().catch((error: unknown) => {
    if (said === null || output === null) return;
    said.textContent = "did not run";
    said.className = "failed";
    output.textContent = String(error);
  });
});
