import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import ts from "typescript";
import * as vitest from "vitest";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { pages } from "../docs/generate/pages.ts";
import { parseScenario, runScenario } from "../src/index.ts";
import { folderWith, ringback } from "./cli/support.ts";

/** What stands in the documentation is so: code runs, commands are there, links lead somewhere. */

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const all = ["README.md", "CHANGELOG.md", ...pagesIn("docs")];
const generated = new Set(pages.map(({ path }) => path));
/** Its blocks need a server: `test/node/docs.test.ts` runs them. */
const served = "docs/server.md";
const written = all.filter((path) => !generated.has(path) && path !== served);

function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .sort();
}

interface Block {
  /** `docs/webhooks.md:12`. */
  readonly place: string;
  readonly language: string;
  readonly text: string;
}

const blocks: readonly Block[] = written.flatMap((path) => {
  const page = read(path);
  return [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ({ index, 1: language = "", 2: text = "" }) => ({
      place: `${path}:${page.slice(0, index).split("\n").length}`,
      language,
      text,
    }),
  );
});
const blocksIn = (...languages: string[]) =>
  blocks
    .filter(({ language }) => languages.includes(language))
    .map(({ place, text }) => [place, text] as const);
const programs = blocksIn("ts", "js");

const ours: Readonly<Record<string, () => Promise<object>>> = {
  ringback: () => import("../src/index.ts"),
  "ringback/machines": () => import("../machines/index.ts"),
  "ringback/msw": () => import("../src/msw/index.ts"),
  "ringback/node": () => import("../src/node/index.ts"),
  "ringback/vitest": () => import("../src/vitest/index.ts"),
};

