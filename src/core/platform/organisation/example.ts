import { demoOrganisation } from "./demo.ts";
import type { OrganisationInput } from "./schema.ts";

/** The organisation that the examples of commands are of: the demo's, with recording and a trunk. */
export const exampleOrganisation = {
  ...demoOrganisation,
  features: { recording: true, transcription: true, pbx: true },
  trunks: [{ id: "pbx", name: "PBX", devices: [{ id: "gate", displayName: "Gate", extension: "401" }] }],
} satisfies OrganisationInput;
