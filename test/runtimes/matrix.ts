import { mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { forRunners, type Runner } from "../../docs/site/runners.ts";
import { nodeBin, nodeNames, nodes, peers } from "./versions.ts";

/**
 * README's first tests in each supported version of Node, test runner and MSW, in a fresh folder each: `npm install` without a
 * refusal or a warning about this package, tests that are red as printed, and commands to run them again that work as pasted.
 */

/** Runs a command in a folder. @returns its output, and whether it succeeded */
export type Try = (
  command: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
) => Promise<{ readonly isGood: boolean; readonly text: string }>;

interface Combination {
  readonly node: string;
  readonly runner: Runner;
  /** The version of the runner; undefined for Node's own. */
  readonly version: number | undefined;
  /** The version of MSW; undefined for none. */
  readonly msw: number | undefined;
}

const columns: readonly Pick<Combination, "runner" | "version">[] = [
  ...peers.vitest.map((version) => ({ runner: "vitest" as const, version })),
  ...peers.jest.map((version) => ({ runner: "jest" as const, version })),
  { runner: "node:test", version: undefined },
];
const msws = [undefined, ...peers.msw];

/** The folder for versions of Node. */
const NODES = "nodes";
/** How long a command may be beside the one that was typed, in characters. */
const LONGER = 120;

const mswTest = `import { setupServer } from "msw/node";
import { createSimulator } from "ringback";
import { handlers } from "ringback/msw";
import { expect, test } from "vitest";

test("an app asks the platform through MSW", async () => {
  const sim = createSimulator();
  const server = setupServer(...handlers(sim));
  server.listen({ onUnhandledRequest: "error" });
  const headers = { authorization: "Bearer " + sim.token() };
  const answer = await fetch(sim.urls.api + "/users", { headers });
  expect(answer.status).toBe(200);
  expect((await answer.json()).users).toHaveLength(5);
  expect((await fetch(sim.urls.api + "/users")).status).toBe(401);
  server.close();
});
`;

/** README's programs, and what it says that they print. */
interface Readme {
  readonly programs: readonly string[];
  readonly printed: readonly string[];
}

async function readReadme(root: string): Promise<Readme> {
  const text = await readFile(join(root, "README.md"), "utf8");
  const blocks = (language: string) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
      ([, code = ""]) => code,
    );
  const programs = blocks("js").slice(0, 2);
  const printed = blocks("text").slice(0, 2);
  if (programs.length < 2 || printed.length < 2) throw new Error("README.md has no two tests with output");
  return { programs, printed };
}

/**
 * Tries all combinations, and prints a row of the table for each Node and MSW.
 * @param only words that a combination must contain, such as `26` or `jest`
 * @returns whether all that exist passed
 */
export async function proveMatrix(
  { root, work, tarball }: { readonly root: string; readonly work: string; readonly tarball: string },
  tryIt: Try,
  only: readonly string[],
): Promise<boolean> {
  const readme = await readReadme(root);
  // a folder of its own: npx looks for programs, and node is one, in all folders above
  const programs = join(work, NODES);
  await mkdir(programs);
  const flags = ["--prefix", programs, "--no-audit", "--no-fund", "--no-package-lock"];
  const installed = await tryIt(["npm", "install", ...flags, ...nodes.map(nodeNames)], programs, {});
  if (!installed.isGood) throw new Error(`no Node to try: ${installed.text}`);
  const heads = columns.map(({ runner, version }) => [runner, version].filter(Boolean).join(" "));
  process.stdout.write(`| Node | MSW | ${heads.join(" | ")} |\n|${"---|".repeat(heads.length + 2)}\n`);
  let isAllGood = true;
  let isAnyTried = false;
  for (const node of nodes)
    for (const msw of msws) {
      const cells: string[] = [];
      for (const column of columns) {
        const combination = { ...column, node, msw };
        if (!isChosen(combination, only)) {
          cells.push("not tried");
          continue;
        }
        isAnyTried = true;
        const problem = await problemOf(combination, { readme, work, tarball }, tryIt);
        if (problem !== undefined && problem !== NONE) isAllGood = false;
        cells.push(problem ?? "passed");
      }
      if (cells.some((cell) => cell !== "not tried"))
        process.stdout.write(`| ${[node, msw ?? "none", ...cells].join(" | ")} |\n`);
    }
  if (!isAnyTried) throw new Error(`no combination has all of: ${only.join(", ")}`);
  return isAllGood;
}

