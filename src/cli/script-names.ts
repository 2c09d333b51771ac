import type { Script } from "./script-tokens.ts";

/** A name that a file binds: what it imports, declares, or takes as a parameter. */
export interface Binding {
  readonly name: string;
  readonly line: number;
  /** The tokens in which it has this meaning, from and to (exclusive). */
  readonly start: number;
  readonly end: number;
  /** What it imports; undefined if it imports nothing. */
  readonly imported?: Imported;
  /** The name by which the file exports it; undefined if it does not. */
  readonly exported?: string | undefined;
}

/** What a name imports. */
export interface Imported {
  /** The module, as the file writes it. */
  readonly module: string;
  /** The name there, `default`, or `*` for all of it. */
  readonly name: string;
  /** Whether only its type is imported. */
  readonly isType: boolean;
}

/** Words of the language, or of types. Some may be names too, where a file binds them. */
const words = new Set(
  `abstract any as asserts async await boolean break case catch class const continue debugger declare default delete do else enum
   export extends false finally for from function get if implements import in infer instanceof interface is keyof let never new
   null number object of private protected public readonly return satisfies set static string super switch symbol this throw
   true try type typeof undefined unknown var void while with yield`.split(/\s+/),
);

const declaring = new Set(["const", "let", "var"]);
const naming = new Set(["function", "class", "interface", "type", "enum"]);
const notCalled = new Set(["if", "for", "while", "switch", "with"]);

/** Which names a file binds where, and which it exports. */
export class ScriptNames {
  readonly bindings: readonly Binding[];
  private readonly found: Binding[] = [];
  /** The names that are exported, by their own. */
  private readonly exported = new Map<string, string>();

  constructor(private readonly script: Script) {
    const { tokens } = script;
    for (let index = 0; index < tokens.length; index++) this.read(index);
    this.bindings = this.found.map((each) =>
      this.isTop(each) && each.imported === undefined
        ? { ...each, exported: this.exported.get(each.name) }
        : each,
    );
  }

  /** What a name means at a token; undefined if the file does not bind it there. */
  bindingAt(index: number): Binding | undefined {
    const name = this.text(index);
    const all = this.bindings.filter((each) => each.name === name && each.start <= index && index < each.end);
    return all.sort((a, b) => a.end - a.start - (b.end - b.start))[0];
  }

  /** Whether a name is bound for the whole file. */
  isTop({ start, end }: Binding): boolean {
    return start === 0 && end === this.script.tokens.length;
  }

  /** Whether a token is a name that stands for a value or a type, and not a key or a word of the language. */
  isReference(index: number): boolean {
    const { tokens } = this.script;
    if (tokens[index]?.kind !== "name") return false;
    if (words.has(this.text(index)) && this.bindingAt(index) === undefined) return false;
    const [before, after] = [this.text(index - 1), this.text(index + 1)];
    if (before === "." || before === "?.") return false;
    const startsKey = ["{", ",", ";", "get", "set", "async", "*"].includes(before);
    const isKey = after === ":" || (after === "?" && this.text(index + 2) === ":");
    if (startsKey && isKey) return !this.isInBraces(index);
    return !(
      startsKey &&
      after === "(" &&
      this.isInBraces(index) &&
      this.bodyBehind(index + 1) !== undefined
    );
  }

  private text(index: number): string {
    return this.script.tokens[index]?.text ?? "";
  }

  /** The bracket around a token; -1 at the top of the file. */
  private around(index: number): number {
    for (let at = index - 1; at >= 0; at--) {
      const other = this.script.partner.get(at);
      if (other === undefined) continue;
      if (other > at) return at;
      at = other;
    }
    return -1;
  }

  private isInBraces(index: number): boolean {
    return this.text(this.around(index)) === "{";
  }

  /** The block around a token, from and to (exclusive); the whole file at its top. */
  private blockAround(index: number): readonly [number, number] {
    let at = this.around(index);
    while (at >= 0 && this.text(at) !== "{") at = this.around(at);
    return at < 0 ? [0, this.script.tokens.length] : [at, this.script.partner.get(at) ?? 0];
  }

  private read(index: number): void {
    const { tokens } = this.script;
    const token = tokens[index];
    const before = this.text(index - 1);
    if (token === undefined || before === "." || before === "?.") return;
    if (token.text === "=>") this.readArrow(index);
    if (token.kind === "mark" && token.text === "(") this.readMethod(index);
    if (token.kind !== "name") return;
    const isOutside = this.around(index) < 0;
    if (isOutside && token.text === "import") this.readImport(index);
    if (isOutside && token.text === "export") this.readExport(index);
    if (isOutside && (token.text === "module" || token.text === "exports")) this.readCommonExport(index);
    if (declaring.has(token.text)) this.readDeclared(index);
    const mayBeWord = token.text === "function";
    const isNamed = tokens[index + 1]?.kind === "name" && (mayBeWord || !words.has(this.text(index + 1)));
    if (naming.has(token.text) && isNamed) this.bind(index + 1, this.blockAround(index));
  }

