import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type Starter,
  type StarterLanguage,
  serverIn,
  serverLanguages,
  starterIn,
  starterLanguages,
} from "../../src/cli/challenge-starters.ts";
import {
  type Challenge,
  challenges,
  HOOKS,
  routesOf,
  writeServerCommands,
} from "../../src/cli/challenge-tasks.ts";
import { main } from "../../src/cli/program.ts";
import { shortClock } from "../../src/core/foundation/clock.ts";
import { parseScenario } from "../../src/core/scenario/parse.ts";
import { nameOf } from "../learn/near-runs.ts";
import { recordScenario } from "../learn/recorded-run.ts";
import { situationOf } from "../learn/situation.ts";
import { banner } from "./banner.ts";
import type { Page } from "./pages.ts";
import { withoutResults } from "./without-results.ts";

/** The pages of the challenges. Their attempts are really judged while the pages are made. */

const folder = "docs/challenges";

export function challengePages(): Page[] {
  return [
    { path: `${folder}/README.md`, content: indexPage },
    ...challenges.map((challenge) => ({
      path: `${folder}/${challenge.slug}.md`,
      content: () => challengePage(challenge),
    })),
  ];
}

function indexPage(): string {
  return [
    banner("src/cli/challenge-tasks.ts"),
    "",
    "# Challenges",
    "",
    "The [lessons](../lessons/README.md) show what comes out of the platform. Here you write what receives it: seven apps, in any language.",
    "`explore` judges each in every world that the network allows. It passes, or you get the one request and the one answer that broke it.",
    "",
    "```sh",
    "npx ringback challenge 1                        # the task",
    "npx ringback challenge 1 --with ./receiver.mjs  # judges a module",
    "npx ringback challenge 1 --server http://127.0.0.1:8000   # judges a running server",
    "```",
    "",
    "| | challenge | the network | minutes |",
    "|---|---|---|---|",
    ...challenges.map(
      ({ number, title, slug, network, minutes }) =>
        `| ${number} | [${title}](${slug}.md) | ${network} | ${minutes} |`,
    ),
    "",
    "## Begin",
    "",
    "Apps to begin with. Each answers every request with 204, and logs nothing yet. One file serves all challenges: each reads another part of what it shows.",
    "",
    "| in | print it | start it |",
    "|---|---|---|",
    ...starterLanguages.map(startRow),
    "",
    ...starterLanguages.flatMap((language) => {
      const { called, text } = starterIn(language);
      const name = language === "typescript" ? "ts" : language;
      return folded(`The app in ${called}`, [`\`\`\`${name}`, text.trimEnd(), "```"]);
    }),
    'Every Node loads the module in JavaScript. Node 22.18 and later load the one in TypeScript as it is; earlier ones need `npm install --save-dev tsx` and `NODE_OPTIONS="--import tsx"`.',
    "",
    "In another language, write a server with the same routes. `explore` sends the platform's requests to it, and asks it what it shows with a `POST`. The body of that `POST`",
    "is what the platform itself knows: whoever answers with it has learnt nothing.",
    "",
    "## What comes back",
    "",
    "The exit code is 0 if the app passes, 1 if it fails, and 2 for bad input, such as a server that does not answer. `--json` prints the verdict for programs. The worst world is",
    "left as a [page](../inspector.md) in `ringback-results/`.",
    "",
  ].join("\n");
}

const exampleLink = ({ called, file }: Pick<Starter, "called" | "file">) =>
  `[${called}](../examples/challenges/${file})`;

/** How the starter in a language is printed, and started. */
function startRow(language: StarterLanguage): string {
  const { called, file, print } = starterIn(language);
  const server = serverLanguages.find((each) => each === language);
  const start = server === undefined ? "a module: it is only loaded" : `\`${serverIn(server).start}\``;
  return `| ${exampleLink({ called, file })} | \`${print}\` | ${start} |`;
}

