import { isCollection, isSeq, parseDocument } from "yaml";
import { InputError } from "../foundation/errors.ts";

/** One change of a scenario's text, as RFC 6902 (JSON Patch) writes it. */
export interface PatchOperation {
  /** Whether something is added, removed or replaced. */
  readonly op: "add" | "remove" | "replace";
  /** The place, such as `/steps/1/at`. */
  readonly path: string;
  /** The new value, unless it is removed. */
  readonly value?: unknown;
}

/**
 * Applies a patch to a scenario's text, and removes its expectations, questions and description, which are of another run.
 * @throws {InputError} naming an operation whose place does not exist
 */
export function applyPatch(text: string, patch: readonly PatchOperation[]): string {
  const document = parseDocument(text, { logLevel: "error" });
  for (const key of ["expect", "questions", "description"]) document.delete(key);
  for (const [index, { op, path, value }] of patch.entries()) {
    const keys = path.split("/").slice(1).map(keyOf);
    const parent = document.getIn(keys.slice(0, -1), true);
    // behind the last element of a list, in the words of RFC 6902
    if (op === "add" && isSeq(parent) && keys.at(-1) === "-") keys.splice(-1, 1, parent.items.length);
    const last = keys.at(-1);
    const isPlace =
      op !== "add" ? document.hasIn(keys) : !isSeq(parent) || isIndex(last, parent.items.length);
    if (!isCollection(parent) || !isPlace)
      throw new InputError(["patch", index, "path"], `expected a place in the scenario, got ${path}`);
    const node = document.createNode(value, { flow: true });
    if (op === "remove") document.deleteIn(keys);
    else if (op === "add" && typeof last === "number") parent.items.splice(last, 0, node);
    else document.setIn(keys, node);
  }
  return document.toString({ lineWidth: 0 });
}

/** Whether a list of `length` elements takes an element there. */
const isIndex = (key: unknown, length: number): boolean => typeof key === "number" && key <= length;

/** A key of a map, or a place in a list. */
const keyOf = (part: string): string | number => (/^\d+$/.test(part) ? Number(part) : part);
