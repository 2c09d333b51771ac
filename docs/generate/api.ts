import { dirname } from "node:path";
import ts from "typescript";
import { DEFAULT, defaultSentence, isJson } from "../../src/core/rest/openapi/describe.ts";
import { entries } from "./entries.ts";
import { inStableOrder } from "./inputs.ts";
import { root } from "./root.ts";
import { program } from "./source.ts";

/** A longer declaration is easier to read in an editor. */
const LONGEST_TYPE = 900;

/** One thing that is exported. */
export interface Exported {
  readonly entry: string;
  readonly name: string;
  /** Its docstring with its tags as text; empty without one. */
  readonly doc: string;
  /** Its declaration without bodies. */
  readonly code: string;
  readonly members: readonly Member[];
  /** Its `@example`s. */
  readonly examples: readonly string[];
  readonly isType: boolean;
  /** Whether it can be imported: an object such as `sim.calls` has a page, and no name to import. */
  readonly isImported: boolean;
  /** The names of other exports of the entry that its declaration mentions. */
  readonly mentions: ReadonlySet<string>;
}

/** A field, or one overload of a method. */
export interface Member {
  readonly name: string;
  readonly code: string;
  readonly doc: string;
  readonly examples: readonly string[];
  /** Whether it is called: a method, or a field that holds a function. */
  readonly isMethod: boolean;
}

const read = new Map<string, readonly Exported[]>();

/** The exports of an entry: values, then types, each in alphabetical order. Read once. */
export function exportsOf(entry: string): readonly Exported[] {
  const known = read.get(entry) ?? readExports(entry);
  read.set(entry, known);
  return known;
}

function readExports(entry: string): Exported[] {
  const checker = program().getTypeChecker();
  const file = program().getSourceFile(`${root}${entries[entry]}`);
  const symbol = file && checker.getSymbolAtLocation(file);
  if (symbol === undefined) throw new Error(`${entry}: no such module`);
  const symbols = checker.getExportsOfModule(symbol);
  const objects = objectsOf(entry, symbols, checker);
  const names = new Map([...symbols, ...objects].map((each) => [aliased(each, checker), each.name]));
  return [...symbols, ...objects]
    .map((each) => ({ ...exported(entry, each, names, checker), isImported: symbols.includes(each) }))
    .sort((one, other) => Number(one.isType) - Number(other.isType) || (one.name < other.name ? -1 : 1));
}

/** The classes and interfaces that exports mention and that nobody imports: `sim.calls`, the parts of options and reports. */
function objectsOf(entry: string, symbols: readonly ts.Symbol[], checker: ts.TypeChecker): ts.Symbol[] {
  const seen = new Set(symbols.map((each) => aliased(each, checker)));
  const found: ts.Symbol[] = [];
  const followParts = (declaration: ts.Declaration): void => {
    ts.forEachChild(declaration, follow);
    if (ts.isClassDeclaration(declaration)) inheritedMembers(declaration, checker).forEach(follow);
  };
  const follow = (node: ts.Node): void => {
    // a class is shown with what it inherits
    const isInherited = ts.isHeritageClause(node) && ts.isClassDeclaration(node.parent);
    if (ts.isBlock(node) || isPrivate(node) || isInherited) return;
    const real = mentioned(node, checker);
    if (real !== undefined && !seen.has(real)) {
      seen.add(real);
      const [declaration] = real.declarations ?? [];
      if (declaration !== undefined && isObject(entry, declaration, checker)) {
        found.push(real);
        followParts(declaration);
      }
    }
    ts.forEachChild(node, follow);
  };
  for (const symbol of [...seen]) for (const each of symbol.declarations ?? []) followParts(each);
  return found;
}

/** Whether the pages of an entry show it. Those of `ringback` have the simulator, and the reference has what people write in files. */
function isObject(entry: string, declaration: ts.Declaration, checker: ts.TypeChecker): boolean {
  const path = declaration.getSourceFile().fileName.replace(root, "");
  if (!path.startsWith("src/") || (path.startsWith("src/core/generated/") && !path.endsWith("/records.ts")))
    return false;
  const others = Object.entries(entries).filter(([name]) => name !== entry);
  const folders = others.map(([name, file]) => (name === "ringback" ? "src/core/" : `${dirname(file)}/`));
  if (folders.some((folder) => path.startsWith(folder))) return false;
  if (ts.isClassDeclaration(declaration))
    return membersOf(declaration, checker).some(({ examples }) => examples.length > 0);
  // what has no comment, or is a function of other types, only helps to write another type
  const isNamed = ts.getJSDocCommentsAndTags(declaration).length > 0;
  const isAlias = ts.isTypeAliasDeclaration(declaration) && declaration.typeParameters === undefined;
  return isNamed && (isAlias || ts.isInterfaceDeclaration(declaration));
}

