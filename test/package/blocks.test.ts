import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import {
  apiExamples,
  apps,
  type Block,
  blocksIn,
  failing,
  type Program,
  passing,
  programs,
  read,
  root,
} from "../code-blocks.ts";

/** Runs and type-checks what the documentation shows, pasted into files beside the installed package. */

const { work, consumer } = inject("installed");

const pasted = passing.map(([place, text]) => [place, text, fileOf(place)] as const);

function fileOf(place: string): string {
  return `${place.replaceAll(/[^\w]+/g, "-")}.test.ts`;
}

/** What examples use besides `sim` and do not make: how it is made before one, and ended after it. */
const given: Readonly<Record<string, readonly [pattern: RegExp, before: string, after: string]>> = {
  "ringback-vitest": [/\btime\./, "const time = shareTime(sim);", "vi.useRealTimers();"],
  "ringback-jest": [/\btime\./, "const time = shareTime(sim, jest);", "jest.useRealTimers();"],
  "ringback-node-test": [/\btime\./, "const time = shareTime(sim, mock.timers);", "mock.timers.reset();"],
  "ringback-explore": [
    /\bserver\.(?!close|address)/,
    `const app = createServer((_, response) => response.end("[]")).listen(0, "127.0.0.1");
await once(app, "listening");
const { port } = app.address() as { port: number };
const server = await httpApp({ url: \`http://127.0.0.1:\${port}\`, reset: "/reset" })(sim);`,
    "app.close();",
  ],
};

/** An example with what it uses and does not make. */
function withGiven(path: string, text: string): string {
  const [pattern, before, after] = given[basename(path, ".md")] ?? [];
  if (pattern?.test(text) !== true || /^const (time|server) =/m.test(text)) return text;
  return `${before}\ntry {\n${text}\n} finally {\n${after}\n}`;
}

/** The `@example`s of a page. `// =>` behind a line says what it gives. */
function exampleProgram(path: string, shown: readonly Block[], imports: readonly string[]): string {
  // in Jest `jest` is global
  const jests = path.endsWith("/ringback-jest.md") ? ['import { vi as jest } from "vitest";'] : [];
  const lines = shown.flatMap(({ text }) => text.split("\n").filter((line) => line.startsWith("import ")));
  const tests = shown.map(({ heading, text }) => {
    const own = withGiven(path, text)
      .split("\n")
      .filter((line) => !line.startsWith("import "))
      .map((line) => line.replace(/^(\S.*); \/\/ => (.*)$/, "expect($1).toEqual($2);"));
    // an example that makes its own simulator hides this one
    return `test(${JSON.stringify(heading)}, async () => {\n  const sim = createSimulator();\n  {\n${own.join("\n")}\n  }\n});`;
  });
  return ['import { expect, test } from "vitest";', ...jests, ...imports, ...new Set(lines), ...tests].join(
    "\n",
  );
}

/** The `@example`s of the API, one program for each page. */
async function examplePrograms(): Promise<Program[]> {
  const entries = [
    ["ringback", "index"],
    ["ringback/import", "import"],
  ];
  const imports = entries.map(async ([name, file]) => {
    const all = await import(join(consumer, `node_modules/ringback/dist/${file}.js`));
    return `import { ${Object.keys(all).join(", ")} } from "${name}";`;
  });
  const known = await Promise.all(imports);
  return apiExamples.map(([path, shown]) => [path, exampleProgram(path, shown, known)]);
}

/** A folder beside the installed package, with the types of the REST API that a reader makes with a tool. */
function emptyProject(): string {
  const folder = join(mkdtempSync(join(work, "pasted-")), "project");
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(join(consumer, "node_modules/ringback"), join(folder, "node_modules/ringback"), "dir");
  // a reader has these packages too
  symlinkSync(join(root, "node_modules"), join(folder, "../node_modules"), "dir");
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  writeFileSync(join(folder, "api-types.ts"), read("test/core/rest/api-types.ts"));
  return folder;
}

/** The output of a process, whether it succeeded or failed. */
function run(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const env = { ...process.env, RINGBACK_RESULTS: "off" };
    execFile(command, args, { env, maxBuffer: 64 << 20 }, (_, out, err) => resolve(`${out}${err}`));
  });
}

interface Result {
  readonly failureMessages: readonly string[];
}

/** The result of each file in Vitest: empty if its tests passed, otherwise what failed. */
async function outcomesOf(files: Readonly<Record<string, string>>): Promise<Map<string, string>> {
  const folder = emptyProject();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const config = { test: { testTimeout: 60_000, isolate: false, pool: "threads" } };
  writeFileSync(join(folder, "vitest.config.mjs"), `export default ${JSON.stringify(config)};`);
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
}

