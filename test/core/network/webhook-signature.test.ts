import { createContext, runInContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { createSimulator, InputError, type SignedRequest, verifySignature } from "../../../src/index.ts";

/** A delivery as its app gets it. */
function delivery() {
  const sim = createSimulator();
  const url = "https://crm.test/hooks";
  const { signingSecret: secret } = sim.webhooks.create({ url, events: ["call.started"] });
  sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  sim.advance("PT1S");
  const [{ headers, body } = { headers: {}, body: "" }] = sim.network.requests;
  return { headers, body, secret, now: sim.timestamp };
}

const timestampName = "x-service-timestamp";
const signatureName = "x-service-signature";

describe("verifySignature", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  test.each<[string, (body: string) => SignedRequest["body"]]>([
    ["text", (body) => body],
    ["a Uint8Array", bytes],
    ["a Buffer", (body) => Buffer.from(body)],
    ["a view of a part", (body) => bytes(`..${body}`).subarray(2)],
    ["an ArrayBuffer", (body) => bytes(body).buffer as ArrayBuffer],
    [
      "an ArrayBuffer of another realm",
      (body) => {
        const theirs = runInContext("(bytes) => Uint8Array.from(bytes).buffer", createContext());
        return theirs([...bytes(body)]);
      },
    ],
  ])("takes the body as %s", (_, as) => {
    const { body, ...rest } = delivery();
    expect(verifySignature({ ...rest, body: as(body) })).toEqual({ valid: true });
  });

  test("takes headers of any class that has get", () => {
    const { headers, ...rest } = delivery();
    for (const each of [new Headers(headers), new Map(Object.entries(headers)) as unknown as Headers])
      expect(verifySignature({ ...rest, headers: each })).toEqual({ valid: true });
  });

  test("says that a body was parsed and written again, if with a blank behind the first brace it would verify", () => {
    const { body, ...rest } = delivery();
    const rewritten = JSON.stringify(JSON.parse(body));
    const reason = "wrong_signature: this is not the body as it came; was it parsed and written again?";
    expect(verifySignature({ ...rest, body: rewritten })).toEqual({ valid: false, reason });
    const other = JSON.stringify({ ...JSON.parse(body), id: "another" });
    expect(verifySignature({ ...rest, body: other }).reason).toBe("wrong_signature");
  });

  test("refuses an app's time in seconds, of which every delivery would be from the future", () => {
    const { now, ...rest } = delivery();
    const inSeconds = () => verifySignature({ ...rest, now: Math.floor(now / 1000) });
    expect(inSeconds).toThrow(InputError);
    expect(inSeconds).toThrow(/^now: expected milliseconds since the epoch, got 1782864001/);
  });

  test("takes a time of 0 for a delivery at the epoch", () => {
    const sim = createSimulator({ start: 0 });
    const { signingSecret: secret } = sim.webhooks.create({
      url: "https://a.test/",
      events: ["call.started"],
    });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    sim.advance(0);
    const [{ headers, body } = { headers: {}, body: "" }] = sim.network.requests;
    expect(verifySignature({ headers, body, secret, now: 0 })).toEqual({ valid: true });
  });

  const now = 1_782_864_001_000;
  test.each<[string, unknown, unknown, string]>([
    ["no timestamp", undefined, "sha256=0", "missing_timestamp"],
    ["a timestamp of a thousand times now", String(now * 1000), "sha256=0", "wrong_signature"],
    ["a timestamp of 400 digits", "9".repeat(400), "sha256=0", "wrong_signature"],
    ["a negative timestamp", "-1", "sha256=0", "invalid_timestamp"],
    ["a timestamp that is an instant", "2026-07-01T00:00:00Z", "sha256=0", "invalid_timestamp"],
    ["an empty list of timestamps", [], "sha256=0", "missing_timestamp"],
    ["a list of numbers", [5], "sha256=0", "missing_timestamp"],
    ["null", null, "sha256=0", "missing_timestamp"],
    ["an empty signature", String(now), "", "wrong_signature"],
    ["a signature that is an object", String(now), {}, "missing_signature"],
    ["a list of signatures", String(now), ["sha256=0", "sha256=1"], "wrong_signature"],
    ["a signature of half a character", String(now), "sha256=\ud800", "wrong_signature"],
  ])("answers with a reason whatever a header says: %s", (_, timestamp, signature, reason) => {
    const headers = { [timestampName]: timestamp, [signatureName]: signature } as SignedRequest["headers"];
    expect(verifySignature({ headers, body: "{}", secret: "s", now })).toEqual({ valid: false, reason });
  });

  test("refuses a request without headers", () => {
    const headers = undefined as unknown as Headers;
    expect(() => verifySignature({ headers, body: "{}", secret: "s", now })).toThrow(
      "headers: expected the request's headers, got nothing",
    );
  });
});
