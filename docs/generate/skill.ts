import { readFileSync } from "node:fs";
import { commandFamilies, commandRows as table } from "../../src/cli/commands.ts";
import { banner } from "./banner.ts";

/** The most bytes of the skill. Whoever follows it loads all of it each time. */
export const LONGEST_SKILL = 9.5 * 1024;

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/**
 * `skills/ringback/SKILL.md`: what a coding agent needs first, put together from the documentation, with links to the rest.
 * @throws {Error} if a page lacks what is taken from it, or the skill is too long
 */
export function skillPage(): string {
  const skill = `---
name: ringback
description: Test code that handles calls, voicemail, messages and webhooks of a business phone platform. Use when tests import ringback, when a scenario file has \`steps\` with \`inbound\`, or when an exploration reports a counterexample.
---

${banner("the documentation")}

# ringback

${fromReadme("A business phone platform", "\n\n")}

## A first test

Save it as \`webhook.test.mjs\` and run \`npx vitest run webhook\`. It fails on purpose: the caller is never answered.

\`\`\`js
${fromReadme("// your app, or any function", "```", 'import { createSimulator, fromFetch } from "ringback";')}
\`\`\`

## Explore the app

A *world* is the same call, with a request that is lost, late, doubled or forged. \`explore\` plays each, and fails with the smallest that breaks the app. \`npx ringback init\` writes such a test for the project's framework.

\`\`\`js
${fromReadme("function scenario(sim)", "```", 'import { callLog, explore } from "ringback/explore";')}
\`\`\`

This test fails, as it should: the platform may send an event twice, and the app logs it twice. Log each call once, and it passes.

- \`durable: () => new Store()\` makes what outlives a restart, anew for each world, and \`app(sim, durable)\` gets it. Without it no world restarts the app.
- \`deviations: { atMost: 2, kinds: ["lost", "late"] }\`: two at once, only these kinds. Named kinds only: \`never\`, \`outage\`, \`behind\`, \`caller\`, \`calendar\`.
- \`require: ["restarts", "forged"]\` fails if one was not tried. \`callBacks\` and \`wallboard\` are ready-made, too.
- It fails as \`deterministic\`: [state at module level](../../docs/guides/web-frameworks.md#state-at-module-level) outlives a world.

## Which command

${commands()}

\`npx ringback <command> --help\` lists options. Exit codes: 0 as expected, 1 something differs or fails, 2 the input is wrong, 70 the process ended too early.
Every command takes \`--json\`: \`{ ok, failures: [{ cause, place, replay, next }] }\` and what it found out, alone on the standard output (of \`openapi\`, its document). \`run\`, \`explore\`, \`merge\` and \`probe\` also take \`--format junit\` and \`--format ctrf\`.

## How to read a counterexample

${section("docs/exploring.md", "What the report says of a failure")}

## Where to read on

${guides()}
- [The API](../../docs/api/README.md), whose details are in the comments of \`dist/*.d.cts\`, [scenario files](../../docs/scenarios.md), [errors](../../docs/errors.md), [over HTTP](../../docs/server.md)
- Every parameter, answer and event body: \`npx ringback openapi\`. Every key of an organisation, a scenario and its steps: [scenario.schema.json](../../scenarios/scenario.schema.json).
`;
  const { length } = Buffer.from(skill);
  if (length > LONGEST_SKILL) throw new Error(`the skill has ${length} bytes, and may have ${LONGEST_SKILL}`);
  return skill;
}

/** A part of the README. @param begin where it begins, if that is before the text by which it is found */
function fromReadme(found: string, end: string, begin = found): string {
  const text = read("README.md");
  const at = text.indexOf(found);
  const from = text.lastIndexOf(begin, at);
  if (at < 0 || from < 0) throw new Error(`README.md lacks "${found}"`);
  return text.slice(from, text.indexOf(end, at)).trim();
}

/** A section's text, with links that lead on from the skill's folder. */
function section(path: string, title: string): string {
  const [, found] = new RegExp(`^## ${title}\n(.*?)(?=^## )`, "ms").exec(read(path)) ?? [];
  if (found === undefined) throw new Error(`${path} lacks the section "${title}"`);
  return relinked(found.trim());
}

function guides(): string {
  const lines = read("docs/guides/README.md").match(/^- \[.*$/gm) ?? [];
  if (lines.length === 0) throw new Error("docs/guides/README.md lists no guide");
  return relinked(lines.join("\n"), "guides/");
}

function relinked(text: string, folder = ""): string {
  return text.replaceAll(/\]\((?!https?:|#)([^)]*)\)/g, `](../../docs/${folder}$1)`);
}

/** What each command does. Old names and the parts of a command are left out. */
function commands(): string {
  const rows = table.filter(({ name, now }) => now === undefined && !name.includes(" "));
  const families = Object.entries(commandFamilies).map(([name, summary]) => ({ name, summary }));
  return [...rows, ...families].map(({ name, summary }) => `- \`${name}\`: ${summary}`).join("\n");
}
