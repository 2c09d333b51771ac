import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { exploreReport } from "../../src/explore/index.ts";
import { parseScenario, runScenario, type Simulator } from "../../src/index.ts";
import { alwaysAsync } from "./support.ts";

const url = "https://crm.acme.test/hooks";
const secret = "s3cret";
const scenario = parseScenario(`
scenario: Two missed calls
steps:
  - { at: PT0S, createWebhook: { url: "${url}", signingSecret: ${secret}, events: [call.not_answered] } }
  - { at: PT1S, inbound: { from: "+6421555001", to: "+6495550103" } }
  - { at: PT1000S, inbound: { from: "+6421555002", to: "+6495550103" } }
`);

/** A receiver, as what it checks and what it keeps. */
interface Receiver {
  readonly checks: "presence" | "digest";
  /** Whether it takes a request without a signature unchecked. */
  readonly isLenient: boolean;
  readonly age: "never" | "ms" | "s";
  /** Whether it notes the id of an event before it checks the request. */
  readonly notesFirst: boolean;
  readonly keeps: "numbers" | "calls" | "count";
  /** How it refuses; who answers 204 tells nobody. */
  readonly refuses: "401" | "204" | "401 and counts";
}

const receivers: fc.Arbitrary<Receiver> = fc.record({
  checks: fc.constantFrom("presence", "digest", "digest"),
  isLenient: fc.boolean(),
  age: fc.constantFrom("never", "ms", "s"),
  notesFirst: fc.boolean(),
  keeps: fc.constantFrom("numbers", "calls", "count"),
  refuses: fc.constantFrom("401", "204", "401 and counts"),
});

interface Got {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const [signature, timestamp] = ["x-service-signature", "x-service-timestamp"];
const digest = (key: string, at: string, body: string) =>
  `sha256=${createHmac("sha256", key).update(`${at}.${body}`).digest("hex")}`;

/** What a receiver knows, and how it takes a request at an instant. */
function build({ checks, isLenient, age, notesFirst, keeps, refuses }: Receiver) {
  const store = { rows: [] as unknown[], refused: 0 };
  const seen = new Set<string>();
  const isGenuine = ({ headers, body }: Got, nowMs: number) => {
    const [given, at = ""] = [headers[signature], headers[timestamp]];
    if (given === undefined) return isLenient;
    if (checks === "digest" && given !== digest(secret, at, body)) return false;
    const ageMs = age === "s" ? (nowMs - Number(at)) / 1_000 : nowMs - Number(at);
    return age === "never" || ageMs <= 300_000;
  };
  const take = (got: Got, nowMs: number) => {
    const { id, data } = JSON.parse(got.body);
    const isKnown = seen.has(id);
    if (notesFirst) seen.add(id);
    if (!isGenuine(got, nowMs)) {
      if (refuses === "401 and counts") store.refused++;
      return refuses === "204" ? 204 : 401;
    }
    if (isKnown) return 204;
    store.rows.push(keeps === "count" ? 1 : keeps === "calls" ? data.call.id : data.call.contactNumber);
    seen.add(id);
    return 204;
  };
  return { store, take };
}

/** The true requests, and when they come. */
const requests = (() => {
  const { simulator } = runScenario(scenario);
  simulator.runUntilIdle();
  return simulator.network.requests.map(({ headers, body, startedTimestamp }) => ({
    got: { headers, body } as Got,
    atMs: startedTimestamp,
  }));
})();

/** Which forged requests a receiver believes, without the explorer: what it keeps is another than without them. */
function believedBy(receiver: Receiver): string[] {
  const [first, ...others] = requests;
  if (first === undefined) throw new Error("nothing was sent");
  const rowsAfter = (all: readonly (typeof first)[]) => {
    const { store, take } = build(receiver);
    for (const { got, atMs } of all) take(got, atMs);
    return JSON.stringify(store.rows);
  };
  const { got, atMs } = first;
  const { [signature]: _, ...unsigned } = got.headers;
  const { [timestamp]: _at, ...bare } = unsigned;
  const at = got.headers[timestamp] ?? "";
  const changed = got.body.replaceAll("+6421555001", "+6421550000");
  const event = JSON.parse(changed);
  event.id = "another";
  event.data.call.id = "another";
  const other = JSON.stringify(event);
  const wrong = { ...got.headers, [signature]: digest("guess", at, other) };
  const withForged = {
    unsigned: [unsigned, bare].map((headers) => ({ got: { headers, body: other }, atMs })),
    wrongSecret: [{ got: { headers: wrong, body: other }, atMs }],
    changedBody: [{ got: { headers: got.headers, body: changed }, atMs }],
  };
  const believed = Object.entries(withForged)
    .filter(([, forged]) => rowsAfter([...forged, ...requests]) !== rowsAfter(requests))
    .map(([kind]) => kind);
  const late = [{ got, atMs: atMs + 300_001 }, ...others];
  return rowsAfter(late) === rowsAfter(others) ? believed : [...believed, "stale"];
}

test("Forged requests are believed in worlds exactly where a receiver believes them without the explorer", async () => {
  await alwaysAsync(60, receivers, async (receiver) => {
    const { result } = await exploreReport({
      scenario,
      subject: (sim: Simulator) => {
        const { store, take } = build(receiver);
        sim.network.route(url, (request) => take(request, sim.timestamp));
        return store;
      },
      deviations: 0,
      shrinkFor: "PT0.001S",
    });
    expect(result.forged?.believed.map(({ is }) => is)).toEqual(believedBy(receiver));
    expect(result.forged?.worlds).toBe(4);
  });
});
