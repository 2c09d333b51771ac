import { iconAddress } from "../look/logo.ts";
import { type PageData, toScriptText } from "./data.ts";
import { escapeHtml } from "./markup.ts";
import { readTemplate } from "./template.ts";

/** The file with everything that pages of one folder share: the simulator, the page's script and its style. */
export const VIEWER_FILE = "ringback-viewer.js";

/** The policy of a page from a file: it may load the viewer beside it, also when CI serves the folder. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' file:",
  // set by Chromium's editing while somebody types
  "style-src-attr 'unsafe-inline'",
  // the viewer holds its fonts
  "font-src data:",
  "img-src data:",
  "worker-src blob:",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** A page that shares its viewer with others. It opens from `file://` with `ringback-viewer.js` beside it. */
export function fillShared(data: PageData): string {
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(`${data.title} · ringback`)}</title>`,
    `<link rel="icon" href="${iconAddress}"></head>`,
    `<body><div id="app">This page needs JavaScript, and ${VIEWER_FILE} in the same folder.</div>`,
    `<script type="application/json" id="ringback-data">${toScriptText(data)}</script>`,
    `<script src="${VIEWER_FILE}"></script>`,
    "</body></html>",
    "",
  ].join("\n");
}

function cutPart(template: string, name: string, pattern: RegExp): string {
  const [, text] = pattern.exec(template) ?? [];
  if (text === undefined) throw new Error(`the inspector's page has no ${name}: build it again`);
  return text;
}

/** The script of the worker that holds the simulator. */
export function workerOf(template: string): string {
  return cutPart(template, "worker", /<script type="text\/plain" id="ringback-worker">(.*?)<\/script>/s);
}

/** The viewer's script: inserts style and worker where a self-contained page has them, then runs the page. */
export function viewerText(template = readTemplate()): string {
  const style = cutPart(template, "style", /<style>(.*?)<\/style>/s);
  const worker = workerOf(template);
  const page = cutPart(template, "script", /<script>(.*?)<\/script>/s);
  return [
    "(() => {",
    // the page's policy would have to allow a style element by the hash of each viewer version
    `const style = new CSSStyleSheet(); style.replaceSync(${JSON.stringify(style)});`,
    "document.adoptedStyleSheets = [...document.adoptedStyleSheets, style];",
    'const worker = document.createElement("script");',
    'worker.type = "text/plain"; worker.id = "ringback-worker";',
    `worker.textContent = ${JSON.stringify(worker)};`,
    "document.body.append(worker);",
    "})();",
    page,
    "",
  ].join("\n");
}
