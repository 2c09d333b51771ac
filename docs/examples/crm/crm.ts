import { createHmac, timingSafeEqual } from "node:crypto";
import { Hono } from "hono";

/** What the app is given: in production from its configuration, in tests from a simulator. */
export interface CrmConfig {
  /** The signing secret of our webhook. */
  readonly secret: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** The platform's REST API. */
  readonly api: {
    readonly url: string;
    readonly token: () => string;
    readonly fetch: (input: string, init: RequestInit) => Promise<Response>;
  };
}

/** Who is on the phone, as the wallboard in the office shows it. */
export type Wallboard = ReadonlyMap<string, { readonly name: string; readonly status: string }>;

export interface Crm {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly wallboard: Wallboard;
  /** How many calls came to which end. */
  readonly outcomes: ReadonlyMap<string, string>;
}

/** Deliveries that are older are not taken: somebody may have recorded them. */
const TOLERANCE_MS = 5 * 60_000;
const PHONEBOOK = "customers";

/** The part of an event that this app looks at. */
interface PhoneEvent {
  readonly id: string;
  readonly type: string;
  readonly createdTimestamp: number;
  readonly data: {
    readonly call?: {
      readonly id: string;
      readonly contactNumber: string;
      readonly outcome: { readonly status: string } | null;
      readonly parties: readonly { readonly displayName: string; readonly phoneNumber?: string }[];
    };
    readonly user?: {
      readonly id: string;
      readonly displayName: string;
      readonly availability: { readonly status: string };
    };
  };
}

export function createCrm(config: CrmConfig): Crm {
  const handled = new Set<string>();
  const wallboard = new Map<string, { name: string; status: string; at: number }>();
  const outcomes = new Map<string, string>();
  const app = new Hono().onError((error, c) => c.text(error.message, 500));

  app.post("/hooks", async (c) => {
    const body = await c.req.text();
    if (!isGenuine(config, c.req.raw.headers, body)) return c.text("who are you?", 401);
    const event = JSON.parse(body) as PhoneEvent;
    // the network may deliver twice, and the platform does when it did not hear our answer
    if (handled.has(event.id)) return c.body(null, 204);
    show(event);
    if (event.type === "call.ended") await close(event);
    // only now: what failed half-way is delivered again
    handled.add(event.id);
    return c.body(null, 204);
  });

  /** Events may overtake each other: what is older than what we show is no news. */
  function show({ createdTimestamp, data: { user } }: PhoneEvent): void {
    if (user === undefined || (wallboard.get(user.id)?.at ?? 0) > createdTimestamp) return;
    wallboard.set(user.id, {
      name: user.displayName,
      status: user.availability.status,
      at: createdTimestamp,
    });
  }

  async function close({ data: { call } }: PhoneEvent): Promise<void> {
    if (call === undefined) return;
    outcomes.set(call.id, call.outcome?.status ?? "unknown");
    const isStranger = call.parties.some(({ displayName }) => displayName === call.contactNumber);
    if (isStranger) await writeBack(call.contactNumber);
  }

  /** The same contact twice is one contact: its id follows from the number. */
  async function writeBack(number: string): Promise<void> {
    const contact = {
      id: `caller-${number.slice(1)}`,
      firstName: "New",
      lastName: `caller ${number.slice(-4)}`,
      phoneNumbers: [number],
    };
    const answer = await config.api.fetch(`${config.api.url}/phonebooks/${PHONEBOOK}/contacts`, {
      method: "PUT",
      headers: { authorization: `Bearer ${config.api.token()}`, "content-type": "application/json" },
      body: JSON.stringify(contact),
    });
    if (!answer.ok) throw new Error(`the platform answered ${answer.status}: ${await answer.text()}`);
  }

  return { fetch: (request) => app.fetch(request), wallboard, outcomes };
}

/** The signature is that of the body as it came, and the delivery is recent. */
function isGenuine({ secret, now }: CrmConfig, headers: Headers, body: string): boolean {
  const timestamp = headers.get("x-service-timestamp") ?? "";
  const given = Buffer.from(headers.get("x-service-signature") ?? "");
  const digest = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  const expected = Buffer.from(`sha256=${digest}`);
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
  return isSigned && now() - Number(timestamp) <= TOLERANCE_MS;
}
