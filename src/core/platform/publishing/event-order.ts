/** An event that is to be published. */
export interface Unpublished {
  readonly type: string;
  /** The payload, or a function that makes it. */
  readonly data: object | (() => object);
}

/**
 * Puts events of one step into another order, in which each record's own events keep theirs: a call is answered
 * before it ends. Those who hang up together may do so in any order.
 * @param choose chooses among so many events that may come next: 0 is the one that usually comes first
 */
export function reordered(
  events: readonly Unpublished[],
  choose: (count: number) => number,
): readonly Unpublished[] {
  const left = [...events];
  const chosen: Unpublished[] = [];
  while (left.length > 0) {
    const next = left.filter(
      (event, index) => !left.slice(0, index).some((other) => goesBefore(other, event)),
    );
    const event = next[choose(next.length)] as Unpublished;
    chosen.push(event);
    left.splice(left.indexOf(event), 1);
  }
  return chosen;
}

/** Whether the first of two events comes before the second in any order. */
function goesBefore(one: Unpublished, other: Unpublished): boolean {
  if (one.type === "call.hungup" && other.type === "call.hungup") return false;
  const record = recordOf(one);
  return record !== undefined && record === recordOf(other);
}

/** The id of the record that an event is about; undefined if its type names none. */
function recordOf({ type, data }: Unpublished): string | undefined {
  const [family = ""] = type.split(".");
  const about = typeof data === "function" ? data() : data;
  const record = (about as Readonly<Record<string, { readonly id?: string } | undefined>>)[family];
  return record?.id;
}
