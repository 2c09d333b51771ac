import { describe, expect, test } from "vitest";
import { type ConversationRecord, createSimulator, type Simulator } from "../../../src/index.ts";
import { isWhole } from "../../counts.ts";
import { startMs, stateOf, stream, thrownBy } from "../../helpers.ts";
import {
  assigned,
  freight,
  jane,
  line,
  newShop,
  receive,
  send,
  shop,
  stranger,
  unread,
} from "./conversation-helpers.ts";

const first = (sim: Simulator): ConversationRecord => sim.conversations.get("conversation-1");

/** Kind, user and text of each notification. */
const told = (sim: Simulator) =>
  sim.notifications.map(({ kind, to, body }) => `${kind} ${to.userId}: ${body}`);

describe("a conversation", () => {
  test("begun before 2023 has neither author nor owner, from that instant on both", () => {
    const sim = createSimulator({ organisation: shop, start: "2022-12-31T23:59:59.999Z" });
    const { conversationId } = receive(sim);
    sim.advance(1);
    receive(sim, { from: stranger });
    send(sim, { contactAddresses: [jane] });
    expect(
      sim.conversations
        .list()
        .map(({ initiatedBy, companyNumberOwner }) => [initiatedBy, companyNumberOwner]),
    ).toMatchObject([
      [null, null],
      [{ phoneNumber: stranger }, { id: "ann" }],
    ]);
    expect(sim.conversations.get(conversationId).messages).toHaveLength(2);
    expect(sim.events.toTimeline()).not.toContain("null");
  });
});

