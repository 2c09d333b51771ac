import ts from "typescript";
import { entries } from "./entries.ts";
import { root } from "./root.ts";
import { program } from "./source.ts";

/** The interfaces and classes that a consumer can reach: exported by an entry, or named by one that is. */
type Holder = ts.InterfaceDeclaration | ts.ClassDeclaration;

interface Reached {
  readonly holders: readonly Holder[];
  /** Functions that entries export. */
  readonly functions: readonly ts.FunctionDeclaration[];
}

/** A part of the public API, such as `src/core/rest/oauth.ts: TokenResponse.expires_in`, and whether it has a sentence. */
export interface PublicPart {
  readonly at: string;
  readonly isDescribed: boolean;
}

/** The members of public interfaces and classes. */
export function publicMembers(): PublicPart[] {
  return reached().holders.flatMap((holder) =>
    membersOf(holder).map((member) => ({
      at: `${place(holder)}.${nameOf(member)}`,
      isDescribed: docOf(member) !== "",
    })),
  );
}

/** The parameters of public functions and methods. A `@param` describes one. */
export function publicParameters(): PublicPart[] {
  const { holders, functions } = reached();
  const methods = holders.flatMap((holder) =>
    membersOf(holder).flatMap((member) =>
      ts.isMethodDeclaration(member) || ts.isMethodSignature(member)
        ? [{ at: `${place(holder)}.${nameOf(member)}`, signature: member }]
        : [],
    ),
  );
  const exported = functions.map((signature) => ({ at: place(signature), signature }));
  return [...exported, ...methods].flatMap(({ at, signature }) => {
    const described = describedParameters(signature);
    const parameters = isImplementation(signature) ? [] : signature.parameters;
    return parameters.map(({ name }, index) => ({
      at: `${at}(${name.getText()})`,
      isDescribed: described.has(index),
    }));
  });
}

/** The indices of the parameters that a `@param` of any overload describes. Fields of options may have one each. */
function describedParameters(signature: ts.SignatureDeclaration): ReadonlySet<number> {
  const symbol = signature.name && checker().getSymbolAtLocation(signature.name);
  const overloads = symbol?.declarations ?? [signature];
  const tags = overloads.flatMap((each) => ts.getJSDocTags(each).filter(ts.isJSDocParameterTag));
  const described = tags.map(({ name }) => name.getText().split(".")[0] ?? "");
  const names = signature.parameters.map(({ name }) => (ts.isIdentifier(name) ? name.text : undefined));
  // a parameter that is destructured may be described under any other name
  const isDescribed = (name: string | undefined) =>
    name === undefined ? described.some((each) => !names.includes(each)) : described.includes(name);
  return new Set(names.flatMap((name, index) => (isDescribed(name) ? [index] : [])));
}

/** Whether a declaration is the implementation of overloads, which consumers do not see. */
function isImplementation(signature: ts.SignatureDeclaration): boolean {
  const symbol = signature.name && checker().getSymbolAtLocation(signature.name);
  return "body" in signature && signature.body !== undefined && (symbol?.declarations?.length ?? 1) > 1;
}

const known = new WeakMap<ts.Program, Reached>();

/** Looked for once. */
function reached(): Reached {
  const found = known.get(program()) ?? allReached();
  known.set(program(), found);
  return found;
}

function allReached(): Reached {
  const seen = new Set<ts.Node>();
  const holders: Holder[] = [];
  const functions: ts.FunctionDeclaration[] = [];
  const reach = (symbol: ts.Symbol | undefined): void => {
    const real = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker().getAliasedSymbol(symbol) : symbol;
    for (const declaration of real?.declarations ?? []) {
      if (seen.has(declaration) || !isOurs(declaration)) continue;
      seen.add(declaration);
      if (ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration))
        holders.push(declaration);
      if (ts.isFunctionDeclaration(declaration)) functions.push(declaration);
      ts.forEachChild(declaration, follow);
    }
  };
  const follow = (node: ts.Node): void => {
    if (ts.isBlock(node) || isHidden(node)) return;
    if (ts.isTypeReferenceNode(node)) reach(checker().getSymbolAtLocation(node.typeName));
    if (ts.isExpressionWithTypeArguments(node)) reach(checker().getSymbolAtLocation(node.expression));
    ts.forEachChild(node, follow);
  };
  for (const entry of Object.values(entries)) {
    const file = program().getSourceFile(`${root}${entry}`);
    const module = file && checker().getSymbolAtLocation(file);
    for (const each of module ? checker().getExportsOfModule(module) : []) reach(each);
  }
  return { holders, functions };
}

/** The members that consumers see. An overriding member is described in the class that it comes from. */
function membersOf(holder: Holder): ts.NamedDeclaration[] {
  const made = ts.isClassDeclaration(holder) ? holder.members.find(ts.isConstructorDeclaration) : undefined;
  const properties = made?.parameters.filter((each) => ts.isParameterPropertyDeclaration(each, made)) ?? [];
  return [...properties, ...holder.members].filter(
    (member) =>
      member.name !== undefined &&
      ts.isIdentifier(member.name) &&
      !isHidden(member) &&
      !(ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Override),
  );
}

function isHidden(node: ts.Node): boolean {
  const flags = ts.canHaveModifiers(node) ? ts.getCombinedModifierFlags(node as ts.Declaration) : 0;
  const { name } = node as ts.NamedDeclaration;
  return (
    (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0 ||
    (name !== undefined && ts.isPrivateIdentifier(name)) ||
    ts.getJSDocTags(node).some(({ tagName }) => tagName.text === "internal")
  );
}

/** Whether a file is written by hand. Generated ones are checked by the schemas that they are made from. */
function isOurs(node: ts.Node): boolean {
  const { fileName } = node.getSourceFile();
  return fileName.startsWith(root) && !/\/(node_modules|src\/core\/generated)\//.test(fileName);
}

function docOf(member: ts.NamedDeclaration): string {
  const symbol = member.name && checker().getSymbolAtLocation(member.name);
  return ts.displayPartsToString(symbol?.getDocumentationComment(checker()));
}

function place(declaration: Holder | ts.FunctionDeclaration): string {
  return `${declaration.getSourceFile().fileName.slice(root.length)}: ${nameOf(declaration)}`;
}

function nameOf({ name }: ts.NamedDeclaration): string {
  return name?.getText() ?? "";
}

function checker(): ts.TypeChecker {
  return program().getTypeChecker();
}
