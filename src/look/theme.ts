/** Light or dark: one choice for the site, the playground and each page of a run, remembered by the browser. */

export type Theme = "light" | "dark";

const KEY = "ringback-theme";

/** The start of a page's script, for its head: the page is never drawn in the other theme first. */
export const themeScript = `try{document.documentElement.style.colorScheme=localStorage.getItem("${KEY}")??""}catch{}`;

const dark = () => matchMedia("(prefers-color-scheme: dark)");

/** The theme that was chosen; else that of the system. */
export function shownTheme(): Theme {
  return storedTheme() ?? (dark().matches ? "dark" : "light");
}

function storedTheme(): Theme | undefined {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === "dark" || stored === "light" ? stored : undefined;
  } catch {
    // some browsers refuse storage to pages from a disk, which then follow the system
    return undefined;
  }
}

/** Draws this page in a theme. */
export function showTheme(theme: Theme): void {
  document.documentElement.style.colorScheme = theme;
}

/** Switches from a theme to the other one, and remembers it for all pages. Open ones follow, frames too. @returns it */
export function switchTheme(from = shownTheme()): Theme {
  const theme = from === "dark" ? "light" : "dark";
  showTheme(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // the choice holds for this page only
  }
  return theme;
}

/** Calls back whenever the theme changes elsewhere: in another page or frame, or in the system. */
export function followTheme(changed: (theme: Theme) => void): void {
  addEventListener("storage", ({ key }) => {
    if (key === KEY || key === null) changed(shownTheme());
  });
  dark().addEventListener("change", () => changed(shownTheme()));
}