describe("a message that is received", () => {
  test("begins a conversation with all known fields", () => {
    const sim = newShop();
    expect(receive(sim)).toEqual({
      conversationId: "conversation-1",
      messageId: "message-1",
      hasExistingConversation: false,
    });
    const now = { At: "2026-07-01T00:00:00.000Z", Timestamp: startMs };
    const author = { type: "external", phoneNumber: jane, displayName: "Jane Smith" };
    expect(first(sim)).toEqual({
      id: "conversation-1",
      status: "open",
      channel: "sms",
      name: null,
      companyNumber: line.ann,
      companyNumberOwner: {
        id: "ann",
        type: "user",
        displayName: "ann",
        extension: "101",
        email: "ann@shop.test",
      },
      contactAddresses: [jane],
      initiatedBy: author,
      participants: [
        author,
        {
          type: "user",
          id: "ann",
          displayName: "ann",
          email: "ann@shop.test",
          location: { id: "mall", name: "Mall", address: null, countryIso: null, timezone: null },
          unreadCount: 1,
        },
      ],
      vendor: "vendor",
      vendorConversationId: "vendor-conversation-1",
      messages: [
        {
          id: "message-1",
          author,
          direction: "inbound",
          content: "Hi",
          vendorMessageId: "vendor-message-1",
          isApiCreated: false,
          media: [],
          createdAt: now.At,
          createdTimestamp: now.Timestamp,
        },
      ],
      claimRule: null,
      closeTimer: null,
      passthroughParameters: {},
      createdAt: now.At,
      createdTimestamp: now.Timestamp,
      lastModifiedAt: now.At,
      lastModifiedTimestamp: now.Timestamp,
      closedAt: null,
      closedTimestamp: null,
    });
  });

  test("emits an event with the conversation of that moment and the message", () => {
    const sim = newShop();
    receive(sim);
    receive(sim, { text: "Are you there?" });
    const [one, two] = sim.events.ofType("conversation.message.created");
    expect(one?.data.conversation.messages.map(({ content }) => content)).toEqual(["Hi"]);
    expect(two?.data.conversation).toBe(first(sim));
    expect(two?.data.conversation.messages.map(({ content }) => content)).toEqual(["Hi", "Are you there?"]);
    expect(two?.data.message).toBe(two?.data.conversation.messages[1]);
    expect(sim.events.for("conversation-1")).toEqual([one, two]);
  });

  test("joins the conversation of the same contact and number", () => {
    const sim = newShop();
    receive(sim);
    expect(receive(sim)).toEqual({
      conversationId: "conversation-1",
      messageId: "message-2",
      hasExistingConversation: true,
    });
    expect(sim.conversations.list()).toHaveLength(1);
  });

  test.each([
    ["another contact", { from: stranger }],
    ["another number", { to: line.desk }],
    ["another channel", { channel: "whatsApp" }],
    ["a group", { others: [freight] }],
  ])("begins another conversation with %s", (_, other) => {
    const sim = newShop();
    receive(sim);
    expect(receive(sim, other)).toMatchObject({
      conversationId: "conversation-2",
      hasExistingConversation: false,
    });
  });

  test("of a group joins the group's conversation, whichever contact writes", () => {
    const sim = newShop();
    receive(sim, { others: [freight] });
    expect(receive(sim, { from: freight, others: [jane] }).hasExistingConversation).toBe(true);
    expect(first(sim).contactAddresses).toEqual([jane, freight]);
    expect(first(sim).messages.map(({ author }) => author.displayName)).toEqual(["Jane Smith", "Freight"]);
  });

  test("to a user's number is assigned to that user", () => {
    const sim = newShop();
    receive(sim);
    expect(assigned(sim)).toEqual(["ann"]);
  });

  test("to a team's number is assigned to its users", () => {
    const sim = newShop();
    receive(sim, { to: line.desk });
    expect(assigned(sim)).toEqual(["ben", "cat"]);
  });

  test("to a large team assigns users up to ten participants", () => {
    const sim = newShop();
    receive(sim, { to: line.crowd });
    expect(first(sim).participants).toHaveLength(10);
    expect(assigned(sim)).toEqual(Array.from({ length: 9 }, (_, index) => `user-${index + 1}`));
  });

  test("notifies its assigned users and is unread by them", () => {
    const sim = newShop();
    receive(sim, { to: line.desk });
    expect(told(sim)).toEqual(["message ben: Hi", "message cat: Hi"]);
    expect(sim.notifications[0]).toMatchObject({
      conversationId: "conversation-1",
      title: "Message from Jane Smith",
    });
    expect(unread(first(sim).participants)).toEqual({ ben: 1, cat: 1 });
  });

  test("may consist of media only", () => {
    const sim = newShop();
    const url = "https://pictures.test/1.jpg";
    receive(sim, { text: undefined, channel: "whatsApp", media: [url, { url, mimeType: "image/jpeg" }] });
    const vendorResourceUrl = "https://media.ringback.test/vendor-conversation-1";
    expect(first(sim).messages[0]).toMatchObject({
      content: "",
      media: [
        { id: "media-1", url, mimeType: null, vendorResourceUrl: `${vendorResourceUrl}/media-1` },
        { id: "media-2", url, mimeType: "image/jpeg", vendorResourceUrl: `${vendorResourceUrl}/media-2` },
      ],
    });
    expect(told(sim)).toEqual(["message ann: 2 attachments"]);
  });

  test.each([
    ["that nobody has", "+6495559999", "unknown_number"],
    ["without messages", line.ben, "not_allowed"],
    ["of a device", line.lobby, "not_allowed"],
  ])("is refused by a number %s and changes nothing", (_, to, code) => {
    const sim = newShop();
    const before = stateOf(sim);
    expect(thrownBy(() => receive(sim, { to }))).toMatchObject({ name: "CommandError", code });
    expect(stateOf(sim)).toEqual(before);
  });
});

