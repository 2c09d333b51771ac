import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { root } from "../docs/generate/root.ts";
import { parsedFiles } from "../docs/generate/source.ts";
import { expectListed, expectNone } from "./lists.ts";

/** Names that `src` exports use the words of the domain, of the public face and of the glossary in docs/architecture.md. */

/** Private words of earlier versions, which a reader had to learn. What each is called now is in docs/architecture.md. */
const OLD_WORDS =
  "alike alikeness asking begun believed beginnings breaks capability cast chooser doing giver happening holding inverse kin made met moment outlook prospects score settling standing stem telling tellings unreached whether witness";

/** Words of any program, and words that are not nouns: nobody has to look them up. */
const EVERYDAY_WORDS =
  "action actor actual add address after age all and answered any app argument ask asked audio bar base before begin body button byte cache call can cancel card change check clause clear clock code column compare compared comparison complete component condition content context control copy count counter create created data date declare deep default define definition delay depth detail difference direct divide document drawn each edge edit editor email empty end ended entry error evidence example exit expect expected explain exploration extra fake field file filter find first fixture flag flow flush fold folder follow following font for form format free from full function general get given global graph group handle has head header heading here hidden hint hold html http icon idle image import importer index inferred info initial inner input insert inside item join json judge keep kept key kind last later lay layer leave left length level life limit line link list listed listener live load local log long longest look loop lost main make map mark matcher max may media memory merge message method min mode model module more must name named need new next node not note now number object observed one open option optional options order other out output own owner package page pair pane parameter parse part passed path pause pending pick place plan play played point port position possible prepare press problem process progress promise prompt property purpose question read reader real receive received record recorded reference refusal refused remove rename reply report request reset resolve response rest result return returned rule run running same save schema scope script search section seen select send sender sent sentence set setting settings shape shared short show shown side size sort source span split start state status stop store stream string style summary switch tab table tag take task template test text the theme then this thread time timed timer title to tool top total trace transition tree tried try turn type unexplained until update url usage use used usual value version view wait warn watch way whole why width window with without word work worker write writer written yaml zero zone";

const singular = (word: string) =>
  word
    .replace(/ies$/, "y")
    .replace(/(ss|us|is)$/, "$1 ")
    .replace(/(?<=[^s ])s$/, "")
    .trim();

/** `deviationPointKinds` → deviation, point, kind. */
const wordsIn = (name: string) =>
  (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [])
    .map((word) => singular(word.toLowerCase()))
    .filter((word) => word.length > 2);

const wordsOf = (text: string) => new Set(text.split(/\s+/).flatMap(wordsIn));

/** The names that a file exports, which consumers or other files see. */
function exportedNames(file: ts.SourceFile): string[] {
  return file.statements.flatMap((statement) => {
    const isExported = ts.canHaveModifiers(statement)
      ? ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
      : false;
    if (isExported !== true) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText(file));
    return "name" in statement && statement.name !== undefined
      ? [(statement.name as ts.Node).getText(file)]
      : [];
  });
}

const sources = parsedFiles("src", [".ts", ".tsx"]).filter(
  ({ fileName }) => !fileName.includes("/src/core/generated"),
);
const names = sources.flatMap((file) =>
  exportedNames(file).map((name) => ({ name, path: file.fileName.slice(root.length) })),
);

const pageText = (path: string) => readFileSync(join(root, path), "utf8");
/** The words of the first column of a page's tables. */
const tableWords = (path: string) =>
  wordsOf(
    [...pageText(path).matchAll(/^\| (.+?) \|/gm)]
      .map(([, word = ""]) => word.replace(/<[^>]+>/g, ""))
      .join(" "),
  );

