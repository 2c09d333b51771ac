import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { minifySync } from "rolldown/utils";
import { machines } from "../../../machines/index.ts";
import { iconAddress } from "../../look/logo.ts";
import { themeScript } from "../../look/theme.ts";
import { lookTokens } from "../../look/tokens.ts";
import {
  CONNECT_MARK,
  DATA_MARK,
  EDITOR_MARK,
  FONTS_MARK,
  IMPORTER_MARK,
  LESSONS_MARK,
  TITLE_MARK,
} from "../placeholders.ts";
import { layOutCharts } from "./charts.ts";
import { fontStyle, packagesOfFonts } from "./fonts.ts";
import { schemaForPage } from "./schema.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The page without its data, and what only playgrounds have beside it. */
export interface BuiltPage {
  /** One file that loads nothing else. */
  readonly template: string;
  /** The importer of captures. It runs in the worker, after the worker's script. */
  readonly importer: string;
  /** The editor. It runs before the page's own script. */
  readonly editor: string;
  /** The phones of a server, which the page asks the server for, without the fonts. */
  readonly desk: string;
}

/** Builds the page. */
export async function buildPage(): Promise<BuiltPage> {
  const modules = provideModules(await generatedModules());
  const fonts = await fontStyle();
  const [{ worker, importer }, page, editor, own, desk] = await Promise.all([
    workerScripts(),
    buildScript("src/inspector/view/main.tsx", [modules]),
    buildScript("src/inspector/view/playground/editor-script.ts", [modules]),
    buildStyle("src/inspector/view/style/main.css"),
    buildDesk(fonts),
  ]);
  const style = fonts + own;
  for (const [name, text] of Object.entries({ worker, importer, page, editor, style }))
    if (/<!--|<\/(script|style)/i.test(text))
      throw new Error(`the ${name} holds a sign that would end its element: write it in another way`);
  const template = documentOf({
    title: TITLE_MARK,
    script: page,
    style,
    // Chromium's editing sets style attributes while somebody types. No markup of a run is ever read
    policy: ["style-src-attr 'unsafe-inline'", "worker-src blob:", `connect-src ${CONNECT_MARK}`],
    further: editor,
    body: [
      `<script type="application/json" id="ringback-data">${DATA_MARK}</script>`,
      `<script type="text/plain" id="ringback-worker">${worker}</script>`,
      `<script type="text/plain" id="ringback-importer">${IMPORTER_MARK}</script>`,
      `<script type="application/json" id="ringback-lessons">${LESSONS_MARK}</script>`,
      `<script id="ringback-editor">${EDITOR_MARK}</script>`,
    ],
  });
  return { template, importer, editor, desk };
}

async function buildDesk(fonts: string): Promise<string> {
  const [script, own] = await Promise.all([
    buildScript("src/inspector/desk/main.tsx", []),
    buildStyle("src/inspector/desk/desk.css"),
  ]);
  const style = fonts + own;
  const whole = documentOf({
    title: "Desk · ringback",
    script,
    style,
    policy: ["connect-src 'self'"],
    body: [],
  });
  // the policy names the style with the fonts
  const desk = whole.replace(fonts, FONTS_MARK);
  if (desk === whole)
    throw new Error("the fonts were not found in the page of the phones, so two files would have them");
  return desk;
}

interface DocumentParts {
  readonly title: string;
  readonly script: string;
  readonly style: string;
  /** A script that some pages have besides. */
  readonly further?: string;
  /** Directives of the security policy, besides those of each page. */
  readonly policy: readonly string[];
  /** Elements before the script. */
  readonly body: readonly string[];
}

/** One file that loads nothing else, and runs no script but its own. */
function documentOf({ title, script, style, further, policy, body }: DocumentParts): string {
  const scripts = [script, themeScript, ...(further === undefined ? [] : [further])];
  const directives = [
    "default-src 'none'",
    `script-src ${scripts.map(policySource).join(" ")}`,
    `style-src ${policySource(style)}`,
    "img-src data:",
    "font-src data:",
    ...policy,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${directives.join("; ")}">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${title}</title>`,
    `<link rel="icon" href="${iconAddress}">`,
    `<script id="ringback-theme">${themeScript}</script>`,
    `<style>${style}</style></head>`,
    '<body><div id="app"><noscript>This page needs JavaScript.</noscript></div>',
    ...body,
    `<script>${script}</script>`,
    "</body></html>",
    "",
  ].join("\n");
}