describe("a message that is sent", () => {
  test("begins a conversation and returns the vendor's ids", () => {
    const sim = newShop();
    expect(send(sim)).toEqual({
      hasExistingConversation: false,
      vendor: "vendor",
      vendorConversationId: "vendor-conversation-1",
      vendorMessageId: "vendor-message-1",
    });
    expect(stream(sim)).toEqual(["0 conversation.message.created"]);
    expect(first(sim)).toMatchObject({
      initiatedBy: { type: "user", id: "ann", displayName: "ann", email: "ann@shop.test" },
      messages: [{ direction: "outbound", content: "Hello", isApiCreated: true }],
    });
  });

  test("joins the conversation that the contact began", () => {
    const sim = newShop();
    receive(sim);
    expect(send(sim, { routingAction: undefined })).toMatchObject({
      hasExistingConversation: true,
      vendorConversationId: "vendor-conversation-1",
      vendorMessageId: "vendor-message-2",
    });
    expect(first(sim).messages.map(({ direction }) => direction)).toEqual(["inbound", "outbound"]);
    expect(first(sim).initiatedBy?.type).toBe("external");
  });

  test("carries the dialect's vendor name", () => {
    const sim = newShop({ dialect: { vendor: "carrier" } });
    expect(send(sim).vendor).toBe("carrier");
    expect(first(sim).vendor).toBe("carrier");
  });

  test("writes the vendor's name in lower case", () => {
    expect(send(newShop({ dialect: { vendor: "Carrier" } })).vendor).toBe("carrier");
  });

  test("is sent by the team that owns the number", () => {
    const sim = newShop();
    send(sim, { companyAddress: line.desk });
    expect(first(sim).messages[0]?.author).toEqual({ type: "team", id: "desk", displayName: "Desk" });
  });

  test("is sent by the user in sendAsUser", () => {
    const sim = newShop();
    send(sim, { messageContent: { text: "Hello", sendAsUser: "CAT@shop.test" } });
    expect(first(sim).messages[0]?.author).toMatchObject({ type: "user", id: "cat" });
    expect(first(sim).initiatedBy).toMatchObject({ id: "cat" });
    expect(assigned(sim)).toEqual(["ann"]);
  });

  test("carries the given channel and media", () => {
    const sim = newShop();
    send(sim, { channel: "whatsApp", messageContent: { media: ["https://pictures.test/1.jpg"] } });
    expect(first(sim)).toMatchObject({
      channel: "whatsApp",
      messages: [{ content: "", media: [{ url: "https://pictures.test/1.jpg" }] }],
    });
  });

  test("names a new conversation, but not an existing one", () => {
    const sim = newShop();
    send(sim, { conversationName: "Quote 12", claimRule: "first_reply" });
    send(sim, { conversationName: "Quote 13", claimRule: "anyone" });
    expect(first(sim)).toMatchObject({ name: "Quote 12", claimRule: "first_reply" });
  });

  test("merges its passthrough parameters", () => {
    const sim = newShop();
    send(sim, { passthroughParameters: { "x-a": "1", b: "2" } });
    send(sim, { passthroughParameters: { "x-a": "3", "x-c": "4" } });
    expect(first(sim).passthroughParameters).toEqual({ "x-a": "3", "x-c": "4" });
  });

  test.each([
    [1000, 1],
    [1001, 0],
  ])("with %i bytes of parameters stores %i of them", (bytes, count) => {
    const sim = newShop();
    send(sim, { passthroughParameters: { "x-a": "v".repeat(bytes - 3) } });
    expect(Object.keys(first(sim).passthroughParameters)).toHaveLength(count);
  });

  test("leaves the stored parameters unchanged if the merged set exceeds 1000 bytes", () => {
    const sim = newShop();
    send(sim, { passthroughParameters: { "x-a": "1" } });
    send(sim, { passthroughParameters: { "x-a": "2", "x-b": "v".repeat(994) } });
    expect(first(sim).passthroughParameters).toEqual({ "x-a": "1" });
    expect(first(sim).messages).toHaveLength(2);
  });
});

