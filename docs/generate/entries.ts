/** The entries that consumers import, and their files. */
export const entries: Readonly<Record<string, string>> = {
  ringback: "src/index.ts",
  "ringback/vitest": "src/vitest/index.ts",
  "ringback/explore": "src/explore/index.ts",
  "ringback/import": "src/import/index.ts",
  "ringback/phone-numbers": "src/phone-numbers/index.ts",
  "ringback/jest": "src/jest/index.ts",
  "ringback/msw": "src/msw/index.ts",
  "ringback/node": "src/node/index.ts",
  "ringback/inspect": "src/inspect/index.ts",
  "ringback/machines": "machines/index.ts",
};
