import { parseArgs } from "node:util";
import { beforeEach, expect, test } from "vitest";
import { vendorSignature } from "../../src/core/network/vendor-signature.ts";
import { verifySignature } from "../../src/index.ts";
import { controlOf, receiver, served } from "./support.ts";

/**
 * A command-line client of the API, as one would write it from the documentation: its flags are the API's parameters, it
 * asks for a token by a form, and it pages through lists by itself.
 */
async function client(base: string, credentials: Credentials, ...args: string[]): Promise<unknown> {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options: flags });
  const [what = "", verb = ""] = positionals;
  const form = new URLSearchParams({ grant_type: "client_credentials", ...credentials });
  const token = (await json(await fetch(`${base}/oauth/token`, { method: "POST", body: form }))) as Token;
  const ask = async (method: string, path: string, body?: unknown) =>
    json(
      await fetch(base + path, {
        method,
        headers: { authorization: `Bearer ${token.access_token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  const list = async (path: string, name: string) => {
    const items: unknown[] = [];
    const query = new URLSearchParams(
      ["limit", "since", "before", "modified", "sortOrder", "contactNumber", "email"].flatMap((each) => {
        const value = values[each as keyof typeof values];
        return typeof value === "string" ? [[each, value]] : [];
      }),
    );
    for (;;) {
      const page = (await ask("GET", `${path}?${query}`)) as Record<string, unknown[]> & {
        meta?: { next: string };
      };
      items.push(...(page[name] ?? []));
      const next = page.meta?.next ?? "";
      if (next === "") return items;
      query.set("next", next);
    }
  };
  switch (`${what} ${verb}`.trim()) {
    case "calls list":
      return list("/calls", "calls");
    case "calls get":
      return ask("GET", `/calls/${values.id}`);
    case "users list":
      return list("/users", "users");
    case "contacts put":
      return ask("PUT", `/phonebooks/${values.phonebook}/contacts`, JSON.parse(values.json ?? "[]"));
    case "contacts list":
      return list(`/phonebooks/${values.phonebook}/contacts`, "contacts");
    case "webhooks create":
      return ask("POST", "/webhooks", { url: values.url, events: values.event });
    case "messages send":
      return ask("POST", "/conversationMessages", {
        contactAddresses: values.to,
        companyAddress: values.from,
        messageContent: { text: values.text },
        routingAction: "assign_owner",
      });
    default:
      throw new Error(`unknown command: ${positionals.join(" ")}`);
  }
}

const text = { type: "string" } as const;
const texts = { type: "string", multiple: true } as const;
const flags = {
  ...{
    limit: text,
    since: text,
    before: text,
    modified: text,
    sortOrder: text,
    contactNumber: text,
    email: text,
  },
  ...{ id: text, phonebook: text, json: text, url: text, event: texts, to: texts, from: text, text },
};

interface Token {
  readonly access_token: string;
  readonly expires_in: number;
}

interface Credentials {
  readonly [name: string]: string;
}

async function json(response: Response): Promise<unknown> {
  const body: unknown = await response.json();
  if (!response.ok) throw new Error(`${response.status}: ${JSON.stringify(body)}`);
  return body;
}

let server: Awaited<ReturnType<typeof served>>;
let run: (...args: string[]) => Promise<unknown>;

beforeEach(async () => {
  server = await served();
  const { clientId, clientSecret } = server.sim.credentials;
  run = (...args) => client(server.url, { client_id: clientId, client_secret: clientSecret }, ...args);
});

interface Call {
  readonly id: string;
  readonly startedTimestamp: number;
  readonly lastModifiedTimestamp: number;
}

test("lists calls page by page, and those of a period", async () => {
  const control = controlOf(server.url);
  for (let index = 1; index <= 7; index++) {
    await control.post("commands/inbound", { from: `+642155500${index}`, to: "+6495550100" });
    await control.post("advance", { duration: "PT10M" });
  }
  const all = (await run("calls", "list", "--limit", "2", "--sortOrder", "asc")) as Call[];
  expect(all).toHaveLength(7);
  const ids = all.map(({ id }) => id);
  const third = all[2] as Call;
  const idsOf = async (...args: string[]) =>
    ((await run("calls", "list", ...args)) as Call[]).map(({ id }) => id);
  const at = String(third.startedTimestamp);
  expect((await idsOf("--since", at, "--sortOrder", "asc")).sort()).toEqual(ids.slice(2).sort());
  expect((await idsOf("--before", at)).sort()).toEqual(ids.slice(0, 2).sort());
  expect((await idsOf("--modified", String(third.lastModifiedTimestamp))).sort()).toEqual(
    ids.slice(2).sort(),
  );
  expect(await idsOf("--contactNumber", "+6421555003")).toEqual([third.id]);
  expect(await run("calls", "get", "--id", third.id)).toMatchObject({ id: third.id });
  await expect(run("calls", "list", "--limit", "1001")).rejects.toThrow(/^400: .*limit/);
});

test("writes contacts, which later name callers", async () => {
  const contact = { firstName: "Mia", lastName: "Kerr", phoneNumbers: ["+6421555777"] };
  await run("contacts", "put", "--phonebook", "customers", "--json", JSON.stringify([contact]));
  const contacts = (await run("contacts", "list", "--phonebook", "customers", "--limit", "1")) as object[];
  expect(contacts).toContainEqual(expect.objectContaining(contact));
  await controlOf(server.url).post("commands/inbound", { from: "+6421555777", to: "+6495550100" });
  expect(JSON.stringify(server.sim.calls.list().at(-1)?.record.parties)).toContain("Mia Kerr");
});

test("creates a webhook, sends a message, and gets it delivered with a signature that verifies", async () => {
  const { url: hooks, received } = await receiver();
  const event = "conversation.message.created";
  const webhook = (await run("webhooks", "create", "--url", hooks, "--event", event)) as {
    signingSecret: string;
  };
  const sent = await run(
    ...["messages", "send", "--from", "+6495550100", "--to", "+6421555001", "--text", "It is on its way."],
  );
  expect(sent).toMatchObject({ hasExistingConversation: false });
  await expect.poll(() => received.length).toBe(1);
  const [delivery] = received;
  const { headers = {}, body = "" } = delivery ?? {};
  const now = server.sim.timestamp;
  expect(
    verifySignature({ headers: headers as never, body, secret: webhook.signingSecret, now }),
  ).toMatchObject({
    valid: true,
  });
});

test("redirects a call by a user's vendorRedirectUrl, signed for that URL", async () => {
  const dialect = { vendorSecret: "s3cret" };
  const signed = await served({ dialect });
  const { clientId, clientSecret } = signed.sim.credentials;
  const users = (await client(
    signed.url,
    { client_id: clientId, client_secret: clientSecret },
    ...["users", "list", "--email", "alice@acme.test"],
  )) as { vendorRedirectUrl: string }[];
  const { vendorRedirectUrl = "" } = users[0] ?? {};
  expect(vendorRedirectUrl.startsWith(`${signed.url}/telephony/redirect?`)).toBe(true);
  const form = { parentCallId: "CA1", from: "+6421555001", to: "+6495550100" };
  const redirect = (signature: string) =>
    fetch(vendorRedirectUrl, {
      method: "POST",
      headers: { "x-vendor-signature": signature },
      body: new URLSearchParams(form),
    });
  expect((await redirect("wrong")).status).toBe(403);
  const answer = await redirect(vendorSignature("s3cret", vendorRedirectUrl, form));
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("<Conference>")]);
});

test("downloads the voicemail that a record links to", async () => {
  const control = controlOf(server.url);
  const { result } = (await control.post("commands/inbound", { from: "+6421555001", to: "+6495550100" }))
    .body;
  await control.post("advance", { duration: "PT36S" });
  await control.post("commands/leaveVoicemail", { call: result, duration: "PT5S" });
  await control.post("advance", { untilIdle: true });
  const call = (await run("calls", "get", "--id", result)) as { voicemail: { recordingUrl: string } };
  expect(call.voicemail.recordingUrl.startsWith(server.url)).toBe(true);
  const audio = await fetch(call.voicemail.recordingUrl);
  expect([audio.status, audio.headers.get("content-type")]).toEqual([200, "audio/mpeg"]);
  expect((await audio.arrayBuffer()).byteLength).toBe(20_000);
});
