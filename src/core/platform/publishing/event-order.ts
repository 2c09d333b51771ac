/** An event that is to be published. */
export interface Unpublished {
  readonly type: string;
  /** The payload, or a function that makes it. */
  readonly data: object | (() => object);
}

/**
 * Puts events of one step into another order. The events of one record keep their order, since a call is answered
 * before it ends, except that parties who hang up together may do so in any order.
 * @param choose gets how many events may come next and returns the index of one; 0 is the usual next
 */
export function reorderEvents(
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
  const record = findRecordId(one);
  return record !== undefined && record === findRecordId(other);
}

/** The id of the record that an event is about; undefined if its type names none. */
function findRecordId({ type, data }: Unpublished): string | undefined {
  const [family = ""] = type.split(".");
  const about = typeof data === "function" ? data() : data;
  const record = (about as Readonly<Record<string, { readonly id?: string } | undefined>>)[family];
  return record?.id;
}
