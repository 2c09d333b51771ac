import { fill } from "../inspector/fill.ts";
import { hasTemplate } from "../inspector/template.ts";
import { factsOf, type Page, plainPage, TRIAL_PATH } from "./page.ts";

/**
 * The inspector, which follows the server's run. If the run keeps no journal, or in a clone where the inspector is
 * not built, the plain page.
 */
export const livePage: Page = (content) => {
  const { simulator, pace, isGuarded, hasReceivers } = content;
  const { organisation, retain } = simulator.options;
  if (retain?.journal === false || !hasTemplate()) return plainPage(content);
  return fill({
    version: 1,
    mode: "inspect",
    title: organisation.name ?? organisation.id,
    runs: [],
    live: { isGuarded, isVirtual: pace === "virtual", about: factsOf(content) },
    app: hasReceivers ? { name: "the webhooks' receivers", at: TRIAL_PATH } : undefined,
  });
};
