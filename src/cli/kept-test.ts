import { existsSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import {
  type AppByOptions,
  type AppInCode,
  aboutWorlds,
  type KeptTest,
  type Runner,
} from "../explore/report/kept-test.ts";
import { readTextFile } from "./disk.ts";
import {
  type CallOption,
  type ExploreCall,
  exploreCallIn,
  freeNamesIn,
  type TokenSpan,
  tokensText,
} from "./explore-call.ts";
import { UsageError } from "./failures.ts";
import type { Imported } from "./script-names.ts";

/** A regression test, as it is written. */
export interface WrittenTest {
  /** What its file's name ends with, such as `.test.ts`. */
  readonly ending: string;
  readonly text: string;
  /** What its user should know; undefined if nothing. */
  readonly note: string | undefined;
}

/** What a test imports, and the options of its call. */
interface Parts {
  readonly imports: Imports;
  readonly options: readonly string[];
  readonly isCommonJs: boolean;
}

/** The names that a test imports, with what each is called in it, by module. */
class Imports {
  private readonly modules = new Map<string, Map<string, Imported>>();

  add(own: string, imported: Imported): void {
    const names = this.modules.get(imported.module) ?? new Map<string, Imported>();
    this.modules.set(imported.module, names.set(own, imported));
  }

  /** Adds a value that the test itself needs. @returns what it is called: its name, or if another has that, one beside it */
  addOwn(module: string, name: string): string {
    let own = name;
    for (let number = 2; this.isTaken(own, module, name); number++) own = `${name}${number}`;
    this.add(own, { module, name, isType: false });
    return own;
  }

  /** Whether a name is that of something else. */
  isTaken(own: string, module: string, name: string): boolean {
    const all = [...this.modules.values()].flatMap((names) => names.get(own) ?? []);
    return all.some((each) => each.module !== module || each.name !== name || each.isType);
  }

  /** The statements, sorted by module, those of files last. */
  lines(isCommonJs: boolean): string[] {
    const keyOf = (module: string) => {
      const group = module.startsWith("node:") ? 0 : module.startsWith(".") ? 2 : 1;
      return `${group}${module}`;
    };
    return [...this.modules]
      .sort(([a], [b]) => (keyOf(a) < keyOf(b) ? -1 : 1))
      .flatMap(([module, names]) => writeImportLines(module, [...names], isCommonJs));
  }
}

function writeImportLines(
  module: string,
  names: readonly (readonly [string, Imported])[],
  isCommonJs: boolean,
): string[] {
  const from = JSON.stringify(module);
  const whole = names.filter(([, { name }]) => name === "*" || (isCommonJs && name === "default"));
  const one = names.filter(([, { name }]) => name === "default" && !isCommonJs);
  const some = names.filter((each) => !whole.includes(each) && !one.includes(each));
  const list = some
    .sort(([, a], [, b]) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
    .map(([own, { name, isType }]) => {
      const renamed = own === name ? own : `${name}${isCommonJs ? ": " : " as "}${own}`;
      return `${isType ? "type " : ""}${renamed}`;
    });
  const named = list.length === 0 ? [] : [`{ ${list.join(", ")} }`];
  if (isCommonJs)
    return [...whole.map(([own]) => own), ...named].map((each) => `const ${each} = require(${from});`);
  const typed = (isType: boolean) => (isType ? "type " : "");
  return [
    ...whole.map(([own, { isType }]) => `import ${typed(isType)}* as ${own} from ${from};`),
    ...one.map(([own, { isType }]) => `import ${typed(isType)}${own} from ${from};`),
    ...named.map((each) => `import ${each} from ${from};`),
  ];
}

const EXPLORE = "ringback/explore";

/**
 * Writes the test of a failure.
 * @param scenario the name of the scenario's file, which is beside it
 * @param folder the folder in which it will be
 * @throws {UsageError} naming file and line of what it cannot import
 */
export function writeKeptTest(kept: KeptTest, scenario: string, folder: string): WrittenTest {
  return "lines" in kept.app ? byOptions(kept, kept.app, scenario) : inCode(kept, kept.app, scenario, folder);
}

function byOptions(kept: KeptTest, { lines, names, module }: AppByOptions, scenario: string): WrittenTest {
  const imports = new Imports();
  for (const name of names) imports.add(name, { module: EXPLORE, name, isType: false });
  const isOfTypes = module === undefined ? existsSync("tsconfig.json") : /\.[cm]?tsx?$/.test(module);
  // not every version of Node runs TypeScript, and the text has no types
  const isTyped = isOfTypes && kept.runner !== "node:test";
  const text = testText(kept, { imports, options: lines, isCommonJs: false }, scenario);
  return { ending: isTyped ? ".test.ts" : ".test.mjs", text, note: undefined };
}

function inCode(kept: KeptTest, app: AppInCode, scenario: string, folder: string): WrittenTest {
  const { line } = app;
  const file = app.file.replace(/^\.\//, "");
  if (!existsSync(file)) throw new UsageError("the file that explored is not there any more", file);
  const call = exploreCallIn(readTextFile(file), line);
  if (call === undefined)
    throw new UsageError(
      "expected a call of `explore` of ringback/explore here, as when it failed; explore again",
      `${file}:${line}`,
    );
  if (!call.isWhole)
    throw new UsageError(
      "a bracket of this call of `explore` has no partner, as `keep` reads it; give what is long in it a name of its own",
      `${file}:${call.line}`,
    );
  const options = keptOptions(call);
  const place = { file, folder: relative(resolve(folder), resolve(dirname(file))) };
  const { imports, importsTests } = importsFor(call, options, place);
  const texts = options.map((each) => optionText(call, each));
  const hasOthers = options.some(({ name }) => name === undefined);
  // what others bring may say which worlds to play
  const isUnset = (name: string) =>
    hasOthers && !["scenario", "deviations", "forged"].includes(name) && app.given.includes(name);
  const unset = aboutWorlds
    .filter(isUnset)
    .map((name) => `${name}: ${name === "sometimes" ? "{}" : "undefined"},`);
  const parts = { imports, options: [...texts, ...unset], isCommonJs: call.isCommonJs };
  return {
    ending: endingBeside(file),
    text: testText(kept, parts, scenario, hasOthers),
    note: importsTests
      ? `the new test imports ${file}, so the tests there run with it. To run it alone, move what it imports into a module of its own`
      : undefined,
  };
}

/** The options of a call that do not say which worlds are played. */
function keptOptions({ options }: ExploreCall): readonly CallOption[] {
  if ("start" in options) return [{ ...options, name: undefined }];
  const dropped: ReadonlySet<string | undefined> = new Set(aboutWorlds);
  return options.filter(({ name }) => !dropped.has(name));
}

function optionText({ options, script }: ExploreCall, option: CallOption): string {
  if ("start" in options) return `...${tokensText(script, option)},`;
  const text = tokensText(script, option);
  const indent = /[ \t]*$/.exec(script.text.slice(0, script.tokens[option.start]?.start))?.[0] ?? "";
  const isIndented = /(^|\n)[ \t]*$/.test(script.text.slice(0, script.tokens[option.start]?.start));
  // a template's lines are its content
  const hasLines = script.tokens
    .slice(option.start, option.end)
    .some((each) => each.kind === "text" && each.text.includes("\n"));
  const isMoved = isIndented && !hasLines;
  return `${isMoved ? text.replaceAll(`\n${indent}`, "\n") : text},`;
}

/** Where the code is, and how its folder is seen from that of the test. */
interface Place {
  readonly file: string;
  readonly folder: string;
}

/** @throws {UsageError} listing what has no export */
function importsFor(
  call: ExploreCall,
  options: readonly CallOption[],
  { file, folder }: Place,
): { readonly imports: Imports; readonly importsTests: boolean } {
  const imports = new Imports();
  const lacking: Lack[] = [];
  let importsTests = false;
  for (const option of options) {
    if (isAppInPlace(call, option)) {
      const line = call.script.tokens[option.start]?.line ?? call.line;
      lacking.push({ line, what: `\`${option.name}\` is written in the call of \`explore\`: ${TO_EXPORT}` });
      continue;
    }
    for (const { name, binding } of freeNamesIn(call, option)) {
      const { imported, exported } = binding;
      if (imported !== undefined)
        imports.add(name, { ...imported, module: seenFrom(folder, imported.module) });
      else if (exported !== undefined) {
        importsTests = true;
        const module = seenFrom(folder, ownModule(file, call));
        imports.add(name, { module, name: exported, isType: false });
      } else if (call.names.isTop(binding))
        lacking.push({ line: binding.line, what: `\`${name}\` lacks \`export\`` });
      else
        lacking.push({ line: binding.line, what: `\`${name}\` is known only in a function: ${TO_EXPORT}` });
    }
  }
  if (lacking.length > 0) throw reportLack(file, lacking);
  return { imports, importsTests };
}

const TO_EXPORT = "give it a name at the top of a module, with `export`";

/** A name that cannot be imported, and where it is. */
interface Lack {
  readonly line: number;
  readonly what: string;
}

function reportLack(file: string, lacking: readonly Lack[]): UsageError {
  const all = lacking.filter(({ what }, index) => lacking.findIndex((each) => each.what === what) === index);
  const [first, ...others] = all;
  const more = others.map(({ line, what }) => `\n${file}:${line}: ${what}`).join("");
  const why = "the test that is kept imports the app, and nothing was written";
  return new UsageError(`${first?.what}; ${why}${more}`, `${file}:${first?.line}`);
}

/** What is part of the app, and so must not be copied: it is mended where it is. */
const ofApp = new Set<string | undefined>(["app", "subject", "durable"]);

/** Whether the app is written in the call, as more than a call of something that can be imported. */
function isAppInPlace(call: ExploreCall, { name, start, end }: CallOption): boolean {
  if (!ofApp.has(name) || end - start === 1) return false;
  const texts = call.script.tokens.slice(start, end).map(({ text }) => text);
  const arrow = texts.indexOf("=>");
  const isFunction = arrow >= 0 || texts.includes("function") || texts[1] !== ":";
  if (!isFunction) return false;
  const isShort =
    arrow === texts.lastIndexOf("=>") && texts[arrow + 1] !== "{" && !texts.includes("function");
  const body: TokenSpan = { start: start + arrow + 1, end };
  return (
    !isShort || arrow < 0 || !freeNamesIn(call, body).some(({ binding }) => isOfProject(binding.imported))
  );
}

/** Whether something is the project's own, or of a package of it. */
function isOfProject(imported: Imported | undefined): boolean {
  return imported === undefined || !/^(ringback(\/|$)|node:)/.test(imported.module);
}

/** How a test imports the file that explored: with the ending that its own imports have. */
function ownModule(file: string, { names }: ExploreCall): string {
  const name = basename(file);
  const ending = extname(name);
  if (!/^\.[cm]?tsx?$/.test(ending)) return `./${name}`;
  const local = names.bindings.flatMap(({ imported }) =>
    imported?.module.startsWith(".") ? [extname(imported.module)] : [],
  );
  const usual = local[0] ?? ending;
  const isWritten = /^\.[cm]?[jt]sx?$/.test(usual);
  const own = /^\.[cm]?jsx?$/.test(usual) ? ending.replace(/tsx?$/, "js") : ending;
  return `./${name.slice(0, -ending.length)}${isWritten ? own : ""}`;
}

/** A module as a test in another folder names it. */
function seenFrom(folder: string, module: string): string {
  if (!module.startsWith(".") || folder === "") return module;
  const path = join(folder, module).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}

/** `.test.ts` for `orders.test.ts`, `.spec.js` for `orders.spec.js`, and `.test.mjs` for `program.mjs`. */
function endingBeside(file: string): string {
  const [, kind = ".test", ending = ".mjs"] = /(\.test|\.spec)?(\.[cm]?[jt]sx?)$/.exec(file) ?? [];
  return `${kind}${ending.replace("x", "")}`;
}

/** @param isLast whether what decides the world stands behind all other options, which may bring it too */
function testText(kept: KeptTest, parts: Parts, scenario: string, isLast = false): string {
  const { title, story, isForged, isLocal, runner } = kept;
  const { imports, isCommonJs } = parts;
  const explore = imports.addOwn(EXPLORE, "explore");
  const world = [
    `scenario: ${fileBeside(scenario, runner, isCommonJs, imports)},`,
    ...["deviations: 0,", `forged: ${isForged},`, ...(isLocal ? ["allowLocal: true,"] : [])],
  ];
  const options = isLast ? [...parts.options, ...world] : [...world, ...parts.options];
  const isGlobal = runner === "jest" && isCommonJs && !imports.isTaken("test", modules.jest, "test");
  const test = isGlobal ? "test" : imports.addOwn(modules[runner], "test");
  const lines = options.map((each) => each.replaceAll(/^(?=.)/gm, "    "));
  return `${comment(story)}
${imports.lines(isCommonJs).join("\n")}

${test}(${JSON.stringify(title)}, () =>
  ${explore}({
${lines.join("\n")}
  }));
`;
}

const modules: Readonly<Record<Runner, string>> = {
  vitest: "vitest",
  jest: "@jest/globals",
  "node:test": "node:test",
};

/** Code for the path of the file beside the test. Where Jest has its modules compiled, they have no `import.meta`. */
function fileBeside(scenario: string, runner: Runner, isCommonJs: boolean, imports: Imports): string {
  const name = JSON.stringify(scenario);
  if (isCommonJs) return `${imports.addOwn("node:path", "join")}(__dirname, ${name})`;
  if (runner !== "jest")
    return `${imports.addOwn("node:url", "fileURLToPath")}(new URL(${name}, import.meta.url))`;
  const join = imports.addOwn("node:path", "join");
  const expect = imports.addOwn(modules.jest, "expect");
  return `${join}(${expect}.getState().testPath ?? "", "..", ${name})`;
}

function comment(text: string): string {
  return text.replaceAll(/^/gm, "// ").replaceAll(/ +$/gm, "");
}
