import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, relative } from "node:path";
import { eventTypes } from "../core/platform/declare/events.ts";
import type { Runner } from "../explore/report/kept-test.ts";
import { filesBelow, readTextFile } from "./disk.ts";
import { ScriptNames } from "./script-names.ts";
import { readTokens } from "./script-tokens.ts";

/** What `ringback init` reads of a project: its manifest, and the sources that tell how its app is reached. */

/** The part of a project's manifest that says what it uses. */
interface Manifest {
  readonly type?: string;
  readonly dependencies?: object;
  readonly devDependencies?: object;
  readonly scripts?: { readonly test?: unknown };
}

const frameworks = ["next", "express", "fastify", "hono"] as const;
export type Framework = (typeof frameworks)[number];

/** Where something stands in the project. */
export interface Place {
  /** The path, seen from the project's folder. */
  readonly file: string;
  readonly line: number;
}

/** The export of a module that is the app, or makes it. */
export interface ExportedApp extends Place {
  /** `default`, or the name of the export. */
  readonly name: string;
  /** Whether it is a function that makes the app. */
  readonly isFactory: boolean;
  /** What such a function takes, as the file writes it; empty if nothing. */
  readonly takes: string;
  /** Whether its file listens on a port as soon as it is imported. */
  readonly listens: boolean;
}

/** The route of a webhook. */
interface Hook extends Place {
  readonly path: string;
  /** The paths of routes that may be meant instead. */
  readonly others: readonly string[];
}

export interface Project {
  readonly framework: Framework | undefined;
  readonly runner: Runner;
  /** Whether the runner is in the manifest. */
  readonly hasRunner: boolean;
  readonly installed: readonly string[];
  readonly isTypeScript: boolean;
  readonly isModule: boolean;
  /** Undefined if no source exports one. */
  readonly app: ExportedApp | undefined;
  /** Undefined if no route looks like that of a webhook. */
  readonly hook: Hook | undefined;
  /** The events that the sources name. */
  readonly events: readonly string[];
  /** The variable that holds the webhook's signing secret. */
  readonly secret: string | undefined;
  /** Variables that may hold it instead. */
  readonly otherSecrets: readonly string[];
  readonly database: Database | undefined;
  /** How sources in TypeScript import each other: with `.js`, as its compiler for Node wants, or without an ending. */
  readonly endings: "js" | "none";
}

export interface Database {
  /** Its package. */
  readonly name: string;
  /** Whether a file holds it all. */
  readonly isFile: boolean;
  /** The variable that names it. */
  readonly variable: string | undefined;
  /** The usual port of a server; undefined for others. */
  readonly port: number | undefined;
}

interface Source {
  readonly file: string;
  readonly text: string;
}

const fileDatabases = ["better-sqlite3", "sqlite3", "sqlite", "@libsql/client"];
const databases = [
  ...fileDatabases,
  ...["@prisma/client", "pg", "postgres", "mysql2", "mongoose", "mongodb", "ioredis", "redis"],
];

/** The clients of one kind of server: how variables name it, and its usual port, where a test can look for it. */
const servers: Readonly<Record<string, { readonly words: RegExp; readonly port?: number }>> = {
  pg: { words: /POSTGRES|(^|_)PG(_|$)/i, port: 5432 },
  postgres: { words: /POSTGRES|(^|_)PG(_|$)/i, port: 5432 },
  mysql2: { words: /MYSQL/i, port: 3306 },
  mongoose: { words: /MONGO/i },
  mongodb: { words: /MONGO/i },
  ioredis: { words: /REDIS/i, port: 6379 },
  redis: { words: /REDIS/i, port: 6379 },
};

/** Whether a variable has an address by its name. */
export function namesAddress(variable: string): boolean {
  return /(?:URL|URI|DSN|CONN|CONNECTION)(?:_?STRING)?$/i.test(variable);
}