/** Whether consumers do not see a member of a class: it is private or `@internal`, or makes what only the simulator makes. */
function isPrivate(node: ts.Node): boolean {
  if (!ts.isClassElement(node)) return false;
  if (ts.isConstructorDeclaration(node)) return true;
  if (ts.getJSDocTags(node).some(({ tagName }) => tagName.text === "internal")) return true;
  const isNamedSo = node.name !== undefined && ts.isPrivateIdentifier(node.name);
  return isNamedSo || (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0;
}

/** What a node names, if it is a type, or what a class or an interface extends. */
function mentioned(node: ts.Node, checker: ts.TypeChecker): ts.Symbol | undefined {
  const name = ts.isTypeReferenceNode(node)
    ? node.typeName
    : ts.isExpressionWithTypeArguments(node)
      ? node.expression
      : undefined;
  const symbol = name && checker.getSymbolAtLocation(name);
  return symbol && aliased(symbol, checker);
}

/** What an exported name stands for. */
function aliased(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function exported(
  entry: string,
  symbol: ts.Symbol,
  names: ReadonlyMap<ts.Symbol, string>,
  checker: ts.TypeChecker,
): Omit<Exported, "isImported"> {
  const real = aliased(symbol, checker);
  const [declaration] = real.declarations ?? [];
  if (declaration === undefined) throw new Error(`${entry}: ${symbol.name} is declared nowhere`);
  const isType =
    (real.flags & ts.SymbolFlags.Value) === 0 ||
    symbol.declarations?.some(ts.isTypeOnlyImportOrExportDeclaration) === true;
  const holds = ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration);
  return {
    entry,
    name: symbol.name,
    doc: docOf(real, checker),
    code: codeOf(declaration, symbol.name),
    members: holds ? membersOf(declaration, checker) : [],
    examples: examplesOf(real, checker),
    isType,
    mentions: mentionsIn(declaration, names, checker),
  };
}

/** The names that a declaration mentions, without what is inside its functions. */
function mentionsIn(
  declaration: ts.Declaration,
  names: ReadonlyMap<ts.Symbol, string>,
  checker: ts.TypeChecker,
): Set<string> {
  const found = new Set<string>();
  const follow = (node: ts.Node): void => {
    if (ts.isBlock(node)) return;
    const real = mentioned(node, checker);
    const name = real && names.get(real);
    if (name !== undefined) found.add(name);
    ts.forEachChild(node, follow);
  };
  ts.forEachChild(declaration, follow);
  if (ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration))
    for (const member of inheritedMembers(declaration, checker)) follow(member);
  return found;
}

/** The texts of a declaration's `@example`s, as they are written. */
function examplesOf(symbol: ts.Symbol, checker: ts.TypeChecker): string[] {
  return symbol
    .getJsDocTags(checker)
    .filter(({ name }) => name === "example")
    .map(({ text }) => ts.displayPartsToString(text));
}

function docOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s*\n\s*/g, " ");
  const told = symbol.getJsDocTags(checker).filter(({ name }) => name !== "example");
  const tags = told.map(({ name, text: parts }) => {
    const words = ts.displayPartsToString(parts).replaceAll(/\s*\n\s*/g, " ");
    if (name === "param") return `*${words.replace(" ", ":* ").replace(/\.$/, "")}.`;
    if (name === "default") return isJson(words) ? defaultSentence(JSON.parse(words)) : `${DEFAULT}${words}.`;
    if (name === "throws") return `*Throws* ${words.replaceAll(/[{}]/g, "`").replace(/\.$/, "")}.`;
    return name === "returns" ? `*Returns* ${words.replace(/\.$/, "")}.` : `*${name}:* ${words}`;
  });
  return [text, ...tags]
    .filter((each) => each !== "")
    .join(" ")
    .replaceAll("<", "&lt;")
    .replaceAll(/\bdocs\/(fidelity(?:\/[\w-]+)?\.md#[\w-]+)/g, "[Fidelity](../$1)");
}

/** A declaration without bodies, members and docstrings. */
function codeOf(declaration: ts.Declaration, name: string): string {
  if (ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration)) {
    const what = ts.isClassDeclaration(declaration) ? "class" : "interface";
    const heritage = (declaration.heritageClauses ?? []).map((clause) => ` ${clause.getText()}`).join("");
    return `${what} ${name}${typeParameters(declaration)}${heritage}`;
  }
  if (ts.isFunctionDeclaration(declaration)) return `function ${signatureOf(declaration, name)}`;
  if (ts.isVariableDeclaration(declaration))
    return `const ${name}${declaration.type === undefined ? "" : `: ${declaration.type.getText()}`}`;
  const text = declaration
    .getText()
    .replace(/^export /, "")
    .replaceAll(/\/\*\*[\s\S]*?\*\/\s*/g, "");
  return text.length <= LONGEST_TYPE ? text : `type ${name} // see it in an editor`;
}

