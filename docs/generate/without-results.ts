/** Runs something that fails on purpose, without writing the files of its failure. */
export async function withoutResults<T>(run: () => T | Promise<T>): Promise<T> {
  const before = process.env.RINGBACK_RESULTS;
  process.env.RINGBACK_RESULTS = "off";
  try {
    return await run();
  } finally {
    if (before === undefined) delete process.env.RINGBACK_RESULTS;
    else process.env.RINGBACK_RESULTS = before;
  }
}
