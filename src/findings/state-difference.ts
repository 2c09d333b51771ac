import { treeText, type ValuePart, type ValueTree } from "../core/narration/app-state.ts";

/** Two states, reduced to the parts in which they differ. */
export interface StateDifference {
  /** In the world in which the property fails. */
  readonly fails: string;
  /** In the world in which it holds. */
  readonly holds: string;
}

/** The longest text of a difference. */
const LONGEST = 200;
/** A list with a text of up to this length is shown whole. */
const SHORT_LIST = 80;

/** How much of what two long texts share is shown beside the part in which they differ. */
const CONTEXT = 12;

/** Stands for the parts in which the states are the same. */
const omitted: ValuePart = { key: undefined, value: { text: "…" } };

/** Two values without what they share; undefined if they are the same. */
type Pruned = readonly [fails: ValueTree, holds: ValueTree] | undefined;

/**
 * The parts in which two states differ; undefined if there are none.
 * @param again the state of the passing world when it was run a second time. What differs from the first time, such as
 * random ids, tells nothing
 */
export function stateDifference(
  fails: ValueTree,
  holds: ValueTree,
  again: ValueTree | undefined,
): StateDifference | undefined {
  const pruned = prune(fails, holds, again ?? holds);
  return pruned && { fails: shortText(pruned[0]), holds: shortText(pruned[1]) };
}

function isSameTree(one: ValueTree, other: ValueTree): boolean {
  if (one.text !== other.text || one.parts?.length !== other.parts?.length) return false;
  return (one.parts ?? []).every(({ key, value }, index) => {
    const there = other.parts?.[index];
    return there !== undefined && key === there.key && isSameTree(value, there.value);
  });
}

