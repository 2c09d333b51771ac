/** An event that is to be published. */
export interface Unpublished {
  readonly type: string;
  /** The payload, or a function that makes it. */
  readonly data: object | (() => object);
}

/**
 * Puts events of one step into an order that is drawn, in which each record's own events keep theirs: a call is
 * answered before it ends. Those who hang up together may do so in any order.
 * @param next returns a number from 0 (included) to 1 (excluded)
 */
export function shuffled(events: readonly Unpublished[], next: () => number): readonly Unpublished[] {
  const left = [...events];
  const drawn: Unpublished[] = [];
  while (left.length > 0) {
    const first = left.filter(
      (event, index) => !left.slice(0, index).some((other) => goesBefore(other, event)),
    );
    const event = first[Math.floor(next() * first.length)] as Unpublished;
    drawn.push(event);
    left.splice(left.indexOf(event), 1);
  }
  return drawn;
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
