import { readFileSync } from "node:fs";
import { join } from "node:path";
import type MarkdownIt from "markdown-it";
import { capital } from "../../../src/inspector/model/question-words.ts";
import { Recording } from "../../../src/inspector/model/recording.ts";
import { withoutResults } from "../../generate/without-results.ts";
import { type Lesson, playLesson } from "../../learn/lessons.ts";
import { shapes } from "../learn/run-ladder.ts";
import { codeBlock, codeForRunners, highlighted } from "../markdown.ts";
import { runProgram } from "../run/program.ts";
import { forRunners } from "../runners.ts";
import { exploreProof, teachProof } from "./proofs.ts";
import { redVerdict, refusedRequest, smallLadder } from "./stage.ts";

/** Makes the first page of the site of the README: the same story, the same programs, and what they really do. */

/** What the page takes from the README. */
interface Readme {
  /** Its first paragraph. */
  readonly about: string;
  readonly install: string;
  readonly webhook: string;
  readonly lost: string;
  readonly lostOutput: string;
  readonly terminal: string;
  /** The problems that no other test finds, as a list in Markdown. */
  readonly problems: string;
}

/** The lesson whose question the page shows. */
const LESSON = "the-second-tier-rings-after-twenty-seconds";

/** @throws if the README lacks something that the page shows, or its first program does not fail */
export async function landing(root: string, course: readonly Lesson[], md: MarkdownIt): Promise<string> {
  const readme = partsOf(readFileSync(join(root, "README.md"), "utf8"));
  const { problem, simulator } = await withoutResults(() => runProgram(readme.webhook));
  if (problem === undefined || simulator === undefined)
    throw new Error("the first program of README.md does not fail");
  const run = Recording.from(simulator.journal());
  const seconds = Math.round(run.summary.endMs / 1_000);
  const caption = `${run.summary.eventCount} events, ${Math.floor(seconds / 60)} min ${seconds % 60} s of platform time`;
  return [
    shapes,
    hero(md, readme, [
      // the call, and not what was set up before it
      smallLadder(run, caption, ({ record }) => record >= 0),
      refusedRequest(simulator, (json) => highlighted(md, "json", json)),
      redVerdict(problem),
    ]),
    '<div class="proofs">',
    testProof(md, readme, problem),
    await exploring(md, readme),
    importing(md, readme),
    teaching(course),
    "</div>",
    footer,
  ].join("\n");
}

function partsOf(readme: string): Readme {
  const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  const inLanguage = (language: string) =>
    blocks.flatMap(([, found, text = ""]) => (found === language ? [text] : []));
  const [install] = inLanguage("sh");
  const [webhook, lost] = inLanguage("js");
  const [, lostOutput] = inLanguage("text");
  const [terminal] = inLanguage("console");
  const [, about] = /^# ringback\n\n([\s\S]+?)\n\n/.exec(readme) ?? [];
  const [problems] = /^- \*\*Answered first\.[\s\S]+?(?=\n\n)/m.exec(readme) ?? [];
  if (!install || !webhook || !lost || !lostOutput || !terminal || !about || !problems)
    throw new Error("README.md lacks its first sentence, a program or a list that the landing page shows");
  return { about, install, webhook, lost, lostOutput, terminal, problems };
}

function hero(md: MarkdownIt, { about, install }: Readme, stage: readonly string[]): string {
  const [, what = "", rest = ""] = /^(.*?): ([\s\S]*)$/.exec(about.replaceAll("\n", " ")) ?? [];
  const lead = capital(rest);
  return `
<section class="hero">
<div class="pitch">
<h1>${md.utils.escapeHtml(what)}</h1>
<p class="lead">${md.utils.escapeHtml(lead)}</p>
${codeForRunners(md, "install", { info: "sh", content: install })}
<p class="actions"><button class="button primary run" type="button"><svg class="icon" viewBox="0 0 18 18" aria-hidden="true"><path d="M5 3.5v11l9-5.500z" fill="currentColor"/></svg>Run it here</button> <a class="button" href="guides/test-runner.html">Write a first test</a></p>
<ul class="facts"><li>Node 20.19 or later</li><li>TypeScript</li><li>No network, no account</li><li>MIT</li><li><a href="guides/python.html">Other languages</a></li></ul>
</div>
<div class="window stage">
<header><b>Jane calls Alice. Nobody picks up.</b></header>
${stage.join("\n")}
</div>
</section>`;
}

