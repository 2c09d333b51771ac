import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { expectNone } from "./lists.ts";

/** House rules that Biome cannot express. Each failure names the file, the line and what to do instead. */

const root = fileURLToPath(new URL("..", import.meta.url));
const files = filesIn("");
const code = files.filter((path) => /\.[cm]?[jt]sx?$/.test(path));
const sources = code.filter((path) => /^(src|machines)\//.test(path)).map((path) => parse(path, read(path)));

describe("src and machines", () => {
  test("exist", () => {
    const paths = sources.map(({ fileName }) => fileName);
    expect(paths).toEqual(expect.arrayContaining(["src/core/engine/engine.ts", "machines/call.ts"]));
  });

  /**
   * Files at the edges that may read real time: two let virtual time follow the wall clock and a server close, two
   * handle a test's fake clock, one that of node:test, one dates a test's simulators, two follow what an app does beside virtual time, the inspector's page is watched by a person, one shows the progress of the command,
   * one watches files, one says when an app got its requests, one reports after seconds what a run waits for, one is loaded before an explored program, and one gives a handler that waits for virtual
   * time a moment for other work.
   */
  const pacing =
    /^src\/(server\/|cli\/(progress|watch)\.ts$|testing\/(recent-simulators|shared-time|node-test\/mock-clock)\.ts$|core\/(engine\/(fake-clock|node-connections|node-work|quiet|waits)|foundation\/real-functions)\.ts$|explore\/(http\/world-preload\.ts|sandbox\/((open-timers|thread-answers|virtual-clock)\.ts|watchdog-thread\.mjs))$|findings\/real-time\.ts$|capture\/record\/capture-to\.ts$|inspector\/(desk|view)\/)/;

  /** Everything that makes a run depend on more than its options and commands. */
  const bans: Ban[] = [
    {
      what: "Date.now",
      instead: "the virtual clock, engine.now",
      except: pacing,
      isUse: (node) => pathOf(node) === "Date.now",
      uses: [
        "Date.now()",
        "[1].map(Date.now)",
        'Date["now"]()',
        "globalThis.Date.now()",
        "(Date as Clock).now()",
        "const { now } = Date",
      ],
      others: ["sim.now", "engine.now", "lastDate.now", "const Clock = { Date: 1 }"],
    },
    {
      what: "new Date() without an argument",
      instead: "the virtual clock, new Date(engine.now)",
      isUse: (node) =>
        (ts.isCallExpression(node) && pathOf(node.expression) === "Date") ||
        (ts.isNewExpression(node) && pathOf(node.expression) === "Date" && !node.arguments?.length),
      uses: ["new Date()", "new Date", "Date()", "new globalThis.Date()"],
      others: ["new Date(0)", "new Date(ms).toISOString()", "x instanceof Date"],
    },
    {
      what: "performance.now or the process's clock",
      instead: "the virtual clock, engine.now",
      except: pacing,
      isUse: (node) => /^(performance\.\w+|process\.(hrtime|uptime))$/.test(pathOf(node) ?? ""),
      uses: [
        "performance.now()",
        "window.performance.now()",
        "process.hrtime.bigint()",
        "const { now } = performance",
      ],
      others: ["process.exitCode", "const performances = 1"],
    },
    {
      what: "global timers",
      instead: "the agenda, engine.schedule",
      except: pacing,
      isUse: (node) =>
        /^(setTimeout|setInterval|setImmediate|queueMicrotask|process\.nextTick)$/.test(pathOf(node) ?? ""),
      uses: [
        "setTimeout(f, 1)",
        "globalThis.setInterval(f, 1)",
        "run(setImmediate)",
        "queueMicrotask(f)",
        "const ports = { setTimeout }",
        'import { setTimeout as sleep } from "node:timers/promises"',
      ],
      others: ["clock.setTimeout(f, 1)", "const ports = { setTimeout: schedule }"],
    },
    {
      what: "Luxon's now(), local() or utc() without a date",
      instead: "the virtual clock, utc(engine.now) of engine/instants.ts",
      isUse: (node) => /(^|\.)DateTime\.(now|local|utc)$/.test(pathOf(node) ?? "") && !isCalledWithDate(node),
      uses: [
        "DateTime.now()",
        "DateTime.local()",
        "DateTime.utc().toISO()",
        "DateTime.local({ zone: 'utc' })",
        "luxon.DateTime.now()",
        "call(DateTime.utc)",
      ],
      others: ["DateTime.utc(2026, 7, 1)", "DateTime.fromMillis(0)", "utc(engine.now)"],
    },
    {
      what: "as never",
      instead:
        "the type that is meant (`as CommandInput<CommandName>`), or a method in the interface, whose parameters may be narrower",
      isUse: (node) => assertedType(node)?.kind === ts.SyntaxKind.NeverKeyword,
      uses: ["run(args as never)", "const a = args as unknown as never", "run(<never>args)"],
      others: ["let a: never[]", "type A = B extends C ? D : never", "args as Args"],
    },
    {
      what: "all of valibot at once",
      instead: "v.name where it is needed: else the inspector's page holds all of it, 12 KB more",
      isUse: isWholeValibot,
      uses: [
        'import * as v from "valibot"; const { object } = v;',
        'import * as v from "valibot"; check(v)',
        'import * as v from "valibot"; const schemas = { v }',
        'import * as v from "valibot"; export default v',
        'export * from "valibot"',
        'const { object } = await import("valibot")',
      ],
      others: [
        'import * as v from "valibot"; v.object({})',
        'import * as v from "valibot"; let a: v.InferOutput<B>; type Kind = typeof v.string',
        'import * as v from "valibot"; const { v: kept } = other; other.v()',
        'import { object } from "valibot"; object({})',
        'import * as v from "./v.ts"; const { x } = v',
      ],
    },
  ];

  test.each(byName(bans))("never use %s", (what, { instead, except, isUse }) => {
    const uses = sources
      .filter(({ fileName }) => except?.test(fileName) !== true)
      .flatMap((source) =>
        nodesOf(source)
          .filter(isUse)
          .map((node) => `${placeOf(node)}: ${what}; use ${instead}`),
      );
    expectNone(uses);
  });

  test.each(byName(bans))("are rejected if they use %s", (_, { isUse, uses, others }) => {
    const isCaught = (text: string) => nodesOf(parse("example.ts", text)).some(isUse);
    expectNone(uses.filter((text) => !isCaught(text)));
    expectNone(others.filter(isCaught));
  });

  test("have at most 600 lines, unless they are generated", () => {
    const written = sources.filter(({ fileName }) => !fileName.includes("/generated/"));
    const long = written.filter(({ text }) => text.split("\n").length > 601);
    expectNone(long.map(({ fileName }) => `${fileName}: split it by subject`));
  });

  test("say in a comment beside each double assertion (`as unknown as`) why", () => {
    const found = sources.flatMap((source) => nodesOf(source).filter(isDoubleAssertion));
    const bare = found.filter((node) => !hasCommentBeside(node));
    expectNone(bare.map((node) => `${placeOf(node)}: say why in a comment, or give it a type that fits`));
  });

  test("are rejected for a double assertion without its reason", () => {
    const check = (text: string) =>
      nodesOf(parse("example.ts", text)).filter(isDoubleAssertion).map(hasCommentBeside);
    expect(check("const a = b as unknown as A;")).toEqual([false]);
    expect(check("// the library's types lie\nconst a = <A>(b as unknown);")).toEqual([true]);
    expect(check("const a = b as unknown as A; // the library's types lie")).toEqual([true]);
    expect(check("const a = b as unknown; const c = d as A;")).toEqual([]);
  });
});

describe("the repository", () => {
  test("has only known files at its top", () => {
    const expected = [
      ...["package.json", "package-lock.json", "tsconfig.json", "biome.json"],
      ...["src", "machines", "scenarios", "skills", "test", "docs", "README.md", "LICENSE", "CHANGELOG.md"],
    ];
    const more = readdirSync(root).filter((name) => !name.startsWith(".") && !expected.includes(name));
    expectNone(more.filter((name) => !isIgnored(name)));
  });

  test("names no package registry", () => {
    const named = /\b(registry|npm\.pkg)\.[a-z\d-]+\.(org|com|io|dev|net|cn)\b/i;
    const set = /"resolved":\s*"https?:|\bregistry["']?\s*[:=]\s*["']?https?:/i;
    expectNone(linesWith((line) => named.test(line) || set.test(line)));
  });

  test("mentions nothing outside it", () => {
    const neighbour = /\.\.\/shared(?![-\w])/;
    expectNone(linesWith((line) => neighbour.test(line)));
  });

  test("imports and links to nothing outside", () => {
    const imports = code.flatMap((path) =>
      ts
        .preProcessFile(read(path), true, true)
        .importedFiles.filter(({ fileName }) => isOutside(path, fileName))
        .map(({ fileName }) => `${path}: ${fileName}`),
    );
    expect(isOutside("src/a.ts", "../../b.ts")).toBe(true);
    expect(isOutside("src/a.ts", "../b.ts")).toBe(false);
    const home = realpathSync(root);
    const links = files.filter((path) => !realpathSync(join(root, path)).startsWith(home + sep));
    expectNone([...imports, ...links]);
  });
});

