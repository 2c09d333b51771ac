import { fillShared } from "../../../src/inspector/viewer.ts";
import { runProgram } from "./program.ts";

/** The script that the landing page loads to run its first test: it opens the run in the inspector below. */

const output = document.querySelector<HTMLElement>("#output pre code");
const said = document.querySelector<HTMLElement>("#ran");

/** The frame of the inspector. The page has none until a program was run. */
function frame(): HTMLIFrameElement {
  const known = document.querySelector<HTMLIFrameElement>("#inspector");
  if (known !== null) return known;
  const made = document.createElement("iframe");
  made.id = "inspector";
  made.title = "The run in the inspector";
  document.querySelector("#output")?.after(made);
  return made;
}

async function run(): Promise<void> {
  // the program for the test runner that is chosen
  const editor = document.querySelector<HTMLElement>("#program [role=tabpanel]:not([hidden]) pre code");
  if (editor === null || output === null || said === null) return;
  // a browser puts a line break of its own behind what is typed
  const { title, problem, page } = await runProgram(editor.innerText);
  said.textContent = problem === undefined ? `passed: ${title}` : `failed: ${title}`;
  said.className = problem === undefined ? "passed" : "failed";
  output.textContent = problem ?? "1 test passed";
  if (page !== undefined) frame().srcdoc = fillShared(page);
}

function runOrSay(): void {
  run().catch((error: unknown) => {
    if (said === null || output === null) return;
    said.textContent = "did not run";
    said.className = "failed";
    output.textContent = String(error);
  });
}

document.addEventListener("run-program", runOrSay);
runOrSay();