const footer = `<footer class="foot">${[
  ["Guides", "guides/index.html"],
  ["Reference", "reference/index.html"],
  ["Lessons", "lessons/index.html"],
  ["What it does not do", "readme.html#what-it-does-not-do"],
  ["Fidelity", "fidelity.html"],
  ["Changes", "changelog.html"],
]
  .map(([name, path]) => `<a href="${path}">${name}</a>`)
  .join("")}</footer>`;

/** A proof: its words beside what really happened. */
function proof(
  id: string,
  {
    title,
    words,
    link,
    shown,
  }: { title: string; words: string; link: readonly [string, string]; shown: string },
): string {
  return `<section class="proof" id="${id}">
<div><h2>${title}</h2>${words}<p><a class="go" href="${link[1]}">${link[0]} <svg class="icon" viewBox="0 0 18 18" aria-hidden="true"><path d="M3 9h11M10 5l4 4-4 4"/></svg></a></p></div>
<div>${shown}</div>
</section>`;
}

function testProof(md: MarkdownIt, { webhook }: Readme, problem: string): string {
  const program = codeForRunners(md, "webhook", { info: "js", content: webhook, named: "webhook.test.mjs" });
  const output = codeBlock(md, "text", problem, forRunners("sh", "npx vitest run webhook"));
  return proof("test", {
    title: "Test what your app does with a call",
    words:
      "<p>One <code>await</code> is the whole call above. Your handler gets signed requests as in production, and a failure prints what led to it, second by second.</p>" +
      '<p>Delete the line with <code>422</code>, and the test passes. Run it here, and change what you like.</p><p class="running"><button class="button run" type="button">Run it</button> <span id="ran" role="status"></span></p>',
    link: ["Test an app that receives webhooks", "guides/webhook-receiver.html"],
    shown: `<div id="program">${program}</div><div id="output">${output}</div>`,
  });
}

async function exploring(md: MarkdownIt, { lost, problems }: Readme): Promise<string> {
  return proof("explore", {
    title: "Explore what the network can do to it",
    words:
      "<p>The same call is played again and again. Each time a request is lost, doubled, late or refused. You get the smallest case that breaks your app, as a sentence and as a test.</p>",
    link: ["Find what breaks my app", "guides/find-what-breaks.html"],
    shown: `${await exploreProof(lost)}<h3 class="problems-title">Five problems that come up in production and in no other test</h3><div class="problems">${md.render(problems, { source: "README.md" })}</div>`,
  });
}

function importing(md: MarkdownIt, { terminal }: Readme): string {
  return proof("import", {
    title: "Import what happened last night",
    words:
      "<p>Give it the requests that your app really got. It finds the calls and the faults behind them, and writes a scenario that sends them again.</p>",
    link: ["Turn an incident into a test", "guides/turn-an-incident-into-a-test.html"],
    shown: codeBlock(md, "console", terminal, "terminal"),
  });
}

function teaching(course: readonly Lesson[]): string {
  const lesson = course.find(({ name }) => name === LESSON);
  if (lesson === undefined) throw new Error(`there is no lesson ${LESSON}`);
  const recording = Recording.from(playLesson(lesson).run.simulator.journal());
  return proof("teach", {
    title: "Teach how calls become events",
    words: `<p>${course.length} short lessons. Each asks first, then plays the run, then lets you change it. Nobody needs to know telephony.</p>`,
    link: ["Start with lesson 1", `lessons/${course[0]?.number}.html`],
    shown: teachProof(lesson, recording),
  });
}
