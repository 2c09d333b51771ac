import { type Binding, ScriptNames, stringIn } from "./script-names.ts";
import { isWhole, readTokens, type Script } from "./script-tokens.ts";

/** A call of `explore` in a file. */
export interface ExploreCall {
  readonly script: Script;
  readonly names: ScriptNames;
  readonly line: number;
  /** Whether each of its brackets has a partner; else its options are not known. */
  readonly isWhole: boolean;
  /** Its options, if they are written as an object; else the expression in its place. */
  readonly options: readonly CallOption[] | TokenSpan;
  /** Whether the file is CommonJS: it requires ringback. */
  readonly isCommonJs: boolean;
}

/** Some tokens of a file, from and to (exclusive). */
export interface TokenSpan {
  readonly start: number;
  readonly end: number;
}

/** An option as a call writes it. */
export interface CallOption extends TokenSpan {
  /** Its name; undefined for `...others`. */
  readonly name: string | undefined;
}

const exploring = new Set(["explore", "exploreReport"]);
const ENTRY_POINT = "ringback/explore";

/** Finds the call of `explore` on a line, or the only one of a file. Undefined if there is none, or several elsewhere. */
export function exploreCallIn(text: string, line: number): ExploreCall | undefined {
  const script = readTokens(text);
  const names = new ScriptNames(script);
  const all = script.tokens.flatMap((token, index) => {
    const open = openerOfCall(script, names, index);
    return open === undefined ? [] : [{ line: token.line, open }];
  });
  const found = all.find((each) => each.line === line) ?? (all.length === 1 ? all[0] : undefined);
  if (found === undefined) return undefined;
  const isCommonJs = !script.tokens.some(
    ({ kind, text: word }, index) =>
      kind === "name" && (word === "import" || word === "export") && names.isOutside(index),
  );
  const { line: at, open } = found;
  const options = readOptions(script, open);
  return { script, names, line: at, isWhole: isWhole(script, open), options, isCommonJs };
}

/** Where the arguments begin if a token is a function of ours that is called. */
function openerOfCall({ tokens }: Script, names: ScriptNames, index: number): number | undefined {
  const isMember = tokens[index - 1]?.text === ".";
  const imported = names.bindingAt(isMember ? index - 2 : index)?.imported;
  const name = isMember ? tokens[index]?.text : imported?.name;
  if (imported?.module !== ENTRY_POINT || !exploring.has(name ?? "")) return undefined;
  if (tokens[index + 1]?.text === "(") return index + 1;
  if (tokens[index + 1]?.text !== "<") return undefined;
  let at = index + 2;
  for (let depth = 1; depth > 0 && at < tokens.length; at++)
    depth += Number(tokens[at]?.text === "<") - Number(tokens[at]?.text === ">");
  return tokens[at]?.text === "(" ? at : undefined;
}

function readOptions(script: Script, open: number): readonly CallOption[] | TokenSpan {
  const { tokens, partner } = script;
  const end = partner.get(open) ?? tokens.length;
  const last = tokens[end - 1]?.text === "," ? end - 1 : end;
  if (tokens[open + 1]?.text !== "{" || partner.get(open + 1) !== last - 1)
    return { start: open + 1, end: last };
  const options: CallOption[] = [];
  let from = open + 2;
  for (let at = from; at < last; at++) {
    const isEnd = at === last - 1;
    if (isEnd || (tokens[at]?.text === "," && startsOption(script, at + 1))) {
      if (at > from) options.push({ start: from, end: at, name: readName(script, from) });
      from = at + 1;
    } else at = Math.max(at, partner.get(at) ?? at);
  }
  return options;
}

/** Whether an option may begin here: a comma may also stand in a type. */
function startsOption({ tokens }: Script, index: number): boolean {
  const [token, next] = [tokens[index], tokens[index + 1]?.text ?? ""];
  if (token === undefined || ["...", "[", "}", "async"].includes(token.text)) return true;
  if (token.kind === "string") return next === ":";
  return token.kind === "name" && [":", ",", "(", "}"].includes(next);
}

function readName({ tokens }: Script, from: number): string | undefined {
  const token = tokens[from];
  const named = token?.text === "async" && tokens[from + 1]?.kind === "name" ? tokens[from + 1] : token;
  if (named === undefined || named.text === "...") return undefined;
  return stringIn(named.text) ?? named.text;
}

/** A name that code needs, and what it means there. */
export interface FreeName {
  readonly name: string;
  readonly binding: Binding;
}

/** The names that some tokens need from outside, each once. Those that the file does not bind are global. */
export function freeNamesIn({ script, names }: ExploreCall, { start, end }: TokenSpan): FreeName[] {
  const found = new Map<string, FreeName>();
  for (let index = start; index < end; index++) {
    const binding = names.isReference(index) ? names.bindingAt(index) : undefined;
    const isInside = binding !== undefined && binding.start >= start && binding.end <= end;
    const token = script.tokens[index];
    if (binding === undefined || isInside || token === undefined) continue;
    if (!found.has(token.text)) found.set(token.text, { name: token.text, binding });
  }
  return [...found.values()];
}

/** The text of some tokens. */
export function tokensText({ text, tokens }: Script, { start, end }: TokenSpan): string {
  return text.slice(tokens[start]?.start, tokens[end - 1]?.end);
}
