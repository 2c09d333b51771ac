import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { minifySync } from "rolldown/utils";
import { machines } from "../../../machines/index.ts";
import { CONNECT_MARK, DATA_MARK, TITLE_MARK } from "../placeholders.ts";
import { layOut } from "./charts.ts";
import { lessonsForPage } from "./lessons.ts";
import { schemaForPage } from "./schema.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Builds the page without its data: one file that loads nothing else. */
export async function pageTemplate(): Promise<string> {
  const [worker, page, style] = await Promise.all([
    script("src/inspect/worker/main.ts", [withoutRest]),
    script("src/inspect/page/main.tsx", [generated(await generatedModules())]),
    css("src/inspect/page/style/main.css"),
  ]);
  for (const [name, text] of Object.entries({ worker, page, style }))
    if (/<!--|<\/(script|style)/i.test(text))
      throw new Error(`the ${name} holds a sign that would end its element: write it in another way`);
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(page)}`,
    `style-src ${hashOf(style)}`,
    "worker-src blob:",
    `connect-src ${CONNECT_MARK}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${TITLE_MARK}</title>`,
    `<style>${style}</style></head>`,
    '<body><div id="app"><noscript>This page needs JavaScript.</noscript></div>',
    `<script type="application/json" id="ringback-data">${DATA_MARK}</script>`,
    `<script type="text/plain" id="ringback-worker">${worker}</script>`,
    `<script>${page}</script>`,
    "</body></html>",
    "",
  ].join("\n");
}

const shared: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  minify: true,
  platform: "browser",
  target: "es2022",
  legalComments: "none",
  charset: "utf8",
  logLevel: "silent",
};

async function script(entry: string, plugins: Plugin[]): Promise<string> {
  const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { version: string };
  const result = await build({
    ...shared,
    entryPoints: [entry],
    format: "iife",
    jsx: "automatic",
    jsxImportSource: "preact",
    define: { RINGBACK_VERSION: JSON.stringify(version), "process.env.NODE_ENV": '"production"' },
    plugins,
  });
  return smaller(textOf(result), entry);
}

/** Minifies a script a second time, which saves 3 % of the page, gzipped. */
function smaller(script: string, entry: string): string {
  const { code, errors } = minifySync(entry.replace(/\.tsx?$/, ".js"), script, {
    compress: { target: "es2022" },
  });
  if (errors.length > 0) throw new Error(`${entry}: ${errors.map(({ message }) => message).join("; ")}`);
  return code.trim();
}

async function css(entry: string): Promise<string> {
  return textOf(await build({ ...shared, entryPoints: [entry] }));
}

function textOf({ outputFiles }: { outputFiles?: { text: string }[] }): string {
  const [file] = outputFiles ?? [];
  if (file === undefined) throw new Error("esbuild wrote nothing");
  return file.text.trim();
}

/** A replay never uses the REST API, since its commands are in the journal. */
const withoutRest: Plugin = {
  name: "without the REST API",
  setup({ onLoad }) {
    onLoad({ filter: /src\/rest\/(rest|openapi\/(document|parts))\.ts$/ }, () => ({
      contents: 'throw new Error("the page has no REST API")',
      loader: "js",
    }));
  },
};

async function generatedModules(): Promise<Record<string, unknown>> {
  return {
    charts: await layOut(Object.values(machines)),
    lessons: lessonsForPage(root),
    schema: schemaForPage(root),
  };
}

/** Provides modules that are made when the page is built, such as `made:charts`. */
function generated(modules: Record<string, unknown>): Plugin {
  return {
    name: "made at build time",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^made:/ }, ({ path }) => ({ path, namespace: "made" }));
      onLoad({ filter: /.*/, namespace: "made" }, ({ path }) => ({
        contents: JSON.stringify(modules[path.slice("made:".length)]),
        loader: "json",
      }));
    },
  };
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
