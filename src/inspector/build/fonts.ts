import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import subsetFont from "subset-font";

/** The fonts that each page has with it, so that it looks the same everywhere: the letters that pages use, and no others. */

/** ASCII, the punctuation of our texts, and the letters of names in English, Māori and the languages of western Europe. */
const letters = `${Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("")} ·×–—‘’“”…→←↑↓éèêëàâäáãåçíîïñóôöøõúûüßæœÉÀÄÅÖØÜÇÑāēīōūĀĒĪŌŪ`;

interface Font {
  readonly family: string;
  readonly file: string;
  /** Inter has all weights of the pages; code has one, and browsers embolden it. */
  readonly weight: { readonly min: number; readonly max: number } | number;
}

const fonts: readonly Font[] = [
  {
    family: "Inter",
    file: "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
    weight: { min: 400, max: 700 },
  },
  {
    family: "JetBrains Mono",
    file: "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
    weight: 400,
  },
];

/** The packages of the fonts, whose licences go with every page. */
export const packagesOfFonts: readonly string[] = fonts.map(({ file }) =>
  file.split("/").slice(0, 2).join("/"),
);

const require = createRequire(import.meta.url);

/** The rules of a style sheet that hold the fonts. */
export async function fontStyle(): Promise<string> {
  const rules = await Promise.all(
    fonts.map(async ({ family, file, weight }) => {
      const whole = readFileSync(require.resolve(file));
      const data = await subsetFont(whole, letters, {
        targetFormat: "woff2",
        variationAxes: { wght: weight },
      });
      const weights = typeof weight === "number" ? String(weight) : `${weight.min} ${weight.max}`;
      return `@font-face{font-family:"${family}";font-weight:${weights};src:url(data:font/woff2;base64,${data.toString("base64")}) format("woff2")}`;
    }),
  );
  return rules.join("");
}
