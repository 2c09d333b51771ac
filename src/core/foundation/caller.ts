/** `at f (url:1:2)`, or `f@url:1:2` in other engines than V8. A folder's name may have spaces and brackets. */
const FRAME = /^(?:\s*at (?:async )?(?:.*? \()?|[^@]*@)(\S(?:(?!\), ).)*:\d+:\d+)\)?\s*$/;

/** The directory or bundle of this package: frames in it are ours, not the caller's. */
const ownRoot = rootOf(new Error("where this file is").stack);

/**
 * Finds the `file:line:column` of the consumer's code that led here, for an error message. Undefined if the engine
 * gives no stack, or the consumer's code and ours share a bundle.
 */
export function callerOf(stack: string | undefined): string | undefined {
  return frames(stack).find(isCallerFrame);
}

/** The most frames that are searched for the consumer's line. */
const MOST_FRAMES = 60;

/**
 * Makes an error's stack trace begin at the consumer's line, where the mistake is, instead of inside this package.
 * Does nothing if that line cannot be found.
 */
export function beginAtCaller<E extends Error>(error: E): E {
  // V8 keeps ten frames by default, which may all be ours
  const { stack = "", message } = withStackLimit(MOST_FRAMES, () => {
    Error.captureStackTrace?.(error);
    return error;
  });
  // a message may contain text that looks like a frame
  const headEnd = stack.indexOf(message) + message.length;
  return withFrames(error, stack.slice(0, headEnd), stack.slice(headEnd));
}

/**
 * Makes the stack trace of an error that came later begin at the consumer's line that `stackHere` was called from. Whoever
 * does not await what throws it is in no stack by then. Does nothing if that line cannot be found.
 * @param stack of `stackHere`
 */
export function beginAt<E extends Error>(error: E, stack: string): E {
  return withFrames(error, `${error.name}: ${error.message}`, stack);
}

/** Gives an error its head and the frames of a stack from the consumer's first one on. */
function withFrames<E extends Error>(error: E, head: string, stack: string): E {
  const frameLines = stack.split("\n").slice(1);
  const first = frameLines.findIndex((line) => frames(line).some(isCallerFrame));
  if (first >= 0) error.stack = [head, ...frameLines.slice(first, first + Error.stackTraceLimit)].join("\n");
  return error;
}

/** The stack of the code that calls, deep enough for the consumer's frames below ours. */
export function stackHere(): string {
  return withStackLimit(MOST_FRAMES, () => new Error("here")).stack ?? "";
}

/** Makes an error that may have so many frames. Where `Error` is frozen, it has as many as others. */
export function withStackLimit<E extends Error>(frames: number, make: () => E): E {
  const { stackTraceLimit } = Error;
  Reflect.set(Error, "stackTraceLimit", frames);
  const error = make();
  Reflect.set(Error, "stackTraceLimit", stackTraceLimit);
  return error;
}

/** The line of the innermost frame of a stack that is in a file; undefined if none is. @param file its path */
export function lineIn(stack: string | undefined, file: string): number | undefined {
  const [path, ...found] = [file, ...frames(stack)].map((each) =>
    each.replace(/^file:\/\/(?:\/(?=[A-Za-z]:))?/, "").replaceAll("\\", "/"),
  );
  const frame = found.find((each) => each.replace(/:\d+:\d+$/, "") === path);
  return frame === undefined ? undefined : Number(/:(\d+):\d+$/.exec(frame)?.[1]);
}

function isCallerFrame(frame: string): boolean {
  return ownRoot !== undefined && !frame.startsWith(ownRoot) && !/^node:|[/\\]node_modules[/\\]/.test(frame);
}

/** The locations in a stack. */
function frames(stack: string | undefined): string[] {
  return (stack ?? "").split("\n").flatMap((line) => FRAME.exec(line)?.[1] ?? []);
}

/**
 * The root of this package. In the sources this file is `<root>/core/foundation/caller.ts`; in a bundle it is directly in
 * `<root>`.
 */
export function rootOf(stack: string | undefined): string | undefined {
  const file = frames(stack)[0]?.replace(/:\d+:\d+$/, "");
  return file?.replace(/core[/\\]foundation[/\\]caller\.[jt]s$/, "").replace(/[^/\\]*\.[cm]?js$/, "");
}
