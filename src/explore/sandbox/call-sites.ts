interface CallSite {
  getFileName(): string | null | undefined;
}

/**
 * The files of the code that runs, the caller of this function first; empty where the engine has no call sites.
 * @param frames how many at most
 */
export function callingFiles(frames: number): string[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const holder: { stack?: unknown } = {};
  Error.stackTraceLimit = frames;
  Error.prepareStackTrace = (_, sites: CallSite[]) => sites;
  Error.captureStackTrace?.(holder, callingFiles);
  const { stack } = holder; // made when it is read
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return Array.isArray(stack) ? stack.map((site: CallSite) => site.getFileName() ?? "") : [];
}
