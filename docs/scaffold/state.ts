import { camelCase, check, type Kind, oneOf, spoken } from "./addition.ts";
import type { Tree } from "./tree.ts";

const LOOKS = "src/story/states.ts";
const WORDS = "src/inspect/model/state-words.ts";

/** How each machine's states are drawn: the constant that says it, and what it may say. */
const looks: Readonly<
  Record<string, { readonly list: string; readonly values: Readonly<Record<string, string>> }>
> = {
  call: {
    list: "callStates",
    values: { wait: '"wait"', ring: '"ring"', talk: '"talk"', voicemail: '"voicemail"', over: "null" },
  },
  conversation: { list: "conversationStates", values: { message: '"message"', over: "null" } },
  teamOffer: { list: "teamOfferStates", values: { hasCall: "true", over: "false" } },
};

/** A state of a machine: where it is declared, how a page draws it, and its words in answers to *Why not?*. */
export const state: Kind = {
  usage: "<name> <machine> [look]",
  about: "a state, such as `parked call wait`; the look is what a page draws while it lasts",
  add(tree, given, of, look) {
    const name = check("state", given, camelCase, "parked");
    const machine = oneOf("machine", of, machinesOf(tree));
    const file = fileOfMachine(machine);
    tree.addToObject(
      file,
      "states",
      name,
      `    ${name}: {\n      description: "The ${spoken(machine)} is ${spoken(name)}.",\n      on: {},\n    }`,
    );
    const drawn = looks[machine];
    if (drawn !== undefined) {
      const value = drawn.values[oneOf(`look of ${machine}`, look, Object.keys(drawn.values))];
      tree.addToObject(LOOKS, drawn.list, name, `  ${name}: ${value}`);
    }
    const hasWords = tree.keysOf(WORDS, "words").includes(machine);
    if (hasWords) tree.addToObject(WORDS, machine, name, `    ${name}: "${spoken(name)}"`);
    return [
      `${file}: its description, the transitions that lead to it and away from it, and the facts that they emit`,
      ...(hasWords ? [`${WORDS}: its words, if others say it better`] : []),
      `src/platform/score/: what follows from each new fact`,
      `npm run new timer: a new delay, with its words`,
      "src/records/schemas/: the status of a record, if records show the state",
      "test/snapshot-layout.test.ts: run it with UPDATE=1, which raises LAYOUT, if the machine's context has a new field",
      "a lesson, or a scenario in test/transitions/, that reaches it",
    ];
  },
};

export function fileOfMachine(machine: string): string {
  return `machines/${machine.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
}

/** The roles of machines, as the machines' names begin. */
export function machinesOf(tree: Tree): string[] {
  return [...tree.read("machines/index.ts").matchAll(/\b(\w+)Machine\b/g)]
    .map(([, name = ""]) => name)
    .filter((name, index, all) => all.indexOf(name) === index);
}
