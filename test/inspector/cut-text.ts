import type { Page } from "playwright-core";

/**
 * The texts of a page that nobody can read to their end: cut by a box that does not scroll, or outside of the window. A
 * text that is shortened and has a title is not among them.
 */
export function cutText(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const clips = (value: string) => value === "hidden" || value === "clip";
    const scrolls = (value: string) => value === "auto" || value === "scroll";
    const range = document.createRange();

    /** Where the letters of a text are, without the spaces around them, which hang over the end of a line. */
    function boxOf(node: Node): DOMRect | undefined {
      const text = node.textContent ?? "";
      if (text.trim() === "") return undefined;
      range.setStart(node, text.length - text.trimStart().length);
      range.setEnd(node, text.trimEnd().length);
      return range.getBoundingClientRect();
    }

    /** What cuts a text: the first box around it that does. */
    function cutBy(element: Element, text: DOMRect): string | undefined {
      let [isCutAcross, isCutDown] = [element.closest("[title]") === null, true];
      for (let each: Element | null = element; each !== null; each = each.parentElement) {
        const { display, overflowX, overflowY } = getComputedStyle(each);
        const box = each.getBoundingClientRect();
        if (each === document.documentElement || each === document.body || display === "inline") continue;
        // drawn for screen readers only
        if (box.width < 3 || box.height < 3) return undefined;
        if (scrolls(overflowX)) isCutAcross = false;
        if (scrolls(overflowY)) isCutDown = false;
        const isOver = text.left < box.left - 2 || text.right > box.right + 2;
        if (isCutAcross && clips(overflowX) && isOver) return each.className || each.tagName;
        const isBelow = text.top < box.top - 4 || text.bottom > box.bottom + 4;
        if (isCutDown && clips(overflowY) && isBelow) return each.className || each.tagName;
      }
      return isCutAcross && (text.left < -1 || text.right > innerWidth + 1) ? "the window" : undefined;
    }

    const cut: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const element = node.parentElement;
      // what finds no room beside a title is left out as a whole, and an editor scrolls by itself
      if (element === null || element.closest("script, style, svg, .skip, .about, .cm-editor, [inert]"))
        continue;
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const box = boxOf(node);
      const by = box === undefined || box.width < 1 ? undefined : cutBy(element, box);
      if (by !== undefined) cut.push(`"${node.textContent?.trim().slice(0, 60)}" by ${by}`);
    }
    return cut;
  });
}
