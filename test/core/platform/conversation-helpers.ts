import {
  type CommandInput,
  type ConversationParticipant,
  createSimulator,
  type OrganisationInput,
  type Simulator,
} from "../../../src/index.ts";

export const [jane, freight, stranger] = ["+6421555001", "+6421555002", "+6421555009"] as const;

/** Numbers of the shop below. */
export const line = {
  ann: "+6495550101",
  annPrivate: "+6495550102",
  ben: "+6495550103",
  desk: "+6495550104",
  crowd: "+6495550105",
  lobby: "+6495550106",
} as const;

const user = (id: string, index: number, more: object = {}) => ({
  id,
  email: `${id}@shop.test`,
  displayName: id,
  extension: String(100 + index),
  ...more,
});
const crowd = Array.from({ length: 12 }, (_, index) => user(`user-${index + 1}`, 20 + index));

/**
 * Ann and Ben have numbers, Ann's first takes no messages; the desk is a team of Ben, a device and Cat; the crowd is a
 * team of twelve; the lobby is a device.
 */
export const shop = {
  id: "shop",
  numbers: [
    { number: line.annPrivate, owner: "ann" },
    { number: line.ann, owner: "ann", sms: true },
    { number: line.ben, owner: "ben" },
    { number: line.desk, owner: "desk", sms: true },
    { number: line.crowd, owner: "crowd", sms: true },
    { number: line.lobby, owner: "lobby", sms: true },
  ],
  locations: [{ id: "mall", name: "Mall" }],
  users: [user("ann", 1, { location: "mall" }), user("ben", 2), user("cat", 3), ...crowd],
  devices: [{ id: "lobby", displayName: "Lobby", extension: "300" }],
  teams: [
    {
      id: "desk",
      displayName: "Desk",
      extension: "200",
      members: [{ user: "ben" }, { device: "lobby" }, { user: "cat" }],
    },
    { id: "crowd", displayName: "Crowd", extension: "201", members: crowd.map(({ id }) => ({ user: id })) },
  ],
  phonebooks: [
    { id: "all", contacts: [{ id: "jane", name: "Jane Smith", phoneNumbers: [jane] }] },
    { id: "ann@shop.test", contacts: [{ id: "freight", name: "Freight", phoneNumbers: [freight] }] },
  ],
} satisfies OrganisationInput;

export function newShop(more: object = {}): Simulator {
  return createSimulator({ organisation: shop, ids: "counter", ...more });
}

type SendBody = Extract<CommandInput<"sendConversationMessage">, { contactAddresses: readonly string[] }>;

/** Sends a message from Ann's number to Jane. A new conversation is assigned to Ann. */
export const toJane: SendBody = {
  companyAddress: line.ann,
  contactAddresses: [jane],
  messageContent: { text: "Hello" },
  routingAction: "assign_owner",
};

export function send(sim: Simulator, more: Partial<SendBody> = {}) {
  return sim.conversations.send({ ...toJane, ...more });
}

/** Jane writes to Ann. */
export function receive(sim: Simulator, more: object = {}) {
  return sim.conversations.receive({ from: jane, to: line.ann, text: "Hi", ...more });
}

/** The users of the conversation, and how many messages each has not read. */
export function unread(participants: readonly ConversationParticipant[]): Record<string, number> {
  return Object.fromEntries(
    participants.flatMap((each) => (each.type === "user" ? [[each.id, each.unreadCount]] : [])),
  );
}

export function assigned(sim: Simulator, id = "conversation-1"): string[] {
  return Object.keys(unread(sim.conversations.get(id).participants));
}
