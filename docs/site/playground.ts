import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type BuiltPage, policySource } from "../../src/inspector/build/page.ts";
import { fillTemplate } from "../../src/inspector/fill.ts";

/** The playground as a page of the site, to which each lesson links. */
export const PLAYGROUND = "playground.html";
const data = { version: 1, mode: "play", title: "Playground", runs: [], site: "" } as const;

/** The inspector's page as a playground, in the fonts of the site. @throws if the page has no place for fonts */
export async function playgroundPage({ template, ...parts }: BuiltPage): Promise<string> {
  const fonts = await fontStyle();
  const withFonts = replaceOnce(template, "style-src ", `font-src 'self'; style-src ${policySource(fonts)} `);
  const page = replaceOnce(withFonts, "</style></head>", `</style><style>${fonts}</style></head>`);
  return fillTemplate(page, data, parts);
}

/** Names the fonts' files, which the site has beside its pages. */
async function fontStyle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("theme/style/fonts.css", import.meta.url))],
    outdir: "out",
    ...{ bundle: true, minify: true, write: false },
    loader: { ".woff2": "file" },
    assetNames: "fonts/[name]",
  });
  const style = outputFiles.find(({ path }) => path.endsWith(".css"));
  if (style === undefined) throw new Error("esbuild wrote no style sheet of the fonts");
  return style.text.trim();
}

function replaceOnce(text: string, from: string, to: string): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`the inspector's page has "${from}" ${parts.length - 1} times`);
  return parts.join(to);
}