/** The packages whose code is in the page and its importer. */
export async function packagesOfPage(): Promise<string[]> {
  const options = { ...bundleOptions(), outdir: "out", metafile: true };
  const builds = await Promise.all([
    build({ ...options, entryPoints: Object.values(workerEntries), plugins: [withoutRest] }),
    build({
      ...options,
      entryPoints: ["src/inspector/view/main.tsx", "src/inspector/view/playground/editor-script.ts"],
      plugins: [provideModules(await generatedModules())],
    }),
  ]);
  const names = builds.flatMap(({ metafile = { outputs: {} } }) =>
    Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => {
        const [, name] = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
        return name === undefined || bytesInOutput === 0 ? [] : [name];
      }),
    ),
  );
  return [...new Set([...names, ...packagesOfFonts])].sort();
}

const shared = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  minify: true,
  platform: "browser",
  target: "es2022",
  legalComments: "none",
  charset: "utf8",
  logLevel: "silent",
} as const satisfies BuildOptions;

/** The global through which the worker shares its modules with the importer. */
const SHARED = "ringbackShared";

const workerEntries = {
  worker: "src/inspector/worker/main.ts",
  importer: "src/inspector/worker/importer.ts",
};

/** Bundles the worker, and the importer without the modules that the worker has. */
async function workerScripts(): Promise<{ worker: string; importer: string }> {
  const { outputFiles, metafile } = await build({
    ...bundleOptions(),
    entryPoints: workerEntries,
    outdir: "out",
    format: "esm",
    splitting: true,
    metafile: true,
    plugins: [withoutRest, withoutNode, withoutDateTime],
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [path.replace(/^.*\//, "./"), text]));
  const [both, ...others] = [...texts.keys()].filter((name) => name.startsWith("./chunk-"));
  if (both === undefined || others.length > 0)
    throw new Error(`the pages share ${both ?? "nothing"}, and besides ${others}`);
  const names = metafile.outputs[`out/${both.slice(2)}`]?.exports.join();
  const lends = `import * as all from "${both}"; import "./worker.js"; globalThis.${SHARED} = all;`;
  const borrows = `const {${names}} = globalThis.${SHARED}; export {${names}};`;
  const [worker, importer] = await Promise.all([
    buildScript("./lends.js", [provideTexts(new Map([...texts, ["./lends.js", lends]]))]),
    buildScript("./importer.js", [provideTexts(new Map([...texts, [both, borrows]]))]),
  ]);
  return { worker, importer };
}

/** Reads modules from texts instead of files. */
function provideTexts(texts: ReadonlyMap<string, string>): Plugin {
  return {
    name: "built texts",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ path }) => ({ path, namespace: "built texts" }));
      onLoad({ filter: /.*/, namespace: "built texts" }, ({ path }) => ({ contents: texts.get(path) }));
    },
  };
}

const bundleOptions = () => {
  const { version, homepage = "" } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
    version: string;
    homepage?: string;
  };
  // the address that stands there until the project is hosted leads nowhere
  const isPlaceholder = homepage !== "" && new URL(homepage).hostname.endsWith(".invalid");
  return {
    ...shared,
    jsx: "automatic",
    jsxImportSource: "preact",
    define: {
      RINGBACK_VERSION: JSON.stringify(version),
      RINGBACK_HOMEPAGE: JSON.stringify(isPlaceholder ? "" : homepage),
      "process.env.NODE_ENV": '"production"',
    },
  } as const;
};

async function buildScript(entry: string, plugins: Plugin[]): Promise<string> {
  const result = await build({ ...bundleOptions(), entryPoints: [entry], format: "iife", plugins });
  return minifyAgain(readText(result), entry);
}

/** Minifies a script again by another tool, which saves 3 % of the gzipped page. */
function minifyAgain(script: string, entry: string): string {
  const { code, errors } = minifySync(entry.replace(/\.tsx?$/, ".js"), script, {
    compress: { target: "es2022" },
  });
  if (errors.length > 0) throw new Error(`${entry}: ${errors.map(({ message }) => message).join("; ")}`);
  return escapeNonAscii(code.trim());
}

