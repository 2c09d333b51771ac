import ts from "typescript";
import { camelCase, check, type Kind, oneOf, spoken } from "./addition.ts";
import { INVERSES } from "./event.ts";
import { fileOfMachine, machinesOf } from "./state.ts";
import type { Tree } from "./tree.ts";

const WORDS = "src/platform/timers.ts";

/** A timer of a machine: its delay, and its words. */
export const timer: Kind = {
  usage: "<name> <machine>",
  about: "a timer of a machine, such as `parkLimit call`",
  add(tree, given, of) {
    const name = check("timer", given, camelCase, "parkLimit");
    const machine = oneOf("machine", of, machinesOf(tree));
    const file = fileOfMachine(machine);
    addDelay(tree, file, name);
    const key = `${machine}: ${name}`;
    tree.addToObject(WORDS, "timers", key, `  "${key}": { subject: "the ${spoken(name)}", verb: "is over" }`);
    return [
      `${file}: how long ${name} is, and the state whose \`after\` has it, with the fact that it emits`,
      `${WORDS}: its words, if others say it better`,
      `${INVERSES}: the events and rings that it brings about`,
    ];
  },
};

/** Adds a delay to a machine, which may have none yet. */
function addDelay(tree: Tree, file: string, name: string): void {
  const text = `${name}: 60_000`;
  const { properties, end } = tree.find(file, "the options of setup", (node) => {
    const isSetup = ts.isCallExpression(node) && node.expression.getText() === "setup";
    const [options] = isSetup ? node.arguments : [];
    return options !== undefined && ts.isObjectLiteralExpression(options) ? options : undefined;
  });
  if (properties.some((each) => each.name?.getText() === "delays"))
    tree.addToObject(file, "delays", name, text);
  else tree.insert(file, properties[0]?.end ?? end - 1, `,\n  delays: { ${text} }`);
}
