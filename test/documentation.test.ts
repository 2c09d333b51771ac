import { execFile } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { entries, exportsOf } from "../docs/generate/api.ts";
import { type ApiExample, apiExamples, membersWithoutExample } from "../docs/generate/api-pages.ts";
import { pages } from "../docs/generate/pages.ts";
import { createSimulator, parseScenario, runScenario, type Simulator } from "../src/index.ts";
import { folderWith, ringback } from "./cli/support.ts";
import { doubtful } from "./inspect/capture-picture.ts";

// in the same file, so that the compiler reads the sources once for both
import "./generated-pages.ts";

/** Checks that the documentation is true: code runs, commands exist, links lead somewhere. */

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const all = ["README.md", "CHANGELOG.md", ...pagesIn("docs")];
const generated = new Set(pages.map(({ path }) => path));
/** Its requests need a server: `test/node/docs.test.ts` makes them. */
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

const blocksOf = (path: string): Block[] => {
  const page = read(path);
  return [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ({ index, 1: language = "", 2: text = "" }) => ({
      place: `${path}:${page.slice(0, index).split("\n").length}`,
      language,
      text,
    }),
  );
};
const blocks: readonly Block[] = written.flatMap(blocksOf);
const blocksIn = (...languages: string[]) =>
  blocks
    .filter(({ language }) => languages.includes(language))
    .map(({ place, text }) => [place, text] as const);
const programs = [
  ...blocksIn("ts", "js"),
  ...blocksOf(served)
    .filter(({ language }) => language === "ts")
    .map(({ place, text }) => [place, text] as const),
];

/** The README's programs fail, as the README says: their tests are with those of the README. */
const failing = programs.filter(([place]) => place.startsWith("README.md"));

/** The other programs, pasted into files of their own. `test/package` runs those that are not for Vitest. */
const pasted = programs
  .filter((program) => program[1].includes('from "vitest"') && !failing.includes(program))
  .map(([place, text]) => [place, text, `${place.replaceAll(/[^\w]+/g, "-")}.test.ts`] as const);

/** Modules that a command is given by `--with`. They are JavaScript. */
const apps = programs.filter(([, text]) => /^export function subject/m.test(text));

/** The `@example`s of the API as programs, one for each page. */
const allExamples = apiExamples();
const examples = [...new Set(allExamples.map(({ page }) => page))].map((page) => {
  const shown = allExamples.filter((each) => each.page === page);
  return [`docs/api/${page}.md`, exampleProgram(shown), `api-${page}.test.ts`] as const;
});

/** A test for each example. `// =>` behind a line says what it gives. */
function exampleProgram(all: readonly ApiExample[]): string {
  // in Jest `jest` is global
  const jests = all.some(({ page }) => page === "ringback-jest")
    ? ['import { vi as jest } from "vitest";']
    : [];
  const imports = Object.keys(entries)
    .filter((entry) => ["ringback", "ringback/import"].includes(entry))
    .map((entry) => {
      const names = exportsOf(entry).flatMap(({ name, isType }) => (isType ? [] : [name]));
      return `import { ${names.join(", ")} } from "${entry}";`;
    });
  const lines = all.flatMap(({ text }) => text.split("\n").filter((line) => line.startsWith("import ")));
  const tests = all.map(({ shows, text }) => {
    const own = text
      .split("\n")
      .filter((line) => !line.startsWith("import "))
      .map((line) => line.replace(/^(\S.*); \/\/ => (.*)$/, "expect($1).toEqual($2);"));
    // an example that makes its own simulator hides this one
    return `test(${JSON.stringify(shows)}, async () => {\n  const sim = createSimulator();\n  {\n${own.join("\n")}\n  }\n});`;
  });
  return ['import { expect, test } from "vitest";', ...jests, ...imports, ...new Set(lines), ...tests].join(
    "\n",
  );
}

