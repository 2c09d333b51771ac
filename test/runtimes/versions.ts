/** The major versions of each optional peer that `npm run prove:runtimes` tries. `package.json` allows these, which a test checks. */
export const peers = { jest: [29, 30], msw: [2, 3], vitest: [3, 4, 5] } as const;
