import type { Simulator } from "../core/simulator/simulator.ts";
import { fill } from "../inspector/fill.ts";
import { hasTemplate } from "../inspector/template.ts";
import { factsOf, type Page, plainPage, TRIAL_PATH } from "./page.ts";

/** How many numbers the page offers to call. */
const MOST_NUMBERS = 6;

/** The numbers that can be called, one of each owner, with the owner's name. */
function listNumbers({ options: { organisation } }: Simulator): [string, string][] {
  const { numbers = [], users = [], devices = [], teams = [] } = organisation;
  const names = new Map([...users, ...devices, ...teams].map(({ id, displayName }) => [id, displayName]));
  const byOwner = new Map(numbers.map(({ number, owner = number }) => [owner, number] as const).reverse());
  return [...byOwner].reverse().map(([owner, number]) => [number, names.get(owner) ?? number]);
}

/**
 * The inspector, which follows the server's run. If the run keeps no journal, or in a clone where the inspector is
 * not built, the plain page.
 */
export const livePage: Page = (content) => {
  const { simulator, pace, isGuarded, hasReceivers, hasDesk } = content;
  const { organisation, retain, allowLocal } = simulator.options;
  if (retain?.journal === false || !hasTemplate()) return plainPage(content);
  return fill({
    version: 1,
    mode: "inspect",
    title: organisation.name ?? organisation.id,
    runs: [],
    live: {
      ...{ isGuarded, hasDesk, isVirtual: pace === "virtual", about: factsOf(content) },
      allowsLocal: allowLocal,
      numbers: listNumbers(simulator).slice(0, MOST_NUMBERS),
    },
    app: hasReceivers ? { name: "the apps behind the webhooks", at: TRIAL_PATH } : undefined,
  });
};
