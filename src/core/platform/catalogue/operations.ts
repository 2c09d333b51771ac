import { recordingOperations } from "../after-call/recording-operations.ts";
import { transcriptOperations } from "../after-call/transcript-operations.ts";
import { analysisOperations, callAnalysisOperations } from "../analysis/operations.ts";
import { callOperations } from "../calls/operations.ts";
import { messageOperations } from "../conversations/operations.ts";
import type { Operation as OperationWith } from "../declare/operation.ts";
import { directoryOperations } from "../directory/operations.ts";
import { locationOperations } from "../locations/operations.ts";
import { phonebookOperations } from "../phonebooks/operations.ts";
import { teamOperations } from "../teams/operations.ts";
import { trunkOperations } from "../trunks/operations.ts";
import { webhookOperations } from "../webhooks/operations.ts";
import type { Services } from "./services.ts";

/** Any operation of the whole API. */
export type Operation = OperationWith<Services>;

/** The whole API. Rules: docs/fidelity/rest.md#endpoints. */
export const operations = [
  ...directoryOperations,
  ...teamOperations,
  ...locationOperations,
  ...phonebookOperations,
  ...trunkOperations,
  ...callOperations,
  ...callAnalysisOperations,
  ...recordingOperations,
  ...transcriptOperations,
  ...analysisOperations,
  ...messageOperations,
  ...webhookOperations,
] satisfies readonly Operation[];