describe("a routing action", () => {
  test("assign_owner assigns the owner's users, then the listed ones, without duplicates", () => {
    const sim = newShop();
    send(sim, {
      companyAddress: line.desk,
      assignUsers: ["ann@shop.test", "cat@shop.test", "ann@shop.test"],
    });
    expect(assigned(sim)).toEqual(["ben", "cat", "ann"]);
  });

  test("assign_users assigns only the listed users, in the given order", () => {
    const sim = newShop();
    const assignUsers = ["cat@shop.test", "user-5@shop.test", "ben@shop.test"];
    send(sim, { routingAction: "assign_users", assignUsers });
    expect(assigned(sim)).toEqual(["cat", "user-5", "ben"]);
  });

  test("do_not_route assigns nobody, and a reply neither assigns nor notifies anyone", () => {
    const sim = newShop();
    send(sim, { routingAction: "do_not_route", assignUsers: ["ben@shop.test"] });
    receive(sim);
    expect(assigned(sim)).toEqual([]);
    expect(first(sim).messages).toHaveLength(2);
    expect(sim.notifications).toEqual([]);
  });

  test("silently drops participants beyond ten", () => {
    const sim = newShop();
    send(sim, { companyAddress: line.crowd, assignUsers: ["ann@shop.test"] });
    expect(first(sim).participants).toHaveLength(10);
    expect(assigned(sim)).not.toContain("ann");
  });

  test("counts each contact of a group as one of the ten", () => {
    const sim = newShop();
    send(sim, { companyAddress: line.crowd, contactAddresses: [jane, freight, stranger] });
    sim.advance("PT1S");
    expect(assigned(sim)).toEqual(Array.from({ length: 7 }, (_, index) => `user-${index + 1}`));
  });

  test("adds users to an existing conversation and removes none", () => {
    const sim = newShop();
    send(sim);
    send(sim, { routingAction: "assign_users", assignUsers: ["ben@shop.test"] });
    send(sim, { routingAction: "do_not_route" });
    expect(assigned(sim)).toEqual(["ann", "ben"]);
  });
});

describe("a notification mode", () => {
  test.each([
    [undefined, 1, ["message ann: Hello"]],
    ["notify_unread", 1, ["message ann: Hello"]],
    ["silent_unread", 1, []],
    ["silent_read", 0, []],
  ] as const)("of %s leaves %i messages unread", (notificationMode, count, notifications) => {
    const sim = newShop();
    send(sim, { notificationMode });
    expect(unread(first(sim).participants)).toEqual({ ann: count });
    expect(told(sim)).toEqual(notifications);
  });

  test("of silent_read leaves a message unread while another one is unread", () => {
    const sim = newShop();
    receive(sim);
    send(sim, { notificationMode: "silent_read" });
    expect(unread(first(sim).participants)).toEqual({ ann: 2 });
  });

  test("of silent_read leaves a message unread by everyone while one user has unread messages", () => {
    const sim = newShop();
    send(sim, { companyAddress: line.desk });
    sim.conversations.read("conversation-1", "ben");
    send(sim, { companyAddress: line.desk, notificationMode: "silent_read" });
    expect(unread(first(sim).participants)).toEqual({ ben: 1, cat: 2 });
    sim.conversations.read("conversation-1", "ben@shop.test");
    sim.conversations.read("conversation-1", "cat");
    send(sim, { companyAddress: line.desk, notificationMode: "silent_read" });
    expect(unread(first(sim).participants)).toEqual({ ben: 0, cat: 0 });
  });
});

describe("a new group", () => {
  const group = { contactAddresses: [jane, freight] };

  test("is answered without a vendorMessageId and begins a second later", () => {
    const sim = newShop();
    const sent = send(sim, group);
    expect(sent).toStrictEqual({
      hasExistingConversation: false,
      vendor: "vendor",
      vendorConversationId: "vendor-conversation-1",
    });
    expect(sim.conversations.list()).toEqual([]);
    sim.advance(999);
    expect(sim.events).toHaveLength(0);
    sim.advance(1);
    expect(stream(sim)).toEqual(["1000 conversation.message.created"]);
    expect(sim.conversations.get(sent.vendorConversationId)).toMatchObject({
      createdTimestamp: startMs + 1_000,
      messages: [{ vendorMessageId: "vendor-message-1" }],
    });
  });

  test("begins after timing.groupMessageCreated", () => {
    const sim = newShop({ timing: { groupMessageCreated: "PT3S" } });
    send(sim, group);
    sim.runUntil("conversation.message.created");
    expect(sim.timestamp).toBe(startMs + 3_000);
  });

  test("keeps messages sent and received meanwhile in order", () => {
    const sim = newShop();
    send(sim, group);
    const second = send(sim, { contactAddresses: [freight, jane], messageContent: { text: "Second" } });
    expect(second).toMatchObject({ hasExistingConversation: true, vendorMessageId: "vendor-message-2" });
    receive(sim, { from: freight, others: [jane], text: "Third" });
    sim.advance("PT1S");
    expect(first(sim).messages.map(({ content }) => content)).toEqual(["Hello", "Second", "Third"]);
    expect(sim.conversations.list()).toHaveLength(1);
  });

  test("returns the vendorMessageId once the group exists", () => {
    const sim = newShop();
    send(sim, group);
    sim.advance("PT1S");
    expect(send(sim, { contactAddresses: [freight, jane] })).toMatchObject({
      hasExistingConversation: true,
      vendorMessageId: "vendor-message-2",
    });
  });
});

