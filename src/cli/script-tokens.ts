/** A word, a literal or a mark of a JavaScript or TypeScript file. */
export interface Token {
  readonly kind: "name" | "mark" | "string" | "number" | "regex" | "text";
  readonly text: string;
  /** Where it begins and ends in the file, in characters. */
  readonly start: number;
  readonly end: number;
  /** Its line, from 1. */
  readonly line: number;
}

/** The tokens of a file, and which brackets belong together. */
export interface Script {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** The index of the bracket that closes or opens what one opens or closes. */
  readonly partner: ReadonlyMap<number, number>;
}

const SPACE = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const NAME = /#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /\.?\d(?:[eE][+-]|[\w.])*/y;
const STRING = /"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?/y;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;
const MARK = /=>|\.\.\.|\?\.(?!\d)|[{}()[\];,<>:?=.]|\/=?|[-+*%&|^!~@#]+=?/y;
/** Marks that may stand behind a value, and are a part of it. */
const BEHIND_VALUE = /^(?:!|\+\+|--)+$/;
const BRACKET = /^(?:[()[\]{}]|\$\{)$/;
/** A part of a template, up to its end or to what is put in. */
const TEMPLATE = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{|$)/y;

/** Words behind which a `/` begins a regular expression. */
const beforeValues = new Set("return typeof case in of delete void throw new else do await yield".split(" "));

const openers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "${": "}" };

/** Reads a file into tokens, without blanks and comments. What is no JavaScript is read as marks. */
export function readTokens(text: string): Script {
  const tokens: Token[] = [];
  const partner = new Map<number, number>();
  const open: number[] = [];
  let [at, line] = [0, 1];
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  const add = (kind: Token["kind"], found: string) => {
    tokens.push({ kind, text: found, start: at, end: at + found.length, line });
    skip(found);
  };
  const skip = (found: string) => {
    at += found.length;
    for (const character of found) if (character === "\n") line++;
  };
  const addTemplate = () => {
    const part = match(TEMPLATE) ?? "";
    const isOpen = part.endsWith("${");
    add("text", isOpen ? part.slice(0, -2) : part);
    if (!isOpen) return;
    open.push(tokens.length);
    add("mark", "${");
  };
  const addMark = (found: string) => {
    if (found in openers) open.push(tokens.length);
    const opener = open.at(-1);
    const isClosing = opener !== undefined && openers[tokens[opener]?.text ?? ""] === found;
    if (isClosing) {
      partner.set(opener, tokens.length).set(tokens.length, opener);
      open.pop();
    }
    add("mark", found);
    if (isClosing && tokens[opener]?.text === "${") addTemplate();
  };
  while (at < text.length) {
    skip(match(SPACE) ?? "");
    if (at >= text.length) break;
    const [word, number] = [match(NAME), match(NUMBER)];
    const regex = text[at] === "/" && mayBeginValue(tokens) ? match(REGEX) : undefined;
    if (word !== undefined) add("name", word);
    else if (number !== undefined) add("number", number);
    else if (text[at] === '"' || text[at] === "'") add("string", match(STRING) ?? (text[at] as string));
    else if (text[at] === "`") {
      skip("`");
      addTemplate();
    } else if (regex !== undefined) add("regex", regex);
    else addMark(match(MARK) ?? (text[at] as string));
  }
  return { text, tokens, partner };
}

/** Whether a value may begin behind some tokens, so that `/` is no division, and ends no element of JSX. */
function mayBeginValue(tokens: readonly Token[]): boolean {
  const [value, before] = [tokens.at(-2), tokens.at(-1)];
  if (before === undefined) return true;
  if (before.kind === "name") return beforeValues.has(before.text);
  if (before.kind !== "mark" || [")", "]", "}", "<"].includes(before.text)) return false;
  // `x! / 2` and `x++ / 2`, but not `if (a) {} !/b/.test(c)`
  const isBehind = BEHIND_VALUE.test(before.text) && value?.line === before.line && value.text !== "}";
  return !isBehind || mayBeginValue(tokens.slice(-4, -1));
}

/** Whether a bracket, and each one in it, has its partner. */
export function isWhole({ tokens, partner }: Script, open: number): boolean {
  const end = partner.get(open);
  if (end === undefined) return false;
  return tokens
    .slice(open, end)
    .every(({ kind, text }, index) => kind !== "mark" || !BRACKET.test(text) || partner.has(open + index));
}
