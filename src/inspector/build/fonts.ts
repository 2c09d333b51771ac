import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";

/** The fonts that each page has with it, so that it looks the same everywhere: the letters that pages use, and no others. */

/** ASCII, the punctuation of our texts, and the letters of names in English and the languages of western Europe. */
const latin = `${Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("")} ·×–—‘’“”…−éèêëàâäáãåçíîïñóôöøõúûüßæœÉÀÄÅÖØÜÇÑ`;

/** The further letters of names in Māori. */
const macrons = "āēīōūĀĒĪŌŪ";

interface Font {
  readonly family: string;
  readonly file: string;
  readonly letters: string;
  /** Inter has all weights of the pages; code has one, and browsers embolden it. */
  readonly weight: { readonly min: number; readonly max: number } | number;
  /** Whether it draws `->` as one sign. Pages show code letter by letter, so its signs are left out. */
  readonly hasLigatures?: true;
}

const inter = { family: "Inter", weight: { min: 400, max: 700 } };
const mono = { family: "JetBrains Mono", weight: 400, hasLigatures: true } as const;

const fonts: readonly Font[] = [
  { ...inter, letters: latin, file: "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2" },
  { ...inter, letters: macrons, file: "@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2" },
  {
    ...mono,
    letters: latin,
    file: "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
  },
  {
    ...mono,
    letters: macrons,
    file: "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-ext-wght-normal.woff2",
  },
];

/** Arrows and marks of Inter 4.1 at weight 500, which the package above leaves out: →←⇧✓✗≠▶▼⌫↔. Both families fall back to it. */
const arrows = {
  family: "Ringback Arrows",
  file: fileURLToPath(new URL("./inter-arrows.woff2", import.meta.url)),
};

/** The packages of the fonts, whose licences go with every page. */
export const packagesOfFonts: readonly string[] = [
  ...new Set(fonts.map(({ file }) => file.split("/").slice(0, 2).join("/"))),
];

const require = createRequire(import.meta.url);

/** The rules of a style sheet that hold the fonts. */
export async function fontStyle(): Promise<string> {
  const rules = await Promise.all(
    fonts.map(async ({ family, file, letters, weight, hasLigatures = false }) => {
      const data = await subsetFont(readFileSync(require.resolve(file)), letters, {
        ...{ targetFormat: "woff2", variationAxes: { wght: weight } },
        noLayoutClosure: hasLigatures,
      });
      const weights = typeof weight === "number" ? String(weight) : `${weight.min} ${weight.max}`;
      // a later rule of a family hides an earlier one, where both have no range
      const range = letters === latin ? "" : `unicode-range:${codePoints(letters)};`;
      return fontFace(family, `font-weight:${weights};${range}`, data);
    }),
  );
  return [...rules, fontFace(arrows.family, "", readFileSync(arrows.file))].join("");
}

function fontFace(family: string, more: string, data: Buffer): string {
  return `@font-face{font-family:"${family}";${more}src:url(data:font/woff2;base64,${data.toString("base64")}) format("woff2")}`;
}

function codePoints(letters: string): string {
  return [...letters].map((letter) => `U+${letter.codePointAt(0)?.toString(16)}`).join();
}
