import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path/posix";
import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import go from "highlight.js/lib/languages/go";
import http from "highlight.js/lib/languages/http";
import java from "highlight.js/lib/languages/java";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import MarkdownIt, { type Token } from "markdown-it";
import { headingAnchor } from "../generate/markdown.ts";
import type { TabKind } from "./code-blocks.ts";
import { jsonTree } from "./json-tree.ts";
import type { SitePage } from "./pages.ts";
import { commandForRunners, forRunners, type Runner, runners } from "./runners.ts";

for (const [name, language] of Object.entries({ bash, go, http, java, json, python, typescript, xml, yaml }))
  highlighter.registerLanguage(name, language);
const languages: Readonly<Record<string, string>> = { ts: "typescript", js: "typescript", sh: "bash" };

export interface MarkdownSettings {
  /** The folder of the project. */
  readonly root: string;
  readonly pages: readonly SitePage[];
  /** Returns the SVG picture of a diagram in Markdown. */
  readonly pictures: ReadonlyMap<string, string>;
  /** Linked files that are not pages. The site needs a copy of each. */
  readonly linkedFiles: Set<string>;
}

/** Renders Markdown as GitHub does, with our pictures, links between the site's pages, and colours. */
export function markdown(settings: MarkdownSettings): MarkdownIt {
  const md = new MarkdownIt({ html: true });
  addAnchors(md);
  dropEmptyHeads(md);
  rewriteLinks(md, settings);
  drawBlocks(md, settings.pictures);
  nameCommands(md);
  markFields(md);
  // wide tables scroll by themselves, by keyboard too
  md.renderer.rules.table_open = (tokens, place) => {
    // keys look as parameters and fields of records do
    const isOfKeys = tokens[place + 3]?.type === "th_open" && tokens[place + 4]?.content === "key";
    const names = isOfKeys ? "wide keys" : "wide";
    return `<div class="${names}" tabindex="0" role="group" aria-label="Table"><table>`;
  };
  md.renderer.rules.table_close = () => "</table></div>";
  return md;
}

/** Gives an item of a list its class if it is a field of a record: its name, what it may be, and behind a colon what it is. */
function markFields(md: MarkdownIt): void {
  md.core.ruler.push("fields", ({ tokens }) => {
    for (const [place, { children }] of tokens.entries()) {
      const item = tokens[place - 2];
      const end = children?.findIndex(({ content }) => content === "</small>") ?? -1;
      if (item?.type !== "list_item_open" || end < 0 || children?.[0]?.content !== "") continue;
      const text = children.slice(end + 1).find(({ type }) => type === "text");
      if (!children.some(({ type }) => type === "strong_open") || !text?.content.startsWith(": ")) continue;
      item.attrJoin("class", "field");
      // the text has a line of its own
      text.content = text.content.slice(2);
    }
  });
}

function addAnchors(md: MarkdownIt): void {
  md.core.ruler.push("anchors", ({ tokens }) => {
    const seen = new Map<string, number>();
    tokens.forEach((token, place) => {
      if (token.type !== "heading_open") return;
      const name = headingAnchor(tokens[place + 1]?.content ?? "");
      const count = seen.get(name) ?? 0;
      seen.set(name, count + 1);
      token.attrSet("id", count === 0 ? name : `${name}-${count}`);
    });
  });
}

/**
 * Removes the empty heading row of a table without headings, and makes other empty headings plain cells: they mean nothing
 * to a screen reader.
 */
function dropEmptyHeads(md: MarkdownIt): void {
  md.core.ruler.push("heads", (state) => {
    const { tokens } = state;
    for (let from = tokens.length - 1; from >= 0; from -= 1) {
      if (tokens[from]?.type !== "thead_open") continue;
      const length = tokens.slice(from).findIndex(({ type }) => type === "thead_close") + 1;
      const head = tokens.slice(from, from + length);
      if (head.every(({ content }) => content === "")) tokens.splice(from, length);
      else makeEmptyPlain(head);
    }
  });
}

function makeEmptyPlain(head: readonly Token[]): void {
  head.forEach((token, place) => {
    const close = head[place + 2];
    if (token.type !== "th_open" || head[place + 1]?.content !== "" || close === undefined) return;
    Object.assign(token, { type: "td_open", tag: "td" });
    Object.assign(close, { type: "td_close", tag: "td" });
  });
}

