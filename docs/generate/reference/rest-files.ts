import { operations } from "../../../src/core/platform/catalogue/operations.ts";
import { otherPathTags } from "../../../src/core/rest/openapi/document.ts";

/** The pages of the REST API, by the tag of the document. */
export const restFiles: Readonly<Record<string, string>> = Object.fromEntries(
  [...operations.map(({ tag }) => tag), ...otherPathTags].map(({ name }) => [
    name,
    name.toLowerCase().replaceAll(" ", "-"),
  ]),
);