/** Whether a file imports from outside the repository. */
function isOutside(path: string, specifier: string): boolean {
  if (/^([/\\]|file:)/.test(specifier)) return true;
  return specifier.startsWith(".") && pathFrom(path, specifier).startsWith("..");
}

/** The file that a relative import means, from the root. */
function pathFrom(path: string, specifier: string): string {
  return normalize(join(dirname(path), specifier))
    .split(sep)
    .join("/");
}

interface Ban {
  readonly what: string;
  readonly instead: string;
  /** Files that may use it. */
  readonly except?: RegExp;
  isUse(node: ts.Node): boolean;
  /** Code that the ban must refuse, and code that it must allow. */
  readonly uses: readonly string[];
  readonly others: readonly string[];
}

function byName(bans: readonly Ban[]): [string, Ban][] {
  return bans.map((ban) => [ban.what, ban]);
}

/** Everything of ours under a folder, as paths from the root with `/`. */
function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (isIgnored(entry.name)) return [];
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

function isIgnored(name: string): boolean {
  return [".git", "node_modules", "dist", "site", "coverage"].includes(name);
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function linesWith(isWrong: (line: string) => boolean): string[] {
  return files.flatMap((path) =>
    read(path)
      .split("\n")
      .flatMap((line, index) => (isWrong(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
}

function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

const nodesByRoot = new WeakMap<ts.Node, readonly ts.Node[]>();

/** A node and everything inside it. Kept, since many rules look at the same files. */
function nodesOf(node: ts.Node): readonly ts.Node[] {
  let nodes = nodesByRoot.get(node);
  if (nodes === undefined) {
    nodes = gathered(node, []);
    nodesByRoot.set(node, nodes);
  }
  return nodes;
}

function gathered(node: ts.Node, nodes: ts.Node[]): ts.Node[] {
  nodes.push(node);
  ts.forEachChild(node, (child) => {
    gathered(child, nodes);
  });
  return nodes;
}

function lineOf(position: number, source: ts.SourceFile): number {
  return source.getLineAndCharacterOfPosition(position).line + 1;
}

function placeOf(node: ts.Node): string {
  const source = node.getSourceFile();
  return `${source.fileName}:${lineOf(node.getStart(), source)}`;
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  if (!ts.isCallExpression(node)) return undefined;
  const { expression } = node;
  const isLoad =
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(expression) && expression.text === "require");
  return isLoad ? node.arguments[0] : undefined;
}

/** The type that an expression is said to have, against what the compiler knows. */
function assertedType(node: ts.Node): ts.TypeNode | undefined {
  return ts.isAsExpression(node) || ts.isTypeAssertionExpression(node) ? node.type : undefined;
}

/** Whether an expression is first said to be of an unknown type, then of another. */
function isDoubleAssertion(node: ts.Node): boolean {
  if (!ts.isAsExpression(node) && !ts.isTypeAssertionExpression(node)) return false;
  let inner = node.expression;
  while (ts.isParenthesizedExpression(inner)) inner = inner.expression;
  return /^(unknown|any|never)$/.test(assertedType(inner)?.getText() ?? "");
}

/** Whether there is a comment on the line of a node, or on the line above it. */
function hasCommentBeside(node: ts.Node): boolean {
  const source = node.getSourceFile();
  const lines = source.text.split("\n");
  const line = lineOf(node.getStart(), source) - 1;
  return /^\s*(\/\/|\*|\/\*)/.test(lines[line - 1] ?? "") || /\/\/ /.test(lines[line] ?? "");
}

/**
 * The full name of an expression, an imported name or a destructured one, such as `Date.now`, without the global
 * object. Undefined if it only declares or labels something.
 */
function pathOf(node: ts.Node): string | undefined {
  if (!paths.has(node)) {
    const path = fullPathOf(node);
    paths.set(node, path?.replace(/^(globalThis|window|self|global)\./, ""));
  }
  return paths.get(node);
}

/** Kept, since many rules ask for it. */
const paths = new WeakMap<ts.Node, string | undefined>();

function fullPathOf(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return memberPath(node.expression, node.name.text);
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression))
    return memberPath(node.expression, node.argumentExpression.text);
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node))
    return fullPathOf(node.expression);
  if (ts.isBindingElement(node)) {
    const declaration = node.parent.parent;
    if (!ts.isVariableDeclaration(declaration) || declaration.initializer === undefined) return undefined;
    return memberPath(declaration.initializer, (node.propertyName ?? node.name).getText());
  }
  if (ts.isImportSpecifier(node)) return (node.propertyName ?? node.name).text;
  return ts.isIdentifier(node) && isReference(node) ? node.text : undefined;
}