  private bind(index: number, [from, to]: readonly [number, number], imported?: Imported): void {
    const { tokens } = this.script;
    const token = tokens[index];
    if (token === undefined) return;
    const more = imported === undefined ? {} : { imported };
    this.found.push({ name: token.text, line: token.line, start: from, end: to, ...more });
  }

  /** `x => …`, `(a, { b }) => …`, also with the type of its result. */
  private readArrow(index: number): void {
    const body = this.findBody(index + 1);
    const { partner, tokens } = this.script;
    if (tokens[index - 1]?.kind === "name" && this.text(index - 2) !== ":") {
      this.bind(index - 1, [index - 1, body]);
      return;
    }
    let end = index - 1;
    while (end > 0 && !(this.text(end) === ")" && (end === index - 1 || this.text(end + 1) === ":")))
      end = Math.min(end, partner.get(end) ?? end) - 1;
    const start = partner.get(end);
    if (start !== undefined) this.bindPattern(start + 1, end, [start, body]);
  }

  /** The end of a function's body that begins at a token: of its block, or of its expression. */
  private findBody(start: number): number {
    const { partner, tokens } = this.script;
    if (this.text(start) === "{") return (partner.get(start) ?? start) + 1;
    let at = start;
    while (at < tokens.length && ![",", ";", ")", "]", "}"].includes(this.text(at)))
      at = Math.max(at, partner.get(at) ?? at) + 1;
    return at;
  }

  /** `name(a, b) { … }`, `function (a) { … }`, `catch (error) { … }`. */
  private readMethod(index: number): void {
    if (notCalled.has(this.text(index - 1))) return;
    const body = this.bodyBehind(index);
    const end = this.script.partner.get(index);
    if (body !== undefined && end !== undefined)
      this.bindPattern(index + 1, end, [index, this.findBody(body)]);
  }

  /** The block behind a list of parameters, perhaps behind the type of its result; undefined if there is none. */
  private bodyBehind(index: number): number | undefined {
    const end = this.script.partner.get(index);
    if (end === undefined) return undefined;
    if (this.text(end + 1) === "{") return end + 1;
    if (this.text(end + 1) !== ":" || this.text(index - 1) === "") return undefined;
    const isMethod = this.text(index - 1) !== "(" && this.script.tokens[index - 1]?.kind === "name";
    for (let at = end + 2; isMethod && at < end + 30; at++) {
      if (this.text(at) === "{") return at;
      if ([",", ";", "=>", "(", ")"].includes(this.text(at))) return undefined;
    }
    return undefined;
  }

  private readDeclared(index: number): void {
    const count = this.found.length;
    this.readDeclaration(index);
    if (this.text(index - 1) !== "export") return;
    for (const { name } of this.found.slice(count)) this.exported.set(name, name);
  }

  private readDeclaration(index: number): void {
    const scope = this.blockAround(index);
    const { partner } = this.script;
    const start = index + 1;
    if (this.text(start) === "enum") return;
    const required = this.requiredBy(start);
    for (let at = start, isName = true; at < scope[1] || at < this.script.tokens.length; at++) {
      const text = this.text(at);
      if (isName) {
        const end = partner.get(at);
        if (required !== undefined && this.isOutside(index)) this.bindRequired(at, end, required, scope);
        else if (end === undefined) this.bind(at, scope);
        else this.bindPattern(at, end + 1, scope);
        at = end ?? at;
        isName = false;
      } else if (text === ",") isName = true;
      else if (text === "=") at = this.findBody(at + 1) - 1;
      else if (text === ":") continue;
      else if (this.isEndOfDeclaration(at)) return;
      else at = Math.max(at, partner.get(at) ?? at);
    }
  }

  /** Whether a token stands at the top of the file. */
  isOutside(index: number): boolean {
    return this.around(index) < 0;
  }

  private isEndOfDeclaration(at: number): boolean {
    const [text, token, before] = [this.text(at), this.script.tokens[at], this.script.tokens[at - 1]];
    if (token === undefined || [";", ")", "}", "of", "in"].includes(text)) return true;
    // a line ends a declaration where it may not go on
    return token.line > (before?.line ?? 0) && token.kind === "name";
  }

  /** The module of `… = require("module")`; undefined for another value. */
  private requiredBy(start: number): string | undefined {
    const end = this.script.partner.get(start) ?? start;
    const [equals, call, open, module] = [1, 2, 3, 4].map((step) => this.text(end + step));
    if (equals !== "=" || call !== "require" || open !== "(") return undefined;
    return stringIn(module ?? "");
  }

  private bindRequired(
    at: number,
    end: number | undefined,
    module: string,
    scope: readonly [number, number],
  ): void {
    if (end === undefined) {
      this.bind(at, scope, { module, name: "default", isType: false });
      return;
    }
    for (let each = at + 1; each < end; each++) {
      const isRenamed = this.text(each + 1) === ":";
      const name = this.text(each);
      this.bind(isRenamed ? each + 2 : each, scope, { module, name, isType: false });
      each += isRenamed ? 3 : 1;
    }
  }

