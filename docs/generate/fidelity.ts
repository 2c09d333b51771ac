import { ruleNames, ruleText } from "../../src/capture/judge/rules.ts";
import { wordsOfAssumption } from "../../src/core/platform/declare/assumption-words.ts";
import { banner } from "./banner.ts";
import { subjects } from "./fidelity/areas.ts";
import type { Area, Row, Section, Subject } from "./fidelity/row.ts";

const partsOf = ({ rows = [], sections = [], ...area }: Area): Section[] => [{ ...area, rows }, ...sections];

const rowsOf = ({ areas }: Subject): Row[] => areas.flatMap(partsOf).flatMap(({ rows }) => rows);

/** Every row of the pages, in order. */
export const fidelityRows: readonly Row[] = subjects.flatMap(rowsOf);

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
    // a test of several cases has the name of each where its title has a placeholder
    const said = title
      .replaceAll(/%[sdijo]/g, "…")
      .replaceAll("|", "\\|")
      .replaceAll("<", "&lt;");
    titles.set(file, [...(titles.get(file) ?? []), said]);
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
  ["seen", ({ seen = "" }) => seen],
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

/** The headings of a page with their levels, in order. */
const headingsOf = ({ areas }: Subject) =>
  areas.flatMap((area) =>
    partsOf(area).map(({ title }, index) => ({ title, level: index === 0 ? 2 : 3, slug: slugOf(title) })),
  );

const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9\s-]/g, "")
    .replaceAll(" ", "-");

const pageOfSlug = new Map(
  subjects.flatMap((subject) => headingsOf(subject).map(({ slug }) => [slug, subject.name] as const)),
);

/** The links of a text, which are written as from `docs/`, for a page of `docs/fidelity/`. */
function withLinksFrom({ name }: Subject, text: string): string {
  return text.replaceAll(/\]\(([^)\s]+)\)/g, (link, target: string) => {
    if (/^https?:/.test(target)) return link;
    if (!target.startsWith("#")) return `](../${target})`;
    const page = pageOfSlug.get(target.slice(1));
    return page === undefined || page === name ? link : `](${page}.md${target})`;
  });
}

function areaText(area: Area): string[] {
  return partsOf(area).flatMap(({ title, text, rows }, index) => [
    `${index === 0 ? "##" : "###"} ${title}`,
    ...(text === undefined ? [] : [text]),
    ...table(rows),
  ]);
}

/** `docs/fidelity/<topic>.md`: its rules, whose each is, which test proves it, and whether captures can judge it. */
function subjectPage(subject: Subject): string {
  const head = `${banner("docs/generate/fidelity")}

# Fidelity: ${subject.title}

[Fidelity](../fidelity.md) says what the columns mean, and lists the other pages.`;
  const text = subject.areas.flatMap(areaText).map((each) => withLinksFrom(subject, each));
  return `${[head, ...text].join("\n\n")}\n`;
}

/** The line of a page in the index, and its headings below it, with the anchors that they had when this was one page. */
function indexOf(subject: Subject): string {
  const page = `fidelity/${subject.name}.md`;
  const lines = headingsOf(subject).map(
    ({ title, level, slug }) => `${"  ".repeat(level - 1)}- <a id="${slug}"></a>[${title}](${page}#${slug})`,
  );
  return [`- **[${subject.title}](${page})**: ${rowsOf(subject).length} rules`, ...lines].join("\n");
}

/** `docs/fidelity.md`: what the pages below it are, and their headings. */
function fidelityIndex(): string {
  const specified = fidelityRows.filter(({ whose }) => whose.startsWith("specified")).length;
  const open = fidelityRows.filter(({ assumption }) => assumption !== undefined).length;
  const judged = fidelityRows.filter(isJudgedByCaptures).length;
  const seen = fidelityRows.filter((row) => row.seen !== undefined);
  const agrees = seen.filter((row) => row.seen === "agrees").length;
  return `${banner("docs/generate/fidelity")}

# Fidelity

The rules that ringback follows, a page for each topic. *Specified* means that the platform's API specification says so (version
\`2026-07-01\`): ${specified} of ${fidelityRows.length} rules, at least in kind. *Ours* means that the specification is silent and we decided; you can configure some
of these by \`timing\` or another option, and ${open} of them have named [alternatives](assumptions.md), which the option \`assume\` chooses.
Each rule names the tests that prove that ringback keeps it (in \`test/\`). Comments in the code link to the headings of these pages.

A capture of [what your app got](guides/turn-an-incident-into-a-test.md) can judge ${judged} of these rules, those with *can judge* in the column *captures*:
\`npx ringback import monday.jsonl --check\` says which it confirms and which it contradicts. No capture of the real platform has judged them so far. The column
*seen* says what public bodies and clients of such a platform show: they agree with ${agrees} rules and differ from ${seen.length - agrees}.

## Pages

${subjects.map(indexOf).join("\n")}
`;
}

/** `docs/fidelity.md` and the pages that it lists. */
export const fidelityPages: readonly { readonly path: string; content(): string }[] = [
  { path: "docs/fidelity.md", content: fidelityIndex },
  ...subjects.map((subject) => ({
    path: `docs/fidelity/${subject.name}.md`,
    content: () => subjectPage(subject),
  })),
];
