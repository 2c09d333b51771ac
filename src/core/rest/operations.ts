import type { Services } from "../platform/catalogue/services.ts";
import type { Operation as OperationWith } from "./operation.ts";
import { analysisOperations, callAnalysisOperations } from "./resources/analysis.ts";
import { callOperations } from "./resources/calls.ts";
import { directoryOperations } from "./resources/directory.ts";
import { locationOperations } from "./resources/locations.ts";
import { messageOperations } from "./resources/messages.ts";
import { phonebookOperations } from "./resources/phonebooks.ts";
import { recordingOperations } from "./resources/recordings.ts";
import { teamOperations } from "./resources/teams.ts";
import { transcriptOperations } from "./resources/transcripts.ts";
import { trunkOperations } from "./resources/trunks.ts";
import { webhookOperations } from "./resources/webhooks.ts";

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