/** The README's programs, and how it tells the reader to mend each. */
const mends = [
  { name: "webhook", mend: (text: string) => text.replace(/^.*status: 422.*\n/m, "") },
  {
    name: "lost",
    mend: (text: string) =>
      text
        .replace("const activities = [];", "const activities = [];\n  const seen = new Set();")
        .replace(/^ *activities\.push/m, "if (seen.has(event.id)) return 204; seen.add(event.id);\n$&"),
  },
];

describe("a block of code", () => {
  let outcomes: Map<string, string>;
  let api: Program[];
  const wrong = {
    "wrong.test.ts": 'import { expect, test } from "vitest";\ntest("x", async () => { expect(1).toBe(2); });',
    "none.test.ts": 'import { expect } from "vitest";\nexpect(1).toBe(1);',
  };

  beforeAll(async () => {
    const readme = failing.flatMap(([, text], index) => {
      const { name = "", mend = String } = mends[index] ?? {};
      return [
        [`${name}.test.mjs`, text],
        [`${name}-mended.test.mjs`, mend(text)],
      ];
    });
    api = await examplePrograms();
    outcomes = await outcomesOf({
      ...wrong,
      ...Object.fromEntries(pasted.map(([, text, file]) => [file, text])),
      ...Object.fromEntries(readme),
      ...Object.fromEntries(api.map(([path, text]) => [fileOf(path), text])),
    });
  });

  test.each(apiExamples)("in an @example runs and gives what it says: %s", (path) => {
    expect(outcomes.get(fileOf(path))).toBe("");
  });

  test.each(pasted)("runs unchanged as a test file: %s", (_place, _text, file) => {
    expect(outcomes.get(file)).toBe("");
  });

  test("is reported if it fails or tests nothing", () => {
    expect(outcomes.get("wrong.test.ts")).toContain("expected 1 to be 2");
    expect(outcomes.get("none.test.ts")).toMatch(/no test/i);
  });

  test.each(mends)("in the README prints what is shown below it as it fails: $name", ({ name }) => {
    const outputs = blocksIn("text").filter(([place]) => place.startsWith("README.md"));
    const [, shown] = outputs[mends.findIndex((each) => each.name === name)] ?? [];
    expect(shown).toBeTruthy();
    expect(outcomes.get(`${name}.test.mjs`)).toContain(shown);
  });

  test.each(mends)("in the README is mended as the README says: $name", ({ name }) => {
    expect(outcomes.get(`${name}-mended.test.mjs`)).toBe("");
  });

  test("type-checks like in an editor, and a wrong type is caught", async () => {
    // programs that use `require` have no types
    const typed = programs.filter(([, text]) => !text.includes("= require("));
    expect(typed.length).toBeGreaterThan(programs.length - 2);
    const wrongType = 'import { createSimulator } from "ringback"; createSimulator({ seeed: 1 });';
    // all in one go, since the compiler takes seconds to start
    expect(await typeErrors([...typed, ...api, ["a wrong one", wrongType]])).toEqual([
      expect.stringMatching(/^a wrong one: .*seeed/),
    ]);
  });
});

/** What the compiler says of blocks as files of a project, each a module of its own. */
async function typeErrors(all: readonly Program[]): Promise<string[]> {
  const folder = emptyProject();
  const isJavaScript = (place: string) => [...failing, ...apps].some(([each]) => each === place);
  for (const [index, [place, text]] of all.entries())
    writeFileSync(join(folder, `block-${index}.${isJavaScript(place) ? "mjs" : "ts"}`), text);
  const { compilerOptions } = JSON.parse(read("tsconfig.json"));
  const project = {
    compilerOptions: {
      ...compilerOptions,
      // a block may make a value that only its reader would use
      ...{ noUnusedLocals: false, noUnusedParameters: false, types: ["node", "vitest/globals"] },
      ...{ allowJs: true, checkJs: true, paths: {} },
    },
    include: ["*.ts", "block-*.mjs"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
  const compiler = join(root, "node_modules/typescript-native/bin/tsc");
  const flags = ["--singleThreaded", "--pretty", "false"];
  const said = await run(process.execPath, [compiler, "--project", folder, ...flags]);
  // a program in JavaScript declares no types of parameters, which is TS70..
  return said
    .split("\n")
    .filter((line) => /: error |^error /.test(line) && !/\.mjs\(.*error TS70/.test(line))
    .map((line) => line.replace(/^.*?block-(\d+)\.\w+\(.*?\)/, (_, index) => all[index]?.[0] ?? ""));
}
