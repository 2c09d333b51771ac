import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { HttpClient } from "../../../src/explore/http/http-client.ts";
import { listening } from "../../server/support.ts";

test("A client uses no connection that the server may have closed while the process was paused", async () => {
  const { url, server } = await listening((_, response) => response.end());
  server.keepAliveTimeout = 3_000;
  const client = new HttpClient(url);
  const request = { method: "POST", headers: {}, body: "{}" };
  await client.send("/hooks", request);
  // it keeps the connection once the answer is over
  await setImmediate();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000);
  expect((await client.send("/hooks", request)).status).toBe(200);
  client.disconnect();
});
