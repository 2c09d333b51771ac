import type MiniSearch from "minisearch";
import { type Found, find, type Hit, readIndex, type TextPart } from "./search.ts";
import { type Place, pageKinds } from "./search-options.ts";

/** The search as people see it: a window above the page with a field and a list of hits. */

/** What the window consists of. */
interface Parts {
  readonly window: HTMLDialogElement;
  readonly field: HTMLInputElement;
  readonly kinds: HTMLElement;
  readonly list: HTMLElement;
  readonly said: HTMLElement;
}

/** The search of a page. It is made, and its index is loaded, when somebody first opens it. */
export class Search {
  private made: Parts | undefined;
  private index: Promise<MiniSearch<Place>> | undefined;
  private found: Found | undefined;
  /** The kind that is shown alone. */
  private only: string | undefined;
  /** The place of the hit that Enter opens. */
  private chosen = 0;

  /** @param toRoot the path from the page to the root of the site */
  constructor(private readonly toRoot: string) {}

  open(): void {
    const { window, field } = this.parts;
    if (!window.open) window.showModal();
    field.select();
    field.focus();
    void this.search();
  }

  private close(): void {
    const { window, field } = this.parts;
    window.close();
    // it may keep the focus for a moment, and a key would go to what nobody sees
    field.blur();
  }

  private get parts(): Parts {
    this.made ??= this.make();
    return this.made;
  }

  private make(): Parts {
    const window = element("dialog", { class: "finder", "aria-label": "Search the documentation" });
    window.innerHTML = `<div class="finder-head"><input type="search" role="combobox" aria-label="Search the documentation" aria-expanded="false" aria-controls="finder-list" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search"><button type="button" class="finder-close" aria-label="Esc, close the search">Esc</button></div>
<div class="finder-kinds" role="group" aria-label="Show only"></div>
<div class="finder-list" id="finder-list" role="listbox" aria-label="Hits" tabindex="-1"></div>
<footer><span><kbd>↑</kbd> <kbd>↓</kbd> choose</span><span><kbd>Enter</kbd> open</span><span class="finder-said" role="status"></span></footer>`;
    const part = <E extends HTMLElement>(selector: string) => window.querySelector(selector) as E;
    const parts: Parts = {
      ...{ window, field: part<HTMLInputElement>("input"), kinds: part(".finder-kinds") },
      ...{ list: part(".finder-list"), said: part(".finder-said") },
    };
    parts.field.addEventListener("input", () => void this.search());
    parts.field.addEventListener("keydown", (event) => this.press(event));
    part(".finder-close").addEventListener("click", () => this.close());
    // a click beside the window, which is on the dialog itself
    window.addEventListener("click", ({ target }) => {
      if (target === window) this.close();
    });
    document.body.append(window);
    return parts;
  }

  /** Loads the index: as a script, since pages that are opened from a disk may load those too. */
  private load(): Promise<MiniSearch<Place>> {
    this.index ??= new Promise((resolve, reject) => {
      const script = element("script", { src: `${this.toRoot}search-index.js` });
      script.addEventListener("load", () => {
        const { searchIndex } = globalThis as unknown as { searchIndex: string };
        resolve(readIndex(searchIndex));
      });
      script.addEventListener("error", () => reject(new Error("the search index cannot be loaded")));
      document.head.append(script);
    });
    return this.index;
  }

  private async search(): Promise<void> {
    const { field, said } = this.parts;
    const words = field.value.trim();
    try {
      const index = await this.load();
      // an answer to an earlier input is dropped
      if (field.value.trim() !== words) return;
      this.found = find(index, words);
      this.only = undefined;
      this.show(words);
    } catch (error) {
      said.textContent = String(error);
    }
  }

  private show(words: string): void {
    const { list, kinds, said, field } = this.parts;
    const { best, nearest = [], groups = [] } = this.found ?? {};
    this.chosen = 0;
    const sections = best === undefined ? [] : this.sections();
    const options = sections.flatMap(({ hits }) => hits);
    list.replaceChildren(
      ...(best === undefined ? emptyState(words, this.found?.isNear === true) : []),
      ...(best === undefined
        ? nearest.map((hit) => this.option(hit))
        : sections.map((each) => this.section(each))),
    );
    const all = groups.reduce((sum, { hits }) => sum + hits.length, best === undefined ? 0 : 1);
    kinds.replaceChildren(...(groups.length > 1 ? this.filters(all) : []));
    field.setAttribute("aria-expanded", String(list.querySelector("[role=option]") !== null));
    const pages = new Set(options.map(({ address }) => address.split("#")[0])).size;
    const count = `${counted(options.length, "place")} on ${counted(pages, "page")}`;
    said.textContent = words === "" ? "" : options.length === 0 ? "Nothing found" : count;
    list.scrollTop = 0;
    this.choose(0);
  }