/** The properties that a constructor's parameters declare. */
function parameterProperties(
  declaration: ts.ClassDeclaration | ts.InterfaceDeclaration,
): ts.ParameterPropertyDeclaration[] {
  const made = declaration.members.find(ts.isConstructorDeclaration);
  const isProperty = (parameter: ts.ParameterDeclaration) =>
    ts.isParameterPropertyDeclaration(parameter, parameter.parent);
  return (made?.parameters.filter(isProperty) ?? []) as ts.ParameterPropertyDeclaration[];
}

function membersOf(
  declaration: ts.ClassDeclaration | ts.InterfaceDeclaration,
  checker: ts.TypeChecker,
): Member[] {
  const seen = new Set<string>();
  const members = [...parameterProperties(declaration), ...declaration.members];
  return [...members, ...inheritedMembers(declaration, checker)].flatMap((member): Member[] => {
    const symbol = member.name && checker.getSymbolAtLocation(member.name);
    if (symbol === undefined || ts.isPrivateIdentifier(member.name as ts.Node)) return [];
    const flags = ts.getCombinedModifierFlags(member);
    if (
      flags &
      (ts.ModifierFlags.Override |
        ts.ModifierFlags.Private |
        ts.ModifierFlags.Protected |
        ts.ModifierFlags.Static)
    )
      return [];
    if (symbol.getJsDocTags(checker).some(({ name }) => name === "internal")) return [];
    // the last overload is the implementation, which consumers do not see
    const isOverloaded = (symbol.declarations?.length ?? 0) > 1;
    if (isOverloaded && ts.isMethodDeclaration(member) && member.body !== undefined) return [];
    const code = memberCode(member, symbol.name, checker);
    if (seen.has(code)) return [];
    seen.add(code);
    const type = checker.getTypeAtLocation(member);
    return [
      {
        name: labelOf(member, symbol.name),
        code,
        doc: docOf(symbol, checker),
        examples: examplesOf(symbol, checker),
        isMethod: !ts.isGetAccessor(member) && type.getCallSignatures().length > 0,
      },
    ];
  });
}

/** The members of the classes of ours that a class extends. */
function inheritedMembers(
  declaration: ts.ClassDeclaration | ts.InterfaceDeclaration,
  checker: ts.TypeChecker,
): readonly ts.ClassElement[] {
  const isExtended = ({ token }: ts.HeritageClause) => token === ts.SyntaxKind.ExtendsKeyword;
  const bases = declaration.heritageClauses?.filter(isExtended).flatMap(({ types }) => types) ?? [];
  return bases.flatMap(({ expression }) => {
    const base = checker.getTypeAtLocation(expression).symbol?.valueDeclaration;
    if (base === undefined || !ts.isClassDeclaration(base)) return [];
    const isOurs = base.getSourceFile().fileName.startsWith(`${root}src/`);
    return isOurs ? [...base.members, ...inheritedMembers(base, checker)] : [];
  });
}

function labelOf(
  member: ts.ClassElement | ts.TypeElement | ts.ParameterPropertyDeclaration,
  name: string,
): string {
  return (member.name?.getText() ?? name).replace("disposeSymbol", "Symbol.dispose");
}

function memberCode(
  member: ts.ClassElement | ts.TypeElement | ts.ParameterPropertyDeclaration,
  name: string,
  checker: ts.TypeChecker,
): string {
  const label = labelOf(member, name);
  if (ts.isMethodDeclaration(member) || ts.isMethodSignature(member)) return signatureOf(member, label);
  if (ts.isGetAccessor(member)) return oneLine(`${label}${member.type ? `: ${member.type.getText()}` : ""}`);
  const type =
    (member as ts.PropertyDeclaration).type?.getText().replace(/^\|\s*/, "") ??
    inStableOrder(checker.typeToString(checker.getTypeAtLocation(member)));
  const optional = "questionToken" in member && member.questionToken !== undefined ? "?" : "";
  return oneLine(`${label}${optional}: ${type}`);
}

function signatureOf(declaration: ts.SignatureDeclaration, name: string): string {
  const parameters = declaration.parameters.map((parameter) => parameter.getText()).join(", ");
  const returns = declaration.type === undefined ? "" : `: ${declaration.type.getText()}`;
  return oneLine(`${name}${typeParameters(declaration)}(${parameters})${returns}`);
}

function typeParameters({
  typeParameters: all,
}: {
  readonly typeParameters?: ts.NodeArray<ts.TypeParameterDeclaration> | undefined;
}): string {
  return all === undefined ? "" : `<${all.map((each) => each.getText()).join(", ")}>`;
}

function oneLine(text: string): string {
  return text
    .replaceAll(/\/\*\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
