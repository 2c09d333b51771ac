import { followTheme, showTheme, switchTheme } from "../../src/look/theme.ts";
import { addCopyButtons, chooseTabs } from "./code-blocks.ts";
import { offerRun } from "./landing/browser.ts";
import { Search } from "./search-overlay.ts";

/** The script of a page: light or dark, search, the menu on small screens, and blocks of code. */

addCopyButtons();
offerRun();
chooseTabs();

const root = document.documentElement;
/** The path from this page to the root of the site, such as `../`. */
const toRoot = root.dataset.root ?? "";

const themeButton = document.querySelector<HTMLButtonElement>("#theme");
themeButton?.addEventListener("click", () => switchTheme());
followTheme(showTheme);

const menuButton = document.querySelector<HTMLButtonElement>("#menu");
menuButton?.addEventListener("click", () => {
  const isOpen = root.toggleAttribute("data-menu");
  menuButton.setAttribute("aria-expanded", String(isOpen));
});

const search = new Search(toRoot);
document.querySelector("#search")?.addEventListener("click", () => search.open());
document.addEventListener("keydown", (event) => {
  const { target } = event;
  const isTyping =
    target instanceof HTMLInputElement || (target instanceof HTMLElement && target.isContentEditable);
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  search.open();
});
// from a page that has no index of its own, such as the playground
if (location.hash === "#search") search.open();
