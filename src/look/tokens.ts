/**
 * The look of everything that is drawn: the site, the inspector and the playground, the pages of failures, and a server's
 * own page. Each colour is declared once, for light and for dark. No other file names a colour.
 */

type Pair = readonly [light: string, dark: string];

/** Colours that say nothing by themselves, from the ground up. `docs/inspector.md` says what the others are for. */
const surfaces = {
  /** Behind panels. */
  bg: ["#f6f7f9", "#0c0d11"],
  /** Where most text stands. */
  panel: ["#ffffff", "#13151a"],
  /** Buttons and what lies above a panel. */
  raised: ["#ffffff", "#1a1d24"],
  /** Code, and whatever lies below a panel. */
  sunken: ["#f3f4f7", "#0f1116"],
  hover: ["#f4f5f8", "#191c22"],
  /** Between panels. */
  line: ["#e4e7ec", "#23272f"],
  /** Around controls that have a label of their own. */
  line2: ["#c9cfd8", "#3a404c"],
  /** Around what has only an outline: a search field, an empty circle, a card. */
  edge: ["#848c9a", "#6b7382"],
} as const satisfies Record<string, Pair>;

const words = {
  text: ["#14171d", "#eceef3"],
  text2: ["#474e5c", "#b4bbc9"],
  text3: ["#5f6777", "#929aab"],
  /** What is chosen, is now, or goes on. Never a kind. */
  accent: ["#4a45d8", "#9a96ff"],
  /** Text on `accent`. */
  "accent-ink": ["#ffffff", "#14171d"],
  /** Behind what is chosen. */
  sel: ["#edeefe", "#20223f"],
  band: ["#4a45d80f", "#9a96ff12"],
} as const satisfies Record<string, Pair>;

/** A colour for each kind of thing that happens. */
const kinds = {
  command: ["#232935", "#e4e7ee"],
  ring: ["#0a62c2", "#69b1ff"],
  answer: ["#08704c", "#45d39c"],
  voicemail: ["#0a6885", "#5fcdec"],
  message: ["#0a6885", "#5fcdec"],
  cards: ["#5a5d12", "#cfd06a"],
  state: ["#8a3a12", "#f0a882"],
  event: ["#6a3fc4", "#b79dff"],
  delivered: ["#0d6a68", "#58c8bf"],
  failed: ["#bf2a12", "#ff7d69"],
  retry: ["#875000", "#f0b04f"],
  lost: ["#a01a6a", "#f78cc7"],
  timer: ["#566071", "#9ba5b7"],
  rest: ["#3c4a9e", "#a7b2ff"],
  unexplained: ["#bf2a12", "#ff7d69"],
} as const satisfies Record<string, Pair>;

/** Behind a verdict, a kind or a difference, with the text that stands on it. */
const tints = {
  "ok-bg": ["#e6f5ee", "#10281f"],
  "failed-bg": ["#fdeeea", "#2c1613"],
  "warn-bg": ["#fdf3df", "#2b2110"],
  "retry-bg": ["#fdf3df", "#2b2110"],
  "lost-bg": ["#fceaf4", "#331327"],
  "add-bg": ["#e6f5ee", "#10281f"],
  add: ["#086543", "#63dbab"],
  "change-bg": ["#fdf3df", "#2b2110"],
  change: ["#7a4700", "#f0bd6a"],
  gone: ["#a8240f", "#ff8b79"],
} as const satisfies Record<string, Pair>;

/** Every colour, by the name of its variable. */
export const colours = { ...surfaces, ...words, ...kinds, ...tints } as const;

/** Sizes of type in px. The app uses 12 to 20, the site up to 46, and lessons on a projector 20 to 44. */
const typeSizes = [12, 13, 14, 16, 18, 20, 22, 24, 30, 32, 44, 46];

/** Other sizes. Spaces are 4, 8, 12, 16, 24, 32, 40 and 72 px. */
const measures = {
  /** Corners of controls, of buttons, of boxes and of windows. */
  radius: "6px",
  "radius-button": "8px",
  "radius-box": "10px",
  "radius-window": "12px",
  /** The height of the header that all pages share. */
  header: "56px",
  shadow: "0 1px 2px light-dark(#14171d12, #0006), 0 8px 28px light-dark(#14171d24, #000a)",
  /** The pages that we write have the first two of each with them (`src/inspector/build/fonts.ts`); other letters come from the system. */
  sans: '"Inter", "Ringback Arrows", -apple-system, BlinkMacSystemFont, "Segoe UI Variable Text", "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif',
  mono: '"JetBrains Mono", "Ringback Arrows", ui-monospace, "SF Mono", SFMono-Regular, Menlo, "Cascadia Mono", Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace',
};

/** The variables of all of it, as CSS. The theme that someone chooses sets `color-scheme` on the root. */
export const lookTokens = [
  ":root {",
  "color-scheme: light dark;",
  ...Object.entries(colours).map(([name, [light, dark]]) => `--${name}: light-dark(${light}, ${dark});`),
  ...typeSizes.map((size) => `--f${size}: ${size}px;`),
  ...Object.entries(measures).map(([name, value]) => `--${name}: ${value};`),
  "}",
].join("\n");
