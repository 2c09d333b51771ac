import { describe, expect, test } from "vitest";
import { CommandError, createSimulator, type Simulator } from "../../../src/index.ts";
import { stateOf, thrownBy } from "../../helpers.ts";
import { freight, jane, line, newShop, shop, toJane } from "./conversation-helpers.ts";

type Body = Record<string, unknown>;

const sends: Record<string, (sim: Simulator, body: Body) => unknown> = {
  send: (sim, body) => sim.conversations.send(body as never),
  sendMessage: (sim, body) => sim.conversations.sendMessage(body as never),
  sendTeamMessage: (sim, body) => sim.conversations.sendTeamMessage(body as never),
  receive: (sim, body) => sim.conversations.receive(body as never),
};

const bodies: Record<string, Body> = {
  send: toJane,
  sendMessage: { from: line.ann, to: jane, body: "Hello" },
  sendTeamMessage: { companyAddress: line.desk, contactAddress: jane, messageContent: { text: "Hello" } },
  receive: { from: jane, to: line.ann, text: "Hi" },
};

/** The errors in a body, as paths with messages. The shop must not change. */
function detailsOf(method: string, changes: Body): Record<string, string> {
  const sim = newShop();
  const before = stateOf(sim);
  // as JSON, which leaves out undefined fields
  const body = JSON.parse(JSON.stringify({ ...bodies[method], ...changes }));
  const error = thrownBy(() => sends[method]?.(sim, body)) as CommandError;
  expect(error).toBeInstanceOf(CommandError);
  expect(error.code).toBe("invalid_argument");
  expect(stateOf(sim)).toEqual(before);
  const paths = error.details.map(({ path }) => path);
  expect(new Set(paths).size, "one detail each").toBe(paths.length);
  return Object.fromEntries(error.details.map(({ path, message }) => [path, message]));
}

const notANumber = /^expected a phone number in E\.164/;
const notATimer = /^expected an ISO 8601 duration from PT600S to P180D, got /;
const noText = "expected text that is not empty, or media";

type Case = readonly [method: string, what: string, changes: Body, path: string, message: string | RegExp];

const common = (method: string): Case[] => [
  [method, "a close timer a ms too short", { closeTimer: "PT599.999S" }, "closeTimer", notATimer],
  [method, "a close timer a ms too long", { closeTimer: "P180DT0.001S" }, "closeTimer", notATimer],
  [method, "a close timer that is no duration", { closeTimer: "soon" }, "closeTimer", notATimer],
  [method, "a close timer in milliseconds", { closeTimer: 600_000 }, "closeTimer", notATimer],
  [
    method,
    "a name of 101 characters",
    { conversationName: "é".repeat(101) },
    "conversationName",
    /at most 100/,
  ],
  [method, "an empty name", { conversationName: "" }, "conversationName", /not empty/],
  [method, "an unknown field", { subject: "S" }, "subject", /^unknown key, expected one of: /],
];

const content = (method: string): Case[] => [
  [method, "no content", { messageContent: undefined }, "messageContent", "missing"],
  [method, "no text", { messageContent: {} }, "messageContent.text", noText],
  [method, "an empty text", { messageContent: { text: "" } }, "messageContent.text", noText],
  [
    method,
    "an unknown sender",
    { messageContent: { text: "Hi", sendAsUser: "nobody@shop.test" } },
    "messageContent.sendAsUser",
    'no user has the e-mail address "nobody@shop.test"',
  ],
  [
    method,
    "media that is no URL",
    { messageContent: { text: "Hi", media: ["picture"] } },
    "messageContent.media[0]",
    /https URL/,
  ],
  [method, "an unknown user", { assignUsers: ["ben", "zed"] }, "assignUsers[1]", /^no user has .*"zed"/],
  [
    method,
    "assign_users without users",
    { routingAction: "assign_users" },
    "assignUsers",
    "expected at least one user for assign_users",
  ],
  [
    method,
    "assign_users of an empty list",
    { routingAction: "assign_users", assignUsers: [] },
    "assignUsers",
    "expected at least one user for assign_users",
  ],
  [method, "an unknown routing action", { routingAction: "route" }, "routingAction", /^expected one of /],
  [method, "no sender", { companyAddress: undefined }, "companyAddress", "missing"],
  [method, "a sender that nobody has", { companyAddress: "+6495559999" }, "companyAddress", /^nobody has/],
  [method, "a device's number", { companyAddress: line.lobby }, "companyAddress", /the device lobby/],
];