const glossary = tableWords("docs/architecture.md");
const domain = tableWords("docs/glossary.md");
/** What the reference of the public entries names in its headings. */
const publicWords = wordsOf(
  readdirSync(join(root, "docs/api"))
    .flatMap((page) => [...pageText(`docs/api/${page}`).matchAll(/^#+ `?([\w.]+)/gm)])
    .map(([, name = ""]) => name)
    .join(" "),
);

test("No exported name of src uses a private word of earlier versions", () => {
  const old = wordsOf(OLD_WORDS);
  expectNone(
    names
      .filter(({ name }) => !publicWords.has(name) && wordsIn(name).some((word) => old.has(word)))
      .map(({ name, path }) => `${path}: ${name}`),
  );
});

test("A word in exported names of three files is in a glossary, public, or one that needs no explanation", () => {
  const files = new Map<string, Set<string>>();
  for (const { name, path } of names)
    for (const word of wordsIn(name)) files.set(word, (files.get(word) ?? new Set()).add(path));
  const everyday = wordsOf(EVERYDAY_WORDS);
  const known = (word: string) => [glossary, domain, publicWords, everyday].some((words) => words.has(word));
  const unknown = [...files].filter(([word, paths]) => paths.size >= 3 && !known(word));
  expectNone(
    unknown.map(
      ([word, paths]) => `${word}: add it to a glossary, or use a known word (${[...paths].join(", ")})`,
    ),
  );
});

/** Names that many files declare with one meaning: `Needs` is whom a file asks, `State` what a service keeps, `shareTime` a test runner's own. */
const ONE_MEANING = ["Needs", "State", "shareTime"];

test("No two files declare an exported name with two meanings", () => {
  const files = new Map<string, Set<string>>();
  for (const { name, path } of names) files.set(name, (files.get(name) ?? new Set()).add(path));
  const several = [...files].filter(([, paths]) => paths.size > 1);
  expect(
    several
      .map(([name]) => name)
      .filter((name) => ONE_MEANING.includes(name))
      .sort(),
  ).toEqual(ONE_MEANING);
  expectNone(
    several
      .filter(([name]) => !ONE_MEANING.includes(name))
      .map(([name, paths]) => `${name}: rename it in one of ${[...paths].join(", ")}`),
  );
});

/** Words of JSON Schema, which name a kind of schema. */
const SCHEMA_WORDS = ["allOf", "anyOf", "oneOf"];
/** What `xOf(y)` may not do if it only reads the x of one y. */
const MAKES = [
  ts.isIterationStatement,
  ts.isThrowStatement,
  ts.isTryStatement,
  ts.isNewExpression,
  ts.isAwaitExpression,
];

test("A function `xOf(y)` reads the x of one y; what computes, asks or makes has a verb", () => {
  const found = [...sources, ...parsedFiles("machines", [".ts"])].flatMap((file) =>
    functionsIn(file)
      .filter(({ name }) => /.Of$/.test(name) && !SCHEMA_WORDS.includes(name))
      .map((named) => ({ ...named, path: file.fileName.slice(root.length) })),
  );
  expect(found.length).toBeGreaterThan(100);
  expectNone(
    found.filter(({ node }) => !isReading(node)).map(({ name, path }) => `${path}: name ${name} by a verb`),
  );
});

test.each([
  ["function nameOf(user: User) { return user.name; }", true],
  ["const nameOf = ({ name }: User) => name;", true],
  ["interface A { nameOf(id: string): string; }", true],
  ["function ageOf(user: User, atMs: number) { return atMs - user.bornMs; }", false],
  ["async function nameOf(id: string) { return id; }", false],
  ["const nameOf = (id: string) => new Name(id);", false],
  ["class A { nameOf(id: string) { for (const each of this.all) if (each.id === id) return each; } }", false],
  ["interface A { nameOf(id: string): Promise<string>; }", false],
  ["interface A { nameOf: (id: string, at: number) => string }", false],
])("%s reads: %s", (text, reads) => {
  const found = functionsIn(ts.createSourceFile("example.ts", text, ts.ScriptTarget.Latest, true));
  expect(found.map(({ node }) => isReading(node))).toEqual([reads]);
});

interface NamedFunction {
  readonly name: string;
  readonly node: ts.SignatureDeclaration;
}

/** The functions, methods and callbacks that a file names. */
function functionsIn(file: ts.SourceFile): NamedFunction[] {
  const found: NamedFunction[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeAliasDeclaration(node)) return; // names a type
    const { name, initializer, type } = node as Partial<ts.VariableDeclaration>;
    const own = [node, initializer, type].find(
      (each): each is ts.SignatureDeclaration => each !== undefined && ts.isFunctionLike(each),
    );
    if (name !== undefined && own !== undefined && ts.isMemberName(name as ts.Node))
      found.push({ name: (name as ts.MemberName).text, node: own });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isReading(node: ts.SignatureDeclaration): boolean {
  const body = "body" in node ? (node.body as ts.Node | undefined) : undefined;
  const makes = (each: ts.Node): boolean =>
    MAKES.some((isMaking) => isMaking(each, false)) || ts.forEachChild(each, makes) === true;
  return (
    node.parameters.length === 1 &&
    !/^async\b|Promise</.test(node.getText().slice(0, (body?.getStart() ?? node.end) - node.getStart())) &&
    (body === undefined || (!makes(body) && (!ts.isBlock(body) || body.statements.length <= 3)))
  );
}

const PREPOSITIONS =
  /^(about|above|across|after|against|around|at|before|behind|below|beside|besides|between|by|during|for|from|in|inside|of|off|on|out|outside|over|since|through|till|to|under|until|up|upon|with|within|without)$/;
/** Fields of options, arguments, files, records, saved runs and programs of others, and the ends of what is drawn. None is added. */
const GIVEN_FIELDS =
  "Act.to AnswerInput.after AppFlags.with AppState.at ArgumentsOnCall.by AskFlags.at Bound.on CallAndParty.by Cases.by ChallengeApp.with ChallengeFlags.with Claim.from Claim.to Clause.at Clause.of ComparedRows.of DeskPhone.about Deviation.after Deviation.by DeviationBound.on DeviationCount.of DeviationPoint.at DeviationPoint.of DeviationPoint.to DialledBy.from Doors.behind Exchange.at ExploreBounds.for ExploreBounds.from ExploreBounds.to ExploreBounds.within ExploreFlags.for ExploreFlags.from ExploreFlags.out ExploreFlags.to ExploreModuleOptions.with ExploreResult.from ExploreResult.to FailureState.at Forgery.to Head.on HttpAppOptions.on ImportFlags.out ImportOptions.between ImportResult.of InspectableFailure.without Instance.about LimitOptions.within ListProps.from ListProps.to LiveSource.about MachineInstance.about MachineStep.about MachineType.about Message.from Message.to Mismatch.of MissingAnswer.after MutableOperation.in NarrationRow.during NearestWorld.without NetworkRequest.to NetworkState.over NoAnswerInput.after NoRingCause.by NoRingCause.of NotificationBase.to ObjectShape.by OpenApiParameter.in OperationObject.in OverviewRecord.from OverviewRecord.to OwnMachine.about PageData.at PageFlags.out Parts.on PossibleDeviation.of Received.at Received.of ReceivedState.at ReceivedState.of ReplayOptions.with RequestArguments.during RequestRecord.to RestRequest.at RestRequest.by RestRequest.during ReturnTo.to Returned.from Returned.to RunOptions.until Seeds.from Seeds.to SeedsPart.from SeedsPart.to ShortestStep.at State.by State.over State.to Step.on StepReference.at StepTrigger.of TeachingSession.at TimedAnswer.after TimedOutcome.after TrafficVariation.within TriggerFlags.to TypesOfMachine.about UnexplainedRequest.at VendorCall.from VendorCall.to WaitingStep.on WhyQuestion.at WiresProps.from WiresProps.to WorldSource.without".split(
    " ",
  );

test("A field of a type or a class in src has a noun for its name, no preposition", () => {
  const found = sources.flatMap((file) => {
    const fields: string[] = [];
    const visit = (node: ts.Node, owner: string): void => {
      if (ts.isParameter(node)) return;
      const isField = ts.isPropertySignature(node) || ts.isPropertyDeclaration(node);
      const name = isField ? node.name.getText(file) : "";
      if (owner !== "" && PREPOSITIONS.test(name)) fields.push(`${owner}.${name}`);
      const isOwner =
        ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node);
      ts.forEachChild(node, (child) => visit(child, isOwner ? (node.name?.text ?? "") : owner));
    };
    visit(file, "");
    return fields;
  });
  expectListed("GIVEN_FIELDS in test/words.test.ts", GIVEN_FIELDS, [...new Set(found)]);
});

test("The glossary of internal words has at most 60, each in one line", () => {
  const [, words = ""] = pageText("docs/architecture.md").split("\n## Words\n");
  const rows = (words.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("| "));
  expect(rows.length - 1).toBeGreaterThan(40);
  expect(rows.length - 1).toBeLessThanOrEqual(60);
});

/** The pages that people read, without those that only repeat the texts of others. */
const pages = ["README.md", "skills", "docs"].flatMap((path) =>
  path.endsWith(".md")
    ? [path]
    : readdirSync(join(root, path), { recursive: true, encoding: "utf8" })
        .filter((page) => page.endsWith(".md") && page !== "third-party.md")
        .map((page) => `${path}/${page}`.replaceAll("\\", "/")),
);

/** What a grammar or a mail calls so, and names of files: not the program that is explored. */
const NOT_THE_APP = /\bgrammatical subject\b|\bsubject of the e-mail\b|[\w/-]*receiver[\w-]*\.\w+/gi;
/** The line that still reads the former names of defects. */
const FORMER_NAMES = ["src/findings/property-failure.ts: const FORMER_BEGINNING = /^the subject /;"];

test("The program that is explored is the app, nowhere the subject, an integration or a receiver", () => {
  const inCode = sources.flatMap(({ fileName, text }) =>
    text.split("\n").map((line) => ({ path: fileName.slice(root.length), line, word: IN_CODE })),
  );
  const toRead = [
    ...pages.flatMap((path) => withoutCode(pageText(path)).map((line) => ({ path, line }))),
    ...[...comments, ...messages].map(({ place, line }) => ({ path: place, line })),
  ].map((read) => ({ ...read, word: IN_PROSE }));
  const found = [...inCode, ...toRead].filter(({ line, word }) => word.test(line.replace(NOT_THE_APP, "")));
  expect(toRead.length).toBeGreaterThan(10_000);
  expectListed("FORMER_NAMES in test/words.test.ts", FORMER_NAMES, [
    ...new Set(found.map(({ path, line }) => `${path}: ${line.trim()}`)),
  ]);
});

const IN_CODE = /\b(?:the|an?|your|no|one|each|every|whose|own|its) (?:own )?subjects?\b|integration/i;
const IN_PROSE = /\b(?:integration|receiver)s?\b/i;

/** The lines of a page outside of its blocks of code, without code between backticks. */
function withoutCode(text: string): string[] {
  return text
    .replace(/^( *)(`{3,})[\s\S]*?^\1\2$/gm, "")
    .replace(/`[^`\n]*`/g, "")
    .split("\n");
}

/** Phrases of earlier versions that puzzled readers. */
const BANNED =
  /no account of a phone platform|run of the platform sends|hears of the end of|stands at one instant|told in short|was spoken to|Not compared are|words for people|did for good|those to whom|thrown to nobody|follows it by|While the machine pauses|the body or the secret is another|busy is for outside|by what they do|but it is the same\b|the run never meets|that were planned did not run|for chance|hear only what/i;

/** Longest sentence, in words. */
const LONGEST = 25;
/** Stands for code between backticks, or for what a template puts in: one word. */
const ONE_WORD = "…";

const sentencesIn = (text: string) =>
  text
    .replaceAll(/\s+/g, " ")
    .split(/(?<=[.!?]["”’)*]*) +(?=["“‘(*[]*[\p{Lu}\d…])| · /u)
    .map((sentence) => sentence.trim());
const wordCount = (sentence: string) =>
  sentence.split(" ").filter((word) => /[\p{L}\p{N}…]/u.test(word)).length;
const longIn = (text: string, place: string) =>
  sentencesIn(text.replace(/`[^`]*`/g, ONE_WORD))
    .filter((sentence) => wordCount(sentence) > LONGEST)
    .map((sentence) => `${place}: ${wordCount(sentence)} words: ${sentence}`);

/** The paragraphs of a page: no code, headings, tables or lists. */
const paragraphsOf = (text: string) =>
  text
    .replace(/^( *)(`{3,})[\s\S]*?^\1\2 *$/gm, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<[^>]+>/g, "")
    .split(/\n\s*\n/)
    .filter((paragraph) => !/^\s*(?:\||#|[-*] |\d+\. )/.test(paragraph));

/** The text of a literal, of a template with one word for each value, or of several that are added; undefined for other code. */
function literalText(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(ONE_WORD);
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [literalText(node.left), literalText(node.right)];
  return left === undefined && right === undefined ? undefined : `${left ?? ONE_WORD}${right ?? ONE_WORD}`;
}

function literalsIn(node: ts.Node): string[] {
  const text = literalText(node);
  if (text === undefined) {
    const texts: string[] = [];
    ts.forEachChild(node, (child) => void texts.push(...literalsIn(child)));
    return texts;
  }
  return ts.isTemplateExpression(node)
    ? [text, ...node.templateSpans.flatMap(({ expression }) => literalsIn(expression))]
    : [text];
}

/** Errors, report sentences, help and other texts of the code, one line each; no markup. */
const messages = sources.flatMap((file) =>
  literalsIn(file)
    .flatMap((text) => text.split("\n"))
    .filter((line) => line.includes(" ") && !line.trimStart().startsWith("<"))
    .map((line) => ({ line, place: file.fileName.slice(root.length) })),
);

/** Lines of comments. */
const comments = sources.flatMap(({ fileName, text }) =>
  text
    .split("\n")
    .filter((line) => /^\s*(?:\/?\*|\/\/)/.test(line))
    .map((line) => ({ line, place: fileName.slice(root.length) })),
);

test("No sentence of the README, of a guide or of a message has more than 25 words", () => {
  const guides = pages.filter((page) => page === "README.md" || page.startsWith("docs/guides/"));
  expect(guides.length).toBeGreaterThan(20);
  expect(messages.length).toBeGreaterThan(5_000);
  expectNone([
    ...guides.flatMap((page) => paragraphsOf(pageText(page)).flatMap((text) => longIn(text, page))),
    ...messages.flatMap(({ line, place }) => longIn(line, place)),
  ]);
  expect(longIn(`${"word ".repeat(26)}`, "here")).toHaveLength(1);
});

test("No page, message or comment has a phrase that was rewritten in plain English", () => {
  const onPages = pages.flatMap((place) => sentencesIn(pageText(place)).map((line) => ({ place, line })));
  expectNone(
    [...onPages, ...messages, ...comments]
      .filter(({ line }) => BANNED.test(line))
      .map(({ place, line }) => `${place}: ${BANNED.exec(line)?.[0]} in: ${line.slice(0, 200)}`),
  );
});
