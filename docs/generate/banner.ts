/**
 * What every generated file says of itself. A file of JSON has no comments; `.gitattributes` marks it as it marks all others.
 * @param from what to change instead
 */
export function bannerText(from: string): string {
  return `Made from ${from} by \`npm run generate\`. Do not edit.`;
}

/** The first line of a generated page. */
export function banner(from: string): string {
  return `<!-- ${bannerText(from)} -->`;
}

/** The first line of generated code. */
export function codeBanner(from: string): string {
  return `/* ${bannerText(from)} */`;
}
