import type { Operation } from "./operation.ts";
import { analysisOperations } from "./resources/analysis.ts";
import { callOperations } from "./resources/calls.ts";
import { directoryOperations } from "./resources/directory.ts";
import { locationOperations } from "./resources/locations.ts";
import { messageOperations } from "./resources/messages.ts";
import { phonebookOperations } from "./resources/phonebooks.ts";
import { teamOperations } from "./resources/teams.ts";
import { transcriptOperations } from "./resources/transcripts.ts";
import { trunkOperations } from "./resources/trunks.ts";
import { webhookOperations } from "./resources/webhooks.ts";

/** The whole API. Rules: docs/fidelity/rest.md#endpoints. */
export const operations = [
  ...directoryOperations,
  ...teamOperations,
  ...locationOperations,
  ...phonebookOperations,
  ...trunkOperations,
  ...callOperations,
  ...transcriptOperations,
  ...analysisOperations,
  ...messageOperations,
  ...webhookOperations,
] satisfies readonly Operation[];