describe("POST /messages", () => {
  const message = { from: "ann@shop.test", to: jane, body: "Hello" };

  test("sends from the user's first number with messages, and assigns the user", () => {
    const sim = newShop();
    expect(sim.conversations.sendMessage(message)).toMatchObject({ hasExistingConversation: false });
    expect(first(sim)).toMatchObject({ companyNumber: line.ann, initiatedBy: { id: "ann" } });
    expect(assigned(sim)).toEqual(["ann"]);
    expect(told(sim)).toEqual(["message ann: Hello"]);
  });

  test("sends from the number that is given", () => {
    const sim = newShop();
    sim.conversations.sendMessage({ ...message, from: line.ann, closeTimer: "PT10M", conversationName: "N" });
    expect(first(sim)).toMatchObject({ companyNumber: line.ann, closeTimer: "PT10M", name: "N" });
  });

  test("joins an existing conversation without assigning anyone", () => {
    const sim = newShop();
    send(sim, { routingAction: "do_not_route" });
    expect(sim.conversations.sendMessage(message).hasExistingConversation).toBe(true);
    expect(assigned(sim)).toEqual([]);
  });

  test("with notifyUsers false notifies the users of an existing conversation only", () => {
    const sim = newShop();
    sim.conversations.sendMessage({ ...message, notifyUsers: false });
    expect(told(sim)).toEqual([]);
    sim.conversations.sendMessage({ ...message, body: "Again", notifyUsers: false });
    expect(told(sim)).toEqual(["message ann: Again"]);
    expect(unread(first(sim).participants)).toEqual({ ann: 2 });
  });
});

describe("POST /teamMessages", () => {
  const message = { companyAddress: line.desk, messageContent: { text: "Hello" } };
  const toTeam = (sim: Simulator, more: object = { contactAddress: jane }) =>
    sim.conversations.sendTeamMessage({ ...message, ...more });

  test("sends to one contact, and assigns the team", () => {
    const sim = newShop();
    expect(toTeam(sim)).toMatchObject({ vendorMessageId: "vendor-message-1" });
    expect(assigned(sim)).toEqual(["ben", "cat"]);
  });

  test("sends to a group", () => {
    const sim = newShop();
    expect(toTeam(sim, { contactAddresses: [jane, freight], channel: "sms" })).toStrictEqual({
      hasExistingConversation: false,
      vendor: "vendor",
      vendorConversationId: "vendor-conversation-1",
    });
    sim.advance("PT1S");
    expect(first(sim).contactAddresses).toEqual([jane, freight]);
  });

  test.each([
    ["assign_team", ["ben", "cat", "ann"]],
    ["assign_users", ["ann"]],
    ["do_not_route", []],
  ])("given %s assigns %j", (routingAction, users) => {
    const sim = newShop();
    toTeam(sim, { contactAddress: jane, routingAction, assignUsers: ["ann@shop.test"] });
    expect(assigned(sim)).toEqual(users);
  });

  test("joins an existing conversation and adds users only on request", () => {
    const sim = newShop();
    toTeam(sim, { contactAddress: jane, routingAction: "do_not_route" });
    toTeam(sim);
    expect(assigned(sim)).toEqual([]);
    toTeam(sim, { contactAddress: jane, routingAction: "assign_team", notifyUsers: false });
    expect(assigned(sim)).toEqual(["ben", "cat"]);
    expect(told(sim)).toEqual([]);
  });

  test("supports the same fields as the other endpoints", () => {
    const sim = newShop();
    toTeam(sim, {
      contactAddress: jane,
      messageContent: { text: "Hello", sendAsUser: "ann@shop.test" },
      claimRule: "anyone",
      closeTimer: "PT10M",
      conversationName: "N",
      passthroughParameters: { "x-a": "1" },
    });
    expect(first(sim)).toMatchObject({
      claimRule: "anyone",
      closeTimer: "PT10M",
      name: "N",
      passthroughParameters: { "x-a": "1" },
      initiatedBy: { id: "ann" },
    });
  });
});

