import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

/** What was asked for cannot be added. The message says why, and nothing has been written. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/**
 * The files of a tree with the changes that an addition needs. Nothing is written before all changes have been made, so
 * a refusal leaves the tree as it was.
 */
export class Tree {
  private readonly texts = new Map<string, string>();

  constructor(readonly root: string) {}

  has(path: string): boolean {
    return this.texts.has(path) || existsSync(join(this.root, path));
  }

  /** @throws {Refused} if there is no such file */
  read(path: string): string {
    const changed = this.texts.get(path);
    if (changed !== undefined) return changed;
    if (!this.has(path)) throw new Refused(`${path} does not exist: has it moved? Then mend docs/scaffold`);
    return readFileSync(join(this.root, path), "utf8");
  }

  create(path: string, text: string): void {
    if (this.has(path)) throw new Refused(`${path} exists already`);
    this.texts.set(path, text);
  }

  /** Inserts a text at a place of a file. */
  insert(path: string, at: number, text: string): void {
    const before = this.read(path);
    this.texts.set(path, before.slice(0, at) + text + before.slice(at));
  }

  source(path: string): ts.SourceFile {
    return ts.createSourceFile(path, this.read(path), ts.ScriptTarget.Latest, true);
  }

  /**
   * Adds a property at the end of an object.
   * @param name of the constant that holds it, or of a property within
   * @throws {Refused} if it has the property already
   */
  addToObject(path: string, name: string, key: string, text: string): void {
    const object = this.find(path, `the object ${name}`, (node) => objectNamed(node, name));
    this.refuseTwin(path, object.properties, name, key);
    this.addToList(path, object.properties, object.end - 1, `${text},`);
  }

  /**
   * Adds an element at the end of a list.
   * @param within the key of the object whose list it is, if not of a constant
   */
  addToArray(path: string, name: string, text: string, within?: string): void {
    const list = this.find(path, `the list ${name}`, (node) => {
      if (within !== undefined && keyOf(node.parent?.parent ?? node) !== within) return undefined;
      const value = valueNamed(node, name);
      return value !== undefined && ts.isArrayLiteralExpression(value) ? value : undefined;
    });
    this.addToList(path, list.elements, list.end - 1, `${text},`);
  }

  /** Adds a field at the end of an interface. */
  addToInterface(path: string, name: string, key: string, text: string): void {
    const found = this.find(path, `the interface ${name}`, (node) =>
      ts.isInterfaceDeclaration(node) && node.name.text === name ? node : undefined,
    );
    this.refuseTwin(path, found.members, name, key);
    this.insert(path, found.end - 1, `${text}\n`);
  }

  /** Adds a member at the end of a union of types. */
  addToUnion(path: string, name: string, key: string, text: string): void {
    const found = this.find(path, `the type ${name}`, (node) =>
      ts.isTypeAliasDeclaration(node) && node.name.text === name ? node.type : undefined,
    );
    if (found.getText().includes(`"${key}"`))
      throw new Refused(`${path}: ${name} has ${key} already; choose another name`);
    this.insert(path, found.end, `\n  | ${text}`);
  }

  /** Adds a method behind the last public method of a class. */
  addMethod(path: string, className: string, key: string, text: string): void {
    const found = this.find(path, `the class ${className}`, (node) =>
      ts.isClassDeclaration(node) && node.name?.text === className ? node : undefined,
    );
    this.refuseTwin(path, found.members, className, key);
    const isHidden = (member: ts.ClassElement) =>
      (ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0;
    const last = found.members.findLast((member) => ts.isMethodDeclaration(member) && !isHidden(member));
    this.insert(path, last?.end ?? found.members.end, `\n\n${text}`);
  }

  /** Adds declarations before a constant and its comment. */
  addBefore(path: string, name: string, text: string): void {
    const found = this.find(path, name, (node) =>
      ts.isVariableStatement(node) && declares(node, name) ? node : undefined,
    );
    this.insert(path, found.getStart(undefined, true), `${text}\n\n`);
  }

  /** Imports a name, unless the file does so already. The formatter puts it in order. */
  addImport(path: string, from: string, name: string): void {
    const file = this.source(path);
    const imports = file.statements.filter(ts.isImportDeclaration);
    const isNamed = imports.some(({ importClause }) => {
      const bindings = importClause?.namedBindings;
      if (bindings === undefined || !ts.isNamedImports(bindings)) return false;
      return bindings.elements.some((each) => each.name.text === name.replace("type ", ""));
    });
    if (isNamed) return;
    const same = imports.find(({ moduleSpecifier: module, importClause }) => {
      const isSame = ts.isStringLiteral(module) && module.text === from;
      return isSame && importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword;
    });
    const bindings = same?.importClause?.namedBindings;
    const last = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements.at(-1) : undefined;
    if (last !== undefined) this.insert(path, last.end, `, ${name}`);
    else this.insert(path, 0, `import { ${name} } from "${from}";\n`);
  }

  /** Writes all changes. @returns the paths */
  write(): string[] {
    for (const [path, text] of this.texts) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), text);
    }
    return [...this.texts.keys()];
  }

  /** The first node that fits. @throws {Refused} if there is none */
  find<N extends ts.Node>(path: string, what: string, fits: (node: ts.Node) => N | undefined): N {
    const search = (node: ts.Node): N | undefined => fits(node) ?? ts.forEachChild(node, search);
    const found = search(this.source(path));
    if (found === undefined)
      throw new Refused(`${path}: ${what} is not there: has it moved? Then mend docs/scaffold`);
    return found;
  }

  /** The keys of an object, or nothing if it is written in another way. */
  keysOf(path: string, name: string): string[] {
    return this.find(path, `the object ${name}`, (node) => objectNamed(node, name)).properties.map(keyOf);
  }

  private refuseTwin(path: string, among: ts.NodeArray<ts.Node>, where: string, key: string): void {
    if (among.some((each) => keyOf(each) === key))
      throw new Refused(`${path}: ${where} has ${key} already; choose another name`);
  }

  private addToList(path: string, among: ts.NodeArray<ts.Node>, end: number, text: string): void {
    const last = among.at(-1);
    const isOpen = last !== undefined && !among.hasTrailingComma;
    this.insert(path, end, `${text}\n`);
    if (isOpen) this.insert(path, last.end, ",");
  }
}

function keyOf(node: ts.Node): string {
  const { name } = node as ts.NamedDeclaration;
  if (name === undefined) return "";
  return ts.isStringLiteral(name) ? name.text : name.getText();
}

function declares(node: ts.VariableStatement, name: string): boolean {
  return node.declarationList.declarations.some((each) => each.name.getText() === name);
}

/** What a constant or a property is set to, without `as const` and `satisfies`. */
function valueNamed(node: ts.Node, name: string): ts.Expression | undefined {
  const isNamed =
    (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)) && node.name.getText() === name;
  if (!isNamed || node.initializer === undefined) return undefined;
  let value = node.initializer;
  while (ts.isAsExpression(value) || ts.isSatisfiesExpression(value)) value = value.expression;
  return value;
}

function objectNamed(node: ts.Node, name: string): ts.ObjectLiteralExpression | undefined {
  const value = valueNamed(node, name);
  return value !== undefined && ts.isObjectLiteralExpression(value) ? value : undefined;
}