/** Reads the project in a folder. What cannot be known is undefined. */
export function projectIn(folder: string): Project {
  const manifest = manifestIn(folder);
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const framework = frameworks.find((each) => installed.includes(each));
  const sources = sourcesIn(folder);
  const app = framework === undefined ? undefined : appIn(framework, sources);
  const runner = chooseRunner(manifest, installed);
  return {
    ...{ framework, runner, installed },
    hasRunner: runner === "node:test" || installed.includes(runner),
    isTypeScript:
      existsSync(join(folder, "tsconfig.json")) ||
      installed.includes("typescript") ||
      (app !== undefined && isTyped(app.file)),
    isModule: manifest.type === "module",
    ...{ app, hook: framework === "next" ? nextHook(app) : hookIn(sources, app) },
    events: eventTypes.filter((type) => sources.some(({ text }) => namesEvent(text, type))),
    ...secretIn(sources),
    database: databaseIn(installed, sources),
    endings: sources.some(({ file, text }) => isTyped(file) && /from\s+["']\.[^"']*\.js["']/.test(text))
      ? "js"
      : "none",
  };
}

/** The `package.json` of a folder; an empty one where there is none that can be read. */
export function manifestIn(folder: string): Manifest {
  try {
    return (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) ?? {}) as Manifest;
  } catch {
    return {};
  }
}

const isTyped = (file: string) => /\.[cm]?tsx?$/.test(file);

function chooseRunner({ scripts }: Manifest, installed: readonly string[]): Runner {
  if (installed.includes("vitest")) return "vitest";
  if (installed.includes("jest")) return "jest";
  return /\bnode\b.*--test\b/.test(String(scripts?.test)) ? "node:test" : "vitest";
}

const notOurs = new Set(
  "node_modules dist build out coverage test tests __tests__ scenarios ringback-results public".split(" "),
);
/** How many sources are read at most, and how long each may be, characters. */
const MOST = { files: 2_000, characters: 500_000 };

function sourcesIn(folder: string): Source[] {
  if (!existsSync(folder)) return [];
  const isCode = (path: string) => /(?<!\.d|\.test|\.spec|\.config)\.[cm]?[jt]sx?$/.test(basename(path));
  return filesBelow(folder, isCode, (name) => notOurs.has(name) || name.startsWith("."))
    .slice(0, MOST.files)
    .map((path) => ({ file: relative(folder, path).replaceAll("\\", "/"), text: readTextFile(path) }))
    .filter(({ text }) => text.length <= MOST.characters);
}

const lineAt = (text: string, index: number) => text.slice(0, index).split("\n").length;