  /** Binds the names of parameters, or of a pattern. */
  private bindPattern(from: number, to: number, scope: readonly [number, number]): void {
    const { partner, tokens } = this.script;
    const isObject = this.text(from - 1) === "{";
    for (let at = from; at < to; at++) {
      const text = this.text(at);
      const end = partner.get(at);
      if (text === "{" || text === "[") {
        this.bindPattern(at + 1, end ?? at, scope);
        at = end ?? at;
      } else if (text === "=" || (text === ":" && !isObject)) at = this.nextComma(at, to);
      else if (tokens[at]?.kind === "name" && !(isObject && this.text(at + 1) === ":")) this.bind(at, scope);
    }
  }

  /** The next comma of a pattern, behind a default value or a type. */
  private nextComma(from: number, to: number): number {
    let [at, angles] = [from, 0];
    for (; at < to; at++) {
      const text = this.text(at);
      if (text === "<") angles++;
      if (text === ">") angles--;
      if (text === "," && angles <= 0) return at;
      at = Math.max(at, this.script.partner.get(at) ?? at);
    }
    return at;
  }

  private readImport(index: number): void {
    if (["(", "."].includes(this.text(index + 1))) return;
    const { tokens, partner } = this.script;
    const whole: readonly [number, number] = [0, tokens.length];
    let end = index + 1;
    while (end < tokens.length && tokens[end]?.kind !== "string") end++;
    const module = stringIn(this.text(end)) ?? "";
    const isType = this.text(index + 1) === "type" && this.text(index + 2) !== "from";
    for (let at = index + 1 + (isType ? 1 : 0); at < end; at++) {
      const text = this.text(at);
      if (text === "*") {
        this.bind(at + 2, whole, { module, name: "*", isType });
        at += 2;
      } else if (text === "{") {
        this.readNamed(at, (name, own, isOwnType) =>
          this.bind(own, whole, { module, name, isType: isType || isOwnType }),
        );
        at = partner.get(at) ?? at;
      } else if (tokens[at]?.kind === "name" && text !== "from")
        this.bind(at, whole, { module, name: "default", isType });
    }
  }

  /** `{ a, b as c, type D }`. */
  private readNamed(open: number, take: (name: string, own: number, isType: boolean) => void): void {
    const end = this.script.partner.get(open) ?? open;
    for (let at = open + 1; at < end; at++) {
      const isType = this.text(at) === "type" && ![",", "}", "as"].includes(this.text(at + 1));
      const first = isType ? at + 1 : at;
      const own = this.text(first + 1) === "as" ? first + 2 : first;
      take(stringIn(this.text(first)) ?? this.text(first), own, isType);
      at = own + 1;
    }
  }

  private readExport(index: number): void {
    const next = this.text(index + 1);
    if (next === "{") {
      const end = this.script.partner.get(index + 1) ?? index;
      if (this.text(end + 1) === "from") return;
      this.readNamed(index + 1, (name, own) => this.exported.set(name, this.text(own)));
      return;
    }
    const skipped = ["default", "async", "abstract", "declare"];
    let at = index + 1;
    while (skipped.includes(this.text(at))) at++;
    const isDefault = next === "default";
    const export_ = (name: string) => void this.exported.set(name, isDefault ? "default" : name);
    if (naming.has(this.text(at)) || this.text(at + 1) === "enum") {
      const star = this.text(at + 1) === "*" || this.text(at + 1) === "enum" ? 1 : 0;
      export_(this.text(at + 1 + star));
    } else if (isDefault && this.text(at + 1) !== "(") export_(this.text(at));
  }

  /** `module.exports = { a, b: c }`, `exports.a = b`. */
  private readCommonExport(index: number): void {
    const at = this.text(index) === "exports" ? index : index + 2;
    if (this.text(at) !== "exports") return;
    if (this.text(at + 1) === "." && this.text(at + 3) === "=" && this.isEndOfDeclaration(at + 5))
      this.exported.set(this.text(at + 4), this.text(at + 2));
    if (this.text(at + 1) !== "=" || this.text(at + 2) !== "{") return;
    const { partner } = this.script;
    const end = partner.get(at + 2) ?? at;
    for (let from = at + 3, to = from; from < end; from = to + 1) {
      for (to = from; to < end && this.text(to) !== ","; to++) to = Math.max(to, partner.get(to) ?? to);
      const value = this.text(from + 1) === ":" ? from + 2 : from;
      // `a: b(c)` exports what `b` returns, and not `b`
      if (to - value === 1) this.exported.set(this.text(value), stringIn(this.text(from)) ?? this.text(from));
    }
  }
}

/** What a literal says; undefined if a token is none. */
export function stringIn(literal: string): string | undefined {
  return /^(["'])(.*)\1$/.exec(literal)?.[2];
}
