import { describe, expect, test } from "vitest";
import { createSimulator, type Simulator } from "../../../src/index.ts";
import { thrownBy } from "../../helpers.ts";
import { line, shop } from "./conversation-helpers.ts";

const newSimulator = () => createSimulator({ organisation: shop, ids: "counter" });
const contacts = (count: number) => Array.from({ length: count }, (_, index) => `+642155510${10 + index}`);
const messageContent = { text: "Hello" };

const send = (sim: Simulator, count: number, routing?: "assign_owner" | "assign_users" | "do_not_route") =>
  sim.conversations.send({
    companyAddress: line.ann,
    contactAddresses: contacts(count),
    messageContent,
    ...(routing !== undefined && { routingAction: routing }),
    ...(routing === "assign_users" && { assignUsers: ["ben@shop.test"] }),
  });
const usersIn = (sim: Simulator) =>
  sim.conversations.list()[0]?.participants.flatMap((each) => (each.type === "user" ? [each.id] : []));
const refused = { code: "invalid_argument", details: [{ path: "contactAddresses" }] };

describe("a message to many contacts", () => {
  test.each(["assign_owner", "assign_users"] as const)(
    "may go to nine contacts, which leaves room for one user: %s",
    (routing) => {
      const sim = newSimulator();
      send(sim, 9, routing);
      sim.advance("PT1S");
      expect(usersIn(sim)).toEqual([routing === "assign_owner" ? "ann" : "ben"]);
    },
  );

  test.each(["assign_owner", "assign_users"] as const)(
    "is refused for ten contacts, which leave no room for a user: %s",
    (routing) => {
      const sim = newSimulator();
      expect(thrownBy(() => send(sim, 10, routing))).toMatchObject(refused);
      sim.runUntilIdle();
      expect(sim.conversations.list()).toEqual([]);
    },
  );

  test("may go to ten contacts with do_not_route, and the conversation goes on", () => {
    const sim = newSimulator();
    send(sim, 10, "do_not_route");
    sim.advance("PT1S");
    expect(usersIn(sim)).toEqual([]);
    expect(send(sim, 10)).toMatchObject({ hasExistingConversation: true });
    const [from = "", ...others] = contacts(10);
    sim.conversations.receive({ from, others, to: line.ann, text: "Hello all" });
    expect(sim.conversations.list()).toMatchObject([{ messages: { length: 3 } }]);
    expect(thrownBy(() => send(sim, 10, "assign_owner"))).toMatchObject(refused);
  });

  test("from a team may go to nine contacts, but not to ten", () => {
    const sim = newSimulator();
    const body = { companyAddress: line.desk, channel: "sms", messageContent } as const;
    const sendTo = (count: number) =>
      sim.conversations.sendTeamMessage({ ...body, contactAddresses: contacts(count) });
    expect(thrownBy(() => sendTo(10))).toMatchObject(refused);
    expect(sendTo(9)).toMatchObject({ hasExistingConversation: false });
  });
});

test("a group of ten cannot begin a conversation from outside, a group of nine can", () => {
  const sim = newSimulator();
  const receive = (count: number) => {
    const [from = "", ...others] = contacts(count);
    return sim.conversations.receive({ from, others, to: line.ann, text: "Hello" });
  };
  expect(thrownBy(() => receive(10))).toMatchObject({
    code: "invalid_argument",
    details: [{ path: "others" }],
  });
  expect(receive(9)).toMatchObject({ hasExistingConversation: false });
});
