import MiniSearch from "minisearch";
import { chooseTheme, followTheme, shownTheme, showTheme } from "../../src/look/theme.ts";
import { addCopyButtons, chooseRunners } from "./code-blocks.ts";
import { offerRun } from "./landing/browser.ts";
import { searchOptions } from "./search-options.ts";

/** The script of a page: light or dark, search, the menu on small screens, and blocks of code. */

addCopyButtons();
offerRun();
chooseRunners();

const root = document.documentElement;
/** The path from this page to the root of the site, such as `../`. */
const toRoot = root.dataset.root ?? "";

const themeButton = document.querySelector<HTMLButtonElement>("#theme");
themeButton?.addEventListener("click", () => chooseTheme(shownTheme() === "dark" ? "light" : "dark"));
followTheme(showTheme);

const menuButton = document.querySelector<HTMLButtonElement>("#menu");
menuButton?.addEventListener("click", () => {
  const isOpen = root.toggleAttribute("data-menu");
  menuButton.setAttribute("aria-expanded", String(isOpen));
});

const field = document.querySelector<HTMLInputElement>("#search");
const found = document.querySelector<HTMLUListElement>("#found");
const said = document.querySelector<HTMLElement>("#said");

interface Found {
  readonly id: string;
  readonly page: string;
  readonly title: string;
}

let index: Promise<MiniSearch> | undefined;

/** Loads the index at the first search: as a script, since pages that are opened from a disk may load those too. */
function loadIndex(): Promise<MiniSearch> {
  index ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${toRoot}search-index.js`;
    script.addEventListener("load", () => {
      const { searchIndex } = globalThis as unknown as { searchIndex: string };
      resolve(MiniSearch.loadJSON(searchIndex, searchOptions));
    });
    script.addEventListener("error", () => reject(new Error("the search index cannot be loaded")));
    document.head.append(script);
  });
  return index;
}

async function search(): Promise<void> {
  if (field === null || found === null || said === null) return;
  const words = field.value.trim();
  const results = words === "" ? [] : ((await loadIndex()).search(words) as unknown as Found[]);
  // an answer to an earlier input is dropped
  if (field.value.trim() !== words) return;
  found.replaceChildren(...results.slice(0, 12).map(entry));
  found.hidden = results.length === 0;
  said.textContent = words === "" ? "" : results.length === 0 ? "Nothing found" : `${results.length} found`;
}

function entry({ id, page, title }: Found): HTMLLIElement {
  const link = document.createElement("a");
  link.href = toRoot + id;
  link.textContent = title;
  if (page !== title) {
    const where = document.createElement("span");
    where.textContent = page;
    link.append(" ", where);
  }
  const item = document.createElement("li");
  item.append(link);
  return item;
}

// from a page that has no index of its own, such as the playground
if (location.hash === "#search") field?.focus();
field?.addEventListener("input", () => {
  search().catch((error: unknown) => {
    if (said !== null) said.textContent = String(error);
  });
});
field?.addEventListener("keydown", ({ key }) => {
  if (key === "Enter") found?.querySelector("a")?.click();
});

document.addEventListener("keydown", (event) => {
  const isTyping =
    event.target instanceof HTMLInputElement ||
    (event.target instanceof HTMLElement && event.target.isContentEditable);
  if (event.key === "/" && !isTyping) {
    event.preventDefault();
    field?.focus();
  }
  if (event.key === "Escape" && found !== null) found.hidden = true;
});
document.addEventListener("click", ({ target }) => {
  if (found !== null && target instanceof Node && !found.contains(target) && target !== field)
    found.hidden = true;
});