const cases: Case[] = [
  ...common("send"),
  ...content("send"),
  [
    "send",
    "no recipients",
    { contactAddresses: [] },
    "contactAddresses",
    "expected at least one phone number",
  ],
  ["send", "a recipient that is no list", { contactAddresses: jane }, "contactAddresses", /expected a list/],
  ["send", "a bad recipient", { contactAddresses: [jane, "021"] }, "contactAddresses[1]", notANumber],
  [
    "send",
    "a recipient twice",
    { contactAddresses: [jane, freight, jane] },
    "contactAddresses[2]",
    `duplicate of ${jane}`,
  ],
  ["send", "itself as recipient", { contactAddresses: [line.ann] }, "contactAddresses[0]", /itself/],
  [
    "send",
    "eleven recipients",
    { contactAddresses: Array.from({ length: 11 }, (_, index) => `+642155500${index + 10}`) },
    "contactAddresses",
    "expected at most 10 phone numbers",
  ],
  ["send", "a bad sender", { companyAddress: "0800" }, "companyAddress", notANumber],
  ["send", "a number without messages", { companyAddress: line.annPrivate }, "companyAddress", /sms: true/],
  [
    "send",
    "no routing action for a new conversation",
    { routingAction: undefined },
    "routingAction",
    /expected/,
  ],
  ["send", "an unknown mode", { notificationMode: "loud" }, "notificationMode", /^expected one of /],
  ["send", "an unknown channel", { channel: "fax" }, "channel", 'expected one of sms, whatsApp, got "fax"'],
  [
    "send",
    "a group by WhatsApp",
    { channel: "whatsApp", contactAddresses: [jane, freight] },
    "contactAddresses",
    "expected one contact: whatsApp has no groups",
  ],
  ...common("sendMessage"),
  ["sendMessage", "no text", { body: "" }, "body", /not empty/],
  ["sendMessage", "a text of 1,601 characters", { body: "x".repeat(1_601) }, "body", /at most 1600 .*1601/],
  ["sendMessage", "an unknown user", { from: "nobody@shop.test" }, "from", /^no user has/],
  ["sendMessage", "a user without a number", { from: "ben@shop.test" }, "from", /^ben has no number/],
  ["sendMessage", "a team's number", { from: line.desk }, "from", /the team desk, expected a user's number/],
  ["sendMessage", "a number without messages", { from: line.annPrivate }, "from", /sms: true/],
  ["sendMessage", "a bad recipient", { to: "021" }, "to", notANumber],
  ["sendMessage", "itself as recipient", { to: line.ann }, "to", /another number/],
  ["sendMessage", "a flag that is none", { notifyUsers: "no" }, "notifyUsers", /true or false/],
  ...common("sendTeamMessage"),
  ...content("sendTeamMessage"),
  ["sendTeamMessage", "a user's number", { companyAddress: line.ann }, "companyAddress", /the user ann/],
  ["sendTeamMessage", "no contact", { contactAddress: undefined }, "contactAddress", /^expected either/],
  [
    "sendTeamMessage",
    "a contact and contacts",
    { contactAddresses: [freight], channel: "sms" },
    "contactAddress",
    /^expected either/,
  ],
  [
    "sendTeamMessage",
    "contacts without a channel",
    { contactAddress: undefined, contactAddresses: [freight] },
    "channel",
    "missing beside contactAddresses",
  ],
  ["sendTeamMessage", "another channel", { channel: "whatsApp" }, "channel", /^expected one of sms/],
  ["sendTeamMessage", "itself as contact", { contactAddress: line.desk }, "contactAddress", /another number/],
  [
    "sendTeamMessage",
    "a contact twice",
    { contactAddress: undefined, contactAddresses: [jane, jane], channel: "sms" },
    "contactAddresses[1]",
    /^duplicate/,
  ],
  ["receive", "no text", { text: undefined }, "text", noText],
  ["receive", "a bad sender", { from: "jane" }, "from", notANumber],
  ["receive", "itself as sender", { from: line.ann }, "from", /another number/],
  ["receive", "a contact twice", { others: [freight, jane] }, "others[1]", `duplicate of ${jane}`],
  ["receive", "a group by WhatsApp", { others: [freight], channel: "whatsApp" }, "others", /no groups/],
  [
    "receive",
    "eleven contacts",
    { others: Array.from({ length: 10 }, (_, index) => `+642155500${index + 10}`) },
    "others",
    "expected at most 9 phone numbers",
  ],
];

describe.each(cases)("%s given %s", (method, _, changes, path, message) => {
  test(`is refused with one detail for ${path} and changes nothing`, () => {
    const details = detailsOf(method, changes);
    expect(Object.keys(details)).toEqual([path]);
    expect(details[path]).toMatch(message);
  });
});

describe("the error", () => {
  test("lists every problem exactly once", () => {
    const wrong = {
      companyAddress: line.ben,
      contactAddresses: [jane, "x"],
      messageContent: { text: 5, sendAsUser: "zed" },
      routingAction: "assign_users",
      assignUsers: ["nobody@shop.test"],
      closeTimer: "PT1S",
      conversationName: "x".repeat(101),
      notificationMode: "loud",
    };
    expect(Object.keys(detailsOf("send", wrong)).sort()).toEqual([
      "assignUsers[0]",
      "closeTimer",
      "companyAddress",
      "contactAddresses[1]",
      "conversationName",
      "messageContent.sendAsUser",
      "messageContent.text",
      "notificationMode",
    ]);
  });

  test("lists the required keys for an empty body", () => {
    const sim = newShop();
    const error = thrownBy(() => sim.conversations.send({} as never)) as CommandError;
    expect(error.details.map(({ path }) => path)).toEqual([
      "contactAddresses",
      "companyAddress",
      "messageContent",
      "routingAction",
    ]);
  });

  test("names the command, the paths and the expected values in its message", () => {
    const sim = newShop();
    const error = thrownBy(() => sim.conversations.sendMessage({ from: line.ann, to: "021", body: "" }));
    expect((error as Error).message).toBe(
      [
        "sendMessage: body: expected text that is not empty",
        'to: expected a phone number in E.164, such as "+6495550100", got "021"',
      ].join("\n"),
    );
  });

  test("has details for other commands too", () => {
    const sim = createSimulator({ organisation: shop });
    const error = thrownBy(() => sim.calls.inbound({ from: "x", to: "y" })) as CommandError;
    expect(error.details.map(({ path }) => path)).toEqual(["from", "to"]);
  });

  test("has no details unless it is about arguments", () => {
    const error = thrownBy(() => newShop().conversations.get("nobody")) as CommandError;
    expect(error.details).toEqual([]);
  });
});

describe("a message", () => {
  test("may have a name of 100 characters, even of two code units each", () => {
    const sim = newShop();
    sends.send?.(sim, { ...toJane, conversationName: "😀".repeat(100) });
    expect(sim.conversations.list()).toHaveLength(1);
  });

  test("to the deprecated endpoint may have 1,600 characters", () => {
    const sim = newShop();
    sim.conversations.sendMessage({ from: line.ann, to: jane, body: "x".repeat(1_600) });
    expect(sim.conversations.list()[0]?.messages[0]?.content).toHaveLength(1_600);
  });

  test("needs no routing action if the conversation exists or is being created", () => {
    const sim = newShop();
    const group = { ...toJane, contactAddresses: [jane, freight] };
    sim.conversations.send(group);
    sim.conversations.send({ ...group, routingAction: undefined });
    sim.advance("PT1S");
    sim.conversations.send({ ...group, routingAction: undefined });
    expect(sim.conversations.list()[0]?.messages).toHaveLength(3);
  });

  test("needs a routing action again once the conversation is closed", () => {
    const sim = newShop();
    sim.conversations.send(toJane);
    sim.conversations.close("conversation-1");
    const error = thrownBy(() => sim.conversations.send({ ...toJane, routingAction: undefined }));
    expect(error).toMatchObject({ details: [{ path: "routingAction" }] });
  });
});
