import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { colours, lookTokens } from "../../src/look/tokens.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const styles = ["src", "docs/site/theme"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".css"))
    .map((path) => ({ path: join(folder, path), text: readFileSync(join(root, folder, path), "utf8") })),
);

/** How bright a colour is, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const part = Number.parseInt(colour.slice(from, from + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
}

type Name = keyof typeof colours;
const lowest = (text: Name, grounds: readonly Name[]) =>
  Math.min(
    ...[0, 1].flatMap((theme) =>
      grounds.map((ground) => contrast(colours[text][theme] ?? "", colours[ground][theme] ?? "")),
    ),
  );

describe("the colours of everything that is drawn", () => {
  const grounds = ["panel", "bg", "raised", "sunken", "sel"] as const;

  test("are read well as text on every ground, in light and in the dark", () => {
    const notText = /^(bg|panel|raised|sunken|hover|line2?|edge|sel|band|accent-ink|.*-bg)$/;
    const texts = (Object.keys(colours) as Name[]).filter((name) => !notText.test(name));
    expect(texts).toContain("failed");
    expect(texts.filter((name) => lowest(name, grounds) < 4.5)).toEqual([]);
  });

  test("are read well on the tint behind them and on a button", () => {
    const pairs = {
      failed: "failed-bg",
      answer: "ok-bg",
      retry: "retry-bg",
      lost: "lost-bg",
      add: "add-bg",
      change: "change-bg",
      "accent-ink": "accent",
    } as const;
    const low = Object.entries(pairs).filter(([text, ground]) => lowest(text as Name, [ground]) < 4.5);
    expect(low).toEqual([]);
  });

  test("show the outline of a control that has nothing else", () => {
    expect(lowest("edge", ["panel", "bg", "raised", "sunken"])).toBeGreaterThanOrEqual(3);
  });

  test("are named nowhere else in a style sheet", () => {
    const named = styles.flatMap(({ path, text }) =>
      [...text.matchAll(/#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(/gi)]
        // a mask needs black, and a gradient ends in nothing
        .filter(([colour]) => !["#000", "#0000"].includes(colour))
        .map(([colour]) => `${path}: ${colour}`),
    );
    expect(named).toEqual([]);
  });
});

test("style sheets use only variables that are declared", () => {
  const declared = new Set(
    [lookTokens, ...styles.map(({ text }) => text), ...setByScripts()].flatMap((text) =>
      [...text.matchAll(/(--[\w-]+)["'\]]*\s*:/g)].map(([, name]) => name),
    ),
  );
  const unknown = styles.flatMap(({ path, text }) =>
    // one that has a fallback may be set or not
    [...text.matchAll(/var\((--[\w-]+)\)/g)]
      .filter(([, name]) => !declared.has(name))
      .map(([, name]) => `${path}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

/** The sources of the pages, which set variables of their own: `style={{ "--lanes": count }}`. */
function setByScripts(): string[] {
  return ["src/inspector/view", "docs/site"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => /\.tsx?$|\.liquid$/.test(path))
      .map((path) => readFileSync(join(root, folder, path), "utf8")),
  );
}
