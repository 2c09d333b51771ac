import type { PhonebookHead } from "../../generated/records.ts";
import { Table } from "../../records/table.ts";
import { definePart } from "./define-part.ts";

/** Phonebooks. */
export const phonebooksPart = definePart({
  tables: { phonebooks: () => new Table<PhonebookHead>() },
});
