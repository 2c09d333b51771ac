import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import Eleventy, { type EleventyConfig } from "@11ty/eleventy";
import { build } from "esbuild";
import { buildPage, provideModules, provideTokens } from "../../src/inspector/build/page.ts";
import { schemaForPage } from "../../src/inspector/build/schema.ts";
import { VIEWER_FILE, viewerText, workerOf } from "../../src/inspector/viewer.ts";
import { menuIcon, searchIcon, sectionLinks, siteLinks, themeButton } from "../../src/look/header.ts";
import { iconAddress } from "../../src/look/logo.ts";
import { themeScript } from "../../src/look/theme.ts";
import { readLessons } from "../learn/lessons.ts";
import { landing } from "./landing/landing.ts";
import { withChallengeCards } from "./learn/challenges.ts";
import { chapterLinks, courseGroups, coursePages } from "./learn/pages.ts";
import { markdown } from "./markdown.ts";
import { type SitePage, sitePages } from "./pages.ts";
import { pictures } from "./pictures.ts";
import { PLAYGROUND, playgroundPage } from "./playground.ts";
import { plain, searchIndex } from "./search-index.ts";
import { type SidebarGroup, sidebar } from "./sidebar.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const CHALLENGES = "challenges/index.html";
const here = fileURLToPath(new URL(".", import.meta.url));

/**
 * Writes the documentation site into a folder, as plain files that need no server and no network.
 *
 * @param made makes the inspector's page
 */
export async function buildSite(output: string, made = buildPage): Promise<readonly SitePage[]> {
  const pages = sitePages(root);
  const groups = sidebar(pages);
  const linkedFiles = new Set<string>();
  const library = markdown({ root, pages, pictures: await pictures(), linkedFiles });
  const lessons = readLessons();
  const lessonPages = coursePages(lessons, library);
  const chapterOf = chapterLinks(lessons);
  const html = new Map(
    pages.map(({ path, text, source }) => [path, lessonPages.get(path) ?? library.render(text, { source })]),
  );
  html.set(CHALLENGES, withChallengeCards(html.get(CHALLENGES) ?? ""));
  const first = await landing(
    root,
    lessons.filter(({ place }) => place !== undefined),
    library,
  );
  const eleventy = new Eleventy(join(here, "theme"), output, {
    quietMode: true,
    configPath: false,
    config(config) {
      config.setUseGitIgnore(false);
      config.addGlobalData("iconAddress", iconAddress);
      config.addGlobalData("themeScript", themeScript);
      for (const [name, html] of Object.entries({ themeButton, menuIcon, searchIcon }))
        config.addGlobalData(name, html);
      for (const page of pages)
        addPage(config, page, html.get(page.path) ?? "", groups, chapterOf.get(page.path));
      config.addTemplate("index.html", first, {
        layout: "landing.liquid",
        templateEngineOverride: "html",
        permalink: "index.html",
        ...{
          title: "ringback",
          toRoot: "",
          links: siteLinks(""),
          sections: sectionLinks(""),
          isLanding: true,
        },
        groups: groups.map((group) => ({ ...group, isOpen: false })),
      });
    },
  });
  eleventy.disableLogger();
  await eleventy.write();
  for (const path of linkedFiles) {
    mkdirSync(dirname(join(output, "files", path)), { recursive: true });
    cpSync(join(root, path), join(output, "files", path));
  }
  for (const { path, text } of pages) writeFileSync(join(output, asMarkdown(path)), text);
  writeFileSync(join(output, "llms.txt"), llmsText(groups));
  const page = await made();
  writeFileSync(join(output, PLAYGROUND), playgroundPage(page));
  writeFileSync(join(output, VIEWER_FILE), viewerText(page.template));
  writeFileSync(
    join(output, "search-index.js"),
    `globalThis.searchIndex = ${JSON.stringify(searchIndex(pages, html))};\n`,
  );
  await build({
    entryPoints: {
      page: join(here, "browser.ts"),
      run: join(here, "run/browser.ts"),
      learn: join(here, "learn/browser.ts"),
      exercise: join(here, "learn/exercise.ts"),
    },
    plugins: [provideModules({ schema: schemaForPage(root), worker: workerOf(page.template) })],
    outdir: output,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    // what finds the inspector's page on a disk is not called in a browser
    logOverride: { "empty-import-meta": "silent" },
  });
  await build({
    entryPoints: { style: join(here, "theme/style/main.css"), learn: join(here, "theme/style/learn.css") },
    outdir: output,
    bundle: true,
    minify: true,
    loader: { ".woff2": "file" },
    assetNames: "fonts/[name]",
    plugins: [provideTokens],
  });
  return pages;
}

/** Each page is also there as Markdown, at its own address with another ending. */
const asMarkdown = (path: string) => path.replace(/\.html$/, ".md");

/** `llms.txt`, https://llmstxt.org: what the site is, and where each page is as Markdown. */
function llmsText(groups: readonly SidebarGroup[]): string {
  const sections = groups.map(({ title, pages }) => {
    const lines = pages.map((page) => `- [${page.title}](${asMarkdown(page.path)})\n`);
    return `## ${title}\n\n${lines.join("")}`;
  });
  return `# ringback\n\n> A business phone platform that runs inside your tests, on a clock that you control.\n\n${sections.join("\n")}`;
}

/** An entry of a page's outline. */
interface Heading {
  readonly id: string;
  readonly title: string;
  /** Whether it is a third heading. */
  readonly isDeeper: boolean;
}

/**
 * The second headings of a page; undefined if there are too few to need a list.
 * @param withMethods also lists third headings, which are methods on the pages of the API
 */
function outlineOf(html: string, withMethods: boolean): Heading[] | undefined {
  const all = [...html.matchAll(/<h([23]) id="([^"]*)"[^>]*>([\s\S]*?)<\/h\1>/g)];
  const found = all.filter(([, level]) => withMethods || level === "2");
  const headings = found.map(([, level, id = "", title = ""]) => ({
    ...{ id, title: plain(title), isDeeper: level === "3" },
  }));
  return headings.length < 2 ? undefined : headings;
}

function addPage(
  config: EleventyConfig,
  page: SitePage,
  html: string,
  groups: readonly SidebarGroup[],
  here: string | undefined,
): void {
  const own = groups.find((group) => group.pages.includes(page));
  const inSection = groups.filter(({ section }) => section === own?.section);
  const all = inSection.flatMap((group) => group.pages);
  const place = all.indexOf(page);
  const isReference = page.source.startsWith("docs/reference/");
  const toRoot = "../".repeat(page.path.split("/").length - 1);
  const isOfCourse = page.source.startsWith("docs/lessons/");
  // lessons lead from one to the next, and a list of all would be too long
  const shown = isOfCourse ? courseGroups : inSection.filter(({ title }) => title !== "Lessons");
  config.addTemplate(page.path, html, {
    ...page,
    ...(isOfCourse ? {} : { previous: all[place - 1], next: all[place + 1] }),
    // the examples of the reference need the room
    ...(isOfCourse || isReference ? {} : { outline: outlineOf(html, page.source.startsWith("docs/api/")) }),
    layout: "layout.liquid",
    // code in a page may look like a template
    templateEngineOverride: "html",
    permalink: page.path,
    toRoot,
    links: siteLinks(toRoot, own?.section),
    sections: sectionLinks(toRoot, own?.section),
    isReference,
    here,
    groups: shown.map((group) => ({ ...group, isOpen: group.pages.includes(page) })),
  });
}
