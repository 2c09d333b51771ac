/** Whose code runs: that of an app in the world that is explored, of one whose world is over, or any other. */
export type CodeOf = "world" | "ended world" | "others";

let tell: () => CodeOf = () => "others";

/** Sets how to tell. Without an exploration, nothing tells an app from other code. */
export function tellCodeBy(of: () => CodeOf): void {
  tell = of;
}

/** Whose code runs now. */
export function whoseCode(): CodeOf {
  return tell();
}