/** Runs a block as a module of its own, and the tests in it; `test` and `expect` may also be taken for granted. */
async function runBlock(text: string): Promise<void> {
  const { code } = await transform(text, { loader: "ts", format: "esm", target: "es2022" });
  const body = code
    .replaceAll(/^import ("[^"]+");$/gm, "await load($1);")
    .replaceAll(/ = require\(("[^"]+")\);$/gm, " = await load($1);")
    .replaceAll(/^import (\w+) from ("[^"]+");$/gm, "const { default: $1 } = await load($2);")
    .replaceAll(/^import (\{[^}]+\}) from ("[^"]+");$/gm, (_, names: string, from: string) => {
      return `const ${names.replaceAll(" as ", ": ")} = await load(${from});`;
    });
  const tests: (() => unknown)[] = [];
  const test = (_: string, run: () => unknown) => tests.push(run);
  const load = (name: string) => (name === "vitest" ? { ...vitest, test } : (ours[name]?.() ?? import(name)));
  await new AsyncFunction("load", "test", "expect", `{ ${body} }`)(load, test, expect);
  for (const run of tests) await run();
}

const AsyncFunction = (async () => {}).constructor as new (
  ...parts: string[]
) => (...args: unknown[]) => Promise<void>;

describe("a block of code", () => {
  test.each(programs)("runs as it stands: %s", (_, text) => runBlock(text));

  test("that does not hold would be noticed", async () => {
    const imports = 'import { expect, test } from "vitest";\n';
    await expect(runBlock(`${imports}expect(1).toBe(2);`)).rejects.toThrow();
    await expect(runBlock(`${imports}test("x", async () => { expect(1).toBe(2); });`)).rejects.toThrow();
    await expect(runBlock('test("x", () => { expect(1).toBe(2); });')).rejects.toThrow();
  });

  test("is in a language whose blocks are looked at", () => {
    // `xml` is an answer
    const known = ["", "js", "mermaid", "sh", "text", "ts", "xml", "yaml"];
    expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([]);
    expect(programs.length).toBeGreaterThan(10);
  });
});

describe("the blocks of code", () => {
  test("have the types that they should, as an editor would show them; and would be caught with wrong ones", () => {
    // what is required has no types
    const typed = programs.filter(([, text]) => !text.includes("= require("));
    expect(typed.length).toBeGreaterThan(programs.length - 2);
    const wrong = 'import { createSimulator } from "ringback"; createSimulator({ seeed: 1 });';
    // together, since the compiler takes seconds to begin
    expect(typeErrors([...typed, ["a wrong one", wrong]])).toEqual([expect.stringMatching(/^a wrong one: /)]);
  });
});

/** Type-checks blocks as files of this project, each a module of its own. */
function typeErrors(all: readonly (readonly [place: string, text: string])[]): string[] {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  // beside the types that a reader makes with a tool, as `npm run generate` does
  const texts = new Map(all.map(([, text], index) => [join(root, "test/rest", `block-${index}.ts`), text]));
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.getSourceFile = (path, ...rest) => {
    const text = texts.get(path);
    return text === undefined
      ? getSourceFile(path, ...rest)
      : ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
  };
  // what a block makes and does not use is for its reader
  const lax = {
    ...options,
    noUnusedLocals: false,
    noUnusedParameters: false,
    types: ["node", "vitest/globals"],
  };
  const program = ts.createProgram([...texts.keys()], lax, host);
  return [...texts.keys()].flatMap((path, index) =>
    [program.getSyntacticDiagnostics, program.getSemanticDiagnostics].flatMap((diagnose) =>
      diagnose(program.getSourceFile(path)).map(
        ({ messageText }) => `${all[index]?.[0]}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
      ),
    ),
  );
}

describe("a block of YAML", () => {
  test.each(blocksIn("yaml"))("is well-formed, and plays as it says if it is a scenario: %s", (_, text) => {
    const value = parse(text);
    if (value?.scenario === undefined) return;
    expect(runScenario(parseScenario(text)).report).toBe("");
  });
});

describe("a command", () => {
  const lines = blocksIn("sh").flatMap(([place, text]) =>
    text
      .split(/\n|&&/)
      .map((line) => line.replace(/ #.*$/, "").trim())
      // test/package runs Vitest, on what `ringback init` wrote
      .filter((line) => line !== "" && line !== "npx vitest run")
      .map((line) => [`${place}: ${line}`, line] as const),
  );

  test.each(lines)("is there: %s", (_, line) => {
    const [program, ...args] = line.split(/\s+/);
    if (program === "npx" && args[0] === "ringback") {
      const project = folderWith();
      ringback("init", project);
      const given = args.slice(1).map((arg) => (existsSync(join(project, arg)) ? join(project, arg) : arg));
      // these write files or processes of their own; their tests are elsewhere
      const isRun = !["init", "verify", "serve"].includes(args[1] ?? "");
      expect(ringback(...given, ...(isRun ? [] : ["--help"])).code).toBe(0);
      return;
    }
    const { scripts } = JSON.parse(read("package.json"));
    const [script] = args[0] === "run" ? args.slice(1) : args;
    const npms = ["ci", "cit", "install"];
    expect(program).toBe("npm");
    expect([...npms, ...Object.keys(scripts)]).toContain(script);
  });
});

describe("the README", () => {
  test.each([
    ["timeline", "text"],
    ["mermaid", "mermaid"],
  ])("shows what the first lesson has as its %s", (format, shown) => {
    const [block] = blocks.filter(
      ({ place, language }) => place.startsWith("README.md") && language === shown,
    );
    expect(ringback("run", "01", "--format", format).out).toContain(block?.text);
  });
});

describe("links", () => {
  test.each(all)("in %s lead to files and headings that are there", (path) => {
    const text = read(path).replaceAll(/^```[\s\S]*?^```$/gm, "");
    const wrong = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !/^https?:/.test(target) && !isThere(path, target));
    expect(wrong).toEqual([]);
  });

  test("lead from the README, by some way, to every page", () => {
    const reached = new Set(["README.md"]);
    for (const path of reached)
      for (const [, target = ""] of read(path).matchAll(/\]\(([^)\s#]+\.md)[^)]*\)/g))
        if (!target.startsWith("http")) reached.add(join(dirname(path), target));
    expect(all.filter((path) => !reached.has(path))).toEqual([]);
  });
});

function isThere(path: string, target: string): boolean {
  const [file = "", anchor] = target.split("#");
  const at = file === "" ? path : join(dirname(path), file);
  if (!existsSync(join(root, at))) return false;
  if (anchor === undefined) return true;
  const page = read(at);
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return headings.includes(anchor) || page.includes(`id="${anchor}"`);
}