function memberPath(owner: ts.Node, name: string): string | undefined {
  const path = fullPathOf(owner);
  return path === undefined ? undefined : `${path}.${name}`;
}

/** Whether a name is read there, rather than given to something or looked up in an object. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isImportSpecifier(parent) || ts.isBindingElement(parent)) return false;
  return (parent as ts.Node & { name?: ts.Node }).name !== node;
}

/** Whether a bundler has to keep all of valibot for this: for `v.object` it keeps what `object` needs. */
function isWholeValibot(node: ts.Node): boolean {
  const isValibot = (name: ts.Node | undefined) =>
    name !== undefined && ts.isStringLiteralLike(name) && name.text === "valibot";
  if (ts.isExportDeclaration(node)) return isValibot(node.moduleSpecifier) && node.exportClause === undefined;
  if (ts.isCallExpression(node)) return isValibot(specifierOf(node));
  if (!ts.isIdentifier(node) || !isReference(node)) return false;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent)) return false;
  // asked first, since few files name it
  if (!node.getSourceFile().text.includes('"valibot"')) return false;
  const isImported = (statement: ts.Statement) =>
    ts.isImportDeclaration(statement) &&
    isValibot(statement.moduleSpecifier) &&
    statement.importClause?.namedBindings !== undefined &&
    ts.isNamespaceImport(statement.importClause.namedBindings) &&
    statement.importClause.namedBindings.name.text === node.text;
  return node.getSourceFile().statements.some(isImported);
}

/** Whether it is the function of a call whose first argument can be a year; options alone mean now. */
function isCalledWithDate(node: ts.Node): boolean {
  const { parent } = node;
  if (!ts.isCallExpression(parent) || parent.expression !== node) return false;
  const [first] = parent.arguments;
  return first !== undefined && !ts.isObjectLiteralExpression(first);
}
