import type MarkdownIt from "markdown-it";
import type { PageData } from "../../src/inspector/data.ts";
import { codeBlock, codeForRunners } from "./markdown.ts";
import { type Ran, runProgram } from "./run/program.ts";
import { forRunners } from "./runners.ts";

/** The first page of the site. */
export interface Landing {
  readonly html: string;
  /** The inspector's page of its first test, which fails. */
  readonly failure: PageData;
}

/** Makes the first page of the README's programs, so that both show the same. @throws if one of them is gone */
export async function landing(readme: string, md: MarkdownIt): Promise<Landing> {
  const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  const inLanguage = (language: string) =>
    blocks.flatMap(([, found, text = ""]) => (found === language ? [text] : []));
  const [install] = inLanguage("sh");
  const [webhook, lost] = inLanguage("js");
  const [, lostOutput] = inLanguage("text");
  const [, about] = /^# ringback\n\n([^\n]+)$/m.exec(readme) ?? [];
  if (!install || !webhook || !lost || !lostOutput || !about)
    throw new Error("README.md lacks its first sentence, or one of the programs that the landing page shows");
  const { problem, page } = await ranQuietly(webhook);
  if (problem === undefined || page === undefined)
    throw new Error("the first program of README.md does not fail");
  return { failure: page, html: landingHtml(md, { install, webhook, problem, lost, lostOutput, about }) };
}

/** Runs a program without writing the files of its failure. */
async function ranQuietly(program: string): Promise<Ran> {
  const before = process.env.RINGBACK_RESULTS;
  process.env.RINGBACK_RESULTS = "off";
  try {
    return await runProgram(program);
  } finally {
    if (before === undefined) delete process.env.RINGBACK_RESULTS;
    else process.env.RINGBACK_RESULTS = before;
  }
}

interface Parts {
  readonly install: string;
  readonly webhook: string;
  /** What the first test prints as it fails. */
  readonly problem: string;
  readonly lost: string;
  readonly lostOutput: string;
  readonly about: string;
}

function landingHtml(md: MarkdownIt, { install, webhook, problem, lost, lostOutput, about }: Parts): string {
  const [, what = about, rest = ""] = /^(.*?): (.*)$/.exec(about) ?? [];
  const editable = codeForRunners(md, "webhook", {
    info: "js",
    content: webhook,
    named: "webhook.test.mjs",
  }).replaceAll(
    "<code>",
    '<code contenteditable="plaintext-only" spellcheck="false" role="textbox" aria-multiline="true" aria-label="webhook.test.mjs, which you can change">',
  );
  return `
<section class="hero">
<h1>${md.utils.escapeHtml(what)}.</h1>
<div>
<p class="sub">${md.utils.escapeHtml(rest.charAt(0).toUpperCase() + rest.slice(1))}</p>
${codeForRunners(md, "install", { info: "sh", content: install })}
<p class="go"><a class="button" href="guides/test-runner.html">Write a test</a> <a href="guides/webhook-receiver.html">Read the guide</a></p>
</div>
</section>
<section>
<h2>Test your webhook</h2>
<p>A call comes in, nobody picks up, voicemail takes it. The whole run is one <code>await</code>. Change the program if you like, then run it here.</p>
<div class="beside">
<div id="program">${editable}<p class="running"><button id="run" type="button" class="button">Run it</button> <span id="ran" role="status"></span></p></div>
<ol class="notes">
<li><b>Your code runs as it is.</b> <code>fromFetch</code> takes Hono, a worker, or any function from a Request to a Response.</li>
<li><b>The call runs by itself.</b> Alice's phones ring for 30 seconds, then voicemail takes the call.</li>
<li><b>Nothing waits.</b> More than a minute of the platform's time passes inside one <code>await</code>.</li>
<li><b>It fails.</b> Nobody answered, so <code>answeredAt</code> is <code>null</code>, and this app refuses the event. Delete the line with <code>422</code>, and it passes.</li>
</ol>
</div>
<div class="beside">
<div id="output">${codeBlock(md, "text", problem, forRunners("sh", "npx vitest run webhook"))}</div>
<iframe id="inspector" title="The run in the inspector" src="failure.html"></iframe>
</div>
</section>
<section>
<h2>Now lose a webhook</h2>
<p><code>explore</code> plays the call again with each request lost, late or doubled, and prints the smallest world that breaks your app.</p>
<div class="beside">
${codeForRunners(md, "lost", { info: "js", content: lost, named: "lost.test.mjs" })}
<div>
<ol class="notes">
<li>Jane calls. Nobody answers.</li>
<li><b>call.ended</b> is sent. Your app logs an activity.</li>
<li>Your <b>204</b> is lost on the way back.</li>
<li><b>call.ended</b> comes again: the same event with the same id.</li>
<li>Your app logs a <b>second</b> activity.</li>
</ol>
${codeBlock(md, "text", lostOutput, forRunners("sh", "npx vitest run lost"))}
<p><b>Remember the event's id</b> and return 204 when you have seen it: all worlds pass.</p>
</div>
</div>
</section>
<section>
<h2>Three ways in</h2>
<div class="ways">
<div><h3>Test</h3><p>Your receiver and your REST client against the exact events, signatures, retries and errors.</p><p><code>npx ringback init</code></p><p><a href="guides/webhook-receiver.html">Test a webhook receiver</a></p></div>
<div><h3>Explore</h3><p>Lost, late and doubled requests, one by one or by the thousand. What fails comes as the smallest scenario.</p><p><code>npx ringback explore</code></p><p><a href="guides/find-what-breaks.html">Find what breaks my integration</a></p></div>
<div><h3>Teach</h3><p>Lessons that each answer one question about how phone systems behave. Step through them, change them, fork them.</p><p><code>npx ringback play 01</code></p><p><a href="lessons/index.html">Open the lessons</a></p></div>
</div>
<p><a href="readme.html#what-it-does-not-do">What it does not do</a> · <a href="fidelity.html">Fidelity</a> · <a href="changelog.html">Changes</a></p>
</section>`;
}
