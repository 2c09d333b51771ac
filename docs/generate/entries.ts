/** The entries that consumers import, and their files. */
export const entries: Readonly<Record<string, string>> = {
  ringback: "src/index.ts",
  "ringback/vitest": "src/testing/vitest/index.ts",
  "ringback/explore": "src/explore/index.ts",
  "ringback/import": "src/capture/index.ts",
  "ringback/phone-numbers": "src/phone-numbers/index.ts",
  "ringback/jest": "src/testing/jest/index.ts",
  "ringback/node-test": "src/testing/node-test/index.ts",
  "ringback/msw": "src/testing/msw/index.ts",
  "ringback/node": "src/server/index.ts",
  "ringback/inspect": "src/inspector/index.ts",
  "ringback/machines": "machines/index.ts",
};
