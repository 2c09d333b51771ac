/** The directory or bundle of this package: frames in it are ours, not the caller's. */
const ownRoot = rootOf(frames(new Error("where this file is").stack)[0]);

/**
 * Finds the `file:line:column` of the consumer's code that led here, for an error message. Undefined if the engine
 * gives no stack, or the consumer's code and ours share a bundle.
 */
export function callerOf(stack: string | undefined): string | undefined {
  return frames(stack).find(isCallers);
}

/** How many frames of ours may lie between the consumer's line and the error. */
const DEEPEST = 60;

/**
 * Makes an error's stack trace begin at the consumer's line, where the mistake is, instead of inside this package.
 * Does nothing if that line cannot be found.
 */
export function beginAtCaller<E extends Error>(error: E): E {
  const usual = Error.stackTraceLimit;
  // V8 keeps ten frames by default, which may all be ours
  Error.stackTraceLimit = DEEPEST;
  Error.captureStackTrace?.(error);
  const { stack = "", message } = error;
  Error.stackTraceLimit = usual;
  // a message may contain text that looks like a frame
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

/** The locations in a stack: V8 writes `at f (url:1:2)`, other engines `f@url:1:2`. */
function frames(stack: string | undefined): string[] {
  return (stack ?? "")
    .split("\n")
    .flatMap((line) => /(?:\(|at |@)([^()@\s]+:\d+:\d+)\)?\s*$/.exec(line)?.[1] ?? []);
}

/**
 * The root of this package. In the sources this file is `<root>/engine/caller.ts`; in a bundle it is directly in
 * `<root>`.
 */
function rootOf(frame: string | undefined): string | undefined {
  const file = frame?.replace(/:\d+:\d+$/, "");
  return file?.replace(/engine\/caller\.[jt]s$/, "").replace(/[^/]*\.[cm]?js$/, "");
}
