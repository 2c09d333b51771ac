import { camelCase, check, type Kind, pascal, spoken } from "./addition.ts";
import { Refused } from "./tree.ts";

/** A capability without anything in it. */
export const capability: Kind = {
  usage: "<name>",
  about: "a capability with a folder of its own, such as `parking`",
  add(tree, given) {
    const name = check("capability", given, camelCase, "parking");
    const folder = spoken(name).replaceAll(" ", "-");
    const file = `src/platform/${folder}/${folder}.ts`;
    const list = "src/platform/capabilities.ts";
    if (tree.has(file)) throw new Refused(`${file} exists already; choose another name`);
    tree.addToObject(list, "capabilities", name, `  ${name}`);
    tree.addImport(list, `./${folder}/${folder}.ts`, name);
    tree.create(
      file,
      [
        'import type { Base } from "../base.ts";',
        'import { capability } from "../capability.ts";',
        "",
        "/** What it asks of others. */",
        "export interface Needs extends Base {}",
        "",
        `/** ${pascal(spoken(name))}. */`,
        `export class ${pascal(name)} {`,
        "  constructor(readonly world: Needs) {}",
        "}",
        "",
        `export const ${name} = capability({`,
        `  make: (world: Needs) => new ${pascal(name)}(world),`,
        "  commands: {},",
        "});",
        "",
      ].join("\n"),
    );
    return [`${file}: what it asks of others, and what it is`];
  },
};
