import { readFileSync } from "node:fs";
import { type Ledger, type RuleName, ruleText } from "../../src/import/rules.ts";
import { wordsOfAssumption } from "../../src/platform/assumption-words.ts";
import { areas } from "./fidelity/areas.ts";
import { isJudgedByCaptures } from "./fidelity/judged.ts";
import type { Area, Row, Section } from "./fidelity/row.ts";

/** What captures said so far: `ringback import --check --ledger docs/generate/fidelity/ledger.json` adds to it. */
export const ledger = JSON.parse(
  readFileSync(new URL("fidelity/ledger.json", import.meta.url), "utf8"),
) as Ledger;

const partsOf = ({ rows = [], sections = [], ...area }: Area): Section[] => [{ ...area, rows }, ...sections];

/** Every row of the page, in order. */
export const fidelityRows: readonly Row[] = areas.flatMap(partsOf).flatMap(({ rows }) => rows);

/** A row's rule in words. */
export const ruleOf = ({ rule, judged }: Row): string => rule ?? ruleText(judged);

/** What captures said of a rule: empty if they cannot tell. */
function capturesOf(rule: RuleName | undefined): string {
  if (rule === undefined || !isJudgedByCaptures(rule)) return "";
  const said = Object.values(ledger.captures).flatMap(({ rules }) => rules[rule] ?? []);
  const against = said.filter(({ contradicted }) => contradicted > 0);
  const instead = [...new Set(against.flatMap((each) => each.instead ?? []))].join(", ");
  const parts = [
    ...(said.length > against.length ? [`${said.length - against.length} for`] : []),
    ...(against.length > 0 ? [`${against.length} against${instead === "" ? "" : ` (${instead})`}`] : []),
  ];
  return parts.length === 0 ? "none yet" : parts.join(", ");
}

function alternativesOf({ assumption }: Row): string {
  if (assumption === undefined) return "";
  const { others } = wordsOfAssumption(assumption);
  const values = others.map((value) => (/^PT/.test(value) ? "a time" : `\`${value}\``)).join(", ");
  return `[\`${assumption}\`](assumptions.md): ${values}`;
}

/** The tests by their files, each file named once. */
function proofOf({ proof }: Row): string {
  const titles = new Map<string, string[]>();
  for (const each of proof) {
    const { 1: file = "", 2: title = "" } = /^(.*?): (.*)$/.exec(each) ?? [];
    titles.set(file, [...(titles.get(file) ?? []), title.replaceAll("|", "\\|").replaceAll("<", "&lt;")]);
  }
  return [...titles].map(([file, list]) => `\`${file}\`: ${list.join("; ")}`).join(" · ");
}

/** The columns; one that is empty in a whole table is left out. */
const columns: readonly (readonly [title: string, cell: (row: Row) => string])[] = [
  ["rule", ruleOf],
  ["whose", ({ whose }) => whose],
  ["alternatives", alternativesOf],
  ["proven by", proofOf],
  ["captures", ({ judged }) => capturesOf(judged)],
];

function table(rows: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  const kept = columns.filter(([, cell]) => rows.some((row) => cell(row) !== ""));
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    [
      line(kept.map(([title]) => title)),
      `|${kept.map(() => "---|").join("")}`,
      ...rows.map((row) => line(kept.map(([, cell]) => cell(row)))),
    ].join("\n"),
  ];
}

function areaText(area: Area): string[] {
  return partsOf(area).flatMap(({ title, text, rows }, index) => [
    `${index === 0 ? "##" : "###"} ${title}`,
    ...(text === undefined ? [] : [text]),
    ...table(rows),
  ]);
}

/** `docs/fidelity.md`: every rule, whose it is, which test proves it, and what captures said of it. */
export function fidelityPage(): string {
  const specified = fidelityRows.filter(({ whose }) => whose.startsWith("specified")).length;
  const open = fidelityRows.filter(({ assumption }) => assumption !== undefined).length;
  const judged = fidelityRows.filter((row) => capturesOf(row.judged) !== "").length;
  const captures = Object.keys(ledger.captures).length;
  const head = `<!-- Made from docs/generate/fidelity by \`npm run generate\`. Do not edit. -->

# Fidelity

The rules that ringback follows, by area. *Specified* means that the platform's API specification says so (version
\`2026-07-01\`): ${specified} of ${fidelityRows.length} rules, at least in kind. *Ours* means that the specification is silent and we decided; you can configure some
of these by \`timing\` or another option, and ${open} of them have named [alternatives](assumptions.md), which the option \`assume\` chooses.
Each rule names the tests that prove that ringback keeps it (in \`test/\`). Comments in the code link to the headings here.

You can help to settle what is ours: run \`npx ringback import --check --ledger ledger.json\` on [what your receiver got](guides/turn-an-incident-into-a-test.md),
and send us the ledger. It says which rules your capture confirms and which it contradicts, and holds counts and a checksum, none of your data.
Captures can judge ${judged} of these rules; for the others the column *captures* is empty. ${captures === 0 ? "Nobody has sent a ledger yet, so nothing real has confirmed or contradicted any of them." : `The column *captures* says how many of ${captures} captures are for a rule and how many against it.`}`;
  return `${[head, ...areas.flatMap(areaText)].join("\n\n")}\n`;
}
