import { ruleNames, ruleText } from "../../src/capture/rules.ts";
import { wordsOfAssumption } from "../../src/core/platform/declare/assumption-words.ts";
import { banner } from "./banner.ts";
import { areas } from "./fidelity/areas.ts";
import type { Area, Row, Section } from "./fidelity/row.ts";

const partsOf = ({ rows = [], sections = [], ...area }: Area): Section[] => [{ ...area, rows }, ...sections];

/** Every row of the page, in order. */
export const fidelityRows: readonly Row[] = areas.flatMap(partsOf).flatMap(({ rows }) => rows);

/** A row's rule in words. */
export const ruleOf = ({ rule, judged }: Row): string => rule ?? ruleText(judged);

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

/** Whether `ringback import --check` judges a rule. */
const isJudgedByCaptures = ({ judged }: Row): boolean => judged !== undefined && ruleNames.includes(judged);

/** The columns; one that is empty in a whole table is left out. */
const columns: readonly (readonly [title: string, cell: (row: Row) => string])[] = [
  ["rule", ruleOf],
  ["whose", ({ whose }) => whose],
  ["alternatives", alternativesOf],
  ["proven by", proofOf],
  ["captures", (row) => (isJudgedByCaptures(row) ? "can judge" : "")],
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

/** `docs/fidelity.md`: every rule, whose it is, which test proves it, and whether captures can judge it. */
export function fidelityPage(): string {
  const specified = fidelityRows.filter(({ whose }) => whose.startsWith("specified")).length;
  const open = fidelityRows.filter(({ assumption }) => assumption !== undefined).length;
  const judged = fidelityRows.filter(isJudgedByCaptures).length;
  const head = `${banner("docs/generate/fidelity")}

# Fidelity

The rules that ringback follows, by area. *Specified* means that the platform's API specification says so (version
\`2026-07-01\`): ${specified} of ${fidelityRows.length} rules, at least in kind. *Ours* means that the specification is silent and we decided; you can configure some
of these by \`timing\` or another option, and ${open} of them have named [alternatives](assumptions.md), which the option \`assume\` chooses.
Each rule names the tests that prove that ringback keeps it (in \`test/\`). Comments in the code link to the headings here.

A capture of [what your receiver got](guides/turn-an-incident-into-a-test.md) can judge ${judged} of these rules, those with *can judge* in the column *captures*:
\`npx ringback import monday.jsonl --check\` says which it confirms and which it contradicts. No capture of the real platform has confirmed or contradicted any of them so far.`;
  return `${[head, ...areas.flatMap(areaText)].join("\n\n")}\n`;
}
