import { analysisMachine } from "../../../../machines/analysis.ts";
import type { AnalysisRecord } from "../../generated/records.ts";
import { Table } from "../../records/table.ts";
import { belongsTo, definePart, ownMachine } from "./define-part.ts";

/** What is found in recordings. */
export const analysisPart = definePart({
  tables: { analysis: () => new Table<AnalysisRecord>() },
  machines: {
    analysis: ownMachine({
      machine: analysisMachine,
      about: belongsTo(),
      facts: "shown elsewhere",
      timers: { analysis: { subject: "the analysis", verb: "is done" } },
    }),
  },
  timing: {
    /** From the end of the call to `content_analysis.completed`. For a job made through the API, from its creation. */
    contentAnalysisCompleted: 60_000,
  },
});
