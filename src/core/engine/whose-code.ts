/**
 * Whose code runs: that of an app in the world that is explored, of a property that judges it, of an app whose world is over,
 * or any other.
 */
export type CodeOf = "app" | "property" | "ended world" | "others";

let tell: () => CodeOf = () => "others";
let tellDependency = () => false;

/** Sets how to tell. Without an exploration, nothing tells an app from other code. @param isDependency whether a dependency's client runs for the app */
export function tellCodeBy(of: () => CodeOf, isDependency: () => boolean = () => false): void {
  tell = of;
  tellDependency = isDependency;
}

/** Whether the code that runs now belongs to the client of a dependency, which stands for what is elsewhere. */
export function standsForOthers(): boolean {
  return tellDependency();
}

/** Whose code runs now. */
export function whoseCode(): CodeOf {
  return tell();
}

/** Whether it is code of the world that is explored. */
export function isOfWorld(code = whoseCode()): boolean {
  return code === "app" || code === "property";
}

/**
 * How code asks something outside the process: at a place before which it may end; as a part of what it has asked before, such as a
 * statement of a transaction; for what it only reads; or by anything else.
 */
export type UseKind = "place" | "part" | "reading" | "other";

type Decide = (of: string, as: UseKind) => boolean;

let decide: Decide = () => true;
let heardRefusal: () => void = () => {};

/**
 * Sets what decides whether code may ask something outside the process.
 * @param by is told what is asked
 * @param refused is called when code hears of a refusal, as an error of what it has asked
 */
export function letAskBy(by: Decide, refused: () => void): void {
  decide = by;
  heardRefusal = refused;
}

/** Whether the code that runs now may ask: all may, but an app that ends before it does. */
export function mayAsk(of: string, as: UseKind): boolean {
  return decide(of, as);
}

/** The code that runs now hears that it was refused. */
export function noteRefusal(): void {
  heardRefusal();
}