/** A state as text of a length that can be read. */
export function shortText(state: ValueTree): string {
  const text = treeText(state);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function prune(fails: ValueTree, holds: ValueTree, again: ValueTree): Pruned {
  if (isSameTree(fails, holds)) return undefined;
  if (fails.parts === undefined || holds.parts === undefined || fails.text !== holds.text)
    return isSameTree(holds, again) ? withoutShared(fails, holds) : undefined;
  const third = again.text === holds.text ? (again.parts ?? holds.parts) : holds.parts;
  const isKeyed = [...fails.parts, ...holds.parts].every(({ key }) => key !== undefined);
  const areKeysSteady = keysText(holds.parts) === keysText(third);
  const pruned =
    isKeyed && areKeysSteady
      ? pruneByKey(fails.parts, holds.parts, third)
      : pruneByPlace(fails.parts, holds.parts, third);
  return pruned && [withParts(fails, pruned[0]), withParts(holds, pruned[1])];
}

/** Two texts without most of what they share at their beginnings and ends, if that is long. */
function withoutShared(fails: ValueTree, holds: ValueTree): readonly [ValueTree, ValueTree] {
  const [one, other] = [fails.text, holds.text];
  if (fails.parts !== undefined || holds.parts !== undefined) return [fails, holds];
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const cut = ({ text }: ValueTree): ValueTree => {
    const from = start > 2 * CONTEXT ? start - CONTEXT : 0;
    const to = text.length - (end > 2 * CONTEXT ? end - CONTEXT : 0);
    return { text: (from > 0 ? '"…' : "") + text.slice(from, to) + (to < text.length ? '…"' : "") };
  };
  return [cut(fails), cut(holds)];
}

function withParts({ text }: ValueTree, parts: readonly ValuePart[]): ValueTree {
  return { text, parts };
}

function keysText(parts: readonly ValuePart[]): string {
  return parts.map(({ key }) => key).join("\n");
}

type PrunedParts = readonly [fails: readonly ValuePart[], holds: readonly ValuePart[]] | undefined;

function pruneByKey(
  fails: readonly ValuePart[],
  holds: readonly ValuePart[],
  again: readonly ValuePart[],
): PrunedParts {
  const indexParts = (parts: readonly ValuePart[]) => new Map(parts.map(({ key, value }) => [key, value]));
  const [inFails, inHolds, inAgain] = [indexParts(fails), indexParts(holds), indexParts(again)];
  const kept: [ValuePart[], ValuePart[]] = [[], []];
  for (const key of new Set([...inHolds.keys(), ...inFails.keys()])) {
    const [one, other] = [inFails.get(key), inHolds.get(key)];
    const pruned = one && other && prune(one, other, inAgain.get(key) ?? other);
    if (one !== undefined && other !== undefined && pruned === undefined) continue;
    const [ofFails, ofHolds] = pruned ?? [one, other];
    if (ofFails !== undefined) kept[0].push({ key, value: ofFails });
    if (ofHolds !== undefined) kept[1].push({ key, value: ofHolds });
  }
  if (kept[0].length + kept[1].length === 0) return undefined;
  return [withOmitted(kept[0], fails), withOmitted(kept[1], holds)];
}

/** Lists, sets, and what has other keys in each world, such as random ids. */
function pruneByPlace(
  fails: readonly ValuePart[],
  holds: readonly ValuePart[],
  again: readonly ValuePart[],
): PrunedParts {
  if (fails.length !== holds.length) {
    const isSteady = isSameTree({ text: "[]", parts: holds }, { text: "[]", parts: again });
    return isSteady && isShort(fails, holds) ? [fails, holds] : pruneEnds(fails, holds, again);
  }
  const kept: [ValuePart[], ValuePart[]] = [[], []];
  for (const [index, { key, value }] of fails.entries()) {
    const there = holds[index] as ValuePart;
    const pruned = prune(value, there.value, again[index]?.value ?? there.value);
    if (pruned === undefined) continue;
    const isSteady = again[index]?.key === there.key;
    kept[0].push({ key: isSteady ? key : "…", value: pruned[0] });
    kept[1].push({ key: isSteady ? there.key : "…", value: pruned[1] });
  }
  if (kept[0].length === 0) return undefined;
  if (again.length === holds.length && isShort(fails, holds) && hasOnlyTexts(fails)) return [fails, holds];
  return [withOmitted(kept[0], fails), withOmitted(kept[1], holds)];
}

function isShort(...lists: (readonly ValuePart[])[]): boolean {
  return lists.every((parts) => treeText({ text: "[]", parts }).length <= SHORT_LIST);
}

function hasOnlyTexts(parts: readonly ValuePart[]): boolean {
  return parts.every(({ value }) => value.parts === undefined);
}

/** Lists of different lengths without the parts at which both begin and end. */
function pruneEnds(
  fails: readonly ValuePart[],
  holds: readonly ValuePart[],
  again: readonly ValuePart[],
): PrunedParts {
  const second = again.length === holds.length ? again : holds;
  const isSame = (one: ValuePart | undefined, other: ValuePart | undefined, third: ValuePart | undefined) =>
    one !== undefined &&
    other !== undefined &&
    prune(one.value, other.value, third?.value ?? other.value) === undefined;
  let start = 0;
  while (isSame(fails[start], holds[start], second[start])) start++;
  let end = 0;
  const most = Math.min(fails.length, holds.length) - start;
  while (end < most && isSame(fails.at(-1 - end), holds.at(-1 - end), second.at(-1 - end))) end++;
  // what is by chance in one of the entries is so in the others
  const nearby = Math.min(start, holds.length - 1);
  const middle = (parts: readonly ValuePart[]) => [
    ...(start > 0 ? [omitted] : []),
    ...parts
      .slice(start, parts.length - end)
      .map((each) => withoutUnsteady(each, holds[nearby], second[nearby])),
    ...(end > 0 ? [omitted] : []),
  ];
  return [middle(fails), middle(holds)];
}

/** An entry without what differs between two runs of the passing world in another one. */
function withoutUnsteady(
  { key, value }: ValuePart,
  one: ValuePart | undefined,
  other: ValuePart | undefined,
): ValuePart {
  if (one === undefined || other === undefined) return { key, value };
  return { key: one.key === other.key ? key : "…", value: steadyValue(value, one.value, other.value) };
}

function steadyValue(value: ValueTree, one: ValueTree, other: ValueTree): ValueTree {
  if (isSameTree(one, other)) return value;
  if (value.parts === undefined || one.parts === undefined) return omitted.value;
  const named = (parts: readonly ValuePart[] | undefined, key: string | undefined) =>
    key === undefined ? undefined : parts?.find((each) => each.key === key);
  const parts = value.parts.map((each) =>
    withoutUnsteady(each, named(one.parts, each.key), named(other.parts, each.key)),
  );
  return { ...value, parts };
}

function withOmitted(kept: readonly ValuePart[], all: readonly ValuePart[]): readonly ValuePart[] {
  return kept.length < all.length ? [...kept, omitted] : kept;
}
