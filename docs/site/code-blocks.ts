/** What readers choose once for all pages. It is remembered under this name. */
const tabKinds = ["runner", "client"] as const;
export type TabKind = (typeof tabKinds)[number];

/** Gives each block of code a button that copies it. */
export function addCopyButtons(): void {
  for (const figure of document.querySelectorAll<HTMLElement>("figure.code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => {
      copy(figure.querySelector(".tree, pre code")?.textContent ?? "").then(
        () => say(button, "Copied"),
        () => say(button, "Not copied"),
      );
    });
    figure.querySelector("figcaption")?.append(button);
  }
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // some browsers refuse the clipboard to a page from a disk
    copySelected(text);
  }
}

function copySelected(text: string): void {
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  if (!isDone) throw new Error("the browser does not copy");
}

function say(button: HTMLButtonElement, text: string): void {
  button.textContent = text;
  setTimeout(() => {
    button.textContent = "Copy";
  }, 1_500);
}

/** Shows each block for one test runner and one client, those that the reader chose last on any page. */
export function chooseTabs(): void {
  for (const kind of tabKinds) chooseTab(kind);
}

function chooseTab(kind: TabKind): void {
  const tabs = [...document.querySelectorAll<HTMLButtonElement>(`[role=tab][data-${kind}]`)];
  const commands = kind === "runner" ? document.querySelectorAll<HTMLElement>("[data-for]") : [];
  const choose = (name: string) => {
    for (const tab of tabs) {
      const isChosen = tab.dataset[kind] === name;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls") ?? "")?.toggleAttribute("hidden", !isChosen);
    }
    for (const command of commands) command.toggleAttribute("hidden", command.dataset.for !== name);
  };
  const names = [...tabs.map((tab) => tab.dataset[kind]), ...[...commands].map(({ dataset }) => dataset.for)];
  const chosen = localStorage.getItem(kind);
  if (chosen !== null && names.includes(chosen)) choose(chosen);
  for (const tab of tabs) {
    tab.addEventListener("click", () => {
      const before = tab.getBoundingClientRect().top;
      const name = tab.dataset[kind] ?? "";
      localStorage.setItem(kind, name);
      choose(name);
      // blocks above may have another length now
      scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: "instant" });
    });
    tab.addEventListener("keydown", ({ key }) => {
      const own = [...(tab.parentElement?.querySelectorAll<HTMLButtonElement>("[role=tab]") ?? [])];
      const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
      if (step === 0) return;
      const next = own[(own.indexOf(tab) + step + own.length) % own.length];
      next?.click();
      next?.focus();
    });
  }
}
