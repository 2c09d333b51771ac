/** A range of rows, first and last included. */
interface RowRange {
  readonly fromRow: number;
  readonly toRow: number;
}

/** The number of rows in a block. */
const BLOCK = 256;

/** Finds the ranges that overlap the given rows. */
export type FindRanges<T> = (firstRow: number, lastRow: number) => T[];

/**
 * Indexes ranges by blocks of rows, so that a search need not scan all of them: a long run has tens
 * of thousands.
 * @returns a function of the first and the last row, whose results keep the given order
 */
export function indexRanges<T extends RowRange>(all: readonly T[]): FindRanges<T> {
  const blocks: number[][] = [];
  all.forEach(({ fromRow, toRow }, index) => {
    for (let block = Math.floor(fromRow / BLOCK); block <= Math.floor(toRow / BLOCK); block++) {
      blocks[block] ??= [];
      blocks[block]?.push(index);
    }
  });
  return (firstRow, lastRow) => {
    const indexes = new Set<number>();
    for (let block = Math.floor(firstRow / BLOCK); block <= Math.floor(lastRow / BLOCK); block++)
      for (const index of blocks[block] ?? []) indexes.add(index);
    return [...indexes]
      .sort((a, b) => a - b)
      .flatMap((index) => {
        const each = all[index];
        return each !== undefined && each.fromRow <= lastRow && each.toRow >= firstRow ? [each] : [];
      });
  };
}