  /** The hits under their headings: the best one first, then each kind. */
  private sections(): { readonly title: string; readonly hits: readonly Hit[] }[] {
    const { best, groups = [] } = this.found ?? {};
    const { only } = this;
    const first = best === undefined ? [] : [{ title: "Best match", hits: [best] }];
    const shown = groups.map(({ kind, hits }) => ({ title: kind as string, hits }));
    if (only === undefined) return [...first, ...shown];
    const hits = shown.flatMap((each) => (each.title === only ? each.hits : []));
    return [{ title: only, hits: best?.kind === only ? [best, ...hits] : hits }];
  }

  /** Buttons that show only one kind. */
  private filters(all: number): HTMLElement[] {
    const { best, groups = [] } = this.found ?? {};
    const button = (label: string, count: number, only: string | undefined) => {
      const made = element("button", { type: "button", "aria-pressed": String(this.only === only) });
      made.textContent = `${label} ${count}`;
      made.addEventListener("click", () => {
        this.only = only;
        this.show(this.parts.field.value.trim());
        this.parts.field.focus();
      });
      return made;
    };
    const kinds = pageKinds.map((kind) => {
      const hits = groups.find((group) => group.kind === kind)?.hits.length ?? 0;
      return { kind, count: hits + (best?.kind === kind ? 1 : 0) };
    });
    const some = kinds.filter(({ count }) => count > 0);
    const short = (kind: string) => (kind === pageKinds.at(-1) ? "ringback itself" : kind);
    return [
      button("All", all, undefined),
      ...some.map(({ kind, count }) => button(short(kind), count, kind)),
    ];
  }

  private section({ title, hits }: { readonly title: string; readonly hits: readonly Hit[] }): HTMLElement {
    const id = `finder-${title.toLowerCase().replaceAll(" ", "-")}`;
    const made = element("div", { role: "group", "aria-labelledby": id });
    const heading = element("div", { id, class: "finder-kind", role: "presentation" });
    heading.textContent = title;
    made.append(heading, ...hits.map((hit) => this.option(hit)));
    return made;
  }

  private option({ address, where, title, snippet }: Hit): HTMLElement {
    const made = element("a", {
      role: "option",
      href: this.toRoot + address,
      tabindex: "-1",
      "aria-selected": "false",
    });
    const line = (className: string, parts: readonly TextPart[]) => {
      const text = element("span", { class: className });
      text.append(...parts.map(partOf));
      return text;
    };
    const isPage = title.map(({ text }) => text).join("") === where;
    if (!isPage) made.append(line("finder-where", [{ text: where, isMatch: false }]));
    made.append(line("finder-title", title), line("finder-snippet", snippet));
    made.addEventListener("click", () => this.close());
    return made;
  }

  private get options(): HTMLAnchorElement[] {
    return [...this.parts.list.querySelectorAll<HTMLAnchorElement>("[role=option]")];
  }

  private press(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) this.choose(this.chosen + step);
    else if (event.key === "Enter") this.options[this.chosen]?.click();
    // a field of this kind would only lose its text
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
  }

  /** Chooses the hit that Enter opens. Behind the last comes the first. */
  private choose(place: number): void {
    const { options } = this;
    const { field } = this.parts;
    this.chosen = options.length === 0 ? 0 : (place + options.length) % options.length;
    options.forEach((option, index) => {
      option.id = `finder-hit-${index}`;
      option.setAttribute("aria-selected", String(index === this.chosen));
    });
    const chosen = options[this.chosen];
    if (chosen === undefined) field.removeAttribute("aria-activedescendant");
    else field.setAttribute("aria-activedescendant", chosen.id);
    if (place !== 0) chosen?.scrollIntoView({ block: "nearest" });
  }
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function partOf({ text, isMatch }: TextPart): Node | string {
  if (!isMatch) return text;
  const mark = element("mark", {});
  mark.textContent = text;
  return mark;
}

/** What stands above the pages that are offered where nothing was found, or nothing was asked. */
function emptyState(words: string, isNear: boolean): HTMLElement[] {
  const made = element("div", { class: "finder-empty", role: "presentation" });
  if (words !== "") {
    const title = element("strong", {});
    title.textContent = `No page has “${words}”`;
    made.append(title);
  }
  const sentence = element("span", {});
  sentence.textContent = isNear ? "These pages are nearest:" : "This is where most people start:";
  made.append(sentence);
  return [made];
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
