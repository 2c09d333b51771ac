import { describe, expect, test } from "vitest";
import { replay } from "../../../src/index.ts";
import { startMs, stateOf, stream } from "../../helpers.ts";
import { freight, jane, line, newShop, receive, send, shop } from "./conversation-helpers.ts";

const url = "https://crm.shop.test/conversations";

/** A shop whose data action gives this answer. */
function asking(answer: unknown) {
  const sim = newShop({ organisation: { ...shop, dataActions: { inboundConversations: url } } });
  sim.network.route(url, () => answer as never);
  return sim;
}

const saying = (body: object) => asking({ body });

describe("The Inbound Conversations data action", () => {
  test("is asked with all known fields before an outside message begins a conversation", () => {
    const sim = asking(200);
    const received = receive(sim, { channel: "whatsApp", media: ["https://pictures.test/1.jpg"] });
    expect(received).toMatchObject({ conversationId: "conversation-1", hasExistingConversation: false });
    expect(sim.events).toHaveLength(0);
    sim.advance(0);
    const [request] = sim.network.requests;
    expect(request).toMatchObject({
      method: "POST",
      to: url,
      why: "inboundConversations",
      recordId: "conversation-1",
    });
    expect(JSON.parse(request?.body ?? "")).toEqual({
      conversationId: "conversation-1",
      companyNumber: line.ann,
      companyNumberOwner: {
        id: "ann",
        type: "user",
        displayName: "ann",
        extension: "101",
        email: "ann@shop.test",
      },
      contactAddresses: [jane],
      channel: "whatsApp",
      vendor: "vendor",
      vendorConversationId: "vendor-conversation-1",
      message: {
        author: { type: "external", phoneNumber: jane, displayName: "Jane Smith" },
        content: "Hi",
        media: [{ url: "https://pictures.test/1.jpg" }],
        vendorMessageId: "vendor-message-1",
      },
    });
    expect(stream(sim)).toEqual(["0 conversation.message.created"]);
  });

  test("gives the conversation its claim rule, close timer and parameters", () => {
    const sim = saying({
      claimRule: "first_reply",
      closeTimer: "PT10M",
      passthroughParameters: { "x-a": "1", b: "2" },
    });
    receive(sim);
    sim.advance(0);
    expect(sim.conversations.get("conversation-1")).toMatchObject({
      claimRule: "first_reply",
      closeTimer: "PT10M",
      passthroughParameters: { "x-a": "1" },
    });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 conversation.message.created", "600000 conversation.closed"]);
  });

  test("is not asked for a message to an existing conversation", () => {
    const sim = asking(200);
    receive(sim);
    sim.advance(0);
    receive(sim);
    send(sim);
    sim.advance(0);
    expect(sim.network.requests).toHaveLength(1);
    expect(sim.conversations.get("conversation-1").messages).toHaveLength(3);
  });

  test("is not asked for a conversation begun from inside, nor for its replies", () => {
    const sim = asking(200);
    send(sim);
    receive(sim);
    sim.advance(0);
    expect(sim.network.requests).toHaveLength(0);
  });

  test("is asked again once the conversation is closed", () => {
    const sim = asking(200);
    receive(sim);
    sim.advance(0);
    sim.conversations.close("conversation-1");
    receive(sim);
    sim.advance(0);
    expect(sim.network.requests.map(({ recordId }) => recordId)).toEqual([
      "conversation-1",
      "conversation-2",
    ]);
  });

  test("queues messages that arrive before it answers, in order", () => {
    const sim = asking({ body: { claimRule: "anyone" }, after: "PT3S" });
    receive(sim);
    sim.advance("PT1S");
    expect(receive(sim, { text: "Hello?" }).hasExistingConversation).toBe(true);
    expect(send(sim, { routingAction: undefined })).toMatchObject({
      hasExistingConversation: true,
      vendorConversationId: "vendor-conversation-1",
    });
    expect(sim.conversations.list()).toEqual([]);
    sim.advance("PT2S");
    const { messages, claimRule, createdTimestamp } = sim.conversations.get("conversation-1");
    expect(messages.map(({ content }) => content)).toEqual(["Hi", "Hello?", "Hello"]);
    expect({ claimRule, createdTimestamp }).toEqual({
      claimRule: "anyone",
      createdTimestamp: startMs + 3_000,
    });
  });

  test.each([
    ["a status other than 2xx", { status: 500, body: { claimRule: "anyone" } }, "status 500"],
    ["a body that is not JSON", { body: "yes" }, "the body is not JSON"],
    ["a close timer out of range", { body: { closeTimer: "PT1S" } }, /^closeTimer: /],
    ["a claim rule that is no text", { body: { claimRule: 1 } }, /^claimRule: /],
    ["a list for an object", { body: [] }, "expected an object"],
    ["no answer in 5 s", { body: { claimRule: "anyone" }, after: "PT6S" }, "timeout"],
  ])("counts %s as no answer", (_, answer, failure) => {
    const sim = asking(answer);
    receive(sim);
    sim.advance("PT6S");
    expect(sim.conversations.get("conversation-1")).toMatchObject({ claimRule: null, closeTimer: null });
    expect(sim.network.requests[0]?.failure).toMatch(failure);
  });

  test("is judged field by field", () => {
    const sim = saying({ claimRule: "anyone", closeTimer: "PT1S", passthroughParameters: "x-a=1" });
    receive(sim);
    sim.advance(0);
    expect(sim.conversations.get("conversation-1")).toMatchObject({
      claimRule: "anyone",
      closeTimer: null,
      passthroughParameters: {},
    });
    const [request] = sim.network.requests;
    expect([request?.failure, request?.problems.map(({ path }) => path)]).toEqual([
      null,
      ["passthroughParameters", "closeTimer"],
    ]);
  });

  test("loses parameters over 1000 bytes, but not the rest of its answer", () => {
    const sim = saying({ claimRule: "anyone", passthroughParameters: { "x-a": "v".repeat(998) } });
    receive(sim);
    sim.advance(0);
    expect(sim.conversations.get("conversation-1")).toMatchObject({
      claimRule: "anyone",
      passthroughParameters: {},
    });
    expect(sim.network.requests[0]).toMatchObject({
      failure: null,
      problems: [{ path: "passthroughParameters", message: expect.stringContaining("at most 1000 bytes") }],
    });
  });

  test("continues in a fork, and is not asked in a replay", () => {
    const sim = asking({ body: { claimRule: "anyone" }, after: "PT3S" });
    receive(sim, { others: [freight] });
    sim.advance("PT1S");
    const fork = sim.fork();
    for (const each of [sim, fork]) each.runUntilIdle();
    expect(stateOf(fork)).toEqual(stateOf(sim));
    const again = replay(sim.journal());
    expect(again.events.toJSONL()).toBe(sim.events.toJSONL());
    expect(again.conversations.list()).toEqual(sim.conversations.list());
  });

  test("is shown in the timeline", () => {
    const sim = saying({ claimRule: "anyone" });
    receive(sim);
    sim.advance(0);
    expect(sim.events.toTimeline()).toContain("crm.shop.test: answers 200");
  });
});
