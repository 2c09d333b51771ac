import openapiTS, { astToString } from "openapi-typescript";
import { createSimulator } from "../../src/index.ts";

/** The types that `openapi-typescript` makes of the document, for the test that uses the API as a client. */
export async function apiTypes(): Promise<string> {
  const { webhooks: _, ...document } = await createSimulator().openapi();
  // parts that the client does not use are left out: examples, events, and deprecated paths that have a twin
  const isLeftOut = (key: string, value: { operationId?: string } | undefined) =>
    key === "example" || value?.operationId?.endsWith("Deprecated") === true;
  const bare = JSON.parse(
    JSON.stringify(document, (key, value) => (isLeftOut(key, value) ? undefined : value)),
  );
  return astToString(await openapiTS(bare));
}
