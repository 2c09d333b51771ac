import ts from "typescript";
import { camelCase, check, doing, type Kind, noteChange, oneOf, pascal, spoken } from "./addition.ts";
import { bringAbout, eventsNamedAfter, INVERSES } from "./event.ts";
import { Refused, type Tree } from "./tree.ts";

const LIST = "src/platform/capabilities.ts";
const EXAMPLES = "src/node/control-examples.ts";
const TOLD = "test/platform/every-command.test.ts";

/** A command: what it takes, who gives it, its words, what it does, its scenario step and its example. */
export const command: Kind = {
  usage: "<name> <capability> [after]",
  about:
    "a command, such as `park calls`; in `calls` it is given by somebody on a call, perhaps after another command: `retrieve calls park`",
  add(tree, given, where, after) {
    const name = check("command", given, camelCase, "park");
    const capability = oneOf("capability", where, tree.keysOf(LIST, "capabilities"));
    if (tree.keysOf(EXAMPLES, "commandExamples").includes(name))
      throw new Refused(`there is a command ${name} already; choose another name`);
    if (after !== undefined && capability !== "calls")
      throw new Refused(`"${after}": only a command in calls follows another; leave it out`);
    const said = capability === "calls" ? addOnCall(tree, name, after) : addElsewhere(tree, name, capability);
    return [
      ...said,
      "docs/scenarios.md: its row, and what the step does",
      "docs/generate/fidelity/: the rule that it follows, and the test that proves it; docs/glossary.md: its term, if it is new",
      `${EXAMPLES}: its example, and what happens before it`,
      `${TOLD}: how that is told`,
      `${INVERSES}: the events and rings that it brings about`,
      "test/digest/moves.ts: a move that gives it, for a theme at the end of the list in runs.ts",
      "test/properties/moves/: the same for the runs that keep the rules in test/properties/rules.ts",
      noteChange(tree, `The command \`${name}\``, "do"),
    ];
  },
};

/** A command on a call: the right says who may give it, and so what is refused. */
function addOnCall(tree: Tree, name: string, after: string | undefined): string[] {
  const folder = "src/platform/calls";
  const before = after && oneOf("command on calls", after, callCommandsIn(tree));
  tree.addBefore(
    `${folder}/commands.ts`,
    "callCommands",
    `const ${name}Schema = object({\n  /** The call's id. */\n  call: text(),\n  /** The connected user, by id or e-mail address. */\n  by: text(),\n});`,
  );
  tree.addToObject(
    `${folder}/commands.ts`,
    "callCommands",
    name,
    `  ${name}: onCall(connectedUser, ${name}Schema, () => "${doing(name)} the call", "${spoken(name)}")`,
  );
  tree.addMethod(
    `${folder}/calls.ts`,
    "Calls",
    name,
    `  /** A connected user ${doing(name)} the call. @throws {CommandError} \`not_allowed\` */\n  ${name}({ by }: CallArguments["${name}"], { call }: Actor<Connection>): void {\n    throw this.world.refusals.refusal("not_allowed", \`\${by} cannot ${spoken(name)}: it is not written yet\`, call);\n  }`,
  );
  tree.addMethod(
    `${folder}/call-handle.ts`,
    "CallHandle",
    name,
    `  /**\n   * Lets a user ${spoken(name)} the call.\n   * @param by the user's id or e-mail address\n   * @example\n${exampleOf(name, before)}   */\n  ${name}(by: string): void {\n    this.#world.command("${name}", { call: this.id, by });\n  }`,
  );
  addRow(tree, `${name}: { call, by }`, `a connected user ${doing(name)} the call`);
  addExample(
    tree,
    name,
    before === undefined
      ? `(sim) => ({ call: answered(sim), by: "alice" })`
      : `(sim) => {\n    const call = answered(sim);\n    sim.calls.get(call).${before}("alice");\n    return { call, by: "alice" };\n  }`,
    `Alice Ng ${doing(name)} the call`,
  );
  const events = tree.keysOf(INVERSES, "inverses");
  for (const type of eventsNamedAfter(name).filter((each) => events.includes(each))) {
    tree.addToArray(INVERSES, "commands", `"${name}"`, type);
    bringAbout(tree, name);
  }
  return [
    `${folder}/commands.ts: what ${name}Schema takes, with a comment on each field; the right that says who may give it (onRecord, if somebody who is not on the call may); its words`,
    `${folder}/calls.ts: what ${name} does: send the call's machine an event, or begin something`,
    `${folder}/call-handle.ts: its parameters, if it takes more than who gives it`,
    "src/inspect/model/acts.ts: an act, if a fork on the page may begin with it; otherwise in notActs of test/story/acts.test.ts",
  ];
}

