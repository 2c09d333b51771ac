/** Something that lasts from a row to a row. */
interface Lasting {
  readonly fromRow: number;
  readonly toRow: number;
}

/** So many rows share a list. */
const BLOCK = 256;

/** What lasts from the first to the last of some rows. */
export type Finding<T> = (firstRow: number, lastRow: number) => T[];

/**
 * Finds what lasts at some of the rows, without a look at all there is: a long run has tens of thousands.
 * @returns from the first to the last row, in the order given
 */
export function lasting<T extends Lasting>(all: readonly T[]): Finding<T> {
  const blocks: number[][] = [];
  all.forEach(({ fromRow, toRow }, place) => {
    for (let block = Math.floor(fromRow / BLOCK); block <= Math.floor(toRow / BLOCK); block++) {
      blocks[block] ??= [];
      blocks[block]?.push(place);
    }
  });
  return (firstRow, lastRow) => {
    const places = new Set<number>();
    for (let block = Math.floor(firstRow / BLOCK); block <= Math.floor(lastRow / BLOCK); block++)
      for (const place of blocks[block] ?? []) places.add(place);
    return [...places]
      .sort((a, b) => a - b)
      .flatMap((place) => {
        const each = all[place];
        return each !== undefined && each.fromRow <= lastRow && each.toRow >= firstRow ? [each] : [];
      });
  };
}
