import { callLog } from "../../../src/explore/index.ts";
import type { Simulator } from "../../../src/index.ts";

export const hook = "https://app.test/hooks";
export const crmUrl = "https://api.crm.example";

const lines = [
  { from: "+6421555001", to: "+6495550100", by: "alice" },
  { from: "+6421555002", to: "+6495550103", by: "carol" },
];

/** Calls are answered and end at the same instant. */
const endedCalls = (count: number) => (sim: Simulator) => {
  sim.webhooks.create({ url: hook, events: ["call.ended"] });
  const calls = lines
    .slice(0, count)
    .map(({ from, to, by }) => ({ call: sim.calls.inbound({ from, to }), by }));
  sim.advance("PT5S");
  for (const { call, by } of calls) call.answer(by);
  sim.advance("PT60S");
  for (const { call } of calls) call.hangup("caller");
};
export const oneCall = endedCalls(1);
export const twoCalls = endedCalls(2);

/** A CRM as its HTTP API: POST adds an activity, twice for the same key only once; GET finds those of a call. */
export class Crm {
  readonly activities: { readonly callId: string }[] = [];
  private readonly keys = new Set<string>();
  readonly fetch = async (input: string, init: RequestInit = {}): Promise<Response> => {
    if (init.method !== "POST") {
      const wanted = new URL(input).searchParams.get("call");
      return Response.json(this.activities.filter(({ callId }) => callId === wanted));
    }
    const key = new Headers(init.headers).get("idempotency-key");
    if (key !== null && this.keys.has(key)) return Response.json({});
    this.activities.push(JSON.parse(init.body as string));
    if (key !== null) this.keys.add(key);
    return Response.json({}, { status: 201 });
  };
}

/** A table with a key, as a client whose methods return promises. */
export class Table<Row extends object = object> {
  readonly #rows = new Map<string, Row>();
  async has(id: string): Promise<boolean> {
    return this.#rows.has(id);
  }
  async get(id: string): Promise<Row | undefined> {
    return this.#rows.get(id);
  }
  async insert(id: string, row: Row = {} as Row): Promise<boolean> {
    if (this.#rows.has(id)) return false;
    this.#rows.set(id, row);
    return true;
  }
  async put(id: string, row: Row): Promise<void> {
    this.#rows.set(id, row);
  }
  async remove(id: string): Promise<void> {
    this.#rows.delete(id);
  }
  async all(): Promise<readonly (Row & { readonly id: string })[]> {
    return [...this.#rows].map(([id, row]) => ({ id, ...row }));
  }
}
export const reads = ["has", "get", "all"];

export type Ask = Crm["fetch"];

/** Writes a call into the CRM. @param key its idempotency key, if it has one */
export const post = (ask: Ask, callId: string, key?: string) =>
  ask(`${crmUrl}/activities`, {
    method: "POST",
    body: JSON.stringify({ callId }),
    headers: key === undefined ? {} : { "idempotency-key": key },
  });

export const crmLog = callLog({ rows: (app: { readonly crm: Crm }) => app.crm.activities });

/** Handles each call that is over. @param handle throws, or returns the status */
export function hear(
  sim: Simulator,
  handle: (id: string, contact: string) => number | Promise<number>,
): void {
  sim.network.route(hook, ({ body }) => {
    const { id, contactNumber } = JSON.parse(body).data.call;
    return handle(id, contactNumber);
  });
}

/** The status of work; 503 if it fails. */
export const or503 = (work: () => Promise<number>): Promise<number> => work().catch(() => 503);
