/** Makes the types of the REST API if they are not current. `npm ci` and the tests that need them run it. */
import { makeApiTypes } from "./api-types-file.ts";

await makeApiTypes();
