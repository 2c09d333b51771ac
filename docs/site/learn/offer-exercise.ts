/** The exercise of a lesson: its editor and the simulator are loaded when somebody wants to change it, and not before. */
export function offerExercise(): void {
  const button = document.querySelector<HTMLButtonElement>("#change");
  if (button === null) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    button.disabled = true;
    button.textContent = "Loading the simulator";
    const script = document.createElement("script");
    script.src = "../exercise.js";
    script.addEventListener("load", () => button.remove());
    script.addEventListener("error", () => {
      script.remove();
      button.disabled = false;
      button.textContent = "The simulator cannot be loaded: try again";
    });
    document.head.append(script);
  });
}
