import { definePart } from "./define-part.ts";

/** What clients of the REST API are given for a while. */
export const restPart = definePart({
  timing: {
    /** How long an access token of the REST API is valid. At its last instant it is no longer. */
    accessTokenLifetime: 3_600_000,
    /** How long a recording's URL is valid. At its last instant it is no longer. */
    recordingUrlLifetime: 7 * 86_400_000,
  },
});
