/** The landing page's part of the script: the simulator is loaded when somebody wants to run the program, and not before. */
export function offerRun(): void {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>("button.run")];
  let isLoaded = false;
  for (const button of buttons) {
    button.addEventListener("click", () => {
      document.getElementById("test")?.scrollIntoView();
      if (isLoaded) {
        document.dispatchEvent(new Event("run-program"));
        return;
      }
      isLoaded = true;
      for (const editor of document.querySelectorAll<HTMLElement>("#program pre code")) makeEditable(editor);
      const said = document.querySelector("#ran");
      if (said !== null) said.textContent = "loading the simulator";
      const script = document.createElement("script");
      script.src = "run.js";
      script.addEventListener("error", () => {
        if (said !== null) said.textContent = "the simulator cannot be loaded";
        isLoaded = false;
      });
      document.head.append(script);
    });
  }
}

function makeEditable(editor: HTMLElement): void {
  editor.contentEditable = "plaintext-only";
  editor.spellcheck = false;
  editor.setAttribute("role", "textbox");
  editor.setAttribute("aria-multiline", "true");
  editor.setAttribute("aria-label", "webhook.test.mjs, which you can change");
}