/** How each framework makes an app. */
const makes: Readonly<Record<Exclude<Framework, "next">, RegExp>> = {
  express: /(?:(\w+)\s*(?::[^=;\n]+)?=|return)\s*(?:express|require\(["']express["']\))(?:\.default)?\(\)/g,
  fastify:
    /(?:(\w+)\s*(?::[^=;\n]+)?=|return)\s*(?:await\s+)?(?:[fF]astify|require\(["']fastify["']\))(?:\.default)?\s*(?:<[^;]*?>)?\(/g,
  hono: /(?:(\w+)\s*(?::[^=;\n]+)?=|return)\s*new\s+(?:OpenAPI)?Hono\b/g,
};

/** The export that is most likely the whole app: not a part of one that others put in. */
function appIn(framework: Framework, sources: readonly Source[]): ExportedApp | undefined {
  const found = sources.flatMap((source) =>
    framework === "next" ? nextApps(source) : exportedApps(source, makes[framework]),
  );
  const likely = (app: ExportedApp) =>
    (/hook/i.test(app.file) && framework === "next" ? 4 : 0) +
    (/^(src\/)?(app|server|index|main)\.\w+$/.test(app.file) ? 2 : 0) +
    (/app|server/i.test(app.name) ? 1 : 0) -
    (/rout/i.test(app.file) && framework !== "next" ? 3 : 0);
  return found.sort((a, b) => likely(b) - likely(a))[0];
}

/** `app/hooks/route.ts` of Next.js exports a function for each method. */
function nextApps({ file, text }: Source): ExportedApp[] {
  const found = /export\s+(?:async\s+)?(?:function|const)\s+POST\b/.exec(text);
  if (found === null || !/^(src\/)?app\/(.+\/)?route\.[cm]?[jt]s$/.test(file)) return [];
  return [
    { file, line: lineAt(text, found.index), name: "POST", isFactory: false, takes: "", listens: false },
  ];
}

function nextHook(app: ExportedApp | undefined): Project["hook"] {
  if (app === undefined) return undefined;
  const folder = dirname(app.file).replace(/^(src\/)?app\/?/, "");
  const parts = folder.split("/").filter((part) => part !== "" && !part.startsWith("("));
  return { file: app.file, line: app.line, path: `/${parts.join("/")}`, others: [] };
}

function exportedApps({ file, text }: Source, made: RegExp): ExportedApp[] {
  const isImported = /\b(express|fastify|hono)\b/.test(text);
  const found = isImported ? [...text.matchAll(made)] : [];
  if (found.length === 0) return [];
  const exported = exportedNames(text);
  const listens = listensAtOnce(text);
  const apps = found.flatMap((each): ExportedApp[] => {
    const line = lineAt(text, each.index);
    const name = exported.get(each[1] ?? "");
    return name === undefined ? [] : [{ file, line, name, isFactory: false, takes: "", listens }];
  });
  if (apps.length > 0) return apps;
  // else one of its functions makes it, here or for whoever imports that
  const atOnce = new Set(
    [...text.matchAll(/(?:export\s+default|module\.exports\s*=)\s*(?:await\s+)?(\w+)\s*\(/g)].map(
      ([, own]) => own,
    ),
  );
  return [...text.matchAll(/(?:function\s+(\w+)\s*|\b(\w+)\s*=\s*(?:async\s*)?)\(([^)]*)\)/g)].flatMap(
    (each): ExportedApp[] => {
      const own = each[1] ?? each[2] ?? "";
      const name = exported.get(own);
      if (!/app|server|build|create|make/i.test(own)) return [];
      const at = { file, line: lineAt(text, each.index) };
      if (name === undefined)
        return atOnce.has(own) ? [{ ...at, name: "default", isFactory: false, takes: "", listens }] : [];
      return [{ ...at, name, isFactory: true, takes: (each[3] ?? "").trim(), listens: false }];
    },
  );
}

/** Whether a file calls `listen` outside of any `if`. */
function listensAtOnce(text: string): boolean {
  const { tokens, partner } = readTokens(text);
  const textAt = (index: number) => tokens[index]?.text;
  // behind the condition of an `if`, or behind its `else`
  const isGuard = (index: number) => {
    const open = textAt(index) === ")" ? partner.get(index) : undefined;
    return textAt(index) === "else" || (open !== undefined && textAt(open - 1) === "if");
  };
  const isInGuardedBlock = (at: number) =>
    tokens.some(
      (_, open) => open < at && textAt(open) === "{" && (partner.get(open) ?? open) > at && isGuard(open - 1),
    );
  const isGuardedStatement = (at: number) => {
    for (let index = at; index >= 0 && !/^[;{}]$/.test(textAt(index) ?? ""); index--)
      if (isGuard(index) || textAt(index) === "&&") return true;
    return false;
  };
  return tokens.some(
    (_, at) =>
      textAt(at) === "listen" &&
      textAt(at - 1) === "." &&
      textAt(at + 1) === "(" &&
      !isGuardedStatement(at) &&
      !isInGuardedBlock(at),
  );
}

/** What a file calls what it exports, with the name of each export. */
function exportedNames(text: string): Map<string, string> {
  const names = new ScriptNames(readTokens(text));
  const exported = new Map(
    names.bindings.flatMap(({ name, exported: as }) => (as === undefined ? [] : [[name, as]])),
  );
  for (const [, name = ""] of text.matchAll(/module\.exports\s*=\s*(\w+)\s*(?:;|\n|$)/g))
    exported.set(name, "default");
  // an app that `require` makes at once is read as an import
  for (const [, list = ""] of text.matchAll(/module\.exports\s*=\s*\{([^{}]*)\}/g))
    for (const [, as = "", own = as] of list.matchAll(/(\w+)(?:\s*:\s*(\w+))?/g)) exported.set(own, as);
  for (const [, name = ""] of text.matchAll(/(?<!module\.)\bexports\.(\w+)\s*=/g)) exported.set(name, name);
  return exported;
}

/** What names the platform, and not another service. */
const OURS = /phone|ringback|call(?!back)/i;

/** The one that names the platform, else the first. */
function preferred<T>(all: readonly T[], textOf: (one: T) => string): T | undefined {
  return all.find((one) => OURS.test(textOf(one))) ?? all[0];
}

/** The route that the platform's webhook most likely calls. */
function hookIn(sources: readonly Source[], app: ExportedApp | undefined): Project["hook"] {
  const route = /(\w+)\s*\.(?:post|all)\s*(?:<[^()]*>)?\(\s*["'`](\/[^"'`]*)["'`]/g;
  const found = sources.flatMap(({ file, text }) =>
    [...text.matchAll(route)].map((each) => ({
      ...{ file, line: lineAt(text, each.index) },
      path: `${findMount(sources, app, { file, owner: each[1] ?? "" })}${each[2]}`.replace(/(.)\/$/, "$1"),
    })),
  );
  const named = [/hook/i, /ringback|phone|platform|events?\b/i, /call(?!back)/i]
    .map((word) => found.filter(({ path }) => word.test(path)))
    .filter((each) => each.length > 0);
  const hook = preferred(named[0] ?? (found.length === 1 ? found : []), ({ path }) => path);
  if (hook === undefined) return undefined;
  const others = OURS.test(hook.path) ? [] : named.flat().map(({ path }) => path);
  return { ...hook, others: [...new Set(others)].filter((path) => path !== hook.path) };
}

/** The path below which the app puts the routes of another file, or of another router of the same file. */
function findMount(
  sources: readonly Source[],
  app: ExportedApp | undefined,
  { file, owner }: { readonly file: string; readonly owner: string },
): string {
  const text = sources.find((each) => each.file === app?.file)?.text ?? "";
  const stem = basename(file, extname(file));
  const imports = new RegExp(`(?:import|const)\\s+\\{?\\s*(\\w+)[^;\\n]*["'][^"']*/${stem}(?:\\.\\w+)?["']`);
  const own = file === app?.file ? owner : imports.exec(text)?.[1];
  if (own === undefined) return "";
  const mount = new RegExp(`\\.(?:use|route)\\(\\s*["'\`](/[^"'\`]*)["'\`]\\s*,[^;\\n]*\\b${own}\\b`);
  const prefix = new RegExp(`register\\(\\s*${own}\\s*,\\s*\\{[^}]*prefix:\\s*["'\`](/[^"'\`]*)["'\`]`);
  return (mount.exec(text)?.[1] ?? prefix.exec(text)?.[1] ?? "").replace(/\/$/, "");
}

const namesEvent = (text: string, type: string) =>
  ['"', "'", "`"].some((quote) => text.includes(`${quote}${type}${quote}`));

/** The variables of the environment that the sources read. */
function variablesIn(sources: readonly Source[]): string[] {
  const read = /process\.env(?:\.(\w+)|\[["'](\w+)["']\])/g;
  const all = sources.flatMap(({ text }) => [...text.matchAll(read)].map((each) => each[1] ?? each[2] ?? ""));
  return [...new Set(all)];
}

function secretIn(sources: readonly Source[]): Pick<Project, "secret" | "otherSecrets"> {
  const secrets = variablesIn(sources).filter((name) => /SECRET|SIGNING_KEY/i.test(name));
  const ofHooks = secrets.filter((name) => /HOOK|SIGN/i.test(name));
  const others = secrets.filter((name) => !/CLIENT|JWT|SESSION|COOKIE|AUTH|API/i.test(name));
  const secret = preferred(ofHooks.length > 0 || others.length !== 1 ? ofHooks : others, (name) => name);
  const isSure = secret === undefined || OURS.test(secret);
  return { secret, otherSecrets: isSure ? [] : ofHooks.filter((name) => name !== secret) };
}

function databaseIn(installed: readonly string[], sources: readonly Source[]): Database | undefined {
  const isBuiltIn = sources.some(({ text }) => /["']node:sqlite["']/.test(text));
  const name = databases.find((each) => installed.includes(each)) ?? (isBuiltIn ? "node:sqlite" : undefined);
  if (name === undefined) return undefined;
  const isFile = name === "node:sqlite" || fileDatabases.includes(name);
  const { words = /(?!)/, port } = servers[name] ?? {};
  const wanted = [/DATABASE|SQLITE|(^|_)DB(_|$)/i, words];
  const named = wanted.flatMap((wording) => variablesIn(sources).filter((each) => wording.test(each)));
  return { name, isFile, variable: named.find(namesAddress) ?? named[0], port };
}