function rewriteLinks(md: MarkdownIt, { root, pages, linkedFiles }: MarkdownSettings): void {
  const bySource = new Map(pages.map((page) => [page.source, page]));
  md.core.ruler.push("links", ({ tokens, env }) => {
    const here = bySource.get(env.source);
    if (here === undefined) throw new Error(`${env.source}: not a page of the site`);
    for (const token of tokens.filter(({ type }) => type === "html_block"))
      token.content = token.content.replaceAll(/(?<=\s(?:src|srcset)=")[^":]+(?=")/g, (target) => {
        const source = join(dirname(here.source), target);
        if (!existsSync(join(root, source))) throw new Error(`${here.source}: there is no file ${source}`);
        linkedFiles.add(source);
        return relative(dirname(here.path), `files/${source}`);
      });
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const name = token.type === "link_open" ? "href" : token.type === "image" ? "src" : undefined;
      const target = name === undefined ? null : token.attrGet(name);
      if (name === undefined || target === null || /^(https?:|mailto:|#)/.test(target)) continue;
      const [file = "", anchor] = target.split("#");
      const source = join(dirname(here.source), file);
      const to = bySource.get(source)?.path ?? `files/${source}`;
      if (!bySource.has(source)) {
        if (!existsSync(join(root, source))) throw new Error(`${here.source}: there is no file ${source}`);
        linkedFiles.add(source);
      }
      const path = relative(dirname(here.path), to);
      token.attrSet(name, anchor === undefined ? path : `${path}#${anchor}`);
    }
  });
}

/** The language of JSON whose parts can be opened. */
const FOLDED = "json fold";

function drawBlocks(md: MarkdownIt, pictures: ReadonlyMap<string, string>): void {
  md.renderer.rules.fence = (tokens, place) => {
    const { content = "", info = "" } = tokens[place] ?? {};
    const picture = info === "mermaid" ? pictures.get(content.trim()) : undefined;
    if (info === "mermaid" && picture === undefined)
      throw new Error(
        `no picture for the diagram ${content.slice(0, 80)}: it is of no lesson and no machine`,
      );
    if (picture !== undefined)
      return `<div class="wide picture" tabindex="0" role="group" aria-label="Diagram">${picture}</div>\n`;
    if (info === FOLDED) return figure("json", jsonTree(content));
    if (clientIn(tokens[place]) !== undefined) return blocksForClients(md, tokens, place);
    return codeForRunners(md, `runner-${place}`, { info, content, named: fileNamed(tokens, place) });
  };
}

/** The ways to send a request, as the second word of a block's language: `bash curl`. */
const clients: readonly string[] = ["curl", "sim.fetch", "axios"];

function clientIn(token: Token | undefined): string | undefined {
  const [, client = ""] = token?.type === "fence" ? token.info.split(" ") : [];
  return clients.includes(client) ? client : undefined;
}

/** Blocks with the same request for each client, in tabs at the place of the first. */
function blocksForClients(md: MarkdownIt, tokens: readonly Token[], place: number): string {
  if (clientIn(tokens[place - 1]) !== undefined) return "";
  const count = tokens.slice(place).findIndex((token) => clientIn(token) === undefined);
  const blocks = tokens.slice(place, count < 0 ? undefined : place + count).map((token) => {
    const [language = ""] = token.info.split(" ");
    return [clientIn(token) ?? "", codeBlock(md, language, token.content)] as const;
  });
  return tabs("client", `client-${place}`, blocks);
}

/** A block of code, in tabs if it differs between test runners. */
export function codeForRunners(
  md: MarkdownIt,
  id: string,
  {
    info,
    content,
    named,
  }: { readonly info: string; readonly content: string; readonly named?: string | undefined },
): string {
  const variants = forRunners(info, content);
  const block = (text: string) => codeBlock(md, info, text, named);
  if (variants === undefined) return block(content);
  return tabs(
    "runner",
    id,
    runners.map((runner) => [runner, block(variants[runner])]),
  );
}

/** Shows a command in a sentence for the test runner that the reader chose last, as the tabs do. */
function nameCommands(md: MarkdownIt): void {
  md.renderer.rules.code_inline = (tokens, place) => {
    const text = tokens[place]?.content ?? "";
    const isOfTypes = tokens.some(
      ({ type, content }) => type === "code_inline" && content.endsWith(".test.ts"),
    );
    const variants = commandForRunners(text, isOfTypes ? "ts" : "mjs");
    return variants === undefined ? `<code>${md.utils.escapeHtml(text)}</code>` : commandsHtml(md, variants);
  };
}

/** The same command for each test runner, of which the page's script shows one. */
export function commandsHtml(md: MarkdownIt, variants: Readonly<Record<Runner, string>>): string {
  return runners
    .map(
      (runner, index) =>
        `<code data-for="${runner}"${index === 0 ? "" : " hidden"}>${md.utils.escapeHtml(variants[runner])}</code>`,
    )
    .join("");
}

/** The name of the file in which the text before a block tells the reader to save it. */
function fileNamed(tokens: readonly { readonly content: string }[], place: number): string | undefined {
  const before = tokens.slice(Math.max(0, place - 3), place).map(({ content }) => content);
  return /save (?:this|it|the program) as `([^`]+)`/i.exec(before.join(" "))?.[1];
}

/** A text with the colours of its language, as HTML. */
export function highlighted(md: MarkdownIt, info: string, content: string): string {
  const language = languages[info] ?? info;
  return highlighter.getLanguage(language) === undefined
    ? md.utils.escapeHtml(content)
    : highlighter.highlight(content, { language, ignoreIllegals: true }).value;
}

/** A block of code with its colours. The page's script gives it a button that copies it. */
export function codeBlock(
  md: MarkdownIt,
  info: string,
  content: string,
  named?: string | Readonly<Record<Runner, string>>,
): string {
  const [name = "", verdict] = info.split(" ");
  const shown = highlighted(md, name, content);
  const caption =
    named ??
    (["sh", "bash"].includes(name) ? "shell" : verdict === undefined ? name || "text" : verdictIn(content));
  const head =
    typeof caption === "string" ? md.utils.escapeHtml(caption) : `<span>${commandsHtml(md, caption)}</span>`;
  return figure(head, `<pre tabindex="0"><code>${shown}</code></pre>`, verdict);
}

/** What a command says of an attempt: `fails in 3 of 6 worlds`. */
function verdictIn(said: string): string {
  const [, verdict = ""] = /^Challenge \d+, .*: ((?:fails|passes) in .*)$/m.exec(said) ?? [];
  return verdict.replace(/^./, (first) => first.toUpperCase());
}

/** @param verdict a class of its own for what a command says of an attempt */
function figure(head: string, block: string, verdict?: string): string {
  const name = verdict === undefined ? "code" : `code ${verdict}`;
  return `<figure class="${name}"><figcaption>${head}</figcaption>${block}</figure>\n`;
}

/** What a row of tabs is for, as a screen reader says it. */
const tabLabels: Readonly<Record<TabKind, string>> = { runner: "Test runner", client: "Client" };

/** Names of tabs that their authors begin with a capital. */
const capitals: Readonly<Record<string, string>> = { vitest: "Vitest", jest: "Jest" };

/** The same for each test runner or client. The page's script shows the one that the reader chose last, on every page. */
function tabs(kind: TabKind, id: string, blocks: readonly (readonly [name: string, html: string])[]): string {
  const heads = blocks.map(
    ([name], index) =>
      `<button role="tab" type="button" id="${id}-tab-${index}" aria-controls="${id}-${index}" aria-selected="${index === 0}" tabindex="${index === 0 ? 0 : -1}" data-${kind}="${name}">${capitals[name] ?? name}</button>`,
  );
  const panels = blocks.map(
    ([, html], index) =>
      `<div role="tabpanel" id="${id}-${index}" aria-labelledby="${id}-tab-${index}"${index === 0 ? "" : " hidden"}>${html}</div>`,
  );
  return `<div class="tabs"><div role="tablist" aria-label="${tabLabels[kind]}">${heads.join("")}</div>${panels.join("")}</div>\n`;
}
