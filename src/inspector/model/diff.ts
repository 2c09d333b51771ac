/** A value as a tree, with its changes since another version. */
export interface DiffNode {
  readonly key: string;
  readonly kind: "object" | "array" | "text" | "number" | "other";
  /** For a leaf, its JSON text; for an object, its name or the number of its fields. */
  readonly text: string;
  /** For a changed leaf, the JSON text of the other version. */
  readonly old: string | undefined;
  readonly change: "same" | "changed" | "added" | "removed";
  /** Whether it or something in it changed. */
  readonly isTouched: boolean;
  readonly children: readonly DiffNode[];
}

/** Hides fields that change with every version, and the numeric twin of each date. */
const alwaysChanges = (key: string) => key.startsWith("lastModified") || /[a-z]Timestamp$/.test(key);

/** @param before the other version; undefined to show only the value */
export function diffTree(key: string, value: unknown, before?: unknown): DiffNode {
  if (typeof value !== "object" || value === null) return diffLeaf(key, value, before);
  const isArray = Array.isArray(value);
  const isSameKind = typeof before === "object" && before !== null && Array.isArray(before) === isArray;
  const old: Readonly<Record<string, unknown>> = isSameKind ? { ...before } : {};
  const isNew = before !== undefined && !isSameKind;
  const own = Object.entries(value).map(([name, part]) => {
    if (before === undefined || isNew) return diffTree(name, part);
    if (!Object.hasOwn(old, name)) return markAdded(diffTree(name, part));
    return alwaysChanges(name) ? diffTree(name, part) : diffTree(name, part, old[name] ?? null);
  });
  const removed = Object.keys(old)
    .filter((name) => !Object.hasOwn(value, name) && !alwaysChanges(name))
    .map((name): DiffNode => ({ ...diffTree(name, old[name]), change: "removed", isTouched: true }));
  const children = [...own, ...removed];
  return {
    key,
    kind: isArray ? "array" : "object",
    text: writeLabel(value, own.length, isArray),
    old: undefined,
    change: isNew ? "added" : "same",
    isTouched: isNew || children.some((each) => each.isTouched),
    children,
  };
}

/** Counts the changed lines of a tree. */
export function countChanges(node: DiffNode): number {
  if (node.change !== "same") return 1;
  return node.children.reduce((sum, each) => sum + countChanges(each), 0);
}

function markAdded(node: DiffNode): DiffNode {
  return { ...node, change: "added", isTouched: true };
}

function diffLeaf(key: string, value: unknown, before: unknown): DiffNode {
  const text = JSON.stringify(value) ?? "undefined";
  const wasObject = typeof before === "object" && before !== null;
  const old =
    before === undefined
      ? undefined
      : wasObject
        ? writeLabel(before, Object.keys(before).length, Array.isArray(before))
        : JSON.stringify(before);
  const isChanged = old !== undefined && old !== text;
  const kind = typeof value === "string" ? "text" : typeof value === "number" ? "number" : "other";
  return {
    key,
    kind,
    text,
    old: isChanged ? old : undefined,
    change: isChanged ? "changed" : "same",
    isTouched: isChanged,
    children: [],
  };
}

function writeLabel(value: object, count: number, isArray: boolean): string {
  if (isArray) return `[${count}]`;
  const { displayName, name, endpoint } = value as Partial<Record<string, unknown>>;
  const who = [displayName, name, endpoint].find((each) => typeof each === "string" && each !== "");
  return who === undefined ? `{${count}}` : `{${who}}`;
}
