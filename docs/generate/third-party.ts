import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { bundledAlthoughInstalled } from "../../src/build/javascript.ts";
import { packagesOfPage } from "../../src/inspector/build/page.ts";
import { banner } from "./banner.ts";
import { root } from "./root.ts";
import { sourceFiles } from "./source.ts";

/** `docs/third-party.md`: the licences of what `dist` and the site contain. They require that. */
export async function thirdPartyPage(): Promise<string> {
  // the page holds what npm installs beside the entries, too
  const all = [...new Set([...bundled(), ...(await packagesOfPage())])].sort();
  const licences = all.map((name) => `## ${name}\n\n\`\`\`text\n${licenceOf(name)}\n\`\`\``);
  return [
    banner("`node_modules`"),
    "# What is bundled",
    "The files in `dist` contain code of these packages. Each has the licence below its name. Packages that npm installs beside `ringback` bring their own licences.",
    ...licences,
    "",
  ].join("\n\n");
}

/** The packages that the sources import and `dist` holds, by name. */
function bundled(): string[] {
  const { dependencies, devDependencies, peerDependencies } = readJson("package.json");
  const shipped = sourceFiles().filter(({ fileName }) => !/\/src\/(inspector\/)?build\//.test(fileName));
  const names = shipped.flatMap((file) =>
    ts.preProcessFile(file.text).importedFiles.flatMap(({ fileName }) => {
      const [name] = /^(@[^/]+\/)?[^./][^/]*/.exec(fileName) ?? [];
      if (name === undefined || name in peerDependencies) return [];
      return name in devDependencies || bundledAlthoughInstalled.includes(name) ? [name] : [];
    }),
  );
  // and the packages that these need
  const all = new Set(names);
  for (const name of all)
    for (const needed of Object.keys(readJson(`node_modules/${name}/package.json`).dependencies ?? {}))
      if (!(needed in dependencies)) all.add(needed);
  return [...all].sort();
}

function licenceOf(name: string): string {
  const folder = `${root}node_modules/${name}`;
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} has no file of its licence: see what it asks for`);
  return readFileSync(`${folder}/${file}`, "utf8").trim();
}

function readJson(
  path: string,
): Record<"dependencies" | "devDependencies" | "peerDependencies", Record<string, string>> {
  return JSON.parse(readFileSync(root + path, "utf8"));
}