export function callCommandsIn(tree: Tree): string[] {
  return tree.keysOf("src/platform/calls/commands.ts", "callCommands");
}

/** The lines of a method's example. */
function exampleOf(name: string, before: string | undefined): string {
  const lines = ["answer", ...(before === undefined ? [] : [before]), name].map(
    (each) => `call.${each}("alice");`,
  );
  return ['const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });', ...lines]
    .map((line) => `   * ${line}\n`)
    .join("");
}

/** A command of any other capability, which the platform is told to have given until its words say otherwise. */
function addElsewhere(tree: Tree, name: string, capability: string): string[] {
  const file = fileOf(tree, capability);
  const schemas = file.replace(/[^/]+$/, "commands.ts");
  const type = `${pascal(name)}Arguments`;
  const own = classOf(tree, file, capability);
  const schema = [
    `export const ${name}Schema = object({`,
    "  /** The id of what it is about. */",
    "  id: text(),",
    "});",
    `export type ${type} = v.InferOutput<typeof ${name}Schema>;`,
    "",
  ].join("\n");
  if (tree.has(schemas)) tree.insert(schemas, tree.read(schemas).length, `\n${schema}`);
  else tree.create(schemas, `\n${schema}`);
  tree.addImport(schemas, "../../engine/input.ts", "object");
  tree.addImport(schemas, "../../engine/input.ts", "text");
  if (!/^import \* as v from "valibot";$/m.test(tree.read(schemas)))
    tree.insert(schemas, 0, 'import * as v from "valibot";\n');
  tree.addToObject(
    file,
    "commands",
    name,
    `    ${name}: command(${name}Schema, thePlatform, () => "${doing(name)}", (it: ${own}, args) => it.${name}(args))`,
  );
  tree.addMethod(
    file,
    own,
    name,
    `  /** ${pascal(doing(name))}. @throws {CommandError} \`not_allowed\` */\n  ${name}({ id }: ${type}): void {\n    throw new CommandError("not_allowed", \`cannot ${spoken(name)} \${id}: it is not written yet\`);\n  }`,
  );
  tree.addImport(file, "./commands.ts", `${name}Schema`);
  tree.addImport(file, "./commands.ts", `type ${type}`);
  tree.addImport(file, "../capability.ts", "command");
  tree.addImport(file, "../sentence.ts", "thePlatform");
  tree.addImport(file, "../../engine/errors.ts", "CommandError");
  addRow(tree, `${name}: { id }`, doing(name));
  addExample(tree, name, `() => ({ id: "" })`, doing(name));
  return [
    `${schemas}: what ${name}Schema takes, with a comment on each field`,
    `${file}: who gives it (src/platform/sentence.ts), its words, and what it does`,
    `${file.replace(/[^/]+$/, "*-api.ts")}: its method for consumers`,
  ];
}

function addRow(tree: Tree, step: string, about: string): void {
  const path = "docs/scenarios.md";
  const rows = [...tree.read(path).matchAll(/^\| `\w+: \{.*?\}` \| .+ \|\n/gm)];
  const last = rows.at(-1);
  if (last === undefined) throw new Refused(`${path}: the table of steps is not there`);
  tree.insert(path, last.index + last[0].length, `| \`${step}\` | ${about} |\n`);
}

function addExample(tree: Tree, name: string, example: string, told: string): void {
  tree.addToObject(EXAMPLES, "commandExamples", name, `  ${name}: ${example}`);
  tree.addToObject(TOLD, "told", name, `  ${name}: "${told}"`);
}

/** The file that declares a capability. */
export function fileOf(tree: Tree, capability: string): string {
  const found = tree.find(LIST, `the import of ${capability}`, (node) => {
    const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : undefined;
    if (bindings === undefined || !ts.isNamedImports(bindings)) return undefined;
    return bindings.elements.some((each) => each.name.text === capability)
      ? bindings.parent.parent
      : undefined;
  });
  return `src/platform/${(found.moduleSpecifier as ts.StringLiteral).text.slice(2)}`;
}

/** The class whose object a capability makes. */
function classOf(tree: Tree, file: string, capability: string): string {
  const made = tree.find(file, `what ${capability} makes`, (node) =>
    ts.isPropertyAssignment(node) && node.name.getText() === "make" ? node.initializer : undefined,
  );
  const search = (node: ts.Node): string | undefined =>
    ts.isNewExpression(node) ? node.expression.getText() : ts.forEachChild(node, search);
  const name = search(made);
  if (name === undefined)
    throw new Refused(`${file}: ${capability} makes no object of a class; add the command by hand`);
  return name;
}
