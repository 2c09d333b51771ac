/** Parts of pages in Markdown. */

/** A fenced block of code. */
export function fenced(info: string, code: string): string {
  return `\`\`\`${info}\n${code.trimEnd()}\n\`\`\``;
}

/** The anchor that GitHub gives a heading. */
export function headingAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}
