/**
 * What a terminal obeys or a reader cannot see: control characters, direction marks and line separators. Not the two
 * joiners, which words and emoji need.
 */
export const unprintable = /(?!\u200c|\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text from outside in one line, safe to print: what is unprintable is shown by its code, as JSON writes it. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** The same for text of several lines, such as a JSON text, which says the same afterwards. Keeps line breaks and tabs. */
export function printableLines(text: string): string {
  return text
    .split(/([\n\t])/)
    .map((part) => (part === "\n" || part === "\t" ? part : printable(part)))
    .join("");
}
