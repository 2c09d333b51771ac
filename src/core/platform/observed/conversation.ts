import type { ConversationRecord } from "../../generated/records.ts";
import { writeLocation, writeReference } from "./directory.ts";

/** Conversations in the shape that public bodies have: docs/observed.md. */

export function writeConversation(conversation: ConversationRecord) {
  const { companyNumberOwner, participants } = conversation;
  return {
    ...conversation,
    companyNumberOwner: companyNumberOwner && writeReference(companyNumberOwner),
    participants: participants.map(writeParticipant),
  };
}

/** Someone who takes part in a call or a conversation. */
export function writeParticipant(participant: object): object {
  if (!("location" in participant)) return participant;
  const { location } = participant as { readonly location: Parameters<typeof writeLocation>[0] };
  return { ...participant, location: writeLocation(location) };
}