/** A folder that has our packages, and the types of the REST API that a reader makes with a tool. */
function emptyConsumer(): string {
  const folder = mkdtempSync(join(tmpdir(), "ringback-pasted-"));
  writeFileSync(join(folder, "api-types.ts"), read("test/rest/api-types.ts"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  return folder;
}

/** The result of each file of a folder in Vitest: empty if its tests passed, otherwise what failed. */
async function pastedInto(files: Readonly<Record<string, string>>): Promise<Map<string, string>> {
  const folder = emptyConsumer();
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const alias = [
      { find: "^ringback$", replacement: join(root, "src/index.ts") },
      { find: "^ringback/machines$", replacement: join(root, "machines/index.ts") },
      { find: "^ringback/([\\w-]+)$", replacement: join(root, "src/$1/index.ts") },
    ];
    writeFileSync(
      join(folder, "vitest.config.mjs"),
      `export default { test: { testTimeout: 60_000, isolate: false, pool: "threads" }, resolve: { alias: ${JSON.stringify(alias)}.map(
        ({ find, replacement }) => ({ find: new RegExp(find), replacement })) } };`,
    );
    const report = join(folder, "report.json");
    const flags = ["run", "--root", folder, "--reporter=json", `--outputFile=${report}`];
    // the report names the file of a failed test; if Vitest itself fails, there is no report
    const ended = await run(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), ...flags]);
    if (!existsSync(report)) throw new Error(ended);
    const { testResults } = JSON.parse(readFileSync(report, "utf8")) as {
      testResults: { name: string; status: string; message: string; assertionResults: Result[] }[];
    };
    return new Map(
      testResults.map(({ name, status, message, assertionResults }) => [
        basename(name),
        status === "passed" && assertionResults.length > 0
          ? ""
          : [message, ...assertionResults.flatMap((each) => each.failureMessages)].join("\n") || "no test",
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Result {
  readonly failureMessages: readonly string[];
}

/** The output of a process, whether it succeeded or failed. */
function run(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const env = { ...process.env, RINGBACK_RESULTS: "off" };
    execFile(command, args, { env }, (_, out, err) => resolve(`${out}${err}`));
  });
}

describe("a block of code", () => {
  let outcomes: Map<string, string>;
  const wrong = {
    "wrong.test.ts": 'import { expect, test } from "vitest";\ntest("x", async () => { expect(1).toBe(2); });',
    "none.test.ts": 'import { expect } from "vitest";\nexpect(1).toBe(1);',
  };

  beforeAll(async () => {
    outcomes = await pastedInto({
      ...wrong,
      ...Object.fromEntries([...pasted, ...examples].map(([, text, file]) => [file, text])),
    });
  });

  test.each(examples)("in an @example runs and gives what it says: %s", (_place, _text, file) => {
    expect(outcomes.get(file)).toBe("");
  });

  test.each(pasted)("runs unchanged as a test file: %s", (_place, _text, file) => {
    expect(outcomes.get(file)).toBe("");
  });

  test("is reported if it fails or tests nothing", () => {
    expect(outcomes.get("wrong.test.ts")).toContain("expected 1 to be 2");
    expect(outcomes.get("none.test.ts")).toMatch(/no test/i);
  });

  test("is run unchanged, except those for Jest and Node's own runner", () => {
    const others = programs.filter(
      (program) => !failing.includes(program) && pasted.every(([each]) => each !== program[0]),
    );
    // in Jest `test` and `expect` are global; test/package runs them
    const known = /= require\("ringback"\)|from "node:test"|^export function subject/m;
    expect(others.filter(([, text]) => !known.test(text))).toEqual([]);
    expect(others.length).toBeGreaterThan(2);
  });

  test.each(apps)(
    "for `--with` is a module whose properties hold before anything happens: %s",
    async (_, text) => {
      const path = join(folderWith({ "app.mjs": text }), "app.mjs");
      const { subject, eventually } = await import(path);
      const sim = createSimulator();
      const app = subject(sim);
      expect(sim.network.routes).not.toEqual([]);
      expect(Object.keys(eventually)).not.toEqual([]);
      for (const holds of Object.values(eventually) as ((sim: Simulator, app: unknown) => unknown)[])
        expect(await holds(sim, app)).not.toBe(false);
    },
  );

  test("is in a language that the tests check", () => {
    // `xml` is an answer, `json` what test/cli/failures.test.ts compares; test/cli/languages.test.ts runs `go`, `java` and `python`
    const known = ["", "go", "java", "js", "json", "mermaid", "python", "sh", "text", "ts", "xml", "yaml"];
    expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([]);
    expect(programs.length).toBeGreaterThan(10);
  });
});

describe("the blocks of code", () => {
  test("type-check like in an editor, and wrong types are caught", async () => {
    // programs that use `require` have no types
    const typed = programs.filter(([, text]) => !text.includes("= require("));
    expect(typed.length).toBeGreaterThan(programs.length - 2);
    const wrong = 'import { createSimulator } from "ringback"; createSimulator({ seeed: 1 });';
    // all in one go, since the compiler takes seconds to start
    const shown = examples.map(([place, text]) => [place, text] as const);
    expect(await typeErrors([...typed, ...shown, ["a wrong one", wrong]])).toEqual([
      expect.stringMatching(/^a wrong one: .*seeed/),
    ]);
  });
});

/** What the compiler says of blocks as files beside this project's, each a module of its own. */
async function typeErrors(all: readonly (readonly [place: string, text: string])[]): Promise<string[]> {
  const folder = emptyConsumer();
  try {
    const isJavaScript = (place: string) => [...failing, ...apps].some(([each]) => each === place);
    for (const [index, [place, text]] of all.entries())
      writeFileSync(join(folder, `block-${index}.${isJavaScript(place) ? "mjs" : "ts"}`), text);
    // a block may make a value that only its reader would use
    const lax = { noUnusedLocals: false, noUnusedParameters: false, types: ["node", "vitest/globals"] };
    const compilerOptions = { ...lax, allowJs: true, checkJs: true };
    const project = {
      extends: join(root, "tsconfig.json"),
      compilerOptions,
      include: ["*.ts", "block-*.mjs"],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
    const compiler = join(root, "node_modules/typescript-native/bin/tsc");
    const said = await run(process.execPath, [compiler, "--project", folder, "--pretty", "false"]);
    // a program in JavaScript declares no types of parameters, which is TS70..
    return said
      .split("\n")
      .filter((line) => /: error |^error /.test(line) && !/\.mjs\(.*error TS70/.test(line))
      .map((line) => line.replace(/^.*?block-(\d+)\.\w+\(.*?\)/, (_, index) => all[index]?.[0] ?? ""));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("a block of YAML", () => {
  test.each(blocksIn("yaml"))(
    "is well-formed and, if it is a scenario, produces its expected stream: %s",
    (_, text) => {
      const value = parse(text);
      if (value?.scenario === undefined) return;
      expect(runScenario(parseScenario(text)).report).toBe("");
    },
  );
});

describe("a command", () => {
  const lines = blocksIn("sh").flatMap(([place, text]) =>
    text
      .split(/\n|&&/)
      .map((line) => line.replace(/ #.*$/, "").trim())
      // test/package runs Vitest, on what `ringback init` wrote; test/cli/recipes.test.ts runs GNU parallel;
      // Docker is not there to run
      .filter(
        (line) =>
          line !== "" &&
          line !== "npx vitest run" &&
          !/^(parallel|docker|cp -r node_modules\/ringback\/docs\S*) /.test(line),
      )
      .map((line) => [`${place}: ${line}`, line] as const),
  );

  test.each(lines)("exists: %s", async (_, line) => {
    const [program, ...args] = line.split(/\s+/);
    if (program === "npx" && args[0] === "ringback") {
      const project = folderWith();
      ringback("init", project);
      writeFileSync(join(project, "monday.jsonl"), doubtful());
      const given = args.slice(1).map((arg) => (existsSync(join(project, arg)) ? join(project, arg) : arg));
      // these write files or processes of their own; their tests are elsewhere
      const isRun = !["explore", "import", "init", "merge", "record", "verify", "serve"].includes(
        args.includes("--with") ? "explore" : (args[1] ?? ""),
      );
      const page = args.includes("monday.jsonl") ? ["-o", join(project, "monday.html")] : [];
      expect(await ringback(...given, ...(isRun ? page : ["--help"])).code).toBe(0);
      return;
    }
    // test/node/docs.test.ts and test/cli/containers.test.ts make these requests
    if (program === "curl" && line.includes("http://127.0.0.1:8080/")) return;
    const { scripts } = JSON.parse(read("package.json"));
    const [script] = args[0] === "run" ? args.slice(1) : args;
    const npms = ["ci", "cit", "install"];
    expect(program).toBe("npm");
    expect([...npms, ...Object.keys(scripts)]).toContain(script);
  });
});

describe("the @examples of the API", () => {
  test("are there for each function and value, and each method of the simulator and its objects", () => {
    expect(membersWithoutExample()).toEqual([]);
    expect(allExamples.length).toBeGreaterThan(100);
  });
});

describe("the README", () => {
  /** Its programs, and how it tells the reader to mend each. */
  const programs = [
    { name: "webhook", mend: (text: string) => text.replace(/^.*status: 422.*\n/m, "") },
    {
      name: "lost",
      mend: (text: string) =>
        text
          .replace("const activities = [];", "const activities = [];\n  const seen = new Set();")
          .replace(/^ *activities\.push/m, "if (seen.has(event.id)) return 204; seen.add(event.id);\n$&"),
    },
  ];
  const outputs = blocksIn("text").filter(([place]) => place.startsWith("README.md"));
  let outcomes: Map<string, string>;

  beforeAll(async () => {
    const files = failing.flatMap(([, text], index) => {
      const { name = "", mend = String } = programs[index] ?? {};
      return [
        [`${name}.test.mjs`, text],
        [`${name}-mended.test.mjs`, mend(text)],
      ];
    });
    outcomes = await pastedInto(Object.fromEntries(files));
  });

  test.each(programs)("shows what its program $name prints as it fails", ({ name }) => {
    const [, shown] = outputs[programs.findIndex((each) => each.name === name)] ?? [];
    expect(shown).toBeTruthy();
    expect(outcomes.get(`${name}.test.mjs`)).toContain(shown);
  });

  test.each(programs)("says how its program $name is mended", ({ name }) => {
    expect(outcomes.get(`${name}-mended.test.mjs`)).toBe("");
  });

  test("has no line of code wider than a screen shows", () => {
    const lines = failing.flatMap(([, text]) => text.split("\n"));
    expect(lines.filter((line) => line.length > 90)).toEqual([]);
  });
});

describe("the sections of a version in the changelog", () => {
  test.each(read("CHANGELOG.md").split(/^## /m).slice(1))("occur once, even after a rebase", (version) => {
    const items = [...version.matchAll(/^- .{30}/gm)].map(([item]) => item);
    expect(items.filter((item, index) => items.indexOf(item) !== index)).toEqual([]);
  });
});

describe("links", () => {
  test.each(all)("in %s lead to existing files and headings", (path) => {
    const text = read(path).replaceAll(/^```[\s\S]*?^```$/gm, "");
    const wrong = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !/^https?:/.test(target) && !isThere(path, target));
    expect(wrong).toEqual([]);
  });

  test("lead from the README to every page, directly or not", () => {
    const reached = new Set(["README.md"]);
    for (const path of reached)
      for (const [, target = ""] of read(path).matchAll(/\]\(([^)\s#]+\.md)[^)]*\)/g))
        if (!target.startsWith("http")) reached.add(join(dirname(path), target));
    expect(all.filter((path) => !reached.has(path))).toEqual([]);
  });
});

describe("a comment in the code", () => {
  const code = ["src", "machines", "test", "docs", "scenarios"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
      .filter((path) => /\.(ts|tsx|yaml)$/.test(path)),
  );
  /** The pages and headings that a text links to, as paths from the root of the project. */
  const namedIn = (text: string) =>
    [...text.matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([target]) => target);
  /** A document that a reader of the repository does not have. */
  const isElsewhere = (text: string) => /\b(specification|decisions)[,:] (section )?["\d]/i.test(text);

  test("refers only to existing pages and headings", () => {
    const named = code.flatMap((path) => namedIn(read(path)).map((target) => ({ path, target })));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(({ target }) => !isThere("README.md", target))).toEqual([]);
  });

  test("refers to no document outside the repository", () => {
    const self = "test/documentation.test.ts";
    expect(code.filter((path) => path !== self && isElsewhere(read(path)))).toEqual([]);
    expect(isElsewhere('ignored. Specification, "Limits".')).toBe(true);
    expect(isElsewhere("decisions, section 2")).toBe(true);
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