describe("a contact", () => {
  test.each([
    ["the shared phonebooks", jane, "Jane Smith"],
    ["the personal phonebook of the owner", freight, "Freight"],
    ["no phonebook", stranger, stranger],
  ])("has the name of %s", (_, from, name) => {
    const sim = newShop();
    receive(sim, { from });
    expect(first(sim).messages[0]?.author.displayName).toBe(name);
  });

  test("of someone else's personal phonebook has no name", () => {
    const sim = newShop();
    receive(sim, { from: freight, to: line.desk });
    expect(first(sim).participants[0]?.displayName).toBe(freight);
  });

  test("that is assigned names the outside participant and emits an event", () => {
    const sim = newShop();
    receive(sim, { from: stranger });
    sim.conversations.assignContact("conversation-1", { firstName: "Mia", lastName: "Lee" });
    expect(sim.events.at(-1)).toMatchObject({
      type: "conversation.contact_assigned",
      data: { contact: { id: "contact-1", name: "Mia Lee", phoneNumbers: [stranger] } },
    });
    expect(sim.events.ofType("conversation.contact_assigned")[0]?.data.conversation).toBe(first(sim));
    expect(first(sim).participants[0]).toEqual({
      type: "external",
      phoneNumber: stranger,
      displayName: "Mia Lee",
    });
  });

  test("that is assigned in a group names the participant with its number", () => {
    const sim = newShop();
    receive(sim, { to: line.desk, others: [stranger] });
    sim.conversations.assignContact("conversation-1", { name: "Mia", phoneNumbers: [stranger] });
    expect(
      first(sim)
        .participants.slice(0, 2)
        .map(({ displayName }) => displayName),
    ).toEqual(["Jane Smith", "Mia"]);
  });

  test.each([
    ["who is none of a group", { name: "Mia", phoneNumbers: ["+6421555077"] }, "not_allowed"],
    ["of nobody's phonebook", "nobody", "not_found"],
    ["of a phonebook that its users do not see", "freight", "not_found"],
    ["without a name", { phoneNumbers: [jane] }, "invalid_argument"],
  ])("%s cannot be assigned and changes nothing", (_, contact, code) => {
    const sim = newShop();
    receive(sim, { to: line.desk, others: [stranger] });
    const before = stateOf(sim);
    expect(thrownBy(() => sim.conversations.assignContact("conversation-1", contact))).toMatchObject({
      code,
    });
    expect(stateOf(sim)).toEqual(before);
  });

  test("that is shared emits an event with participants and channel, and changes nothing", () => {
    const sim = newShop();
    receive(sim, { channel: "whatsApp" });
    const before = first(sim);
    sim.conversations.shareContact("conversation-1", "freight");
    expect(sim.events.at(-1)).toMatchObject({
      type: "contact.shared",
      data: { contact: { id: "freight" }, participants: before.participants, channel: "whatsApp" },
    });
    expect(first(sim)).toBe(before);
  });

  test("can be shared from a closed conversation", () => {
    const sim = newShop();
    receive(sim);
    sim.conversations.close("conversation-1");
    sim.conversations.shareContact("conversation-1", "jane");
    expect(sim.events.at(-1)?.type).toBe("contact.shared");
  });
});

test("a refused contact does not use up an id", () => {
  const sim = newShop();
  receive(sim, { to: line.desk, others: [stranger] });
  thrownBy(() =>
    sim.conversations.assignContact("conversation-1", { name: "A", phoneNumbers: ["+6421555077"] }),
  );
  sim.conversations.shareContact("conversation-1", { name: "B" });
  expect(sim.events.ofType("contact.shared")[0]?.data.contact.id).toBe("contact-1");
});

