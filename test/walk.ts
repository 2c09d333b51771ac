import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import ts from "typescript";
import { root } from "../docs/generate/root.ts";

/**
 * `npm run prove -- walk`: how often a reader changes rooms on the way from `explore()` to its first verdict. It plays the
 * README's missed call with each function of `src` marked, and lists the files of `src/explore` and `src/findings` in the
 * order of their first calls, until the first property is asked. A *stay* is a visit to one folder. A *climb* is a first call
 * from a folder to one that, by its imports, is on a higher floor. `npm run walk -- FOLDER` counts in another tree.
 */

const MOST = { stays: 30, climbs: 2 };

const tree = resolve(process.argv[2] ?? root);
const copy = mkdtempSync(join(tmpdir(), "ringback-walk-"));

/** The program that is followed. Trees of before 27 November 2026 call the app `subject`. */
const program = (app: string) => `
import { writeFileSync } from "node:fs";
const calls = [], seen = new Set();
let isOn = true;
globalThis.walk = (file) => {
  if (!isOn || seen.has(file)) return;
  seen.add(file);
  Error.stackTraceLimit = 40;
  const files = [...new Error().stack.matchAll(/[/](src[/][^:]+[.]ts):/g)].map(([, name]) => name);
  Error.stackTraceLimit = 10;
  calls.push({ file, caller: files.find((name) => name !== file) });
};
const { explore } = await import("./src/explore/index.ts");
calls.length = 0;
seen.clear();
const url = "https://crm.test/";
await explore({
  scenario(sim) {
    sim.webhooks.create({ url, events: ["call.not_answered"] });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
  },
  ${app}(sim) {
    const missed = [];
    sim.network.route(url, ({ body }) => (missed.push(JSON.parse(body).data.call.id), 204));
    return missed;
  },
  eventually: { "a missed call is noted once": () => ((isOn = false), true) },
});
writeFileSync("walk.json", JSON.stringify(calls));
`;

/** Marks the beginning of each function of a file. */
function marked(path: string, name: string): string {
  const text = readFileSync(path, "utf8");
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const mark = `globalThis.walk?.(${JSON.stringify(name)})`;
  const added: { at: number; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isFunctionLike(node) || !("body" in node) || node.body === undefined) return;
    const body = node.body as ts.Node;
    if (!ts.isBlock(body))
      added.push({ at: body.getStart(file), text: `(${mark},` }, { at: body.end, text: ")" });
    else if (!ts.isConstructorDeclaration(node))
      added.push({ at: body.getStart(file) + 1, text: `${mark};` });
  };
  visit(file);
  return added
    .sort((a, b) => b.at - a.at)
    .reduce((before, { at, text: more }) => before.slice(0, at) + more + before.slice(at), text);
}

/** The floor of each folder: one above the highest of those that its files import. */
function floorsOf(files: readonly string[]): ReadonlyMap<string, number> {
  const imports = new Map<string, Set<string>>();
  for (const name of files) {
    const folder = dirname(name);
    const below = imports.get(folder) ?? new Set();
    imports.set(folder, below);
    for (const [, found = ""] of readFileSync(join(tree, name), "utf8").matchAll(/ from "(\.[^"]+)";/g))
      below.add(dirname(join(folder, found)));
  }
  const floors = new Map<string, number>();
  const floorOf = (folder: string): number => {
    const known = floors.get(folder);
    if (known !== undefined) return known;
    floors.set(folder, 0);
    const below = [...(imports.get(folder) ?? [])].filter((each) => each !== folder);
    const floor = 1 + Math.max(0, ...below.map(floorOf));
    floors.set(folder, floor);
    return floor;
  };
  for (const folder of imports.keys()) floorOf(folder);
  return floors;
}

try {
  for (const folder of ["src", "machines"])
    cpSync(join(tree, folder), join(copy, folder), { recursive: true });
  for (const name of ["package.json", "tsconfig.json"]) cpSync(join(tree, name), join(copy, name));
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "junction");
  const files = readdirSync(join(tree, "src"), { recursive: true, encoding: "utf8" })
    .map((name) => `src/${name.replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".ts"));
  const followed = files.filter((name) => /^src\/(?:explore|findings)\//.test(name));
  for (const name of followed) writeFileSync(join(copy, name), marked(join(copy, name), name));
  const options = readFileSync(join(tree, "src/explore/search/options.ts"), "utf8");
  writeFileSync(join(copy, "walk.mjs"), program(/^ {2}app\??[(:]/m.test(options) ? "app" : "subject"));
  const { status, stderr } = spawnSync(process.execPath, ["--import", "tsx", "walk.mjs"], {
    cwd: copy,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the exploration that is followed ended with ${status}: ${stderr}`);
  const calls = JSON.parse(readFileSync(join(copy, "walk.json"), "utf8")) as {
    readonly file: string;
    readonly caller?: string;
  }[];
  const floors = floorsOf(files);
  const floor = (name: string) => floors.get(dirname(name)) ?? 0;
  const stays = calls.filter(
    ({ file }, index) => index === 0 || dirname(calls[index - 1]?.file ?? "") !== dirname(file),
  );
  const climbs = calls.filter(({ file, caller }) => caller !== undefined && floor(file) > floor(caller));
  for (const { file, caller } of calls)
    process.stdout.write(
      `${file}${climbs.some((each) => each.file === file) ? ` climbs from ${caller}` : ""}\n`,
    );
  process.stdout.write(
    `${stays.length} stays (at most ${MOST.stays}) and ${climbs.length} climb${climbs.length === 1 ? "" : "s"} (at most ${MOST.climbs}) in ${calls.length} files\n`,
  );
  if (calls.length < 20) throw new Error("hardly any file was followed: is the program still the same?");
  if (stays.length > MOST.stays || climbs.length > MOST.climbs) process.exitCode = 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
