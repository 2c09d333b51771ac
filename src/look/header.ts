import { logo } from "./logo.ts";

/** The parts of the header that all pages share, as HTML: pages of text contain them, and scripts insert them. */

/** The parts of the site, as the header names them. */
export type Section = "docs" | "reference" | "learn" | "playground";

const sections: readonly (readonly [section: Section, name: string, path: string])[] = [
  ["docs", "Docs", "guides/index.html"],
  ["reference", "Reference", "reference/index.html"],
  ["learn", "Learn", "lessons/index.html"],
  ["playground", "Playground", "playground.html"],
];

/** A line drawing of 18 by 18. */
const icon = (shapes: string) => `<svg class="icon" viewBox="0 0 18 18" aria-hidden="true">${shapes}</svg>`;

export const searchIcon = icon('<circle cx="8" cy="8" r="5"/><path d="m12 12 4 4"/>');
export const menuIcon = icon('<path d="M3 5h12M3 9h12M3 13h12"/>');

/** The button that switches between light and dark. */
export const themeButton = `<button class="square" id="theme" type="button" aria-label="Switch between light and dark" title="Light or dark">${icon('<circle cx="9" cy="9" r="6.2"/><path d="M9 2.8a6.2 6.2 0 0 1 0 12.4z" fill="currentColor"/>')}</button>`;

/**
 * Logo and sections on a page of the site.
 * @param toRoot the path from the page to the root of the site, such as `../`
 */
export function siteLinks(toRoot: string, active?: Section): string {
  return `<a class="brand" href="${toRoot}index.html">${logo}ringback</a><nav aria-label="Main">${sectionLinks(toRoot, active)}</nav>`;
}

/** A link to each section, which the menu of a small screen has too. */
export function sectionLinks(toRoot: string, active?: Section): string {
  const links = sections.map(
    ([section, name, path]) =>
      `<a href="${toRoot}${path}" data-section="${section}"${section === active ? ' aria-current="true"' : ""}>${name}</a>`,
  );
  return links.join("");
}

/** The same on a page that stands alone, such as a file that `inspect` wrote. @param docs where the site is; empty if nowhere */
export function aloneLinks(docs: string): string {
  const link =
    docs === "" ? "" : `<nav aria-label="Main"><a href="${docs}" data-section="docs">Docs</a></nav>`;
  return `<span class="brand">${logo}ringback</span>${link}`;
}
