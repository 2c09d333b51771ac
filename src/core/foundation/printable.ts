/** Control characters, direction marks and line separators. Not the two joiners, which words and emoji need. */
export const unprintable = /(?!\u200c|\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Makes outside text safe to print in one line: escapes unprintable characters as JSON does. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** The same for text of several lines, such as JSON. Keeps line breaks and tabs. */
export function printableLines(text: string): string {
  return text
    .split(/([\n\t])/)
    .map((part) => (part === "\n" || part === "\t" ? part : printable(part)))
    .join("");
}