async function challengePage(challenge: Challenge): Promise<string> {
  const { number, title, task, network, rule, hint, minutes, shows, more } = challenge;
  const [module, server] = [starterIn("javascript"), serverIn("python")];
  const [start, judged] = writeServerCommands(challenge, server.start);
  return [
    banner("src/cli/challenge-tasks.ts"),
    "",
    `# ${number}. ${title}`,
    "",
    task,
    "",
    `**The network:** ${network}. **Takes** about ${minutes} minutes.`,
    "",
    "## What your app does",
    "",
    "| route | what |",
    "|---|---|",
    ...routesOf(challenge).map(([route, what]) => `| \`${route}\` | ${codeOf(what)} |`),
    "",
    `A module registers \`${HOOKS}\`, and its \`app\` returns an object with the function \`${shows.name}\`.`,
    "",
    "## What must hold",
    "",
    `**${rule}**`,
    "",
    ...(more.length === 0 ? [] : [...more.map((each) => `- ${each}`), ""]),
    ...folded("A hint", [hint]),
    "## What happens",
    "",
    ...happening(challenge),
    "## Begin",
    "",
    `With a module in ${exampleLink(module)}, or in ${exampleLink(starterIn("typescript"))}:`,
    "",
    ...shell(module.print, `npx ringback challenge ${number} --with ./${module.file}`),
    `With a server in ${exampleLink(server)}, or in [another language](README.md#begin), such as ${exampleLink(starterIn("go"))} or ${exampleLink(starterIn("java"))}:`,
    "",
    ...shell(server.print, start),
    ...shell(judged),
    "## An attempt that fails",
    "",
    ...(await attemptLines(number, "fails")),
    "## An attempt that passes",
    "",
    ...(await attemptLines(number, "passes")),
    "## Where to go next",
    "",
    nextLine(number),
    "",
  ].join("\n");
}

/** The steps of the scenario, and whose the numbers in it are. */
function happening({ scenario: text }: Challenge): string[] {
  const scenario = parseScenario(text);
  const run = recordScenario(scenario);
  const { acts } = situationOf(scenario, run);
  const rows = scenario.steps.flatMap(({ atMs = 0, command }, place) =>
    command === "createWebhook" ? [] : [`| ${shortClock(atMs)} | ${acts[place]?.what} |`],
  );
  const numbers = scenario.steps.flatMap(({ command, args }) =>
    command === "inbound" ? [String(args.from)] : command === "outbound" ? [String(args.to)] : [],
  );
  const named = [...new Set(numbers)]
    .map((number) => ({ number, name: nameOf(run, number) }))
    .filter(({ name }) => !name.startsWith("+"))
    .map(({ number, name }) => `${name} has the number \`${number}\`.`);
  const { events } = (scenario.steps[0]?.args ?? {}) as { readonly events?: readonly string[] };
  return [
    `Each world plays this, and the smallest that fails may leave out steps. Your webhook gets ${(events ?? []).map((type) => `\`${type}\``).join(", ")}.`,
    "",
    "| at | what |",
    "|---|---|",
    ...rows,
    "",
    ...(named.length === 0 ? [] : [named.join(" "), ""]),
  ];
}

/** Puts the JSON at the end of a sentence into code. */
const codeOf = (text: string) => text.replace(/(?<=as JSON: ).*/, "`$&`");

const shell = (...commands: string[]) => ["```sh", ...commands, "```", ""];

function folded(title: string, lines: readonly string[]): string[] {
  return ["<details>", `<summary>${title}</summary>`, "", ...lines, "", "</details>", ""];
}

function nextLine(number: number): string {
  const next = challenges.find((each) => each.number === number + 1);
  const all = "[All seven](README.md).";
  return next === undefined
    ? `${all} Now judge your own app: [Find what breaks my app](../guides/find-what-breaks.md).`
    : `[${next.number}. ${next.title}](${next.slug}.md), about ${next.minutes} minutes. ${all}`;
}

/** An app, and what the command says of it. One that passes is folded: it is the solution. */
async function attemptLines(number: number, verdict: "fails" | "passes"): Promise<string[]> {
  const path = `${folder}/attempts/${number}-${verdict}.mjs`;
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8").trimEnd();
  const code = ["```js", text, "```", ""];
  const said = await judged(number, path, verdict === "passes" ? 0 : 1);
  const shown = verdict === "passes" ? folded("The app", code.slice(0, -1)) : code;
  return [
    ...shown,
    `\`\`\`text ${verdict}`,
    `$ npx ringback challenge ${number} --with ./receiver.mjs`,
    said,
    "```",
    "",
  ];
}

/** What the command prints. @throws unless it ends with the code */
async function judged(number: number, path: string, expected: number): Promise<string> {
  const said: string[] = [];
  const keep = (text: string) => void said.push(text);
  const args = ["challenge", `${number}`, "--with", fileURLToPath(new URL(`../../${path}`, import.meta.url))];
  const code = await withoutResults(() => main(args, { isTerminal: false, out: keep, err: keep }));
  const text = said.join("").trimEnd();
  if (code !== expected) throw new Error(`${path} ended with ${code}, expected ${expected}: ${text}`);
  return text;
}
