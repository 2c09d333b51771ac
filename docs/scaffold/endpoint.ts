import { readdirSync } from "node:fs";
import { join } from "node:path";
import { camelCase, check, type Kind, noteChange, oneOf, pascal, spoken, title, toSay } from "./addition.ts";
import { callCommandsIn } from "./command.ts";
import { Refused, type Tree } from "./tree.ts";

const FOLDER = "src/rest/resources";
const LIST = "test/rest/contract.test.ts";
/** Segments in camel case, as the API has them. */
const pathForm = /^(\/[a-zA-Z]+|\/\{[a-zA-Z]+\})+$/;

/** An endpoint of the REST API. */
export const endpoint: Kind = {
  usage: "<id> <method> <path>",
  about: "an endpoint, such as `parkCall post /calls/{id}/park`",
  add(tree, givenId, givenMethod, givenPath) {
    const id = check("operation", givenId, camelCase, "parkCall");
    const method = oneOf("method", givenMethod, ["get", "put", "post", "delete"]);
    const path = check("path", givenPath, pathForm, "/parkedCalls/{id}/take, in camel case");
    const name = `${method.toUpperCase()} ${path}`;
    refuseTwin(tree, id, name);
    const [, first = ""] = path.split("/");
    const known = resourceOf(tree, first);
    const file = known ?? create(tree, first);
    addOperation(tree, file, { id, method, path });
    tree.addToArray(LIST, "endpoints", `  "${name}"`);
    return [
      `${file}: its summary, parameters, body and answers, its example (with example.before for what happens before it), and what ${id} does`,
      ...(known === undefined ? [`${file}: what ${title(first)} are, as a tag`] : []),
      "docs/generate/fidelity/rest.ts: what is specified of it, and what is ours",
      noteChange(tree, `\`${name}\``, "ask"),
    ];
  },
};

function filesOf(tree: Tree): string[] {
  return readdirSync(join(tree.root, FOLDER)).map((name) => `${FOLDER}/${name}`);
}

function refuseTwin(tree: Tree, id: string, name: string): void {
  for (const file of filesOf(tree))
    if (tree.read(file).includes(`id: "${id}"`))
      throw new Refused(`${file} has the operation ${id} already; choose another id`);
  if (tree.read(LIST).includes(`"${name}"`)) throw new Refused(`there is ${name} already`);
}

/** The file whose operations' paths begin with a word. */
function resourceOf(tree: Tree, first: string): string | undefined {
  return filesOf(tree).find((file) => tree.read(file).includes(`path: "/${first}`));
}

function create(tree: Tree, first: string): string {
  const list = "src/rest/operations.ts";
  const name = spoken(first).replaceAll(" ", "-");
  const file = `${FOLDER}/${name}.ts`;
  const operations = `${first}Operations`;
  tree.create(
    file,
    `const tag: Tag = { name: "${title(first)}", description: "${toSay("what they are")}" };\n\nexport const ${operations} = [\n];\n`,
  );
  tree.addImport(file, "../operation.ts", "type Tag");
  tree.addToArray(list, "operations", `  ...${operations}`);
  tree.addImport(list, `./resources/${name}.ts`, operations);
  return file;
}

function addOperation(
  tree: Tree,
  file: string,
  { id, method, path }: { readonly id: string; readonly method: string; readonly path: string },
): void {
  const [, list = ""] = /export const (\w+Operations) = \[/.exec(tree.read(file)) ?? [];
  const own = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const params = own.map(
    (name) => `${name}: { description: "${toSay("what it is the id of")}", example: "call-1" }`,
  );
  const takesBody = method === "post" || method === "put";
  const command = takesBody ? commandOf(tree, path) : undefined;
  const [, declared = ""] =
    /^(?:export )?const (\w*[tT]ag): Tag = /m.exec(tree.read(file)) ??
    /\btag: (\w+)/.exec(tree.read(file)) ??
    [];
  const tag = declared === "tag" ? "tag" : `tag: ${declared}`;
  const lines = [
    "  operation({",
    `    method: "${method}",`,
    `    path: "${path}",`,
    `    id: "${id}",`,
    `    ${tag},`,
    `    summary: "${toSay(`what ${id} does`)}",`,
    `    description: "${toSay("how it does that")}",`,
    ...(params.length > 0 ? [`    params: { ${params.join(", ")} },`] : []),
    ...(takesBody
      ? [
          `    body: bodyOf("${pascal(id)}", object({\n      /** Who asks for it: a user's id or e-mail address. */\n      by: text(),\n    })),`,
        ]
      : []),
    `    answers: { ${method === "get" ? "200: object({})" : "204: null"} },`,
    `    example: {${takesBody ? ' body: { by: "alice" } ' : ""}},`,
    ...(command === undefined
      ? ["    handle() {", `      throw new CommandError("not_allowed", "${id} is not written yet");`]
      : [
          `    handle({ platform, params: { ${own[0]} = "" }, body: { by } }) {`,
          `      platform.command("${command}", { call: ${own[0]}, by });`,
          "      return noContent;",
        ]),
    "    },",
    "  })",
  ];
  tree.addToArray(file, list, lines.join("\n"));
  tree.addImport(file, "../operation.ts", "operation");
  if (command === undefined) tree.addImport(file, "../../engine/errors.ts", "CommandError");
  else tree.addImport(file, "../operation.ts", "noContent");
  if (takesBody || method === "get") tree.addImport(file, "../../engine/input.ts", "object");
  if (!takesBody) return;
  tree.addImport(file, "../../engine/input.ts", "text");
  tree.addImport(file, "../schemas.ts", "bodyOf");
}

/** The command on calls that a path ends with: `park`, given `/calls/{id}/park`. */
function commandOf(tree: Tree, path: string): string | undefined {
  const [, name = ""] = /^\/calls\/\{\w+\}\/(\w+)$/.exec(path) ?? [];
  return callCommandsIn(tree).includes(name) ? name : undefined;
}
