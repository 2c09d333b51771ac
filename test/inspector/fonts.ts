import type { Page } from "playwright-core";

/** The texts of a page that are drawn in a font of the machine, with the font. Pages bring their own. */
export async function textsInSystemFonts(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root } = await session.send("DOM.getDocument", { depth: -1 });
  // the button of a file's input belongs to the browser
  const selector = "body *:not(input[type=file])";
  const { nodeIds } = await session.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector });
  const found = new Set<string>();
  for (const nodeId of nodeIds) {
    const { fonts } = await session.send("CSS.getPlatformFontsForNode", { nodeId });
    const [own] = fonts.filter(({ isCustomFont }) => !isCustomFont);
    if (own === undefined) continue;
    const { outerHTML } = await session.send("DOM.getOuterHTML", { nodeId });
    found.add(`${own.familyName}: ${outerHTML.replaceAll(/<[^>]*>/g, "")}`);
  }
  await session.detach();
  return [...found];
}
