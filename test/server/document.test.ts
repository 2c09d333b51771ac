import { describe, expect, test } from "vitest";
import { operations as declared } from "../../src/core/platform/catalogue/operations.ts";
import { defaultDialect } from "../../src/core/platform/declare/settings.ts";
import { exampleSimulator } from "../../src/core/rest/openapi/examples.ts";
import type { OpenApiDocument, OpenApiOperation } from "../../src/core/rest/openapi/types.ts";
import { createSimulator } from "../../src/index.ts";
import { serve } from "../../src/server/index.ts";
import { served } from "./support.ts";

const callAlice = { from: "+6421555001", to: "+6495550100" };

const documentAt = async (url: string) =>
  (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;

/** Sends the example of an operation, and returns the status. */
async function drive(url: string, token: string, method: string, path: string, operation: OpenApiOperation) {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: where, example } of operation.parameters ?? []) {
    if (example === undefined) continue;
    if (where === "path") filled = filled.replace(`{${name}}`, encodeURIComponent(String(example)));
    else if (where === "query") query.set(name, String(example));
  }
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const example = content?.example as Record<string, string> | undefined;
  const isForm = type === "application/x-www-form-urlencoded";
  const body = example && (isForm ? new URLSearchParams(example).toString() : JSON.stringify(example));
  const response = await fetch(`${url}${filled}?${query}`, {
    method: method.toUpperCase(),
    headers: {
      ...(isForm ? {} : { authorization: `Bearer ${token}` }),
      ...(type ? { "content-type": type } : {}),
    },
    ...(body === undefined ? {} : { body }),
  });
  return response.status;
}

function operationsOf({ paths }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== "servers")
      .map(([method, operation]) => ({ path, method, operation })),
  );
}

/** Whether the operation has an example of every required value. */
function isComplete({ parameters = [], requestBody }: OpenApiOperation): boolean {
  const [content] = Object.values(requestBody?.content ?? {});
  const needsBody = requestBody?.required === true && content?.example === undefined;
  return !needsBody && parameters.every((each) => each.in !== "path" || each.example !== undefined);
}

describe("/openapi.json", () => {
  test("needs no token and has this server's address", async () => {
    const { url } = await served({ dialect: { serviceName: "acmephone" } });
    const document = await documentAt(url);
    expect(document.servers).toEqual([{ url }]);
    expect(JSON.stringify(document.webhooks)).toContain("x-acmephone-signature");
  });

  test("has examples of every operation that work on a server in this state", {
    timeout: 300_000,
  }, async () => {
    const world = exampleSimulator(createSimulator, defaultDialect);
    const whole = await serve(world.fork(), { outbound: false });
    const document = await documentAt(whole.url);
    await whole.close();
    // each on a server of its own: an example that deletes something would leave nothing for the next
    for (const each of operationsOf(document)) {
      const { method, path } = each;
      const before = declared.find(({ id }) => id === each.operation.operationId)?.example.prepare;
      const fork = world.fork();
      before?.(fork);
      const server = await serve(fork, { outbound: false });
      const operations = before === undefined ? [each] : operationsOf(await documentAt(server.url));
      const { operation } = operations.find((it) => it.method === method && it.path === path) ?? each;
      const how = `src/core/platform: ${method} ${path} needs an example, or \`among\` of its parameters`;
      expect(isComplete(operation), how).toBe(true);
      const status = await drive(server.url, fork.token(), method, path, operation);
      await server.close();
      expect([method, path, Math.floor(status / 100)]).toEqual([method, path, 2]);
    }
  });

  test("has examples of existing records only", async () => {
    const { sim, url } = await served({ ids: "nanoid", seed: "mine" });
    const callOf = (document: OpenApiDocument) =>
      document.paths["/calls/{id}"]?.get?.parameters?.find(({ name }) => name === "id")?.example;
    expect(callOf(await documentAt(url))).toBeUndefined();
    const call = sim.calls.inbound(callAlice);
    sim.runUntilIdle();
    const document = await documentAt(url);
    expect(callOf(document)).toBe(call.id);
    for (const { method, path, operation } of operationsOf(document)) {
      const isShown = operation.responses[200]?.content?.["application/json"]?.example !== undefined;
      if (method !== "get" || !isShown) continue;
      expect([path, await drive(url, sim.token(), method, path, operation)]).toEqual([path, 200]);
    }
  });

  test("does not reveal future random values", async () => {
    const { sim, url } = await served();
    const text = JSON.stringify(await documentAt(url));
    expect(text).not.toContain(sim.token());
    const hook = sim.webhooks.create({ url: "https://crm.acme.test/", events: ["*"] });
    expect(text).not.toContain(hook.signingSecret);
  });
});

test("The page at / describes the running simulator as text", async () => {
  const organisation = { id: "acme", name: "<script>alert(1)</script>" };
  const { url } = await served({ organisation });
  const response = await fetch(url);
  expect(response.headers.get("content-type")).toContain("text/html");
  const html = await response.text();
  expect(html).toContain("<title>&#60;script&#62;alert(1)");
  expect(html).not.toContain("<script>alert");
});

test("The page at / is plain if the run keeps no journal", async () => {
  const organisation = { id: "acme", name: "<script>alert(1)</script>" };
  const { url } = await served({ organisation, retain: { journal: false } });
  const html = await (await fetch(url)).text();
  expect(html).toContain("&#60;script&#62;alert(1)");
  expect(html).not.toContain("<script>");
});

test("The page at / can be replaced", async () => {
  const sim = createSimulator();
  const server = await serve(sim, { page: ({ url, simulator }) => `${url} ${simulator.seed}` });
  expect(await (await fetch(server.url)).text()).toBe(`${server.url} 1`);
  await server.close();
});

test("A webhook created by the control plane is returned with its secret", async () => {
  const { sim, control } = await served();
  const { body } = await control.post("commands/createWebhook", {
    url: "https://crm.acme.test/hooks",
    events: ["*"],
  });
  expect(body.signingSecret).toBe(sim.webhooks.signingSecret(body.result));
});
