import { dirname, join } from "node:path/posix";

/**
 * A page of the package links to pages and pictures that only the repository and the site have. In the package such a link is its
 * text, and such a picture is left out.
 */

/** A block of code, code within text, or a link or picture, of which the groups are `!`, the text and the target. */
const codeOrLink =
  /^```[\s\S]*?^```$|`+[^`\n]+`+|(!?)\[((?:[^[\]`]|`[^`\n]*`|\[[^\]]*\])*)\]\(([^()\s]+)\)/gm;
/** A picture in HTML, with others of other sizes or colours. */
const pictures = /<picture>[\s\S]*?<\/picture>\n?/g;
const addresses = /\b(?:src|srcset|href)="([^"]+)"/g;

/**
 * The text of a packed page without links that lead to nothing.
 * @param path the page's path in the package
 * @param files the paths of all files of the package
 */
export function withoutDeadLinks(path: string, text: string, files: ReadonlySet<string>): string {
  const isDead = (target: string) => !isPacked(path, target, files);
  return text
    .replaceAll(pictures, (block) =>
      [...block.matchAll(addresses)].some(([, target = ""]) => isDead(target)) ? "" : block,
    )
    .replaceAll(codeOrLink, (whole, mark: string | undefined, shown: string | undefined, target = "") => {
      if (shown === undefined || !isDead(target)) return whole;
      return mark === "!" ? "" : shown;
    });
}

/** The relative links of a file of the package, be it Markdown, HTML or a declaration, that lead to nothing. */
export function deadLinks(path: string, text: string, files: ReadonlySet<string>): string[] {
  const targets = path.endsWith(".html")
    ? // what scripts write are no links yet
      [...text.replaceAll(/<script\b[\s\S]*?<\/script>/g, "").matchAll(addresses)].map(([, to = ""]) => to)
    : [
        ...[...text.matchAll(codeOrLink)].flatMap(([, , , to]) => to ?? []),
        ...[...text.matchAll(addresses)].map(([, to = ""]) => to),
      ];
  return targets.filter((target) => !isPacked(path, target, files));
}

/** Whether a link leads to a file or folder of the package, to a place on its own page, or elsewhere on the web. */
function isPacked(path: string, target: string, files: ReadonlySet<string>): boolean {
  if (/^([a-z][a-z+.-]*:|#)/i.test(target)) return true;
  const decoded = decodedPath(target.replace(/[#?].*$/, ""));
  if (decoded === undefined) return false;
  const to = join(dirname(path), decoded).replace(/\/$/, "");
  return files.has(to) || [...files].some((file) => file.startsWith(`${to}/`));
}

/** Undefined for a target that is no address, such as `%zz.md`. */
function decodedPath(target: string): string | undefined {
  try {
    return decodeURI(target);
  } catch {
    return undefined;
  }
}
