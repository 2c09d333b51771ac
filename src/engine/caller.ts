/** The directory (or bundle) that this module was loaded from: frames below it are ours, not the caller's. */
const ownRoot = rootOf(frames(new Error("where this file is").stack)[0]);

/**
 * The `file:line:column` of the consumer's code that led here, for an error message. Undefined where the engine
 * gives no stack or the consumer's code and ours share a bundle.
 */
export function callerOf(stack: string | undefined): string | undefined {
  return frames(stack).find(isCallers);
}

/** So many calls of ours at most lie between a consumer's line and an error. */
const DEEPEST = 60;

/**
 * Has an error's stack trace begin at the consumer's line, which is where the mistake is, instead of inside this package.
 * Nothing changes where the consumer's line
 * cannot be told.
 */
export function beginAtCaller<E extends Error>(error: E): E {
  const usual = Error.stackTraceLimit;
  // by default V8 keeps ten lines, which may all be ours
  Error.stackTraceLimit = DEEPEST;
  Error.captureStackTrace?.(error);
  const { stack = "", message } = error;
  Error.stackTraceLimit = usual;
  // a message may itself hold what looks like a place
  const headEnd = stack.indexOf(message) + message.length;
  const places = stack.slice(headEnd).split("\n").slice(1);
  const first = places.findIndex((line) => frames(line).some(isCallers));
  if (first >= 0) error.stack = [stack.slice(0, headEnd), ...places.slice(first, first + usual)].join("\n");
  return error;
}

function isCallers(frame: string): boolean {
  return (
    ownRoot !== undefined &&
    !frame.startsWith(ownRoot) &&
    !frame.includes("/node_modules/") &&
    !frame.startsWith("node:")
  );
}

/** Locations of V8's (`at f (url:1:2)`) and of the other engines' (`f@url:1:2`) stack frames. */
function frames(stack: string | undefined): string[] {
  return (stack ?? "")
    .split("\n")
    .flatMap((line) => /(?:\(|at |@)([^()@\s]+:\d+:\d+)\)?\s*$/.exec(line)?.[1] ?? []);
}

/** From the sources this file is `<root>/engine/caller.ts`; bundled, it is somewhere directly in `<root>`. */
function rootOf(frame: string | undefined): string | undefined {
  const file = frame?.replace(/:\d+:\d+$/, "");
  return file?.replace(/engine\/caller\.[jt]s$/, "").replace(/[^/]*\.[cm]?js$/, "");
}
