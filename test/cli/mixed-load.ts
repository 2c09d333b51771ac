import { createHmac } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect } from "vitest";
import { verifySignature } from "../../src/index.ts";
import type { Received } from "../server/support.ts";
import type { serving } from "./support.ts";

/** What many clients of a server do at the same time, and what they know about the answers. */

export type Served = Awaited<ReturnType<typeof serving>>;

/** How many finished records of each kind the server keeps. */
export const RETAINED = 100;

/** What the last few conversations and calls are looked up for: fewer than are kept, whatever else is at work. */
const LOOKED_UP = 20;

const [alice, sales] = ["+6495550100", "+6495550200"];

/** A number of nobody else. */
const numberOf = (kind: number, index: number) => `+64${kind}${String(index).padStart(7, "0")}`;

/** The clients of a server, which outlive it. */
export class MixedLoad {
  /** Acknowledged calls, oldest first: who called, by the call's id. */
  private readonly calls = new Map<string, string>();
  /** Those of them that the caller has ended, oldest first. */
  private readonly ended: string[] = [];
  /** Ids of acknowledged conversations by the contact who writes. */
  private readonly conversations = new Map<string, string>();
  /** The types of events that the app took, by the call that they are about. */
  private readonly taken = new Map<string, Set<string>>();
  private readonly refused = new Set<string>();
  private readonly idle: Socket[] = [];
  private round = 0;
  private secret = "";
  private headers: Readonly<Record<string, string>> = {};

  /** Every fifth event is refused the first time that it comes. @returns the app's answer */
  readonly receive = ({ headers, body }: Received): number => {
    const { id, type, data, createdTimestamp } = JSON.parse(body);
    const now = Number(headers["x-timestamp"] ?? createdTimestamp);
    const verification = verifySignature({ headers, body, secret: this.secret, now });
    expect(verification).toMatchObject({ valid: true });
    const digest = createHmac("sha256", "every fifth").update(id).digest();
    if (digest.readUInt32BE() % 5 === 0 && !this.refused.has(id)) {
      this.refused.add(id);
      return 503;
    }
    const types = this.taken.get(data.call.id) ?? new Set();
    this.taken.set(data.call.id, types.add(type));
    return 204;
  };

  /** Makes the webhook. */
  async subscribe({ control }: Served, url: string): Promise<void> {
    const events = ["call.started", "call.not_answered"];
    const { body } = await control.post("commands/createWebhook", { url, events });
    this.secret = body.signingSecret;
  }

  /** Clients that ask and read nothing, ask for half a thing, or listen and never read. */
  async addIdleClients({ url }: Served): Promise<void> {
    const asked = [
      "GET /_sim/events?limit=10000 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".repeat(200),
      "POST /_sim/commands/inbound HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-le",
      "GET /_sim/events/stream HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n",
    ];
    for (const text of asked) {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      // the server ends it when it stops, or because it waited long enough
      socket.on("error", () => {});
      await once(socket, "connect");
      socket.pause();
      socket.write(text);
      this.idle.push(socket);
    }
  }

  /** Asks for a token, which lives shorter than the load. */
  async authenticate({ url, control }: Served): Promise<void> {
    const { clientId, clientSecret } = (await control.get("state")).body.credentials;
    const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    const answer = await fetch(`${url}/oauth/token`, { method: "POST", body: new URLSearchParams(form) });
    const { access_token } = (await answer.json()) as { access_token: string };
    this.headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
  }

  /** Two seconds of the load: all clients at the same time. */
  async playTwoSeconds(served: Served): Promise<void> {
    const index = this.round++;
    await Promise.all([this.call(served, index), this.write(served, index), this.useRest(served, index)]);
    expect((await served.control.post("advance", { duration: "PT2S" })).status).toBe(200);
  }

  /** A call that is given up at once, or left ringing. */
  private async call({ control }: Served, index: number): Promise<void> {
    const from = numberOf(21, index);
    const { status, body } = await control.post("commands/inbound", {
      ...{ from, to: index % 2 === 0 ? alice : sales },
    });
    expect(status).toBe(200);
    this.calls.set(body.result, from);
    if (index % 3 !== 0) return;
    const hangup = await control.post("commands/hangup", { call: body.result, by: "caller" });
    expect(hangup.status).toBe(200);
    this.ended.push(body.result);
  }

  /** A contact writes: a new one, or each fourth time the one of a few seconds before. */
  private async write({ control }: Served, index: number): Promise<void> {
    const from = numberOf(27, index % 4 === 3 ? index - 3 : index);
    const before = this.conversations.get(from);
    const { status, body } = await control.post("commands/receiveMessage", {
      ...{ from, to: alice, text: `Message ${index}` },
    });
    expect(status).toBe(200);
    const { conversationId, hasExistingConversation } = body.result;
    expect([hasExistingConversation, conversationId]).toEqual([
      before !== undefined,
      before ?? conversationId,
    ]);
    this.conversations.set(from, conversationId);
  }

  /** Writes to a contact, keeps the contact for a moment, and reads, by the REST API. */
  private async useRest({ url }: Served, index: number): Promise<void> {
    const asked = async (method: string, path: string, body?: unknown) => {
      const given = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await fetch(`${url}${path}`, { method, headers: this.headers, ...given });
      return [answer.status, await answer.json()] as const;
    };
    const to = numberOf(29, index);
    const sent = await asked("POST", "/messages", { from: "alice@acme.test", to, body: `Sent ${index}` });
    expect(sent).toMatchObject([201, { success: true }]);
    const path = `/phonebooks/customers/contacts/c${index}`;
    const name = `Contact ${index}`;
    expect(await asked("PUT", path, { name, phoneNumbers: [to] })).toMatchObject([201, { id: `c${index}` }]);
    expect(await asked("GET", path)).toMatchObject([200, { name }]);
    expect(await asked("DELETE", path)).toEqual([200, {}]);
    expect(await asked("GET", path)).toMatchObject([404, { code: "not_found" }]);
    expect(await asked("GET", "/calls?limit=100")).toMatchObject([200, { calls: expect.any(Array) }]);
  }

  /** Looks up what was acknowledged lately, and what has been dropped for long. */
  async lookUp({ url, control }: Served): Promise<void> {
    const { headers } = this;
    for (const id of this.ended.slice(-LOOKED_UP)) {
      const answer = await fetch(`${url}/calls/${id}`, { headers });
      expect([answer.status, await answer.json()]).toMatchObject([
        200,
        { id, contactNumber: this.calls.get(id) },
      ]);
    }
    const many = this.calls.size > 4 * RETAINED;
    const [oldest] = this.calls.keys();
    if (many) expect((await fetch(`${url}/calls/${oldest}`, { headers })).status).toBe(404);
    const [first] = this.conversations.values();
    // two minutes after its last message it is inactive, and there are many after it
    if (many)
      expect(
        (await control.post("commands/readConversation", { conversation: first, by: "alice" })).status,
      ).toBe(404);
  }

  /** Calls of which the app did not take both events. */
  missed(): string[] {
    const isTaken = (id: string) =>
      ["call.started", "call.not_answered"].every((type) => this.taken.get(id)?.has(type));
    return [...this.calls.keys()].filter((id) => !isTaken(id));
  }

  close(): void {
    for (const socket of this.idle) socket.destroy();
  }
}
