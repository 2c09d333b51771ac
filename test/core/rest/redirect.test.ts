import { describe, expect, test } from "vitest";
import { vendorSignature } from "../../../src/core/network/vendor-signature.ts";
import { createSimulator, type Simulator } from "../../../src/index.ts";
import { stateOf } from "../../helpers.ts";
import { read } from "./support.ts";

const form = { parentCallId: "CA1", from: "+6421555001", to: "+6495550100" };
const urlOf = (sim: Simulator, query: string) => `${sim.urls.redirect}/telephony/redirect?${query}`;

function post(sim: Simulator, query: string, body: Record<string, string> = form, headers = {}) {
  return sim.fetch(urlOf(sim, query), { method: "POST", body: new URLSearchParams(body), headers });
}

describe("The redirect handler", () => {
  test("rings the entry and returns the conference that the vendor's call joins", async () => {
    const sim = createSimulator();
    const answer = await post(sim, "extension=101&organisationId=acme&timeout=20&x-order=4%202");
    const [call] = sim.calls.live();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^text\/xml/);
    expect(await answer.text()).toContain(`<Dial><Conference>${call?.id}</Conference></Dial>`);
    expect(call?.ringing()).toHaveLength(2);
    expect(call?.record).toMatchObject({
      vendorCallId: "CA1",
      contactNumber: form.from,
      passthroughParameters: { "x-order": "4 2" },
    });
    sim.advance("PT20S");
    expect(sim.events.ofType("call.not_answered")).toHaveLength(1);
  });

  test.each([
    ["CallSid", { CallSid: "CA9", From: "+6421555001", To: "+6495550100" }],
    ["ParentCallSid", { ParentCallSid: "CA9", CallSid: "CA8", From: "+6421555001", To: "+6495550100" }],
  ])("accepts the vendor's names of form parameters: %s", async (_, body) => {
    const sim = createSimulator();
    expect((await post(sim, "extension=101&organisationId=acme", body)).status).toBe(200);
    expect(sim.calls.list()[0]?.record.vendorCallId).toBe("CA9");
  });

  test.each([
    ["parameters out of order", "organisationId=acme&extension=101", form, 403],
    ["passthrough parameters out of order", "extension=101&organisationId=acme&x-b=1&x-a=2", form, 403],
    ["an unknown extension", "extension=999&organisationId=acme", form, 404],
    ["an unknown organisation", "extension=101&organisationId=other", form, 404],
    ["no extension", "organisationId=acme", form, 400],
    ["no organisation", "extension=101", form, 400],
    ["no call of the vendor's", "extension=101&organisationId=acme", { from: form.from, to: form.to }, 400],
    ["a caller that is no number", "extension=101&organisationId=acme", { ...form, from: "nobody" }, 400],
    ["a parameter given twice", "extension=101&extension=102&organisationId=acme", form, 400],
    ["a passthrough parameter given twice", "extension=101&organisationId=acme&x-a=1&x-a=1", form, 400],
  ])("rejects %s and changes nothing", async (_, query, body, status) => {
    const sim = createSimulator();
    const before = stateOf(sim);
    expect(await read(await post(sim, query, body))).toMatchObject({
      status,
      body: { code: expect.any(String) },
    });
    expect(stateOf(sim)).toEqual(before);
  });

  test("rejects a form's parameter given twice", async () => {
    const sim = createSimulator();
    const body = `${new URLSearchParams(form)}&from=%2B6421555009`;
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const url = urlOf(sim, "extension=101&organisationId=acme");
    const answer = await read(await sim.fetch(url, { method: "POST", body, headers }));
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: "from" }] } });
  });

  test("keeps an empty passthrough parameter, and takes other empty parameters for absent", async () => {
    const sim = createSimulator();
    expect((await post(sim, "extension=101&organisationId=acme&timeout=&x-a=")).status).toBe(200);
    expect(sim.calls.live()[0]?.record.passthroughParameters).toEqual({ "x-a": "" });
  });

  test.each(["anonymous", "Anonymous", "+266696687"])(
    "accepts a caller who withholds the number: %s",
    async (from) => {
      const sim = createSimulator();
      expect((await post(sim, "extension=101&organisationId=acme", { ...form, from })).status).toBe(200);
      expect(sim.calls.live()[0]?.record.contactNumber).toBeNull();
    },
  );

  test("answers a repeated redirect as before, while it rings", async () => {
    const sim = createSimulator();
    const first = await (await post(sim, "extension=101&organisationId=acme")).text();
    expect(await (await post(sim, "extension=101&organisationId=acme")).text()).toBe(first);
    expect(sim.calls.list()).toHaveLength(1);
    expect(await (await post(sim, "extension=102&organisationId=acme")).text()).not.toBe(first);
  });

  test("ignores a parameter that it does not know, in its place in the alphabet", async () => {
    const sim = createSimulator();
    expect((await post(sim, "colour=red&extension=101&organisationId=acme")).status).toBe(200);
    expect((await post(sim, "extension=101&organisationId=acme&colour=red")).status).toBe(403);
    expect((await post(sim, "extension=101&organisationId=acme&x-order=1")).status).toBe(200);
    expect(sim.rest.requests.map(({ ignored }) => ignored)).toEqual([["colour"], ["colour"], []]);
    expect(sim.calls.list()).toHaveLength(2);
  });

  test("accepts a request without a body at a plain vendorRedirectUrl", async () => {
    const sim = createSimulator({ ids: "counter" });
    const { vendorRedirectUrl } = sim.users.get("alice").record;
    const answer = await sim.fetch(vendorRedirectUrl, { method: "POST" });
    expect(answer.status).toBe(200);
    expect(sim.calls.live()[0]?.record).toMatchObject({
      contactNumber: null,
      companyNumber: "+6495550100",
    });
    expect(sim.calls.live()[0]?.ringing()).toHaveLength(2);
  });

  test.each([
    [
      "parentCallId",
      "extension=101&from=%2B6421555001&organisationId=acme&parentCallId=CA7&to=%2B6495550101",
    ],
    ["CallSid", "CallSid=CA7&From=%2B6421555001&To=%2B6495550101&extension=101&organisationId=acme"],
  ])("accepts a request without a body, with the call in the query: %s", async (_, query) => {
    const sim = createSimulator();
    expect((await sim.fetch(urlOf(sim, query), { method: "POST" })).status).toBe(200);
    expect(sim.calls.live()[0]?.record).toMatchObject({
      vendorCallId: "CA7",
      contactNumber: "+6421555001",
      companyNumber: "+6495550101",
    });
  });

  test("rejects a request without a body and without a target", async () => {
    const sim = createSimulator();
    const answer = await sim.fetch(urlOf(sim, "extension=999&organisationId=acme"), { method: "POST" });
    expect(answer.status).toBe(404);
  });

  test("ignores invalid passthrough parameters and returns", async () => {
    const sim = createSimulator();
    const query = "extension=101&organisationId=acme&returnTo=postEndpoint&returnToId=nonsense&x-a=%ff";
    expect((await post(sim, query)).status).toBe(200);
    expect(sim.calls.list()[0]?.record.passthroughParameters).toEqual({});
  });

  test("accepts only requests signed by the vendor if its secret is set", async () => {
    const sim = createSimulator({ dialect: { vendor: "acmetel", vendorSecret: "s3cret" } });
    const query = "extension=101&organisationId=acme&x-a=1%202";
    const signature = vendorSignature("s3cret", urlOf(sim, query), form);
    for (const [header, status] of [
      [undefined, 403],
      [vendorSignature("other", urlOf(sim, query), form), 403],
      [vendorSignature("s3cret", urlOf(sim, query), { ...form, to: "+6495550101" }), 403],
      [signature, 200],
    ] as const) {
      const headers = header === undefined ? {} : { "x-acmetel-signature": header };
      expect((await post(sim, query, form, headers)).status).toBe(status);
    }
    expect(sim.calls.list()).toHaveLength(1);
  });

  test("accepts only POST with a form", async () => {
    const sim = createSimulator();
    expect((await sim.fetch(urlOf(sim, "extension=101&organisationId=acme"))).status).toBe(405);
    const headers = { "content-type": "application/json" };
    expect((await post(sim, "extension=101&organisationId=acme", form, headers)).status).toBe(415);
  });
});