/** Escapes other characters: browsers store ASCII text in half the memory and parse it faster. */
function escapeNonAscii(script: string): string {
  return script.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

async function buildStyle(entry: string): Promise<string> {
  return readText(await build({ ...shared, entryPoints: [entry], plugins: [provideTokens] }));
}

function readText({ outputFiles }: { outputFiles?: { text: string }[] }): string {
  const [file] = outputFiles ?? [];
  if (file === undefined) throw new Error("esbuild wrote nothing");
  return file.text.trim();
}

/**
 * Leaves out Luxon's `DateTime`, which is most of it: code of a page reads no `sim.now`, and nobody gives it a `DateTime`.
 * With it go intervals, and what writes times for people in their language. Durations and time zones stay.
 */
const withoutDateTime: Plugin = {
  name: "without DateTime",
  setup({ onResolve, onLoad }) {
    // its sources are modules of their own, and the built file is one
    const sources = `${root}node_modules/luxon/src/luxon.js`;
    onResolve({ filter: /^luxon$/ }, () => ({ path: sources, sideEffects: false }));
    onLoad({ filter: /\/luxon\/src\/datetime\.js$/ }, () => ({
      contents: `export default class DateTime {
        static isDateTime() { return false; }
        static fromMillis() { throw new Error("the page has no DateTime"); }
      }
      export const friendlyDateTime = DateTime.fromMillis;`,
      loader: "js",
    }));
    onLoad({ filter: /\/luxon\/src\/interval\.js$/ }, () => ({
      contents: "export default class Interval {}",
      loader: "js",
    }));
    onLoad({ filter: /\/luxon\/src\/impl\/formatter\.js$/ }, () => ({
      contents: 'export default { create() { throw new Error("the page has no formats of times"); } };',
      loader: "js",
    }));
    // a duration holds one, and uses it only for formats
    onLoad({ filter: /\/luxon\/src\/impl\/locale\.js$/ }, () => ({
      contents: `class Locale {
        numberFormatter() { throw new Error("the page has no formats of numbers"); }
        listFormatter() { throw new Error("the page has no formats of lists"); }
        clone() { return this; }
        equals() { return true; }
      }
      const only = new Locale();
      export default { create: () => only, fromObject: () => only, fromOpts: () => only, resetCache() {} };`,
      loader: "js",
    }));
  },
};

/** Leaves out what follows the work of Node: browsers tell of none. */
const withoutNode: Plugin = {
  name: "without Node",
  setup({ onLoad }) {
    onLoad({ filter: /src\/core\/engine\/node-work\.ts$/ }, () => ({
      contents: "export const createNodeWork = () => undefined;",
      loader: "js",
    }));
  },
};

/** Leaves out the REST API: a replay takes its effects from the journal. */
const withoutRest: Plugin = {
  name: "without the REST API",
  setup({ onLoad }) {
    onLoad({ filter: /src\/core\/rest\/(rest|openapi\/(document|parts))\.ts$/ }, () => ({
      contents: 'throw new Error("the page has no REST API")',
      loader: "js",
    }));
  },
};

/** Provides `built:tokens`, the variables of all colours and sizes, to style sheets. */
export const provideTokens: Plugin = {
  name: "tokens",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^built:tokens$/ }, ({ path }) => ({ path, namespace: "tokens" }));
    onLoad({ filter: /.*/, namespace: "tokens" }, () => ({ contents: lookTokens, loader: "css" }));
  },
};

async function generatedModules(): Promise<Record<string, unknown>> {
  return {
    charts: await layOutCharts(Object.values(machines)),
    schema: schemaForPage(root),
  };
}

/** Provides modules that exist only at build time, such as `built:charts`. */
export function provideModules(modules: Record<string, unknown>): Plugin {
  return {
    name: "built modules",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^built:/ }, ({ path }) => ({ path, namespace: "built" }));
      onLoad({ filter: /.*/, namespace: "built" }, ({ path }) => ({
        contents: JSON.stringify(modules[path.slice("built:".length)]),
        loader: "json",
      }));
    },
  };
}

/** A text as a source of a content security policy. */
export function policySource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
