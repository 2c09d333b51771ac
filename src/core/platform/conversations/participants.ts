import type { AssignedParticipant, ConversationParticipant } from "../../records/conversation.ts";
import type { UserRecord } from "../../records/directory.ts";

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

/** A user who joins a conversation. */
export function newParticipant({ id, displayName, email, location }: UserRecord): AssignedParticipant {
  return { type: "user", id, displayName, email, location, unreadCount: 0 };
}