/** What stands in the table for a combination that its packages refuse. */
const NONE = "–";

function isChosen({ node, runner, version, msw }: Combination, only: readonly string[]): boolean {
  const words = [node, runner, String(version), `${runner}@${version}`, `msw@${msw ?? "none"}`];
  return only.every((word) => words.some((each) => each === word || each.split(".")[0] === word));
}

/** What is wrong with a combination; undefined if it passes. */
async function problemOf(
  { node, runner, version, msw }: Combination,
  { readme, work, tarball }: { readonly readme: Readme; readonly work: string; readonly tarball: string },
  tryIt: Try,
): Promise<string | undefined> {
  const folder = join(
    work,
    [node, runner.replace(":", "-"), version ?? "own", `msw-${msw ?? "none"}`].join("-"),
  );
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  const env = {
    PATH: `${join(work, NODES, "node_modules", nodeBin(node))}${delimiter}${process.env.PATH}`,
    ...{ NO_COLOR: "1", RINGBACK_RESULTS: "", CI: "1" },
  };
  const wanted = [
    runner === "node:test" ? "expect" : `${runner}@${version}`,
    ...(msw === undefined ? [] : [`msw@${msw}`]),
  ];
  // a level of its own: under `npm run -s` it would say neither why it refuses nor what it warns of
  const flags = ["--loglevel=notice", "--prefer-offline", "--engine-strict", "--no-audit", "--no-fund"];
  const installed = await tryIt(
    ["npm", "install", "--prefix", folder, ...flags, tarball, ...wanted],
    folder,
    env,
  );
  if (/EBADENGINE/.test(installed.text) && !/EBADENGINE.*ringback/.test(installed.text)) return NONE;
  if (!installed.isGood) return failed("install", installed.text);
  if (/npm warn.*ringback/.test(installed.text)) return failed("warning", installed.text);

  const inFolder = (line: string) => tryIt(["sh", "-c", line], folder, env);
  // Jest 29 looks for no .mjs
  const ending = runner === "jest" && version === 29 ? "js" : "mjs";
  const command = (name: string) =>
    ({
      vitest: `npx vitest run ${name}`,
      jest: `NODE_OPTIONS=--experimental-vm-modules npx jest ${name}`,
      "node:test": `node --test ${name}.test.${ending}`,
    })[runner];
  const write = (name: string, text: string) =>
    writeFile(join(folder, `${name}.test.${ending}`), forRunners("js", text)?.[runner] ?? text);

  for (const [index, name] of ["webhook", "lost"].entries()) {
    await write(name, readme.programs[index] ?? "");
    const red = await inFolder(command(name));
    if (red.isGood || !saysAll(red.text, readme.printed[index] ?? ""))
      return failed(`${name} is not red as printed`, red.text);
    const again = /(?:This runs it again:\n| {2}replay: )(?:.*?)(\S.*)$/m.exec(red.text)?.[1]?.trim();
    if (again === undefined) return failed(`${name} names no command`, red.text);
    if (again.length > command(name).length + LONGER) return failed(`${name}: a long command`, again);
    const pasted = await inFolder(again);
    // a journal is played again as it was; a world is red again
    const isAsExpected =
      name === "webhook" ? pasted.isGood : !pasted.isGood && pasted.text.includes("is logged twice");
    if (!isAsExpected) return failed(`${name}: the pasted command`, `${again}\n${pasted.text}`);
  }
  if (msw === undefined) return undefined;
  await write("users", mswTest);
  const asked = await inFolder(command("users"));
  return asked.isGood ? undefined : failed("ringback/msw", asked.text);
}

function failed(what: string, text: string): string {
  process.stderr.write(`${what}:\n${text}\n`);
  return `FAILED: ${what}`;
}

/** Whether a text has each line of another, whatever stands before and behind it. */
function saysAll(text: string, lines: string): boolean {
  return lines
    .split("\n")
    .map((line) => line.trim())
    .every((line) => text.includes(line));
}
