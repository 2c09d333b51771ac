/** Something that lasts from one row to another. */
interface Lasting {
  readonly fromRow: number;
  readonly toRow: number;
}

/** How many rows share a list. */
const BLOCK = 256;

/** Finds what lasts at some of the given rows. */
export type Finding<T> = (firstRow: number, lastRow: number) => T[];

/**
 * Makes a function that finds what lasts at some of the rows without looking at everything, since a long run has tens
 * of thousands.
 * @returns a function of the first and the last row, whose results keep the given order
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
