/** The directory (or bundle) that this module was loaded from: frames below it are ours, not the caller's. */
const ownRoot = rootOf(frames(new Error("where this file is").stack)[0]);

/**
 * The `file:line:column` of the consumer's code that led here, for an error message. Undefined where the engine
 * gives no stack or the consumer's code and ours share a bundle.
 */
export function callerOf(stack: string | undefined): string | undefined {
  if (ownRoot === undefined) return undefined;
  return frames(stack).find(
    (frame) => !frame.startsWith(ownRoot) && !frame.includes("/node_modules/") && !frame.startsWith("node:"),
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
