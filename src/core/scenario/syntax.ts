import type { YAMLParseError } from "yaml";

/** A syntax error. */
export interface SyntaxProblem {
  readonly offsets: readonly [start: number, end: number];
  readonly message: string;
  /** How many lines above may be misread; undefined if none is. */
  readonly misreadAbove: number | undefined;
  /** Text to replace it with. */
  readonly suggestion?: string;
}

/** The syntax errors of a text, the first of each line: others follow from it. */
export function syntaxProblems(text: string, errors: readonly YAMLParseError[]): SyntaxProblem[] {
  const byLine = new Map<number, SyntaxProblem>();
  for (const [index, error] of errors.entries()) {
    // the library may report one mistake as two errors
    if (error.code === "MULTILINE_IMPLICIT_KEY" && errors[index - 1]?.pos[0] === error.pos[0]) continue;
    if (error.code === "MISSING_CHAR" && errors[index - 1]?.code === "MULTILINE_IMPLICIT_KEY") continue;
    const problem = describeError(text, error, errors[index + 1]);
    const line = text.slice(0, problem.offsets[0]).split("\n").length;
    if (!byLine.has(line)) byLine.set(line, problem);
  }
  return [...byLine.values()];
}

function describeError(text: string, error: YAMLParseError, next: YAMLParseError | undefined): SyntaxProblem {
  const { code, message, pos } = error;
  const problem = { offsets: pos, message, misreadAbove: 0 };
  switch (code) {
    case "DUPLICATE_KEY":
      return { ...problem, offsets: [pos[0], wordEnd(text, pos[0])], misreadAbove: undefined };
    case "MULTIPLE_DOCS":
      return { ...problem, message: "expected one document, a second begins here" };
    case "TAB_AS_INDENT":
      return { ...problem, message: "wrong indentation: there is a tab, and YAML is indented by spaces" };
    case "BAD_INDENT":
      return { ...problem, ...badIndent(text, error) };
    case "BLOCK_AS_IMPLICIT_KEY":
      return { ...problem, ...blockAsKey(text, error, next) };
    case "MULTILINE_IMPLICIT_KEY":
      return {
        ...problem,
        offsets: [pos[0], wordEnd(text, pos[0])],
        message: "expected a colon after this key, or the indentation is wrong",
      };
    case "BLOCK_IN_FLOW":
      return { ...problem, message: "expected a comma between the entries inside { } or [ ]" };
    case "BAD_ALIAS":
      if (!/empty string/.test(message)) return problem;
      return {
        ...problem,
        message: 'a * without quotes is a YAML alias: put it in quotes, "*"',
        suggestion: '"*"',
      };
    default:
      return /without - indicator/.test(message)
        ? { ...problem, ...wrongIndent(text, pos[0], "aligns neither with the item above nor with the list") }
        : problem;
  }
}

function badIndent(text: string, { message, pos }: YAMLParseError): Partial<SyntaxProblem> {
  const bracket = /end with a ([\]}])/.exec(message)?.[1];
  if (bracket !== undefined)
    return {
      misreadAbove: 1,
      message: `wrong indentation, or the ${bracket === "]" ? "[" : "{"} before this must be closed: expected it to end with a ${bracket}`,
    };
  if (/same column/.test(message))
    return wrongIndent(text, pos[0], "must begin in the same column as the keys above");
  return { message: `wrong indentation: ${message}` };
}

/** A value that seems to contain a key: a line is indented too far, or the text needs quotes. */
function blockAsKey(
  text: string,
  { message, pos }: YAMLParseError,
  next: YAMLParseError | undefined,
): Partial<SyntaxProblem> {
  if (!/compact mappings/.test(message)) return wrongIndent(text, pos[0], "aligns with nothing above");
  const lineEnd = text.indexOf("\n", pos[0]);
  const isOnOneLine = next?.code !== "MULTILINE_IMPLICIT_KEY" || next.pos[0] !== pos[0];
  if (!isOnOneLine && lineEnd >= 0)
    return wrongIndent(text, lineEnd + 1, "is indented further than the keys above");
  const value = text.slice(pos[0], lineEnd < 0 ? text.length : lineEnd).trim();
  const quoted = JSON.stringify(value);
  return {
    offsets: [pos[0], pos[0] + value.length],
    message: `a text with a colon and a space needs quotes: ${quoted}`,
    suggestion: quoted,
  };
}

/** Points at the first word of a line whose indentation is wrong. */
function wrongIndent(text: string, offset: number, what: string): Partial<SyntaxProblem> {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const start = lineStart + text.slice(lineStart).search(/\S|$/);
  return {
    offsets: [start, wordEnd(text, start)],
    message: `wrong indentation: this line ${what}`,
  };
}

function wordEnd(text: string, start: number): number {
  return start + Math.max(1, text.slice(start).search(/[\s:,]|$/));
}
