import axios from "axios";
import createClient from "openapi-fetch";
import { expect, test } from "vitest";
import { createSimulator, type Simulator, verifySignature } from "../../../src/index.ts";
import type { paths } from "./api-types.ts";

/**
 * Clients as consumers write them: `openapi-fetch` with types that `openapi-typescript` generates, and axios. Both ask
 * for a token and end with a message.
 */

async function tokenOf(sim: Simulator): Promise<string> {
  const { clientId, clientSecret } = sim.credentials;
  const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  const answer = await sim.fetch(`${sim.urls.auth}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams(form),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

function playCalls(sim: Simulator, count: number): void {
  for (let index = 0; index < count; index++) {
    const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    call.answer("alice");
    sim.advance("PT1M");
    call.hangup("caller");
  }
}

test("A client with generated types gets a token and sends a message", async () => {
  const sim = createSimulator();
  const api = createClient<paths>({
    baseUrl: sim.urls.api,
    fetch: sim.fetch,
    headers: { authorization: `Bearer ${await tokenOf(sim)}` },
  });

  const users = await api.GET("/users", { params: { query: { email: "alice@acme.test" } } });
  const [alice] = users.data?.users ?? [];
  expect(alice?.availability.status).toBe("available");

  playCalls(sim, 3);
  const numbers: string[] = [];
  let next: string | undefined;
  do {
    const page = await api.GET("/calls", { params: { query: { limit: 2, ...(next && { next }) } } });
    numbers.push(...(page.data?.calls.map(({ contactNumber }) => contactNumber ?? "") ?? []));
    next = page.data?.meta.next;
  } while (next);
  expect(numbers).toEqual(Array(3).fill("+6421555001"));

  const uploaded = await api.PUT("/phonebooks/{id}", {
    params: { path: { id: "crm" } },
    body: { name: "CRM", contacts: [{ firstName: "Jo", phoneNumbers: ["+6421555077"] }] },
  });
  expect(uploaded.response.status).toBe(201);
  expect(uploaded.data?.contacts[0]?.name).toBe("Jo");

  const webhook = await api.POST("/webhooks", {
    body: { url: "https://crm.acme.test/hooks", events: ["conversation.message.created"] },
  });
  const secret = webhook.data?.signingSecret ?? "";

  const sent = await api.POST("/conversationMessages", {
    body: {
      companyAddress: "+6495550100",
      contactAddresses: ["+6421555077"],
      messageContent: { text: "Hello Jo" },
      routingAction: "assign_owner",
    },
  });
  expect(sent.data?.hasExistingConversation).toBe(false);
  sim.advance(0);
  const [delivery] = sim.network.requests;
  const { headers = {}, body = "" } = delivery ?? {};
  expect(verifySignature({ headers, body, secret, now: sim.timestamp })).toEqual({ valid: true });

  const refused = await api.GET("/calls/{id}", { params: { path: { id: "none" } } });
  expect(refused.error?.code).toBe("not_found");
});

test("A client with generated types sends passthrough parameters of its own with every message", async () => {
  const sim = createSimulator();
  const api = createClient<paths>({
    baseUrl: sim.urls.api,
    fetch: sim.fetch,
    headers: { authorization: `Bearer ${await tokenOf(sim)}` },
  });
  // compiled with the suite: a type that knows none of the names would refuse them
  const passthroughParameters = { "x-ticket": "7" };
  const companyAddress = "+6495550200";
  const messageContent = { text: "Hello" };
  await api.POST("/conversationMessages", {
    body: {
      companyAddress,
      contactAddresses: ["+6421555001"],
      messageContent,
      routingAction: "assign_owner",
      passthroughParameters: { "x-ticket": "7" },
    },
  });
  await api.POST("/messages", {
    body: { from: "alice@acme.test", to: "+6421555002", body: "Hello", passthroughParameters },
  });
  await api.POST("/teamMessages", {
    body: { companyAddress, contactAddress: "+6421555003", messageContent, passthroughParameters },
  });
  expect(sim.conversations.list().map((each) => each.passthroughParameters)).toEqual(
    Array(3).fill(passthroughParameters),
  );
});

test("An axios client gets a token and sends a message", async () => {
  const sim = createSimulator();
  const api = axios.create({
    baseURL: sim.urls.api,
    adapter: "fetch",
    env: { fetch: sim.fetch as typeof fetch },
    headers: { authorization: `Bearer ${await tokenOf(sim)}` },
  });
  expect((await api.get("/directory", { params: { extension: "101" } })).data.entries[0].id).toBe("alice");
  playCalls(sim, 1);
  expect((await api.get("/calls", { params: { sortOrder: "desc" } })).data.calls).toHaveLength(1);
  const contacts = [{ name: "Jo", phoneNumbers: ["+6421555077"] }];
  expect((await api.put("/phonebooks/crm", { contacts })).status).toBe(201);
  const hook = { url: "https://crm.acme.test/hooks", events: ["*"] };
  expect((await api.post("/webhooks", hook)).data.signingSecret).toBeTruthy();
  const message = { from: "alice@acme.test", to: "+6421555077", body: "Hello" };
  expect((await api.post("/messages", message)).data).toEqual({ success: true });
  await expect(api.get("/calls/none")).rejects.toMatchObject({ response: { status: 404 } });
});
