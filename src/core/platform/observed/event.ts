import type { LoggedEvent } from "../../engine/event-log.ts";
import type {
  CallRecord,
  ContactRecord,
  ConversationRecord,
  Party,
  TeamRecord,
  UserRecord,
} from "../../generated/records.ts";
import { writeCall, writeParty } from "./call.ts";
import { writeContact } from "./contact.ts";
import { writeConversation, writeParticipant } from "./conversation.ts";
import { type ShapeSources, writeTeam, writeUser } from "./directory.ts";

/** The records in the data of events that have another shape. */
interface Data {
  readonly call?: CallRecord;
  readonly party?: Party;
  readonly contact?: ContactRecord;
  readonly conversation?: ConversationRecord;
  readonly participants?: readonly object[];
  readonly user?: UserRecord;
  readonly team?: TeamRecord;
}

/** The version of bodies that was seen. */
const VERSION = 1;

/** An event in the shape that public bodies have: docs/observed.md. */
export function writeEvent(event: LoggedEvent, sources: ShapeSources) {
  const { id, type, createdAt, createdTimestamp, organisationId } = event;
  const data = event.data as Data;
  const { call, party, contact, conversation, participants, user, team } = data;
  return {
    id,
    type,
    created: createdAt,
    timestamp: createdTimestamp,
    version: VERSION,
    organisationId,
    data: {
      ...data,
      ...(call && { call: writeCall(call) }),
      ...(call && party && { party: writeParty(party, call) }),
      ...(contact && { contact: writeContact(contact) }),
      ...(conversation && { conversation: writeConversation(conversation) }),
      ...(participants && { participants: participants.map(writeParticipant) }),
      ...(user && { user: writeUser(user, sources) }),
      ...(team && { team: writeTeam(team, sources, snapshotMs(team)) }),
    },
  };
}

/** When a team's event was made: at the latest change of a member. An event may come later than that. */
function snapshotMs({ teamMembers }: TeamRecord): number | undefined {
  const changed = teamMembers.flatMap((member) =>
    "availability" in member ? [member.availability.statusTimestamp] : [],
  );
  return changed.length === 0 ? undefined : Math.max(...changed);
}