describe("sim.conversations", () => {
  test("finds conversations by their id and by the vendor's id", () => {
    const sim = newShop();
    receive(sim);
    expect(sim.conversations.get("vendor-conversation-1")).toBe(first(sim));
  });

  test("lists conversations in the order of their start, including closed ones", () => {
    const sim = newShop();
    receive(sim);
    send(sim, { contactAddresses: [freight] });
    sim.conversations.close("conversation-1");
    receive(sim);
    expect(sim.conversations.list().map(({ id }) => id)).toEqual([
      "conversation-1",
      "conversation-2",
      "conversation-3",
    ]);
  });

  test.each<[string, (sim: Simulator) => unknown]>([
    ["get", (sim) => sim.conversations.get("conversation-9")],
    ["close", (sim) => sim.conversations.close("conversation-9")],
    ["read", (sim) => sim.conversations.read("conversation-9", "ann")],
    ["read by someone whom it is not assigned to", (sim) => sim.conversations.read("conversation-1", "ben")],
    ["read by nobody", (sim) => sim.conversations.read("conversation-1", "nobody")],
    ["assignContact", (sim) => sim.conversations.assignContact("conversation-9", "jane")],
    ["shareContact", (sim) => sim.conversations.shareContact("conversation-9", "jane")],
  ])("%s throws not_found", (_, act) => {
    const sim = newShop();
    receive(sim);
    expect(thrownBy(() => act(sim))).toMatchObject({ name: "CommandError", code: "not_found" });
  });
});

const many = isWhole ? 5_000 : 500;

test(`${many} open conversations each close at their own time`, () => {
  const sim = newShop({ retain: { journal: false } });
  const numberOf = (index: number) => `+64215${String(index).padStart(5, "0")}`;
  for (let index = 0; index < many; index++) {
    receive(sim, { from: numberOf(index) });
    sim.conversations.sendMessage({ from: line.ann, to: numberOf(index), body: "Hi", closeTimer: "P2D" });
  }
  expect(sim.pending()).toHaveLength(2 * many);
  sim.advance("P1D");
  expect(sim.pending()).toHaveLength(many);
  sim.runUntilIdle();
  expect(sim.events.ofType("conversation.closed")).toHaveLength(many);
});

describe("the messages of a conversation", () => {
  const contents = ({ messages }: ConversationRecord) => messages.map(({ content }) => content);

  test("are in each event as they were at its instant, even if it is read later", () => {
    const sim = newShop();
    for (const text of ["One", "Two", "Three"]) receive(sim, { text });
    const [one, two, three] = sim.events
      .ofType("conversation.message.created")
      .map(({ data }) => data.conversation) as [ConversationRecord, ConversationRecord, ConversationRecord];
    expect([one, two, three].map(contents)).toEqual([["One"], ["One", "Two"], ["One", "Two", "Three"]]);
    expect(Object.isFrozen(one.messages)).toBe(true);
    expect(first(sim)).toBe(three);
    sim.conversations.close("conversation-1");
    expect(contents(first(sim))).toEqual(["One", "Two", "Three"]);
    expect(first(sim).messages).toBe(three.messages);
  });

  test("are the same for listeners, webhooks and the log", () => {
    const sim = newShop();
    const heard: unknown[] = [];
    sim.on("conversation.message.created", (event) => heard.push(event));
    sim.webhooks.create({ url: "https://crm.shop.test/hooks", events: ["conversation.message.created"] });
    const bodies: unknown[] = [];
    sim.network.route("https://crm.shop.test/hooks", ({ body }) => {
      bodies.push(JSON.parse(body));
      return 200;
    });
    for (const text of ["One", "Two"]) receive(sim, { text });
    sim.advance(0);
    expect(bodies).toEqual([...sim.events]);
    expect(heard.map((event, index) => event === sim.events[index])).toEqual([true, true]);
  });

  test("are separate in forks that continue differently", () => {
    const sim = newShop();
    receive(sim, { text: "One" });
    const forks = [sim.fork(), sim.fork()] as const;
    receive(sim, { text: "Two" });
    receive(forks[0], { text: "Zwei" });
    receive(forks[0], { text: "Drei" });
    receive(sim, { text: "Three" });
    expect([sim, ...forks].map((each) => contents(first(each)))).toEqual([
      ["One", "Two", "Three"],
      ["One", "Zwei", "Drei"],
      ["One"],
    ]);
  });
});
