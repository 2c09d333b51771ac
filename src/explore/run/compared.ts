/** What the ready-made properties of one kind of app compared with the platform's records. */
export interface ComparedRows {
  /** What the app shows: `call log` or `wallboard`. */
  readonly of: string;
  /** The columns whose values were compared in at least one world. */
  readonly compared: readonly string[];
  /** Columns that could be compared, and that no row had in any world. */
  readonly absent: readonly string[];
  /** Columns with a value that cannot be compared: the first such value of each, and why. */
  readonly uncomparable: readonly { readonly column: string; readonly because: string }[];
  /** Other columns, of which nothing is known. */
  readonly ignored: readonly string[];
}

/** What one property compared in one world. */
export type PropertyComparison = Pick<ComparedRows, "of"> &
  Partial<Omit<ComparedRows, "absent">> & {
    /** The columns that this property compares, if a row has them. */
    readonly columns: readonly string[];
  };

/** Marks what a property returns. By a shared key, as an app may load another copy of this package. */
const comparisonKey = Symbol.for("ringback.comparison");

/** What a property returns that holds, and that says what it compared. */
export function holds(comparison: PropertyComparison): object {
  return { [comparisonKey]: comparison };
}

/** What a property compared; undefined if it does not say. @param returned what it returned */
export function comparisonOf(returned: unknown): PropertyComparison | undefined {
  if (typeof returned !== "object" || returned === null) return undefined;
  return (returned as { readonly [comparisonKey]?: PropertyComparison })[comparisonKey];
}

/** Collects comparisons, of one world or of several. */
export class ComparisonCollector {
  private readonly found = new Map<string, ComparedRows>();

  get all(): readonly ComparedRows[] {
    return [...this.found.values()];
  }

  add({ of, columns, compared = [], uncomparable = [], ignored = [] }: PropertyComparison): void {
    const absent = columns.filter(
      (each) => !compared.includes(each) && !uncomparable.some(({ column }) => column === each),
    );
    this.merge({ of, compared, absent, uncomparable, ignored });
  }

  merge(more: ComparedRows): void {
    const { of } = more;
    const known = this.found.get(of);
    if (known === undefined) {
      this.found.set(of, more);
      return;
    }
    const compared = union(known.compared, more.compared);
    const uncomparable = [
      ...known.uncomparable,
      ...more.uncomparable.filter(({ column }) => !known.uncomparable.some((each) => each.column === column)),
    ];
    const isPresent = (column: string) =>
      compared.includes(column) || uncomparable.some((each) => each.column === column);
    this.found.set(of, {
      ...{ of, compared, uncomparable, ignored: union(known.ignored, more.ignored) },
      absent: union(known.absent, more.absent).filter((column) => !isPresent(column)),
    });
  }
}

const union = (some: readonly string[], others: readonly string[]) => [...new Set([...some, ...others])];

/** How many ignored columns a report names. */
const NAMED_COLUMNS = 5;

/** `compared in the call log: callId, answered; in no row: users; ignored: title`. */
export function comparedText({ of, compared, absent, uncomparable, ignored }: ComparedRows): string {
  const named = ignored.slice(0, NAMED_COLUMNS).join(", ");
  const more = ignored.length - NAMED_COLUMNS;
  return [
    `compared in the ${of}: ${compared.join(", ") || "nothing"}`,
    ...uncomparable.map(({ column, because }) => `not compared: ${column}, ${because}`),
    ...(absent.length === 0 ? [] : [`not there: ${absent.join(", ")}`]),
    ...(ignored.length === 0 ? [] : [`ignored: ${named}${more > 0 ? ` and ${more} more` : ""}`]),
  ].join("; ");
}
