import { describe, expect, test } from "vitest";
import { createSimulator, InputError, verifySignature } from "../../../src/index.ts";
import { problemsBy } from "./schemas.ts";
import { ask, playCalls } from "./support.ts";

const fieldNames = { contactNumber: "customerNumber", passthroughParameters: "extras", data: "payload" };

const branded = () =>
  createSimulator({
    dialect: {
      serviceName: "acmephone",
      directoryTypes: { user: "person" },
      fieldNames: { ...fieldNames, companyAddress: "sender" },
    },
  });

describe("Renamed fields", () => {
  test("are renamed in answers, but not in free content", async () => {
    const sim = branded();
    const call = sim.calls.inbound({
      from: "+6421555001",
      to: "+6495550100",
      passthroughParameters: { "x-contactNumber": "1" },
    });
    call.hangup("caller");
    const { body } = await ask(sim, "GET", `/calls/${call.id}`);
    expect(body).toMatchObject({ customerNumber: "+6421555001", extras: { "x-contactNumber": "1" } });
    expect(body).not.toHaveProperty("contactNumber");
    expect(call.record).toHaveProperty("contactNumber");
  });

  test("are renamed in bodies of requests, and in errors about them", async () => {
    const sim = branded();
    const message = {
      contactAddresses: ["+6421555001"],
      messageContent: { text: "Hi" },
      routingAction: "assign_owner",
    };
    const path = "/conversationMessages";
    expect((await ask(sim, "POST", path, { ...message, sender: "+6495550100" })).status).toBe(201);
    const wrong = await ask(sim, "POST", path, { ...message, sender: "12" });
    expect(wrong).toMatchObject({ status: 400, body: { details: [{ path: "sender" }] } });
  });

  test("are renamed in deliveries before signing", () => {
    const sim = branded();
    const hook = sim.webhooks.create({ url: "https://a.test/hook", events: ["call.started"] });
    playCalls(sim, 1);
    const [request] = sim.network.requests;
    const { headers = {}, body = "" } = request ?? {};
    expect(JSON.parse(body)).toMatchObject({ payload: { call: { customerNumber: "+6421555001" } } });
    expect(sim.events[0]).toHaveProperty("data");
    const now = sim.timestamp;
    const signed = { headers, body, secret: hook.signingSecret, now, serviceName: "acmephone" };
    expect(verifySignature(signed)).toEqual({ valid: true });
  });

  test("are renamed in the document and its examples", async () => {
    const document = await branded().openapi();
    const problemsOf = problemsBy(document);
    const problems = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap(({ requestBody, responses }) =>
        [requestBody, ...Object.values(responses ?? {})].flatMap((described) => {
          const { schema, example } = described?.content?.["application/json"] ?? {};
          return example === undefined ? [] : problemsOf(schema, example);
        }),
      ),
    );
    expect(problems).toEqual([]);
    expect(JSON.stringify(document)).toContain('"customerNumber":');
    expect(JSON.stringify(document)).not.toContain('"contactNumber":');
    expect(JSON.stringify(document)).toContain("x-acmephone-signature");
  });

  test("must have different names", () => {
    const dialect = { fieldNames: { contactNumber: "number", companyNumber: "number" } };
    expect(() => createSimulator({ dialect })).toThrow(InputError);
  });
});

test("Directory types have the dialect's names", async () => {
  expect((await ask(branded(), "GET", "/users/alice")).body.type).toBe("person");
});
