import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * The violations that axe finds on a page. The page's policy allows no other script, so axe is injected by the
 * debugger.
 * @param rules checks only these
 */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  // report only violations in full, and do not load the style sheet again: the page already has it
  const quick = { resultTypes: ["violations"], preload: false, iframes: false };
  const options = rules === undefined ? quick : { ...quick, runOnly: { type: "rule", values: rules } };
  const { result: isThere } = await session.send("Runtime.evaluate", { expression: "'axe' in globalThis" });
  if (isThere.value !== true) await session.send("Runtime.evaluate", { expression: source });
  const { result } = await session.send("Runtime.evaluate", {
    expression: `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => JSON.stringify(violations.map(
      ({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map((each) => each.html.slice(0, 160) + ' ' + each.failureSummary).join(' | '))))`,
    awaitPromise: true,
  });
  await session.detach();
  return JSON.parse(String(result.value)) as string[];
}
