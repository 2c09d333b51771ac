import type { AssignedParticipant, ConversationParticipant } from "../../records/conversation.ts";
import type { UserRecord } from "../../records/directory.ts";
import { MAX_PARTICIPANTS } from "./schemas.ts";

/** Adds users to the participants, in order, up to the limit. */
export function withUsers(
  participants: readonly ConversationParticipant[],
  users: readonly UserRecord[],
): readonly ConversationParticipant[] {
  const present = new Set(usersAmong(participants).map(({ id }) => id));
  const added = users.filter(({ id }) => !present.has(id) && present.add(id));
  if (added.length === 0) return participants;
  return [...participants, ...added.map(newParticipant)].slice(0, MAX_PARTICIPANTS);
}

export function usersAmong(participants: readonly ConversationParticipant[]): AssignedParticipant[] {
  return participants.filter((each) => each.type === "user");
}

/** Counts one more unread message for each user, including the one on whose behalf the API sent it. */
export function withUnread(
  participants: readonly ConversationParticipant[],
): readonly ConversationParticipant[] {
  return participants.map((each) =>
    each.type === "user" ? { ...each, unreadCount: each.unreadCount + 1 } : each,
  );
}

export function hasUnread(participants: readonly ConversationParticipant[]): boolean {
  return participants.some((each) => each.type === "user" && each.unreadCount > 0);
}

function newParticipant({ id, displayName, email, location }: UserRecord): AssignedParticipant {
  return { type: "user", id, displayName, email, location, unreadCount: 0 };
}
